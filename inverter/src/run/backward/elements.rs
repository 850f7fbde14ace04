//! Ensures of arrays, element by element.

use super::Backward;
use super::scalars::{Residual, closed_form};
use crate::invert::EnsureId;
use crate::program::{Atom, Expr, FieldId, Poly, Pred, Ref, Side};
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::draw::draw_integer;
use crate::solve::smt::{self, Failure, Unknown};
use crate::solve::{Choice, Domain};
use rand::RngExt;
use std::collections::BTreeMap;

/// How often elements are chosen anew because writes that depend on them meet.
const ATTEMPTS: usize = 64;
/// The most elements that are chosen one by one.
const MAX_ELEMENTS: usize = 1 << 22;

impl Backward<'_> {
    pub(super) fn ensure_elements(&mut self, n: EnsureId, field: FieldId) -> Result<(), RunError> {
        let f = &self.program.input.fields[field];
        self.allocate(field, f.span)?;
        let range = f.int.range();
        let (cells, lengths) = match &self.input.slots[field] {
            Slot::Array(a, _) => (a.cells.len(), a.lengths.clone()),
            _ => return Ok(()),
        };
        if cells == 0 {
            let trouble = self.recheck(field)?;
            return trouble.map_or(Ok(()), |why| Err(RunError::NoRepresentation(why)));
        }
        if cells > MAX_ELEMENTS {
            return Err(self.impossible(f.span, &format!("{} would be too large", f.name)));
        }
        if !self.source.is_given(f.dimension()) && self.determined(n, field)? {
            return Ok(());
        }
        let mut left = self.residuals(n)?;
        left.residuals.extend(self.size_limits(&|r| r.field == field)?);
        let lengths_of = |of: FieldId| (of == field).then_some(&lengths[..]);
        // What would be said of elements that there are not says nothing.
        let ByCell { single, mut coupled, .. } = by_cell(left.residuals, lengths_of);
        let name = f.dimension().to_owned();
        let mut domains = vec![Domain::range(range); cells];
        let mut closed: BTreeMap<Atom, Vec<Residual>> = BTreeMap::new();
        for ((_, at), (atom, preds)) in single {
            let refs: Vec<&Residual> = preds.iter().collect();
            match closed_form(&atom, range, &refs) {
                Some(domain) if !domain.is_empty() => {
                    domains[at] = domain;
                    closed.insert(atom, preds);
                }
                Some(_) => {
                    let why =
                        format!("no value of element {at} satisfies {}", self.text(&preds[0]));
                    return Err(self.impossible(preds[0].span, &why));
                }
                None => coupled.extend(preds),
            }
        }
        // Values that are all forced are no choice.
        let forced = domains.iter().all(|d| d.quotients().len() == 1);
        let free = coupled.is_empty() && !forced && !self.source.is_given(&name);
        let mut values: Vec<i128> = if coupled.is_empty() && forced && !self.source.is_given(&name)
        {
            domains.iter().map(|d| d.member(d.quotients().min().unwrap_or(0))).collect()
        } else if coupled.is_empty() {
            self.source.integers(&name, &domains)?
        } else {
            let values = self.coupled(&name, &domains, &closed, &coupled)?;
            let list = Choice::List(values.clone());
            let text = coupled.iter().map(|r| self.text(r)).collect::<Vec<_>>().join(" and ");
            self.source.settle(&name, list, || text)?;
            values
        };
        for turn in 0.. {
            if let Slot::Array(array, known) = &mut self.input.slots[field] {
                for (at, value) in values.iter().enumerate() {
                    array.cells.set(at, *value);
                    known.insert(at);
                }
            }
            let Some(why) = self.recheck(field)? else { break };
            if !free || turn == ATTEMPTS {
                return Err(RunError::NoRepresentation(why));
            }
            // Some of them anew.
            let mut rng = self.source.stream(&format!("{name}, turn {turn}"));
            for (value, domain) in values.iter_mut().zip(&domains) {
                if rng.random() {
                    *value = domain.member(draw_integer(&mut rng, &domain.quotients(), &[0, 1]));
                }
            }
            self.source.settle(&name, Choice::List(values.clone()), String::new)?;
        }
        Ok(())
    }

    /// Values where conditions connect several elements: Z3 completes what is drawn.
    fn coupled(
        &mut self,
        name: &str,
        domains: &[Domain],
        single: &BTreeMap<Atom, Vec<Residual>>,
        coupled: &[Residual],
    ) -> Result<Vec<i128>, RunError> {
        // Elements that no condition connects are drawn by themselves.
        let mut atoms: Vec<Atom> = Vec::new();
        for r in coupled {
            cells_of(&r.pred, &mut |a| {
                if !atoms.contains(&a) {
                    atoms.push(a);
                }
            });
        }
        let lengths = match atoms.first() {
            Some(Atom::Ref(_, field, _)) => match &self.input.slots[*field] {
                Slot::Array(a, _) => a.lengths.clone(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let unknowns: Vec<Unknown> = atoms
            .iter()
            .map(|atom| {
                let domain = flat(atom, &lengths).and_then(|at| domains.get(at));
                let set = domain.map(|d| &d.set);
                let range = (
                    set.and_then(|s| s.min()).unwrap_or(0),
                    set.and_then(|s| s.max()).unwrap_or(0),
                );
                Unknown { atom: atom.clone(), range }
            })
            .collect();
        let mut preds: Vec<Pred> = coupled.iter().map(|r| r.pred.clone()).collect();
        for atom in &atoms {
            preds.extend(single.get(atom).into_iter().flatten().map(|r| r.pred.clone()));
        }
        let drawn = self.source.candidate_list(name, domains);
        let proposals: Vec<Option<i128>> =
            atoms.iter().map(|a| flat(a, &lengths).and_then(|at| drawn.get(at).copied())).collect();
        let solved = smt::solve(&unknowns, &preds, &mut |k, n| {
            if n == 0 { proposals[k] } else { None }
        });
        match solved {
            Ok(found) => {
                let mut values = drawn;
                for (atom, value) in atoms.iter().zip(found) {
                    if let Some(at) = flat(atom, &lengths) {
                        values[at] = value;
                    }
                }
                Ok(values)
            }
            Err(Failure::Clash(core)) => {
                let r = core.iter().find_map(|k| coupled.get(*k)).unwrap_or(&coupled[0]);
                Err(self
                    .impossible(r.span, &format!("no values of {name} satisfy {}", self.text(r))))
            }
            Err(Failure::GaveUp(why)) => Err(RunError::NoRepresentation(format!(
                "Z3 found no values for {name} and no proof that there are none ({why})"
            ))),
        }
    }
}

/// Residuals by the elements (or scalars) that they mention.
#[derive(Default)]
pub(super) struct ByCell {
    /// Those of one, by input and place among the cells.
    pub(super) single: BTreeMap<(FieldId, usize), (Atom, Vec<Residual>)>,
    /// Those of several.
    pub(super) coupled: Vec<Residual>,
    /// Those of one that is not among the cells.
    pub(super) outside: Vec<Residual>,
}

/// Residuals by element. An input has the lengths that `lengths` says; a scalar has none.
pub(super) fn by_cell<'l>(
    residuals: Vec<Residual>,
    lengths: impl Fn(FieldId) -> Option<&'l [usize]>,
) -> ByCell {
    let mut out = ByCell::default();
    for r in residuals {
        let (mut first, mut alone): (Option<&Ref>, bool) = (None, true);
        r.pred.refs(&mut |r| {
            if r.side == Side::Input {
                alone &= first.is_none_or(|first| first == r);
                first = first.or(Some(r));
            }
        });
        let Some(of) = first.filter(|_| alone) else {
            out.coupled.push(r);
            continue;
        };
        match lengths(of.field).and_then(|lengths| place(&of.index, lengths)) {
            Some(at) => {
                let fresh = || (Poly::ref_atom(of), Vec::new());
                let cell = out.single.entry((of.field, at)).or_insert_with(fresh);
                cell.1.push(r);
            }
            None => out.outside.push(r),
        }
    }
    out
}

/// The place among the cells of an element with numerals as indices.
fn place(index: &[Expr], lengths: &[usize]) -> Option<usize> {
    let mut at = 0usize;
    for (e, length) in index.iter().zip(lengths) {
        let Expr::Int(n) = e else { return None };
        at = at * length + usize::try_from(*n).ok().filter(|i| i < length)?;
    }
    Some(at)
}

fn cells_of(p: &Pred, visit: &mut dyn FnMut(Atom)) {
    p.refs(&mut |r| {
        if r.side == Side::Input {
            visit(Poly::ref_atom(r));
        }
    });
}

/// The same of an atom.
fn flat(atom: &Atom, lengths: &[usize]) -> Option<usize> {
    let Atom::Ref(_, _, index) = atom else { return None };
    let mut at = 0usize;
    for (p, length) in index.iter().zip(lengths) {
        let i = usize::try_from(p.as_int()?).ok().filter(|i| i < length)?;
        at = at * length + i;
    }
    Some(at)
}
