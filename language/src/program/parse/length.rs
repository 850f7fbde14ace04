//! Reads `len(x.file)` in an expression: the number of elements of an array of free length becomes a hidden scalar, and
//! the length that the array is declared to have. `last(x.file, b"..")`, a place relative to the end, refers to the
//! length without a separate hidden scalar.

use super::Reader;
use super::view::{called, literal, plain};
use crate::program::FieldId;
use crate::program::diagnostic::Diagnostic;
use crate::program::poly::Poly;
use crate::program::source::Span;
use crate::program::syntax::{Cmp, Expr, Field, IntType, Length, Op, Pred, Ref, Side};
use crate::program::views::{Last, Source, View};

const LAST: &str = "write `let name = last(x.file, b\"..\");` outside of loops";

impl Reader<'_> {
    /// Returns true if `e` is `len(..)`.
    pub(super) fn is_length(&self, e: &syn::Expr) -> bool {
        called(e).is_some_and(|(name, args)| name == "len" && args.len() == 1)
    }

    /// Returns true if `e` is the length of an array that nothing else has used, possibly plus a numeral.
    pub(super) fn is_plain_length(&self, e: &syn::Expr) -> bool {
        match plain(e) {
            syn::Expr::Binary(b) => {
                let sum = matches!(b.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_));
                sum && self.is_plain_length(&b.left) && matches!(plain(&b.right), syn::Expr::Lit(_))
            }
            e => {
                let used = self.views.iter().any(|v| matches!(v.source, Source::Length(_)));
                self.is_length(e) && !used
            }
        }
    }

    /// Reads `len(x.file)`.
    pub(super) fn length(&mut self, e: &syn::Expr) -> Option<Expr> {
        let (_, args) = called(e)?;
        let array = self.byte_array(args.first()?)?;
        self.length_of(array, self.span_of(e))
    }

    /// Reads `let end = last(x.file, b"PK\x05\x06");`, a place.
    pub(super) fn last(&mut self, name: &str, e: &syn::Expr, span: Span) -> Option<Expr> {
        let (_, args) = called(e)?;
        let text = args.get(1).and_then(|text| literal(text)).filter(|text| !text.is_empty());
        let (Some(text), 2, true) = (text, args.len(), self.around.is_empty()) else {
            let message = "this is no place of the last occurrence of a text";
            let d = Diagnostic::new(message, self.span_of(e), "here");
            return self.refuse(d.help(LAST));
        };
        let array = self.byte_array(args[0])?;
        let end = self.length_of(array, span)?;
        let Expr::Ref(Ref { field: length, .. }) = end else { return None };
        let last = Source::Last(Last { array, length, text });
        let distance = self.hidden_scalar(name, last, span)?;
        Some(Expr::bin(Op::Sub, end, distance))
    }

    /// Returns `a cmp b`, without the length of an array that both sides contain: nothing has to know it then,
    /// as in `last(x.file, b"..") + 22 + comment == len(x.file)`.
    pub(super) fn without_lengths(&self, cmp: Cmp, a: Expr, b: Expr) -> Pred {
        let length = |r: &Ref| {
            let is = |v: &View| v.field == r.field && matches!(v.source, Source::Length(_));
            r.side == Side::Input && self.views.iter().any(is)
        };
        if a.mentions(length) && b.mentions(length) {
            let rest = Poly::of(&a).sub(&Poly::of(&b)).to_expr();
            if !rest.mentions(length) {
                return Pred::cmp(cmp, rest, Expr::Int(0));
            }
        }
        Pred::cmp(cmp, a, b)
    }

    fn length_of(&mut self, array: FieldId, span: Span) -> Option<Expr> {
        let known = |v: &&View| matches!(v.source, Source::Length(of) if of == array);
        let field = match self.views.iter().find(known) {
            Some(view) => view.field,
            None => self.hidden_length(array, span)?,
        };
        Some(Expr::Ref(Ref { side: Side::Input, field, index: Vec::new(), span }))
    }

    fn hidden_length(&mut self, array: FieldId, span: Span) -> Option<FieldId> {
        let input = self.input.as_ref()?;
        let (declared, name) =
            (&input.fields[array], format!("{}_length", input.fields[array].name));
        if declared.lengths != [Length::Free] {
            let message = format!("the length of `{}` is declared", declared.name);
            let d = Diagnostic::new(message, span, "here");
            return self.refuse(d.help("use the scalars that it is declared by"));
        }
        if input.field(&name).is_some() {
            let message = format!("`{name}` is another field");
            let d = Diagnostic::new(message, span, "this length has the same name");
            return self.refuse(d.help("give the other one another name"));
        }
        let hidden = Field { name, int: IntType::U32, lengths: Vec::new(), element: None, span };
        let field = self.add_view(hidden, Vec::new(), Vec::new(), Source::Length(array))?;
        let length = Ref { side: Side::Input, field, index: Vec::new(), span };
        self.input.as_mut()?.fields[array].lengths = vec![Length::Is(Expr::Ref(length))];
        Some(field)
    }
}
