//! Prints an inverse as Rust for people. It shows what the inverse does in a syntax that editors know; nothing compiles
//! it.

use inverter::invert::{
    DisjointnessStrategy, Ensure, EnsureKind, Inst, InstKind, Inverse, Layout, Part, Why,
};
use inverter::program::{Cmp, Expr, FieldId, Op, Pred, Program, Ref, Side};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Returns the inverse as a function. Each `choose` is a choice among all values for which its predicate holds.
pub fn text(inverse: &Inverse) -> String {
    let rust = Rust(&inverse.program);
    let [stored, value] = [Side::Input, Side::Output].map(|side| rust.0.record(side));
    let (x, y) = (rust.binder(Side::Input), rust.binder(Side::Output));
    let (given, made) =
        (format_ident!("{}", value.type_name), format_ident!("{}", stored.type_name));
    let name = format_ident!("invert_{}", rust.0.name.replace(|c: char| !c.is_alphanumeric(), "_"));
    let body = rust.block(inverse, &inverse.body);
    let rest = inverse.partly_assigned().map(|field| {
        let place = rust.field(field);
        quote!(choose.rest(&mut #place);)
    });
    let function = quote! {
        fn #name(#y: &#given, choose: &mut Choices) -> Result<#made, Refused> {
            let mut #x = #made::default();
            #body
            #(#rest)*
            Ok(#x)
        }
    };
    match syn::parse2(function.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        // Tokens that are not Rust are shown unchanged.
        Err(_) => function.to_string(),
    }
}

/// Makes tokens with the names of a program.
struct Rust<'p>(&'p Program);

impl Rust<'_> {
    fn binder(&self, side: Side) -> Ident {
        format_ident!("{}", self.0.record(side).binder)
    }

    fn var(&self, var: inverter::program::VarId) -> Ident {
        format_ident!("{}", self.0.vars[var.0])
    }

    /// Returns a field of the representation.
    fn field(&self, field: FieldId) -> TokenStream {
        let (x, name) =
            (self.binder(Side::Input), format_ident!("{}", self.0.input.fields[field].name));
        quote!(#x.#name)
    }

    fn reference(&self, r: &Ref) -> TokenStream {
        let (record, index) = (self.0.record(r.side), r.index.iter().map(|i| self.expr(i, 0)));
        let name = format_ident!("{}", record.fields[r.field].name);
        let binder = self.binder(r.side);
        quote!(#binder.#name #([#index])*)
    }

    /// Returns an expression, in parentheses if it binds no more strongly than `outer`: 1 for sums, 2 for products.
    fn expr(&self, e: &Expr, outer: u8) -> TokenStream {
        let (op, a, b) = match e {
            Expr::Int(n) => {
                let literal = Literal::i128_unsuffixed(n.saturating_abs());
                return if *n < 0 { quote!((-#literal)) } else { quote!(#literal) };
            }
            Expr::Var(v) => {
                let name = self.var(*v);
                return quote!(#name);
            }
            Expr::Ref(r) => return self.reference(r),
            Expr::Bin(op, a, b) => (op, a, b),
        };
        let call = |name: &str| {
            let (name, a, b) = (format_ident!("{name}"), self.expr(a, 0), self.expr(b, 0));
            quote!(#name(#a, #b))
        };
        let (mine, sign) = match op {
            Op::Min => return call("min"),
            Op::Max => return call("max"),
            Op::DivCeil => return call("div_ceil"),
            Op::Add => (1, quote!(+)),
            Op::Sub => (1, quote!(-)),
            Op::Mul => (2, quote!(*)),
            Op::Div => (2, quote!(/)),
            Op::Rem => (2, quote!(%)),
        };
        // Operators associate to the left.
        let (a, b) = (self.expr(a, mine - 1), self.expr(b, mine));
        if mine <= outer { quote!((#a #sign #b)) } else { quote!(#a #sign #b) }
    }

    fn pred(&self, p: &Pred) -> TokenStream {
        let parts = |ps: &[Pred]| -> Vec<TokenStream> {
            let part = |p: &Pred| match (p, self.pred(p)) {
                (Pred::And(_) | Pred::Or(_), tokens) => quote!((#tokens)),
                (_, tokens) => tokens,
            };
            ps.iter().map(part).collect()
        };
        match p {
            Pred::Const(truth) => quote!(#truth),
            Pred::Cmp(cmp, a, b) => {
                let (a, b) = (self.expr(a, 0), self.expr(b, 0));
                match cmp {
                    Cmp::Eq => quote!(#a == #b),
                    Cmp::Ne => quote!(#a != #b),
                    Cmp::Lt => quote!(#a < #b),
                    Cmp::Le => quote!(#a <= #b),
                    Cmp::Gt => quote!(#a > #b),
                    Cmp::Ge => quote!(#a >= #b),
                }
            }
            Pred::And(ps) => {
                let ps = parts(ps);
                quote!(#(#ps)&&*)
            }
            Pred::Or(ps) => {
                let ps = parts(ps);
                quote!(#(#ps)||*)
            }
            Pred::All(var, count, inner) => {
                let (var, count, inner) = (self.var(*var), self.expr(count, 2), self.pred(inner));
                quote!((0..#count).all(|#var| #inner))
            }
        }
    }

    fn block(&self, inverse: &Inverse, body: &[Inst]) -> TokenStream {
        body.iter().map(|inst| self.statement(inverse, inst)).collect()
    }

    fn statement(&self, inverse: &Inverse, inst: &Inst) -> TokenStream {
        match &inst.kind {
            InstKind::Assign { target, value } => {
                let (target, value) = (self.reference(target), self.expr(value, 0));
                quote!(#target = #value;)
            }
            InstKind::Free(r) => {
                let target = self.reference(r);
                quote!(#target = choose.any();)
            }
            InstKind::Assume(_, Why::Even | Why::Divisor) => TokenStream::new(),
            InstKind::Assume(p, _) => {
                let p = self.pred(p);
                quote!(assume(#p)?;)
            }
            InstKind::Ensure(n) => self.ensure(inverse, &inverse.ensures[*n]),
            InstKind::If { cond, then, els } => {
                let (cond, then) = (self.pred(cond), self.block(inverse, then));
                let els = match &els[..] {
                    [] => TokenStream::new(),
                    [inner @ Inst { kind: InstKind::If { .. }, .. }] => {
                        let inner = self.statement(inverse, inner);
                        quote!(else #inner)
                    }
                    els => {
                        let els = self.block(inverse, els);
                        quote!(else { #els })
                    }
                };
                quote!(if #cond { #then } #els)
            }
            InstKind::For { var, count, body } => {
                let (var, count) = (self.var(*var), self.expr(count, 2));
                let body = self.block(inverse, body);
                quote!(for #var in 0..#count { #body })
            }
            InstKind::Reserve { field, start, end } => {
                let array = self.field(*field);
                let (start, end) = (self.expr(start, 0), self.expr(end, 0));
                quote!(reserve(&#array[#start..#end]);)
            }
            InstKind::Encode(e) => {
                let target = self.field(e.target);
                let (y, source) = (self.binder(Side::Output), &self.0.output.fields[e.source].name);
                let (source, primitive) = (format_ident!("{source}"), &e.primitive.name);
                let args = e.args.iter().map(|e| self.expr(e, 0));
                quote!(#target = choose.encoding(#primitive, &#y.#source, [#(#args),*])?;)
            }
        }
    }

    fn ensure(&self, inverse: &Inverse, ensure: &Ensure) -> TokenStream {
        let all = Pred::and(ensure.conjuncts.iter().map(|c| c.pred.clone()));
        let (x, p) = (self.binder(Side::Input), self.pred(&all));
        let fields = ensure.kind.fields();
        let names = fields.iter().map(|field| self.0.input.fields[*field].name.as_str());
        let names = quote!([#(#names),*]);
        match &ensure.kind {
            EnsureKind::Places { array, .. } => {
                let parts = match inverse.strategies.get(array) {
                    Some(DisjointnessStrategy::Layout(Layout { parts, .. })) => &parts[..],
                    _ => &[],
                };
                let segments: TokenStream = parts.iter().map(|part| self.segment(part)).collect();
                quote! {
                    choose.places(&mut #x, #names, |#x, segments| { #segments }, |#x| #p)?;
                }
            }
            _ if fields.is_empty() => quote!(assume(#p)?;),
            EnsureKind::Scalars(_) | EnsureKind::Elements(_) => {
                quote!(choose.values(&mut #x, #names, |#x| #p)?;)
            }
        }
    }

    /// Returns the segments of one access to an array.
    fn segment(&self, part: &Part) -> TokenStream {
        let (lo, hi) = (self.expr(&part.lo, 0), self.expr(&part.hi, 0));
        let base = part.base.as_ref().map_or(quote!(0), |base| {
            let (base, scale) = (self.reference(base), Literal::i128_unsuffixed(part.scale));
            if part.scale == 1 { base } else { quote!(#scale * #base) }
        });
        let mut body = quote!(segments.disjoint(#base, #lo..=#hi););
        if !part.guards.is_empty() {
            let guard = self.pred(&Pred::and(part.guards.clone()));
            body = quote!(if #guard { #body });
        }
        for level in part.outer.iter().rev() {
            let (var, count) = (self.var(level.var), self.expr(&level.count, 2));
            body = quote!(for #var in 0..#count { #body });
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use inverter::invert::invert;
    use inverter::program::parse;

    #[test]
    fn every_inverse_is_rust() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../inverter/tests/programs");
        let specs = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let specs: Vec<_> = specs.filter(|p| p.extension().is_some_and(|e| e == "rs")).collect();
        assert!(specs.len() > 100);
        for spec in specs {
            let name = spec.file_name().unwrap().to_str().unwrap();
            let program = parse(name, &fs::read_to_string(&spec).unwrap()).unwrap();
            let text = super::text(&invert(&program).unwrap());
            assert!(syn::parse_file(&text).is_ok(), "{name}: {text}");
        }
    }
}
