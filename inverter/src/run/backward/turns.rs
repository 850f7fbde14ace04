//! Several unknown scalars, one after the other: the one with the fewest values left comes
//! next, what it is given is filled in, and a dead end goes back. Most ensures of formats
//! are decided so, without Z3.

use super::Backward;
use super::plan::{Node, Part};
use super::scalars::{Residual, decided, mentions, narrowed};
use crate::invert::subst;
use crate::program::{Atom, Expr, Pred, Side};
use crate::run::error::RunError;
use crate::solve::domain::{self, Domain};
use crate::solve::{IntervalSet, Value};

/// Unknowns of so few values have each of them tried.
const FEW: u128 = 16;
/// How many values are tried in all.
const TRIES: usize = 400;
/// How many values of an unknown of many are tried.
const DRAWS: usize = 8;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    /// Every unknown has its value.
    Found,
    /// There are no values: everything was tried.
    Nothing,
    /// Not all could be tried.
    Unknown,
}

/// An unknown, with the values that it must not have.
type Open<'a> = (usize, &'a IntervalSet);

/// A search in progress.
struct Search {
    tries: usize,
    /// Whether all values of every unknown so far were tried.
    everything: bool,
    /// Field, value, and whether no other was possible.
    chosen: Vec<(usize, i128, bool)>,
}

