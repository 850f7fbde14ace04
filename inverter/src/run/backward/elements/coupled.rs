//! Solves elements that constraints connect: Z3 completes drawn values.

use std::collections::BTreeMap;

use crate::program::{Atom, Poly, Pred, Side};
use crate::run::backward::constraints::by_cell::position_of;
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::run::store::{Slot, Store};
use crate::solve::smt::{self, Failure, Unknown};
use crate::solve::{ChoiceSource, DimensionId, Domain};

/// The constraints on the elements of an array.
pub struct Constraints<'c> {
    /// The values of each element by itself.
    pub domains: &'c [Domain],
    /// The constraints on one element.
    pub single: &'c BTreeMap<Atom, Vec<Residual>>,
    /// The constraints on several elements.
    pub coupled: &'c [Residual],
}

/// Returns values for all elements. Elements that no constraint connects are drawn individually.
pub fn solve(
    cx: Context<'_>,
    name: DimensionId,
    constraints: &Constraints<'_>,
    input: &Store,
    source: &ChoiceSource,
) -> Result<Vec<i128>, RunError> {
    let Constraints { domains, single, coupled } = constraints;
    let mut atoms: Vec<Atom> = Vec::new();
    for r in *coupled {
        r.pred.refs(&mut |r| {
            let atom = Poly::ref_atom(r);
            if r.side == Side::Input && !atoms.contains(&atom) {
                atoms.push(atom);
            }
        });
    }
    let lengths = match atoms.first() {
        Some(Atom::Ref(_, field, _)) => match &input.slots[*field] {
            Slot::Array(a, _) => &a.lengths[..],
            _ => &[],
        },
        _ => &[],
    };
    let unknowns: Vec<Unknown> = atoms
        .iter()
        .map(|atom| {
            let domain = position_of(atom, lengths).and_then(|at| domains.get(at));
            let set = domain.map(|d| &d.set);
            let range =
                (set.and_then(|s| s.min()).unwrap_or(0), set.and_then(|s| s.max()).unwrap_or(0));
            Unknown { atom: atom.clone(), range }
        })
        .collect();
    let mut preds: Vec<Pred> = coupled.iter().map(|r| r.pred.clone()).collect();
    for atom in &atoms {
        preds.extend(single.get(atom).into_iter().flatten().map(|r| r.pred.clone()));
    }
    let mut values = source.candidate_list(name, domains);
    let candidates: Vec<Option<i128>> = atoms
        .iter()
        .map(|a| position_of(a, lengths).and_then(|at| values.get(at).copied()))
        .collect();
    let solved = smt::solve(&unknowns, &preds, &mut |k, n| {
        if n == 0 { candidates[k] } else { None }
    });
    match solved {
        Ok(found) => {
            for (atom, value) in atoms.iter().zip(found) {
                if let Some(at) = position_of(atom, lengths) {
                    values[at] = value;
                }
            }
            Ok(values)
        }
        Err(Failure::Clash(core)) => {
            let r = core.iter().find_map(|k| coupled.get(*k)).unwrap_or(&coupled[0]);
            let why = format!("no values of {name} satisfy {}", describe(cx, r));
            Err(cx.impossible(r.span, &why))
        }
        Err(unsolved) => Err(RunError::NoRepresentation(unsolved.message(name.name()))),
    }
}
