//! Converts predicates to the constraints of a network.
//!
//! Sums are used directly. A quotient, remainder, minimum, maximum or product of unknowns becomes an auxiliary unknown
//! with constraints that tie it to its operands. The predicate itself is kept as well, and has the final say.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::constraint::{Constraint, Graph, Number, Other};
use super::eliminate::eliminated;
use super::sum::Sum;
use super::tables::{Tables, by_cases};
use super::{Domain, Network};
use crate::domain;
use crate::interval::IntervalSet;
use language::program::eval::eval_with;
use language::program::{Atom, Cmp, Expr, FieldId, Monomial, Op, Poly, Pred, Ref, Side, Span};

/// The greatest absolute value of an auxiliary unknown. Sums of some of them stay within 128 bits.
const WIDE: i128 = 1 << 110;
/// The maximum number of values of an unknown whose function is tabulated.
const MOST_TABULATED: u128 = 1 << 10;
/// The maximum number of conjunctions into which a disjunction is expanded.
const MOST_BRANCHES: usize = 64;
/// The maximum number of auxiliary unknowns for each solved unknown.
const MOST_AUXILIARY: usize = 16;

impl Network {
    /// Creates the network of these predicates; `None` if one mentions something that is not an unknown.
    pub fn new<'p>(
        domains: Vec<Domain>,
        preds: impl IntoIterator<Item = &'p Pred>,
        number: Number<'_>,
        tables: &Tables,
    ) -> Option<Self> {
        let own = domains.len();
        let mut build = Build {
            domains,
            own,
            constraints: Vec::new(),
            number,
            operators: FxHashMap::default(),
            functions: FxHashMap::default(),
            graphs: FxHashMap::default(),
        };
        let mut left = Vec::new();
        for pred in preds {
            build.alone(pred, &mut left);
        }
        let alone: Vec<u128> =
            build.domains.iter().map(|domain| domain.quotients().len()).collect();
        by_cases(&mut left, &mut build.domains, number, tables, &mut build.constraints);
        for pred in left {
            build.conjuncts(pred)?;
        }
        let Build { domains, mut constraints, .. } = build;
        constraints.extend(eliminated(&constraints, domains.len()));
        let mut watching: Vec<Vec<u32>> = vec![Vec::new(); domains.len()];
        let mut defining = vec![false; constraints.len()];
        for (k, c) in constraints.iter().enumerate() {
            let (at, k) = (k, k as u32);
            c.unknowns(&mut |unknown| {
                defining[at] |= unknown as usize >= own;
                if let Some(list) = watching.get_mut(unknown as usize)
                    && list.last() != Some(&k)
                {
                    list.push(k);
                }
            });
        }
        let (root, nodes, none) = (OnceLock::new(), AtomicUsize::new(0), Vec::new());
        let mut network =
            Self { domains, own, alone: none, constraints, defining, watching, nodes, root };
        let alone = alone.into_iter().enumerate().map(|(k, n)| network.count_alone(k, n));
        network.alone = alone.collect();
        Some(network)
    }
}

/// A network in the making.
struct Build<'n> {
    domains: Vec<Domain>,
    own: usize,
    constraints: Vec<Constraint>,
    number: Number<'n>,
    /// The unknowns that operators' values are.
    operators: FxHashMap<Atom, u32>,
    /// The unknowns that represent values of functions of one unknown.
    functions: FxHashMap<Poly, u32>,
    /// These functions as tables, by their terms with [`ARGUMENT`] as the unknown, and by its values.
    graphs: FxHashMap<(Poly, Vec<i128>), Option<Arc<Graph>>>,
}

/// The field of a reference that stands for the argument of a function.
const ARGUMENT: FieldId = FieldId(usize::MAX);

