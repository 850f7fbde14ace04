//! Emits kernels, the computations of a nest's round, in the narrowest type in which no operation
//! overflows.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::emitter::Emitter;
use super::expr::comparison;
use crate::lower::{Hull, Lane, reads};
use crate::program::{Expr, IntType, Op, Pred, Ref};

/// The types to compute in, narrowest first: name and range.
const WIDTHS: [(&str, (i128, i128)); 4] = [
    ("u32", (0, u32::MAX as i128)),
    ("i32", (i32::MIN as i128, i32::MAX as i128)),
    ("u64", (0, u64::MAX as i128)),
    ("i64", (i64::MIN as i128, i64::MAX as i128)),
];

/// The operands of expressions over elements, which differ from round to round.
pub(super) struct Kernel<'p> {
    /// The elements.
    lanes: &'p [Lane],
    /// The type to compute in; `None` if none is wide enough for every result.
    width: Option<&'static str>,
}

impl<'p> Kernel<'p> {
    /// Returns the kernel of a step, all parts of which are within `hull`.
    pub fn new(lanes: &'p [Lane], hull: Hull) -> Self {
        let fits = |(lo, hi): (i128, i128)| hull.is_some_and(|(l, h)| lo <= l && h <= hi);
        let width = WIDTHS.iter().find(|(_, range)| fits(*range)).map(|(name, _)| *name);
        Self { lanes, width }
    }

    /// Returns the parameters of the closure.
    pub fn params(&self) -> Vec<Ident> {
        (0..self.lanes.len()).map(|k| format_ident!("v{k}")).collect()
    }

