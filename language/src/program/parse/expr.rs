//! Reads expressions and predicates.

use crate::program::FieldId;
use syn::spanned::Spanned;

use super::{Meaning, Reader};
use crate::program::diagnostic::Diagnostic;
use crate::program::eval::apply;
use crate::program::source::Span;
use crate::program::syntax::{Cmp, Expr, Op, Pred, Ref, Side};
use crate::program::views::FORMS;

const EXPRESSIONS: &str = "expressions are integers, loop variables, fields and their elements, \
                           +, -, *, / and % by a positive divisor, &, << and >> by a numeral, min, max and \
                           div_ceil";
const CONDITIONAL: &str = "assign in the branches: `if p { y.z = a; } else { y.z = b; }`, or `match e { 0 => { y.z = a; } \
                           _ => { y.z = b; } }`; a number that is read from bytes in one of several \
                           places has a name: `let n = if p { u16le(..) } else { u16be(..) };`";
const PREDICATES: &str = "predicates are comparisons (==, !=, <, <=, >, >=), &&, || and !";

impl Reader<'_> {
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Option<Expr> {
        self.deeper(e, |r| r.expr_inner(e))
    }

    fn expr_inner(&mut self, e: &syn::Expr) -> Option<Expr> {
        match e {
            syn::Expr::Lit(lit) => self.numeral(lit),
            syn::Expr::Paren(p) => self.expr(&p.expr),
            syn::Expr::Group(g) => self.expr(&g.expr),
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
                Some(match self.expr(expr)? {
                    Expr::Int(n) => Expr::Int(-n),
                    other => Expr::bin(Op::Sub, Expr::Int(0), other),
                })
            }
            syn::Expr::Path(path) => {
                let Some(name) = path.path.get_ident().map(ToString::to_string) else {
                    return self.not_an_expression(e);
                };
                match self.names.get(&name) {
                    Some(Meaning::Number(value)) => Some(value.clone()),
                    Some(Meaning::Truth(_)) => {
                        let message = format!("`{name}` is a predicate, not a number");
                        self.refuse(Diagnostic::new(message, self.span_of(e), "here"))
                    }
                    None => self.unknown_name(&name, e),
                }
            }
            syn::Expr::Field(_) | syn::Expr::Index(_) => self.reference(e).map(Expr::Ref),
            syn::Expr::Binary(b) => {
                let op = match b.op {
                    syn::BinOp::Add(_) => Op::Add,
                    syn::BinOp::Sub(_) => Op::Sub,
                    syn::BinOp::Mul(_) => Op::Mul,
                    syn::BinOp::Div(_) => Op::Div,
                    syn::BinOp::Rem(_) => Op::Rem,
                    syn::BinOp::BitAnd(_) | syn::BinOp::Shl(_) | syn::BinOp::Shr(_) => {
                        let (left, right) = (self.expr(&b.left), self.expr(&b.right));
                        return self.bits(&b.op, left?, right?, e);
                    }
                    syn::BinOp::BitOr(_) | syn::BinOp::BitXor(_) => return self.no_bits(e),
                    _ => return self.not_an_expression(e),
                };
                let (left, right) = (self.expr(&b.left), self.expr(&b.right));
                self.operation(op, left?, right?, e)
            }
            syn::Expr::Call(call) if self.reads_bytes(e) => self.digits(call),
            syn::Expr::Call(_) if self.is_length(e) => self.length(e),
            syn::Expr::Call(call) => self.operator_call(call, e),
            syn::Expr::MethodCall(call) => {
                let op = function(&call.method.to_string());
                let (Some(op), 1) = (op, call.args.len()) else { return self.not_an_expression(e) };
                let (a, b) = (self.expr(&call.receiver), self.expr(&call.args[0]));
                self.operation(op, a?, b?, e)
            }
            syn::Expr::Cast(cast) => self.refuse(
                Diagnostic::new(
                    "there are no casts",
                    self.span(cast.as_token.span()),
                    "not needed",
                )
                .help(
                    "values are mathematical integers; a field's type only bounds what it may hold",
                ),
            ),
            _ => self.not_an_expression(e),
        }
    }

    /// Reads `min(a, b)`, `max(a, b)` or `div_ceil(a, b)`.
    fn operator_call(&mut self, call: &syn::ExprCall, e: &syn::Expr) -> Option<Expr> {
        let name = match &*call.func {
            syn::Expr::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        let args: Vec<_> = call.args.iter().collect();
        match (name.as_deref().and_then(function), &args[..]) {
            (Some(op), [a, b]) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.operation(op, a?, b?, e)
            }
            (Some(_), _) => {
                let message = format!("`{}` takes two arguments", name.unwrap_or_default());
                self.refuse(Diagnostic::new(message, self.span_of(e), "here"))
            }
            _ if name.as_deref().is_some_and(|n| self.primitive(n).is_some()) => {
                let message = "a primitive decodes a whole array: it is no expression";
                self.refuse(
                    Diagnostic::new(message, self.span_of(e), "here").help(super::primitive::FORM),
                )
            }
            _ => {
                let at = self.span_of(&*call.func);
                let d = Diagnostic::new("there is no such function", at, "unknown");
                let digit = |n: &str| n.starts_with(['u', 'i', 'f']) && n.len() < 8;
                let help = match name.as_deref().is_some_and(digit) {
                    true => format!("bytes are read by {FORMS}: `u16le(x.file, place)`"),
                    false => EXPRESSIONS.to_owned(),
                };
                self.refuse(d.help(help))
            }
        }
    }

    /// Returns an operation, folded if both operands are constant, with its divisor checked.
    pub(super) fn operation(&mut self, op: Op, a: Expr, b: Expr, at: &syn::Expr) -> Option<Expr> {
        if let (Op::Div | Op::Rem | Op::DivCeil, Expr::Int(n)) = (op, &b)
            && *n < 1
        {
            let d = Diagnostic::new(format!("division by {n}"), self.span_of(at), "here")
                .help("a divisor is at least 1");
            return self.refuse(d);
        }
        let (Expr::Int(m), Expr::Int(n)) = (&a, &b) else { return Some(Expr::bin(op, a, b)) };
        let folded = apply(op, *m, *n).ok();
        match folded.filter(|v| v.unsigned_abs() <= u64::MAX.into()) {
            Some(value) => Some(Expr::Int(value)),
            None => self.refuse(
                Diagnostic::new("this number fits no type", self.span_of(at), "too large")
                    .help("integers are at most 64 bits wide"),
            ),
        }
    }

    fn numeral(&mut self, lit: &syn::ExprLit) -> Option<Expr> {
        let value = match &lit.lit {
            syn::Lit::Int(n) => n.base10_parse::<u64>().ok().map(i128::from),
            syn::Lit::Byte(b) => Some(b.value().into()),
            _ => None,
        };
        match value {
            Some(value) => Some(Expr::Int(value)),
            None => self.refuse(
                Diagnostic::new(
                    "this literal is not an integer of at most 64 bits",
                    self.span_of(lit),
                    "here",
                )
                .help(EXPRESSIONS),
            ),
        }
    }

    fn unknown_name<T>(&mut self, name: &str, at: &syn::Expr) -> Option<T> {
        let record = [&self.input, &self.output]
            .into_iter()
            .flatten()
            .find(|r| r.binder == name || r.field(name).is_some());
        let help = match record {
            Some(r) if r.binder == name => format!("name one of its fields: `{name}.field`"),
            Some(r) => format!("write `{}.{name}`", r.binder),
            None => "names are loop variables, `let`s, constants, and the fields of the two \
                     records"
                .to_owned(),
        };
        let at_span = self.span_of(at);
        let later = self.defined_later(name, at_span);
        let message = match later {
            Some(line) => format!("`{name}` is used before its `let` in line {line}"),
            None => format!("`{name}` is not a value here"),
        };
        let help = match later {
            Some(_) => {
                "move this behind the `let`: names stand for values from there on".to_owned()
            }
            None => help,
        };
        self.refuse(Diagnostic::new(message, self.span_of(at), "unknown").help(help))
    }

    /// Returns the line of a later `let` of this name in the file of `at`.
    fn defined_later(&self, name: &str, at: Span) -> Option<usize> {
        let file = self.source.files().iter().rfind(|file| file.start() <= at.start)?;
        let rest = file.text.get(at.end.checked_sub(file.start())?..)?;
        let ends = |c: char| !c.is_alphanumeric() && c != '_';
        let defines = |found: &str| {
            found.trim_start().strip_prefix(name).is_some_and(|r| r.starts_with(ends))
        };
        let mut from = 0;
        while let Some(found) = rest[from..].find("let ") {
            from += found + "let ".len();
            if defines(&rest[from..]) {
                return Some(
                    file.text[..file.text.len() - rest.len() + from].matches('\n').count() + 1,
                );
            }
        }
        None
    }

    fn not_an_expression<T>(&mut self, e: &syn::Expr) -> Option<T> {
        if matches!(e, syn::Expr::If(_) | syn::Expr::Match(_)) {
            let what = "a conditional is no expression here";
            return self.refuse(Diagnostic::new(what, self.span_of(e), "here").help(CONDITIONAL));
        }
        let what = match e {
            syn::Expr::Closure(_) => "there are no closures",
            syn::Expr::Reference(_) => "there are no references",
            syn::Expr::Macro(_) => "there are no macros",
            syn::Expr::Binary(b) if comparison(&b.op).is_some() => {
                "a comparison stands where a number is expected"
            }
            _ => "this expression is outside the language",
        };
        self.refuse(Diagnostic::new(what, self.span_of(e), "here").help(EXPRESSIONS))
    }

    /// `x.field`, `x.field[i]`, `x.field[i][j]`, …
    pub(super) fn reference(&mut self, e: &syn::Expr) -> Option<Ref> {
        let mut indices = Vec::new();
        let mut base = e;
        loop {
            match base {
                syn::Expr::Index(index) => {
                    indices.push(&*index.index);
                    base = &index.expr;
                }
                syn::Expr::Paren(p) => base = &p.expr,
                _ => break,
            }
        }
        indices.reverse();
        let (side, field) = self.field_name(base)?;
        let record = match side {
            Side::Input => self.input.as_ref()?,
            Side::Output => self.output.as_ref()?,
        };
        let declared = &record.fields[field];
        let (name, rank) = (format!("{}.{}", record.binder, declared.name), declared.lengths.len());
        if rank != indices.len() {
            let message = match rank {
                0 => format!("`{name}` is a scalar: it has no elements"),
                1 => format!("`{name}` has one dimension, with {} indices here", indices.len()),
                _ => format!("`{name}` has {rank} dimensions, with {} indices here", indices.len()),
            };
            let help = "name one element: arrays are read and written element by element, in loops";
            return self.refuse(Diagnostic::new(message, self.span_of(e), "here").help(help));
        }
        let index: Vec<Option<Expr>> = indices.into_iter().map(|i| self.expr(i)).collect();
        Some(Ref {
            side,
            field,
            index: index.into_iter().collect::<Option<_>>()?,
            span: self.span_of(e),
        })
    }

    /// `x.field`
    pub(super) fn field_name(&mut self, e: &syn::Expr) -> Option<(Side, FieldId)> {
        let syn::Expr::Field(field) = e else { return self.not_an_expression(e) };
        let (syn::Expr::Path(path), syn::Member::Named(member)) = (&*field.base, &field.member)
        else {
            return self.not_an_expression(e);
        };
        let Some(binder) = path.path.get_ident() else { return self.not_an_expression(e) };
        let sides = [(Side::Input, &self.input), (Side::Output, &self.output)];
        let Some((side, record)) = sides
            .into_iter()
            .filter_map(|(side, r)| Some((side, r.as_ref()?)))
            .find(|(_, r)| *binder == r.binder)
        else {
            let name = binder.to_string();
            return self.unknown_name(&name, &field.base);
        };
        let name = member.to_string();
        match record.field(&name) {
            Some(at) => Some((side, at)),
            None => {
                let fields: Vec<_> = record.fields.iter().map(|f| f.name.as_str()).collect();
                let message = format!("`{}` has no field `{name}`", record.type_name);
                let help = format!("its fields are {}", fields.join(", "));
                self.refuse(
                    Diagnostic::new(message, self.span(member.span()), "unknown").help(help),
                )
            }
        }
    }

    pub(super) fn pred(&mut self, e: &syn::Expr) -> Option<Pred> {
        self.deeper(e, |r| r.pred_inner(e))
    }

    fn pred_inner(&mut self, e: &syn::Expr) -> Option<Pred> {
        match e {
            syn::Expr::Paren(p) => self.pred(&p.expr),
            syn::Expr::Group(g) => self.pred(&g.expr),
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => {
                Some(Pred::Const(b.value))
            }
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(_), expr, .. }) => {
                Some(self.pred(expr)?.negated())
            }
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match self.names.get(&name) {
                    Some(Meaning::Truth(p)) => Some(p.clone()),
                    _ => self.not_a_predicate(e),
                }
            }
            syn::Expr::Binary(b) if self.compares_bytes(b) => self.bytes_in_condition(b),
            syn::Expr::Binary(b) => match b.op {
                syn::BinOp::And(_) => {
                    let (l, r) = (self.pred(&b.left), self.pred(&b.right));
                    Some(Pred::and([l?, r?]))
                }
                syn::BinOp::Or(_) => {
                    let (l, r) = (self.pred(&b.left), self.pred(&b.right));
                    Some(Pred::or([l?, r?]))
                }
                op => match comparison(&op) {
                    Some(cmp) => {
                        let (l, r) = (self.expr(&b.left), self.expr(&b.right));
                        Some(self.without_lengths(cmp, l?, r?))
                    }
                    None => self.not_a_predicate(e),
                },
            },
            _ => self.not_a_predicate(e),
        }
    }

    fn not_a_predicate<T>(&mut self, e: &syn::Expr) -> Option<T> {
        self.refuse(
            Diagnostic::new("this is not a predicate", self.span_of(e), "here").help(PREDICATES),
        )
    }

    /// Returns true if an expression has the form of a predicate.
    pub(super) fn is_predicate(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Paren(p) => self.is_predicate(&p.expr),
            syn::Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Bool(_)),
            syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Not(_)),
            syn::Expr::Binary(b) => {
                matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_))
                    || comparison(&b.op).is_some()
            }
            syn::Expr::Path(p) => p
                .path
                .get_ident()
                .and_then(|i| self.names.get(&i.to_string()))
                .is_some_and(|m| matches!(m, Meaning::Truth(_))),
            _ => false,
        }
    }
}

fn function(name: &str) -> Option<Op> {
    Some(match name {
        "min" => Op::Min,
        "max" => Op::Max,
        "div_ceil" => Op::DivCeil,
        _ => return None,
    })
}

fn comparison(op: &syn::BinOp) -> Option<Cmp> {
    Some(match op {
        syn::BinOp::Eq(_) => Cmp::Eq,
        syn::BinOp::Ne(_) => Cmp::Ne,
        syn::BinOp::Lt(_) => Cmp::Lt,
        syn::BinOp::Le(_) => Cmp::Le,
        syn::BinOp::Gt(_) => Cmp::Gt,
        syn::BinOp::Ge(_) => Cmp::Ge,
        _ => return None,
    })
}
