//! Emits expressions and predicates in 128 bits, the type of indices, bounds and guards.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::emitter::Emitter;
use super::names;
use crate::lower::{Mode, SURE};
use crate::program::eval::constant;
use crate::program::{Cmp, Expr, Op, Pred, Ref, Side};

/// The binding strength of the outermost operator.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Binds {
    Sum,
    Product,
    Atom,
}

impl Emitter<'_> {
    /// Emits the value of `e`, an `i128`. The emitted code may end its function by `?`.
    pub fn expr(&self, e: &Expr) -> TokenStream {
        self.bound(e).0
    }

    /// As [`expr`](Self::expr), where the type `i128` cannot be inferred.
    pub fn typed(&self, e: &Expr) -> TokenStream {
        match constant(e) {
            Some(n) => {
                let literal = Literal::i128_suffixed(n);
                if n < 0 { quote!((#literal)) } else { quote!(#literal) }
            }
            None => self.expr(e),
        }
    }

    fn bound(&self, e: &Expr) -> (TokenStream, Binds) {
        if let Some(n) = constant(e) {
            let literal = Literal::i128_unsuffixed(n);
            return (if n < 0 { quote!((#literal)) } else { quote!(#literal) }, Binds::Atom);
        }
        match e {
            Expr::Int(_) => (self.typed(e), Binds::Atom),
            Expr::Var(v) => {
                let name = self.var(*v);
                (quote!(#name), Binds::Atom)
            }
            Expr::Ref(r) => (self.load(r), Binds::Atom),
            Expr::Bin(op, a, b) => self.operation(*op, a, b, e),
        }
    }

    fn operation(&self, op: Op, a: &Expr, b: &Expr, e: &Expr) -> (TokenStream, Binds) {
        let sure = |e| {
            let (lo, hi) = self.scope.range(e);
            lo >= -SURE && hi <= SURE
        };
        let plain = sure(a) && sure(b) && sure(e);
        let upwards = plain && self.scope.range(a).0 >= 0 && self.scope.range(b).0 >= 1;
        let operand = |e: &Expr, least: Binds| match self.bound(e) {
            (tokens, binds) if binds >= least => tokens,
            (tokens, _) => quote!((#tokens)),
        };
        // The right operand of a `-` or a `/` must bind more tightly than it.
        let sum = (operand(a, Binds::Sum), operand(b, Binds::Product));
        let product = (operand(a, Binds::Product), operand(b, Binds::Atom));
        let function = |name: &str| {
            let name = quote::format_ident!("{name}");
            let (a, b) = (self.typed(a), self.typed(b));
            quote!(#name(#a, #b))
        };
        let checked = |name: &str| {
            let call = function(name);
            (quote!(#call?), Binds::Atom)
        };
        match op {
            Op::Add if plain => (infix(sum, quote!(+)), Binds::Sum),
            Op::Sub if plain => (infix(sum, quote!(-)), Binds::Sum),
            Op::Mul if plain => (infix(product, quote!(*)), Binds::Product),
            Op::Div if upwards => (infix(product, quote!(/)), Binds::Product),
            Op::Rem if upwards => (infix(product, quote!(%)), Binds::Product),
            Op::Add => checked("add"),
            Op::Sub => checked("sub"),
            Op::Mul => checked("mul"),
            Op::Div => checked("div"),
            Op::Rem => checked("rem"),
            Op::DivCeil => checked("div_ceil"),
            Op::Min => (function("min"), Binds::Atom),
            Op::Max => (function("max"), Binds::Atom),
        }
    }

    fn load(&self, r: &Ref) -> TokenStream {
        let name = names::local(self.scope.program, r.side, r.field);
        let index = r.index.iter().map(|i| self.expr(i));
        let scalar = r.index.is_empty();
        match (self.scope.mode, r.side) {
            // A field of the record under construction.
            (Mode::Backward, Side::Input) => {
                let place = self.field(r.side, r.field);
                match scalar {
                    true => quote!(frame.scalar(#place)?),
                    false => quote!(frame.get(#place, &[#(#index),*])?),
                }
            }
            (Mode::Forward, Side::Output) => quote!(#name.get()?),
            _ if scalar => quote!(#name),
            _ => quote!(#name.get(&[#(#index),*])?),
        }
    }

    /// Emits the truth of `p`, a `bool`. See [`Emitter::condition`] for quantifiers.
    pub fn pred(&self, p: &Pred) -> TokenStream {
        match p {
            Pred::Const(b) => quote!(#b),
            Pred::Cmp(cmp, a, b) => {
                let (a, b, cmp) = (self.typed(a), self.expr(b), comparison(*cmp));
                quote!(#a #cmp #b)
            }
            Pred::And(ps) => {
                let ps = ps.iter().map(|p| self.part(p));
                quote!(#(#ps)&&*)
            }
            Pred::Or(ps) => {
                let ps = ps.iter().map(|p| self.part(p));
                quote!(#(#ps)||*)
            }
            Pred::All(..) => {
                let all = self.condition(p);
                quote!((|| -> Result<bool, Irregular> { #all Ok(true) })()?)
            }
        }
    }

    fn part(&self, p: &Pred) -> TokenStream {
        let tokens = self.pred(p);
        match p {
            Pred::And(_) | Pred::Or(_) => quote!((#tokens)),
            _ => tokens,
        }
    }
}

fn infix((a, b): (TokenStream, TokenStream), op: TokenStream) -> TokenStream {
    quote!(#a #op #b)
}

/// Emits the operator of a comparison.
pub(super) fn comparison(cmp: Cmp) -> TokenStream {
    match cmp {
        Cmp::Eq => quote!(==),
        Cmp::Ne => quote!(!=),
        Cmp::Lt => quote!(<),
        Cmp::Le => quote!(<=),
        Cmp::Gt => quote!(>),
        Cmp::Ge => quote!(>=),
    }
}
