//! Reads calls of primitives: `y.array = name(x.array, arguments..);`.

use super::Reader;
use crate::program::FieldId;
use crate::program::callee::Callee;
use crate::program::diagnostic::Diagnostic;
use crate::program::syntax::{Expr, Field, IntType, Side, StmtKind};

/// The form of a call.
pub(super) const FORM: &str = "write `y.array = primitive(x.array);`, with whole arrays of u8 \
                               of one dimension, the output's with its length";

impl Reader<'_> {
    /// Lists the primitives, for help.
    pub(super) fn known_primitives(&self) -> String {
        let takes = |p: &Callee| ", ..".repeat(p.arity + usize::from(p.more));
        let one = |p: &Callee| format!("{}(x.array{})", p.name, takes(p));
        let names: Vec<String> = self.primitives.iter().map(one).collect();
        match names.is_empty() {
            true => "there are no primitives here".to_owned(),
            false => format!("the primitives are {}: `y.array = {};`", names.join(", "), names[0]),
        }
    }

    /// Reads an assignment that has the form of a call: `None` for any other, `Some(None)` after an
    /// error.
    pub(super) fn primitive_call(&mut self, assign: &syn::ExprAssign) -> Option<Option<StmtKind>> {
        let syn::Expr::Call(call) = &*assign.right else { return None };
        let name = match &*call.func {
            syn::Expr::Path(path) => path.path.get_ident()?.to_string(),
            _ => return None,
        };
        if self.primitive(&name).is_none() && !self.names_array(&assign.left) {
            return None;
        }
        Some(self.decode(&name, call, &assign.left))
    }

    /// Returns true if `e` is `record.field` and the field is an array.
    fn names_array(&self, e: &syn::Expr) -> bool {
        let syn::Expr::Field(field) = e else { return false };
        let (syn::Expr::Path(path), syn::Member::Named(member)) = (&*field.base, &field.member)
        else {
            return false;
        };
        let records = [&self.input, &self.output];
        records.into_iter().flatten().any(|r| {
            path.path.is_ident(&r.binder)
                && r.fields.iter().any(|f| *member == f.name && !f.is_scalar())
        })
    }

    fn decode(&mut self, name: &str, call: &syn::ExprCall, left: &syn::Expr) -> Option<StmtKind> {
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let Some(primitive) = self.primitive(name).cloned() else {
            let message = format!("there is no primitive `{name}`");
            let help = self.known_primitives();
            let d = Diagnostic::new(message, self.span_of(&*call.func), "unknown").help(help);
            return self.refuse(d);
        };
        let least = 1 + primitive.arity;
        if args.len() < least || args.len() > least && !primitive.more {
            let arity = match (primitive.arity, primitive.more) {
                (0, false) => "an array".to_owned(),
                (1, false) => "an array and an integer".to_owned(),
                (n, false) => format!("an array and {n} integers"),
                (n, true) => format!("an array and at least {n} integers"),
            };
            let message = format!("`{name}` takes {arity}, with {} arguments here", args.len());
            return self.refuse(Diagnostic::new(message, self.span_of(call), "here").help(FORM));
        }
        let target = self.whole(left, Side::Output);
        let source = self.whole(args[0], Side::Input);
        let args: Vec<Option<Expr>> = args[1..].iter().map(|e| self.argument(e)).collect();
        let (target, source) = (target?, source?);
        let args = args.into_iter().collect::<Option<_>>()?;
        Some(StmtKind::Decode { target, source, primitive, args })
    }

    /// Reads an argument: an expression, or `b"fmt "`, which is the number formed by its bytes, the most significant
    /// first.
    fn argument(&mut self, e: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(text), .. }) = e else {
            return self.expr(e);
        };
        let bytes = text.value();
        if !(1..=8).contains(&bytes.len()) {
            let message = "this text has not 1 to 8 bytes";
            let d = Diagnostic::new(message, self.span_of(e), "here");
            return self.refuse(d.help("a text stands for the number that its bytes are"));
        }
        Some(Expr::Int(bytes.iter().fold(0, |n, b| n << 8 | i128::from(*b))))
    }

    /// Reads `record.field`, an array of bytes of one dimension on this side.
    fn whole(&mut self, e: &syn::Expr, side: Side) -> Option<FieldId> {
        let at = self.span_of(e);
        if let syn::Expr::Index(_) = e {
            let message = "a primitive takes and gives whole arrays, not elements";
            return self.refuse(Diagnostic::new(message, at, "here").help(FORM));
        }
        let (found, field) = self.field_name(e)?;
        let record = match found {
            Side::Input => self.input.as_ref()?,
            Side::Output => self.output.as_ref()?,
        };
        let f: &Field = &record.fields[field];
        let name = format!("{}.{}", record.binder, f.name);
        let wrong = match (found, side) {
            (Side::Input, Side::Output) => Some(format!("`{name}` is an input: it is only read")),
            (Side::Output, Side::Input) => Some(format!("`{name}` is an output: it is not read")),
            _ if f.is_scalar() => Some(format!("`{name}` is a scalar, not an array")),
            _ if f.lengths.len() > 1 => {
                Some(format!("`{name}` has {} dimensions, not one", f.lengths.len()))
            }
            _ if f.int != IntType::U8 => Some(format!("the elements of `{name}` are {}", f.int)),
            _ => None,
        };
        match wrong {
            Some(message) => self.refuse(Diagnostic::new(message, at, "here").help(FORM)),
            None => Some(field),
        }
    }
}
