//! The state of inversion at a point of the program: the partition of the inputs into
//! undetermined, determined and partially determined references, and the bindings
//! (paper, section 3.1: `A = (U, D, P, b)`).
//!
//! A *reference* is a scalar or an array element with symbolic indices (paper, section
//! 3.2). The undetermined references are all that are not in the other two sets.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::program::iteration::{Loop, iteration};
use crate::program::{Atom, Expr, FieldId, Poly, Pred, Ref, VarId};

/// A reference in canonical form: field and indices, with loop variables named by their depth, so that equal references
/// in different loops are equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The input field.
    pub field: FieldId,
    /// The indices.
    pub index: Vec<Poly>,
}

/// A loop that encloses the point: its variable and its number of iterations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The loop variable.
    pub var: VarId,
    /// The number of iterations.
    pub count: Expr,
}

impl Level {
    /// `p` in every iteration of `nest`.
    pub fn all(nest: &[Level], p: Pred) -> Pred {
        let inside = |p, l: &Level| Pred::All(l.var, Box::new(l.count.clone()), Box::new(p));
        nest.iter().rev().fold(p, inside)
    }
}

/// Returns these levels as loops.
pub fn loops(nest: &[Level]) -> Vec<Loop> {
    nest.iter().map(|l| Loop { var: l.var, count: Poly::of(&l.count) }).collect()
}

/// A loop variable's name by depth.
fn by_depth(depth: usize) -> Poly {
    // Far above every real variable's number.
    Poly::atom(Atom::Var(VarId(usize::MAX - depth)))
}

fn anonymous(poly: &Poly, nest: &[Level]) -> Poly {
    nest.iter()
        .enumerate()
        .fold(poly.clone(), |p, (depth, level)| p.replace(&Atom::Var(level.var), &by_depth(depth)))
}

impl Key {
    /// The key of an input reference inside `nest`.
    pub fn of(r: &Ref, nest: &[Level]) -> Key {
        let index = r.index.iter().map(|i| anonymous(&Poly::of(i), nest)).collect();
        Key { field: r.field, index }
    }

    fn depends_on_depth(&self, depth: usize) -> bool {
        let var = Atom::Var(VarId(usize::MAX - depth));
        self.index.iter().any(|p| p.mentions(&var))
    }
}

/// A partially determined reference and what it equals.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// The reference.
    pub target: Ref,
    /// An expression equal to it.
    pub value: Expr,
}

/// Elements assigned by loops that have ended: one in each iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The array.
    pub field: FieldId,
    /// The index.
    pub index: Vec<Poly>,
    /// The loops, outermost first.
    pub nest: Vec<Loop>,
}

/// `A = (U, D, P, b)`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// `D`, with the iteration count of each enclosing loop on which an element's index depends.
    determined: BTreeMap<Key, Vec<Option<Poly>>>,
    /// The elements in `D` that only branches determine, with the conditions of each such branch.
    conditional: BTreeMap<Key, Vec<Vec<Pred>>>,
    /// The conditions of the branches around this point, loop variables named by their depth.
    pub path: Vec<Pred>,
    /// Arrays that an ensure assigns as a whole, because indices, bounds and guards use them.
    pub ensured_arrays: BTreeSet<FieldId>,
    /// Scalars that are determined without an assignment, because an ensure assigns them.
    pub ensured_scalars: BTreeSet<FieldId>,
    /// The elements assigned by loops that have ended, each outside any branch of the loop.
    pub given: Vec<Given>,
    /// `P` with `b`.
    pub partial: IndexMap<Key, Binding>,
}

impl State {
    /// Returns true if the reference is in `D`.
    pub fn is_determined(&self, r: &Ref, nest: &[Level]) -> bool {
        if !r.index.is_empty() && self.ensured_arrays.contains(&r.field) {
            return true;
        }
        let key = Key::of(r, nest);
        self.determined.get(&key).is_some_and(|domain| *domain == Self::domain(&key, nest))
            && !self.is_elsewhere(&key)
    }