impl Backward<'_> {
    /// Gives `fields` values that satisfy `preds`, if they are found in turn.
    pub(super) fn solve_in_turn(
        &mut self,
        part: &Part,
        excluded: &[&IntervalSet],
    ) -> Result<Turns, RunError> {
        let open: Vec<Open<'_>> =
            part.fields.iter().copied().zip(excluded.iter().copied()).collect();
        let mut search = Search { tries: TRIES, everything: true, chosen: Vec::new() };
        let root = part.turns.get_or_init(|| self.node(&open, part.preds.clone()));
        if !self.turn(&open, root, &mut search) {
            return Ok(if search.everything { Turns::Nothing } else { Turns::Unknown });
        }
        for (field, value, forced) in search.chosen {
            let name = self.program.input.fields[field].dimension();
            // A value that is forced is no choice.
            if !forced || self.source.is_given(name) {
                self.source.settle(name, Value::Int(value), String::new)?;
            }
            self.give(field, value);
        }
        Ok(Turns::Found)
    }

    /// What is to be done with `open` under `preds`.
    fn node(&self, open: &[Open<'_>], preds: Vec<Residual>) -> Node {
        let (at, domain) = self.next(open, &preds);
        Node::new(preds, at, domain, FEW)
    }

    /// Gives the next of `open` a value, and then the others.
    fn turn(&self, open: &[Open<'_>], node: &Node, search: &mut Search) -> bool {
        if open.is_empty() {
            return node.preds.iter().all(|r| decided(&r.pred) == Some(true));
        }
        let (field, excluded) = open[node.at];
        let name = self.program.input.fields[field].dimension();
        let values = match &node.members {
            Some(members) => {
                if self.source.is_given(name) {
                    search.everything = false;
                }
                self.source.preference(name, members)
            }
            None => {
                search.everything = false;
                self.source.proposals(name, &node.domain, self.landmarks, DRAWS)
            }
        };
        let rest: Vec<Open<'_>> =
            open.iter().enumerate().filter(|(k, _)| *k != node.at).map(|(_, o)| *o).collect();
        for value in values.into_iter().filter(|v| !excluded.contains(*v)) {
            if search.tries == 0 {
                search.everything = false;
                return false;
            }
            search.tries -= 1;
            let left = || Some(self.node(&rest, filled(&node.preds, field, value)?));
            if let Some(next) = node.after(value, left)
                && self.turn(&rest, &next, search)
            {
                let forced = node.members.as_ref().is_some_and(|m| m.len() == 1);
                search.chosen.push((field, value, forced));
                return true;
            }
        }
        false
    }

    /// The unknown with the fewest values left: its place among `open`, of which there is at
    /// least one. An unknown without any value comes first, one with conditions that have no
    /// closed form last.
    fn next(&self, open: &[Open<'_>], preds: &[Residual]) -> (usize, Domain) {
        let mentioned: Vec<Vec<usize>> = preds.iter().map(|r| unknowns(&r.pred)).collect();
        let mut best: Option<(usize, Domain, u128)> = None;
        for (k, (field, _)) in open.iter().enumerate() {
            let concerning = || preds.iter().zip(&mentioned).filter(|(_, m)| m.contains(field));
            let own: Vec<&Residual> =
                concerning().filter(|(_, m)| m.len() == 1).map(|(r, _)| r).collect();
            let atom = Atom::Ref(Side::Input, *field, Vec::new());
            let range = self.program.input.fields[*field].int.range();
            let (mut domain, exact) = narrowed(&atom, range, &own);
            // What is said of it and others leaves it no more than this.
            for (shared, _) in concerning().filter(|(_, m)| m.len() > 1) {
                let left = projected(&shared.pred, *field, &atom, range);
                domain = domain.intersect(&left).unwrap_or(domain);
            }
            let count = domain.quotients().len();
            let count = if exact || count <= FEW { count } else { u128::MAX };
            if best.as_ref().is_none_or(|b| count < b.2) {
                best = Some((k, domain, count));
            }
        }
        best.map_or((0, Domain::range((0, -1))), |(k, domain, _)| (k, domain))
    }
}

/// The scalars of the representation that `p` mentions.
fn unknowns(p: &Pred) -> Vec<usize> {
    let mut out = Vec::new();
    p.refs(&mut |r| {
        if r.side == Side::Input && !out.contains(&r.field) {
            out.push(r.field);
        }
    });
    out
}

/// Values of `field`, which is `atom`: all for which `p` holds with some values of what else it
/// mentions, and perhaps more.
fn projected(p: &Pred, field: usize, atom: &Atom, range: (i128, i128)) -> Domain {
    match (p, &unknowns(p)[..]) {
        (p, [] | [_]) if mentions(p, field) => {
            domain::solutions(p, atom, range).unwrap_or(Domain::range(range))
        }
        (Pred::Const(false), _) => Domain::of(IntervalSet::empty()),
        (Pred::And(ps), _) => ps.iter().fold(Domain::range(range), |all, p| {
            let left = projected(p, field, atom, range);
            all.intersect(&left).unwrap_or(all)
        }),
        (Pred::Or(ps), _) => {
            Domain::of(ps.iter().fold(IntervalSet::empty(), |any, p| {
                any.union(&projected(p, field, atom, range).set)
            }))
        }
        _ => Domain::range(range),
    }
}

/// `preds` with `field` known, those that hold left out; `None` if one cannot hold.
pub(super) fn filled(preds: &[Residual], field: usize, value: i128) -> Option<Vec<Residual>> {
    let fill = |e: &Expr| match e {
        Expr::Ref(r) if r.side == Side::Input && r.index.is_empty() && r.field == field => {
            Some(Expr::Int(value))
        }
        _ => None,
    };
    let mut out = Vec::with_capacity(preds.len());
    for r in preds {
        if !mentions(&r.pred, field) {
            out.push(r.clone());
            continue;
        }
        let pred = shorter(subst::pred(&r.pred, &fill));
        match pred {
            Pred::Const(true) => {}
            Pred::Const(false) => return None,
            pred => out.push(Residual { pred, ..r.clone() }),
        }
    }
    Some(out)
}

/// The predicate with what is decided in it taken out.
fn shorter(p: Pred) -> Pred {
    match p {
        Pred::And(ps) => Pred::and(ps.into_iter().map(shorter)),
        Pred::Or(ps) => Pred::or(ps.into_iter().map(shorter)),
        p => decided(&p).map_or(p, Pred::Const),
    }
}