impl Build<'_> {
    /// Adds a predicate; `None` if it mentions something that is not an unknown.
    fn conjuncts(&mut self, pred: &Pred) -> Option<()> {
        match pred {
            Pred::Const(true) => Some(()),
            Pred::And(all) => all.iter().try_for_each(|p| self.conjuncts(p)),
            _ => {
                let before = self.domains.len();
                let c = self.constraint(pred);
                // Auxiliary unknowns only narrow the search, so the predicate itself is checked as well.
                if c.is_none() || self.domains.len() > before {
                    let other = self.other(pred, c.is_some())?;
                    self.constraints.push(other);
                }
                self.constraints.extend(c);
                Some(())
            }
        }
    }

    /// Uses the conjuncts on a single unknown as its domain if they have a closed form, and adds the others to `left`.
    fn alone<'p>(&mut self, pred: &'p Pred, left: &mut Vec<&'p Pred>) {
        if let Pred::And(all) = pred {
            return all.iter().for_each(|p| self.alone(p, left));
        }
        let (mut first, mut alone): (Option<&Ref>, bool) = (None, true);
        pred.refs(&mut |r| {
            alone &= r.side == Side::Input && first.is_none_or(|first| first == r);
            first = first.or(Some(r));
        });
        let narrowed = || {
            let r = first.filter(|_| alone)?;
            let k = (self.number)(r)? as usize;
            let own = self.domains.get(k)?;
            let within = (own.set.min()?, own.set.max()?);
            Some((k, domain::solutions(pred, &Poly::ref_atom(r), within)?.intersect(own)?))
        };
        match narrowed() {
            Some((k, domain)) => self.domains[k] = domain,
            None => left.push(pred),
        }
    }

    /// Returns a comparison, or a disjunction of conjunctions of comparisons, of sums.
    fn constraint(&mut self, pred: &Pred) -> Option<Constraint> {
        match pred {
            Pred::Cmp(cmp, a, b) => self.comparison(*cmp, a, b),
            Pred::Or(_) => {
                let branches = conjunctions(pred)?;
                let compared = |all: Vec<&Pred>| {
                    let each = all.into_iter().map(|p| match p {
                        Pred::Cmp(cmp, a, b) => self.comparison(*cmp, a, b),
                        _ => None,
                    });
                    each.collect::<Option<Vec<_>>>()
                };
                Some(Constraint::Any(
                    branches.into_iter().map(compared).collect::<Option<Vec<_>>>()?,
                ))
            }
            Pred::Const(_) | Pred::And(_) | Pred::All(..) => None,
        }
    }

    fn other(&self, pred: &Pred, decides_only: bool) -> Option<Constraint> {
        let mut unknowns: Vec<(Ref, u32)> = Vec::new();
        let mut known = true;
        pred.refs(&mut |r| match (self.number)(r).filter(|_| r.side == Side::Input) {
            Some(k) if unknowns.iter().any(|(_, own)| *own == k) => {}
            Some(k) => unknowns.push((r.clone(), k)),
            None => known = false,
        });
        known.then(|| {
            Constraint::Other(Box::new(Other { pred: pred.clone(), unknowns, decides_only }))
        })
    }

    fn comparison(&mut self, cmp: Cmp, a: &Expr, b: &Expr) -> Option<Constraint> {
        let mut sum = Sum::default();
        if sum.add(a, 1, self.number).is_none() || sum.add(b, -1, self.number).is_none() {
            // Products of sums are multiplied out.
            sum = self.poly(&Poly::of(a).sub(&Poly::of(b)))?;
        }
        sum.compared(cmp)
    }

    /// Returns a polynomial as a sum, with auxiliary unknowns for its nonlinear terms.
    fn poly(&mut self, poly: &Poly) -> Option<Sum> {
        let mut sum = Sum::default();
        let (functions, rest) = self.functions_of(poly);
        for (unknown, function) in functions {
            match self.function(unknown, &function) {
                Some(value) => sum.plus(value, 1)?,
                None => self.terms(&function, &mut sum)?,
            }
        }
        self.terms(&rest, &mut sum)?;
        Some(sum)
    }

    /// Splits off the terms that are a nonlinear function of one unknown with few values.
    fn functions_of(&self, poly: &Poly) -> (Vec<(Atom, Poly)>, Poly) {
        let plain = |m: &Monomial| matches!(&m[..], [] | [Atom::Ref(..)]);
        let mut functions: Vec<(Atom, Poly)> = Vec::new();
        if poly.terms().all(|(m, _)| plain(m)) {
            return (functions, poly.clone());
        }
        let few = |atom: &Atom| {
            let domain = self.number_of(atom).and_then(|k| self.domains.get(k as usize));
            domain.is_some_and(|d| d.quotients().len() <= MOST_TABULATED)
        };
        for (m, _) in poly.terms().filter(|(m, _)| !plain(m)) {
            if let Some(atom) = only_ref(m)
                && functions.iter().all(|(own, _)| *own != atom)
                && few(&atom)
            {
                functions.push((atom, Poly::default()));
            }
        }
        let mut rest = Poly::default();
        for (m, c) in poly.terms() {
            let own = only_ref(m).and_then(|a| functions.iter_mut().find(|(own, _)| *own == a));
            let to = own.map_or(&mut rest, |(_, function)| function);
            *to = to.add(&Poly::term(m.clone(), c));
        }
        (functions, rest)
    }

    /// Returns the unknown that represents the value of a function of one unknown; `None` if it has no table.
    fn function(&mut self, unknown: Atom, function: &Poly) -> Option<u32> {
        if let Some(known) = self.functions.get(function) {
            return Some(*known);
        }
        let of = self.number_of(&unknown)?;
        let arguments = self.domains.get(of as usize)?.members(MOST_TABULATED)?;
        let argument = Poly::atom(Atom::Ref(Side::Input, ARGUMENT, Vec::new()));
        let key = (function.replace(&unknown, &argument), arguments);
        if !self.graphs.contains_key(&key) {
            let e = key.0.to_expr();
            let pair = |argument: &i128| Some((*argument, eval_with(&e, |_| Some(*argument))?));
            let graph: Option<Graph> = key.1.iter().map(pair).collect();
            self.graphs.insert(key.clone(), graph.map(Arc::new));
        }
        let graph = self.graphs.get(&key)?.clone()?;
        let value = self.auxiliary((
            graph.iter().map(|(_, v)| *v).min()?,
            graph.iter().map(|(_, v)| *v).max()?,
        ))?;
        let mut points: Vec<i128> = graph.iter().map(|(_, v)| *v).collect();
        points.sort_unstable();
        let set = IntervalSet::from_spans(points.into_iter().map(|v| (v, v)));
        self.domains[value as usize] = Domain::of(set);
        self.constraints.push(Constraint::Table { of, value, graph });
        self.functions.insert(function.clone(), value);
        Some(value)
    }

    /// Returns the number of the unknown that an atom is.
    fn number_of(&self, atom: &Atom) -> Option<u32> {
        let Atom::Ref(side, field, index) = atom else { return None };
        let index = index.iter().map(Poly::to_expr).collect();
        (self.number)(&Ref { side: *side, field: *field, index, span: Span::default() })
    }

    /// Adds the terms of a polynomial, with an auxiliary unknown for each product and operator.
    fn terms(&mut self, poly: &Poly, sum: &mut Sum) -> Option<()> {
        for (monomial, c) in poly.terms() {
            let mut product: Option<u32> = None;
            for atom in monomial {
                let factor = match atom {
                    Atom::Ref(..) => self.number_of(atom)?,
                    Atom::Op(op, a, b) => match self.operators.get(atom) {
                        Some(known) => *known,
                        None => {
                            let value = self.operator(*op, a, b)?;
                            self.operators.insert(atom.clone(), value);
                            value
                        }
                    },
                    Atom::Var(_) => return None,
                };
                product = Some(match product {
                    None => factor,
                    Some(before) => self.product(before, factor)?,
                });
            }
            match product {
                Some(k) => sum.plus(k, c)?,
                None => sum.constant = sum.constant.checked_add(c)?,
            }
        }
        Some(())
    }

    /// Returns an unknown equal to a sum: an auxiliary one if the sum is more than an unknown.
    fn unknown(&mut self, mut sum: Sum) -> Option<u32> {
        if let ([(k, 1)], 0) = (&sum.terms[..], sum.constant) {
            return Some(*k);
        }
        let value = self.auxiliary(self.extremes(&sum)?)?;
        sum.plus(value, -1)?;
        self.constraints.push(sum.compared(Cmp::Eq)?);
        Some(value)
    }

    /// Creates an unknown for a value, with bounds from its operands; `None` if it may be too large.
    fn auxiliary(&mut self, (lo, hi): (i128, i128)) -> Option<u32> {
        if lo < -WIDE || hi > WIDE {
            return None;
        }
        if self.domains.len() > self.own.max(4) * (1 + MOST_AUXILIARY) {
            return None;
        }
        self.domains.push(Domain::range((lo, hi)));
        u32::try_from(self.domains.len() - 1).ok()
    }

    /// The least and greatest value of an unknown.
    fn bounds(&self, unknown: u32) -> (i128, i128) {
        let set = self.domains.get(unknown as usize).map(|d| &d.set);
        set.and_then(|set| Some((set.min()?, set.max()?))).unwrap_or((0, 0))
    }

    /// The least and greatest value of a sum.
    fn extremes(&self, sum: &Sum) -> Option<(i128, i128)> {
        sum.terms.iter().try_fold((sum.constant, sum.constant), |(least, most), (k, c)| {
            let (lo, hi) = self.bounds(*k);
            let (a, b) = (c.checked_mul(lo)?, c.checked_mul(hi)?);
            Some((least.checked_add(a.min(b))?, most.checked_add(a.max(b))?))
        })
    }

    fn product(&mut self, a: u32, b: u32) -> Option<u32> {
        let (x, y) = (self.bounds(a), self.bounds(b));
        let mut range = (i128::MAX, i128::MIN);
        for (x, y) in [(x.0, y.0), (x.0, y.1), (x.1, y.0), (x.1, y.1)] {
            let corner = x.checked_mul(y)?;
            range = (range.0.min(corner), range.1.max(corner));
        }
        let product = self.auxiliary(range)?;
        self.constraints.push(Constraint::Product { factors: [a, b], product });
        Some(product)
    }

    /// Returns the unknown that an operator's value is.
    fn operator(&mut self, op: Op, a: &Poly, b: &Poly) -> Option<u32> {
        match op {
            Op::Min | Op::Max => {
                let (a, b) = (self.poly(a)?, self.poly(b)?);
                let (x, y) = (self.extremes(&a)?, self.extremes(&b)?);
                let value = self.auxiliary(match op {
                    Op::Min => (x.0.min(y.0), x.1.min(y.1)),
                    _ => (x.0.max(y.0), x.1.max(y.1)),
                })?;
                let bound = if op == Op::Min { Cmp::Le } else { Cmp::Ge };
                let against =
                    |operand: &Sum, cmp: Cmp| operand.minus(value)?.compared(cmp.mirrored());
                for operand in [&a, &b] {
                    let c = against(operand, bound)?;
                    self.constraints.push(c);
                }
                let either = vec![vec![against(&a, Cmp::Eq)?], vec![against(&b, Cmp::Eq)?]];
                self.constraints.push(Constraint::Any(either));
                Some(value)
            }
            Op::Div | Op::Rem | Op::DivCeil => {
                let (mut dividend, divisor) = (self.poly(a)?, self.poly(b)?);
                // A disjunction may hold even if one of its quotients has no value.
                let (least, most) = self.extremes(&divisor).filter(|(least, _)| *least > 0)?;
                if op == Op::DivCeil {
                    dividend.add_sum(&divisor, 1)?;
                    dividend.constant = dividend.constant.checked_sub(1)?;
                }
                let (lo, hi) = self.extremes(&dividend)?;
                let ends = [lo, hi].map(|n| [least, most].map(|m| n.div_euclid(m)));
                let ends = ends.as_flattened();
                let quotient = (*ends.iter().min()?, *ends.iter().max()?);
                let quotient = self.auxiliary(quotient)?;
                let remainder = self.auxiliary((0, most - 1))?;
                // dividend = divisor * quotient + remainder
                match divisor.as_int() {
                    Some(m) => dividend.plus(quotient, m.checked_neg()?)?,
                    None => {
                        let divisor = self.unknown(divisor)?;
                        let product = self.product(divisor, quotient)?;
                        dividend.plus(product, -1)?;
                        let mut below = Sum::default();
                        below.plus(remainder, 1)?;
                        below.plus(divisor, -1)?;
                        self.constraints.push(below.compared(Cmp::Lt)?);
                    }
                }
                dividend.plus(remainder, -1)?;
                self.constraints.push(dividend.compared(Cmp::Eq)?);
                Some(if op == Op::Rem { remainder } else { quotient })
            }
            Op::Add | Op::Sub | Op::Mul => None,
        }
    }
}