    /// Returns true if only branches that exclude this point determine an element.
    fn is_elsewhere(&self, key: &Key) -> bool {
        let excluded = |p: &Pred| self.path.contains(&p.negated());
        let apart = |branch: &Vec<Pred>| branch.iter().any(excluded);
        self.conditional.get(key).is_some_and(|branches| branches.iter().all(apart))
    }

    /// Enters a branch.
    pub fn enter(&mut self, cond: &Pred, nest: &[Level]) {
        let depth = |v: VarId| nest.iter().position(|level| level.var == v);
        let named = cond.substitute(|e| match e {
            Expr::Var(v) => depth(*v).map(|d| Expr::Var(VarId(usize::MAX - d))),
            _ => None,
        });
        match named {
            Pred::And(all) => self.path.extend(all),
            other => self.path.push(other),
        }
    }

    /// The binding of the reference, if it is in `P`.
    pub fn binding(&self, r: &Ref, nest: &[Level]) -> Option<&Binding> {
        if self.partial.is_empty() {
            return None;
        }
        self.partial.get(&Key::of(r, nest))
    }

    /// Returns true if the reference is in `U`.
    pub fn is_undetermined(&self, r: &Ref, nest: &[Level]) -> bool {
        !self.is_determined(r, nest) && self.binding(r, nest).is_none()
    }

    /// Returns true if loops that have ended assigned the reference, an element of an array, under another index.
    pub fn is_given(&self, r: &Ref, nest: &[Level]) -> bool {
        let mut own = self.given.iter().filter(|g| g.field == r.field).peekable();
        if own.peek().is_none() {
            return false;
        }
        let at: Vec<Poly> = r.index.iter().map(Poly::of).collect();
        let around = loops(nest);
        own.any(|g| iteration(&g.index, &g.nest, &at, &around).is_some())
    }

    /// Moves the reference to `D`.
    pub fn determine(&mut self, r: &Ref, nest: &[Level]) {
        let key = Key::of(r, nest);
        let domain = Self::domain(&key, nest);
        self.partial.shift_remove(&key);
        if !key.index.is_empty() {
            // A condition on other loops holds in some iterations of them.
            let own = |p: &&Pred| {
                let mut of_key = true;
                p.exprs(&mut |e| {
                    e.vars(&mut |v| of_key &= key.depends_on_depth(usize::MAX - v.0));
                });
                of_key
            };
            let branch: Vec<Pred> = self.path.iter().filter(own).cloned().collect();
            let known = self.determined.contains_key(&key);
            match self.conditional.get_mut(&key) {
                Some(branches) => branches.push(branch),
                None if known => {}
                None => drop(self.conditional.insert(key.clone(), vec![branch])),
            }
        }
        self.determined.insert(key, domain);
    }

    fn domain(key: &Key, nest: &[Level]) -> Vec<Option<Poly>> {
        let count = |depth: usize, level: &Level| {
            key.depends_on_depth(depth).then(|| anonymous(&Poly::of(&level.count), nest))
        };
        nest.iter()
            .enumerate()
            .map(|(depth, level)| count(depth, level))
            .rev()
            .skip_while(Option::is_none)
            .collect()
    }

    /// Returns true if any element of the array is in `D` or `P`.
    pub fn touched(&self, field: FieldId) -> bool {
        self.determined.keys().chain(self.partial.keys()).any(|k| k.field == field)
    }

    /// Scalars in `D`.
    pub fn determined_scalars(&self) -> impl Iterator<Item = FieldId> + '_ {
        self.determined.keys().filter(|k| k.index.is_empty()).map(|k| k.field)
    }

    /// The join of the states after two branches with equal `P` and `b`: a reference is determined if either branch
    /// determines it.
    pub fn join(mut self, other: State) -> State {
        for (key, branches) in other.conditional {
            let own = self.conditional.entry(key).or_default();
            let new = branches.into_iter().filter(|branch| !own.contains(branch));
            own.extend(new.collect::<Vec<_>>());
        }
        self.determined.extend(other.determined);
        self.ensured_arrays.extend(other.ensured_arrays);
        self.ensured_scalars.extend(other.ensured_scalars);
        self.given.retain(|g| other.given.contains(g));
        self
    }
}
