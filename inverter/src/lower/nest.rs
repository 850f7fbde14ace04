//! Nests of loops over elements at affine indices, which
//! `run::machine::nest` runs as a whole: it checks indices once, at the corners of the nest.

use super::kernel::{Hull, elements_of, hull};
use super::node::Node;
use super::scope::Scope;
use super::{MOST_LOOPS, SURE};
use crate::program::{Atom, Expr, FieldId, Op, Poly, Pred, Ref, VarId};

/// Nested loops, and the work of all their rounds.
#[derive(Debug)]
pub(crate) struct Nest<'p> {
    /// The loops, outermost first: variable and count.
    pub levels: Vec<(VarId, &'p Expr)>,
    pub steps: Vec<Step>,
}

/// The work, in all rounds, of one statement of the innermost loop.
#[derive(Debug)]
pub(crate) struct Step {
    /// The elements that it reads, at most [`MOST_LANES`](super::MOST_LANES).
    pub lanes: Vec<Lane>,
    pub work: Work,
}

/// The elements to which a reference refers in a nest.
#[derive(Debug)]
pub(crate) struct Lane {
    pub element: Ref,
    /// Each index as its constant and its coefficients of the loops.
    pub index: Vec<Vec<Expr>>,
}

/// The elements that a step writes.
#[derive(Debug)]
pub(crate) struct Aim {
    pub target: Ref,
    /// As in [`Lane`].
    pub index: Vec<Vec<Expr>>,
}

#[derive(Debug)]
pub(crate) enum Work {
    /// One value for all elements.
    Fill(Aim, Expr),
    /// The only lane, of the same type.
    Copy(Aim),
    /// A value that is computed from the lanes.
    Map(Aim, Expr, Hull),
    /// A predicate that must hold for the lanes, which may be empty.
    Check(Pred, Hull),
}

/// The shape of a nest while its steps are found.
struct Shape<'p> {
    levels: Vec<(VarId, &'p Expr)>,
    steps: Vec<Raw<'p>>,
    /// The arrays that are written.
    writes: Vec<FieldId>,
}

/// A step as it stands in the spec.
enum Raw<'p> {
    Write(&'p Ref, Expr),
    Check(Pred),
}

/// Returns the loop `node` as a nest; `None` if it is not one.
pub(crate) fn nest<'p>(scope: &Scope<'_>, node: &Node<'p>) -> Option<Nest<'p>> {
    let shape = shape(node)?;
    let free = |e: &Expr| is_invariant(scope, &Poly::of(e), &shape);
    // Counts are evaluated before the first round, so none may depend on a round.
    if !shape.levels.iter().all(|(_, count)| free(count) && !scope.notes(count)) {
        return None;
    }
    let mut inside = scope.clone();
    for (var, count) in &shape.levels {
        inside.enter(*var, count);
    }
    let steps = Steps { scope: &inside, shape: &shape }.all()?;
    Some(Nest { levels: shape.levels, steps })
}

struct Steps<'s> {
    /// Inside all loops of the nest.
    scope: &'s Scope<'s>,
    shape: &'s Shape<'s>,
}

impl Steps<'_> {
    fn all(&self) -> Option<Vec<Step>> {
        let mut certain: Vec<&Ref> = Vec::new();
        for step in &self.shape.steps {
            match step {
                Raw::Write(target, value) => {
                    certain.push(target);
                    value.top_refs(&mut |r| certain.push(r));
                }
                Raw::Check(p) => surely(p, &mut certain),
            }
        }
        let step = |step: &Raw<'_>| match step {
            Raw::Write(target, value) => self.write(target, value),
            Raw::Check(p) => {
                let mut known = true;
                p.exprs(&mut |e| {
                    e.top_refs(&mut |r| known &= r.index.is_empty() || certain.contains(&r));
                });
                // An element that is not read in every round may be outside its array.
                if known { self.check(p) } else { None }
            }
        };
        self.shape.steps.iter().map(step).collect()
    }

    fn vars(&self) -> Vec<VarId> {
        self.shape.levels.iter().map(|(var, _)| *var).collect()
    }

    fn write(&self, target: &Ref, value: &Expr) -> Option<Step> {
        let lanes = self.lanes(&elements_of(&[value], &self.vars())?)?;
        let aim = Aim { target: target.clone(), index: self.index(target)? };
        let int = self.scope.program.field(target).int;
        let work = match (value, &lanes[..]) {
            (value, []) => Work::Fill(aim, value.clone()),
            (Expr::Ref(r), [_]) if self.scope.program.field(r).int == int => Work::Copy(aim),
            _ => Work::Map(aim, value.clone(), hull(self.scope, &[value])),
        };
        Some(Step { lanes, work })
    }

    fn check(&self, p: &Pred) -> Option<Step> {
        let mut exprs = Vec::new();
        p.exprs(&mut |e| exprs.push(e));
        let lanes = self.lanes(&elements_of(&exprs, &self.vars())?)?;
        let work = Work::Check(p.clone(), hull(self.scope, &exprs));
        Some(Step { lanes, work })
    }

    fn lanes(&self, elements: &[&Ref]) -> Option<Vec<Lane>> {
        let lane = |r: &&Ref| {
            if r.side == self.scope.written() && self.shape.writes.contains(&r.field) {
                return None;
            }
            Some(Lane { element: (*r).clone(), index: self.index(r)? })
        };
        elements.iter().map(lane).collect()
    }

    /// Returns the indices of a reference, each as its constant and its coefficients of the loops; `None` if one
    /// is not affine.
    fn index(&self, r: &Ref) -> Option<Vec<Vec<Expr>>> {
        let row = |i: &Expr| {
            if !self.is_plain(i) {
                return None;
            }
            let mut rest = Poly::of(i);
            let mut steps = Vec::new();
            for (var, _) in &self.shape.levels {
                let (step, other) = rest.linear_in(&Atom::Var(*var))?;
                steps.push(step);
                rest = other;
            }
            let all = std::iter::once(&rest).chain(&steps);
            if !all.clone().all(|p| is_invariant(self.scope, p, self.shape)) {
                return None;
            }
            Some(all.map(Poly::to_expr).collect())
        };
        r.index.iter().map(row).collect()
    }

    /// Returns true if an index may be computed from its polynomial: the polynomial drops no
    /// reference, and no part of it overflows 128 bits unless the whole does.
    fn is_plain(&self, e: &Expr) -> bool {
        let (lo, hi) = self.scope.range(e);
        let sure = lo >= -SURE && hi <= SURE;
        let poly = Poly::of(e);
        // Reads of arrays with reservations are recorded one by one.
        let mut kept = !self.scope.notes(e);
        e.refs(&mut |r| kept &= poly.mentions(&Poly::ref_atom(r)));
        kept && (sure || !subtracts(e))
    }
}