/// Returns the conjunctions of which at least one must hold for a predicate to hold; `None` if there are too many.
fn conjunctions(pred: &Pred) -> Option<Vec<Vec<&Pred>>> {
    match pred {
        Pred::Const(true) => Some(vec![Vec::new()]),
        Pred::Const(false) => Some(Vec::new()),
        Pred::Or(any) => {
            let mut out = Vec::with_capacity(any.len());
            for p in any {
                out.append(&mut conjunctions(p)?);
                if out.len() > MOST_BRANCHES {
                    return None;
                }
            }
            Some(out)
        }
        Pred::And(all) => {
            let mut out = vec![Vec::new()];
            for p in all {
                let own = conjunctions(p)?;
                if out.len() * own.len() > MOST_BRANCHES {
                    return None;
                }
                let mut longer = Vec::with_capacity(out.len() * own.len());
                for before in &out {
                    longer.extend(own.iter().map(|p| [&before[..], p].concat()));
                }
                out = longer;
            }
            Some(out)
        }
        Pred::Cmp(..) | Pred::All(..) => Some(vec![vec![pred]]),
    }
}

/// Returns the only reference in a product of atoms.
fn only_ref(monomial: &Monomial) -> Option<Atom> {
    fn visit(atom: &Atom, found: &mut Option<Atom>) -> bool {
        match atom {
            Atom::Ref(..) => found.get_or_insert_with(|| atom.clone()) == atom,
            Atom::Op(_, a, b) => {
                let mut other = false;
                for p in [a, b] {
                    for (m, _) in p.terms() {
                        other |= !m.iter().all(|atom| visit(atom, found));
                    }
                }
                !other
            }
            Atom::Var(_) => false,
        }
    }
    let mut found = None;
    if monomial.iter().all(|atom| visit(atom, &mut found)) { found } else { None }
}