    /// Emits the values to compute before the nest, and the value of `e` with a flag that it fits
    /// `int`.
    pub fn value(
        &self,
        emitter: &Emitter<'_>,
        e: &Expr,
        int: IntType,
    ) -> (TokenStream, TokenStream) {
        let mut scalars = Scalars::default();
        let to = format_ident!("{}", int.name());
        let Some(width) = self.width else {
            let value = self.checked(emitter, e, &mut scalars);
            return (scalars.tokens, quote!(attempt::<#to>(|| Ok(#value))));
        };
        let value = self.narrow(emitter, e, width, &mut scalars);
        let ((lo, hi), (least, most)) = (emitter.scope.range(e), int.range());
        let bound = |n: i128| literal(n, width);
        let fits = match (lo >= least, hi <= most) {
            (true, true) => quote!(true),
            (true, false) => {
                let most = bound(most);
                quote!(v <= #most)
            }
            (false, true) => {
                let least = bound(least);
                quote!(v >= #least)
            }
            (false, false) => {
                let (least, most) = (bound(least), bound(most));
                quote!((#least..=#most).contains(&v))
            }
        };
        (scalars.tokens, quote!({ let v = #value; (v as #to, #fits) }))
    }

    /// Emits the values to compute before the nest, and the truth of `p`.
    pub fn pred(&self, emitter: &Emitter<'_>, p: &Pred) -> (TokenStream, TokenStream) {
        let mut scalars = Scalars::default();
        let tokens = self.condition(emitter, p, &mut scalars);
        match self.width {
            Some(_) => (scalars.tokens, tokens),
            None => (scalars.tokens, quote!(holds(|| Ok(#tokens)))),
        }
    }

    fn condition(&self, emitter: &Emitter<'_>, p: &Pred, scalars: &mut Scalars) -> TokenStream {
        let mut whole = true;
        p.exprs(&mut |e| whole &= !reads(e));
        if whole {
            return scalars.add(emitter.pred(p));
        }
        let all = |ps: &[Pred], scalars: &mut Scalars| -> Vec<TokenStream> {
            let part = |p| {
                let tokens = self.condition(emitter, p, scalars);
                quote!((#tokens))
            };
            ps.iter().map(part).collect()
        };
        match p {
            Pred::Cmp(cmp, a, b) => {
                let (a, b) = match self.width {
                    Some(w) => {
                        (self.narrow(emitter, a, w, scalars), self.narrow(emitter, b, w, scalars))
                    }
                    None => (self.checked(emitter, a, scalars), self.checked(emitter, b, scalars)),
                };
                let cmp = comparison(*cmp);
                quote!(#a #cmp #b)
            }
            // Both operands have values, and code without branches is many times as fast.
            Pred::And(ps) => {
                let ps = all(ps, scalars);
                match self.width {
                    Some(_) => quote!(#(#ps)&*),
                    None => quote!(#(#ps)&&*),
                }
            }
            Pred::Or(ps) => {
                let ps = all(ps, scalars);
                match self.width {
                    Some(_) => quote!(#(#ps)|*),
                    None => quote!(#(#ps)||*),
                }
            }
            // Steps of nests have no quantifiers.
            Pred::Const(_) | Pred::All(..) => emitter.pred(p),
        }
    }

    /// Emits `e` in the type `width`, in which no result overflows.
    fn narrow(
        &self,
        emitter: &Emitter<'_>,
        e: &Expr,
        width: &str,
        scalars: &mut Scalars,
    ) -> TokenStream {
        let name = format_ident!("{width}");
        match e {
            Expr::Int(n) => literal(*n, width),
            Expr::Ref(r) if !r.index.is_empty() => {
                let v = self.param(r);
                match emitter.scope.program.field(r).int.name() == width {
                    true => quote!(#v),
                    false => quote!((#v as #name)),
                }
            }
            e if !reads(e) => {
                let value = emitter.typed(e);
                scalars.add(quote!((#value) as #name))
            }
            Expr::Bin(op, a, b) => {
                let upwards = emitter.scope.range(a).0 >= 0;
                let (a, b) = (
                    self.narrow(emitter, a, width, scalars),
                    self.narrow(emitter, b, width, scalars),
                );
                match op {
                    Op::Add => quote!((#a + #b)),
                    Op::Sub => quote!((#a - #b)),
                    Op::Mul => quote!((#a * #b)),
                    Op::Div if upwards => quote!((#a / #b)),
                    Op::Rem if upwards => quote!((#a % #b)),
                    Op::Div => quote!(#a.div_euclid(#b)),
                    Op::Rem => quote!(#a.rem_euclid(#b)),
                    Op::Min => quote!(#a.min(#b)),
                    Op::Max => quote!(#a.max(#b)),
                    // Expressions with a hull have none.
                    Op::DivCeil => quote!(#a.div_ceil(#b)),
                }
            }
            Expr::Var(_) | Expr::Ref(_) => scalars.add(emitter.typed(e)),
        }
    }

    /// Emits `e` in 128 bits, with each operation checked.
    fn checked(&self, emitter: &Emitter<'_>, e: &Expr, scalars: &mut Scalars) -> TokenStream {
        match e {
            Expr::Ref(r) if !r.index.is_empty() => {
                let v = self.param(r);
                quote!(i128::from(#v))
            }
            e if !reads(e) => match e {
                Expr::Int(_) => emitter.typed(e),
                e => scalars.add(emitter.typed(e)),
            },
            Expr::Bin(op, a, b) => {
                let a = self.checked(emitter, a, scalars);
                let b = self.checked(emitter, b, scalars);
                match op {
                    Op::Add => quote!(add(#a, #b)?),
                    Op::Sub => quote!(sub(#a, #b)?),
                    Op::Mul => quote!(mul(#a, #b)?),
                    Op::Div => quote!(div(#a, #b)?),
                    Op::Rem => quote!(rem(#a, #b)?),
                    Op::DivCeil => quote!(div_ceil(#a, #b)?),
                    Op::Min => quote!(min(#a, #b)),
                    Op::Max => quote!(max(#a, #b)),
                }
            }
            Expr::Int(_) | Expr::Var(_) | Expr::Ref(_) => emitter.typed(e),
        }
    }

    fn param(&self, r: &Ref) -> Ident {
        let at = self.lanes.iter().position(|l| l.element == *r).unwrap_or(0);
        format_ident!("v{at}")
    }
}

/// Values that are the same in all rounds, computed before the first.
#[derive(Default)]
struct Scalars {
    tokens: TokenStream,
    count: usize,
}

impl Scalars {
    fn add(&mut self, value: TokenStream) -> TokenStream {
        let name = format_ident!("k{}", self.count);
        self.count += 1;
        self.tokens.extend(quote!(let #name = #value;));
        quote!(#name)
    }
}

fn literal(n: i128, width: &str) -> TokenStream {
    let literal = Literal::i128_unsuffixed(n);
    // The other operand determines the type.
    match width {
        _ if n < 0 => quote!((#literal)),
        _ => quote!(#literal),
    }
}