/// Returns true if `p` has the same value in all rounds.
fn is_invariant(scope: &Scope<'_>, p: &Poly, shape: &Shape<'_>) -> bool {
    let written = scope.written();
    !p.any_atom(&mut |a| match a {
        Atom::Var(v) => shape.levels.iter().any(|(w, _)| v == w),
        Atom::Ref(side, field, index) => {
            *side == written && !index.is_empty() && shape.writes.contains(field)
        }
        Atom::Op(..) => false,
    })
}

/// Returns the structure of nested loops that contain only assignments of elements and assumptions; `None` if `node` is
/// anything else.
fn shape<'p>(node: &Node<'p>) -> Option<Shape<'p>> {
    let mut levels = Vec::new();
    let mut at = node;
    let leaves = loop {
        let Node::For(var, count, body) = at else { return None };
        levels.push((*var, *count));
        match &body[..] {
            [inner @ Node::For(..)] if levels.len() < MOST_LOOPS => at = inner,
            leaves => break leaves,
        }
    };
    if leaves.is_empty() {
        return None;
    }
    let (mut steps, mut writes) = (Vec::new(), Vec::new());
    // A read of an element that is assigned in the same round is replaced by its value.
    let mut stored: Vec<(&Ref, Expr)> = Vec::new();
    for leaf in leaves {
        match leaf {
            Node::Assign(target, value) if !target.index.is_empty() => {
                let value = substitute(value, &stored);
                if value.size() > 64 {
                    return None;
                }
                writes.push(target.field);
                stored.push((target, value.clone()));
                steps.push(Raw::Write(target, value));
            }
            Node::Assume(p) => {
                steps.push(Raw::Check(substitute_pred(p, &stored)?));
            }
            _ => return None,
        }
    }
    Some(Shape { levels, steps, writes })
}

fn substitute(e: &Expr, stored: &[(&Ref, Expr)]) -> Expr {
    match e {
        Expr::Int(_) | Expr::Var(_) => e.clone(),
        Expr::Ref(r) => match stored.iter().find(|(s, _)| *s == r) {
            Some((_, value)) => value.clone(),
            None => e.clone(),
        },
        Expr::Bin(op, a, b) => Expr::bin(*op, substitute(a, stored), substitute(b, stored)),
    }
}

fn substitute_pred(p: &Pred, stored: &[(&Ref, Expr)]) -> Option<Pred> {
    let all =
        |ps: &[Pred]| ps.iter().map(|p| substitute_pred(p, stored)).collect::<Option<Vec<_>>>();
    Some(match p {
        Pred::Const(_) => p.clone(),
        Pred::Cmp(cmp, a, b) => Pred::Cmp(*cmp, substitute(a, stored), substitute(b, stored)),
        Pred::And(ps) => Pred::And(all(ps)?),
        Pred::Or(ps) => Pred::Or(all(ps)?),
        Pred::All(..) => return None,
    })
}

/// Collects the references that are read for all values.
fn surely<'p>(p: &'p Pred, out: &mut Vec<&'p Ref>) {
    match p {
        Pred::Cmp(_, a, b) => {
            a.top_refs(&mut |r| out.push(r));
            b.top_refs(&mut |r| out.push(r));
        }
        Pred::And(ps) | Pred::Or(ps) => ps.first().into_iter().for_each(|p| surely(p, out)),
        Pred::Const(_) | Pred::All(..) => {}
    }
}

fn subtracts(e: &Expr) -> bool {
    match e {
        Expr::Int(n) => *n < 0,
        Expr::Var(_) => false,
        Expr::Ref(r) => r.index.iter().any(subtracts),
        Expr::Bin(op, a, b) => *op == Op::Sub || subtracts(a) || subtracts(b),
    }
}
