//! Layouts whose constraints connect several bases. The order is fixed, so that each segment is constrained only by its
//! neighbours: chains of distances, and a network of differences.

use std::collections::BTreeMap;

use super::chain::{Chain, Item};
use super::problem::{Base, Problem, SegmentSlot, element};
use crate::program::{Atom, Cmp, Expr, FieldId, Op, Poly, Pred, Ref, Side};
use crate::run::backward::constraints::by_cell::position_of;
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::run::store::{Slot, Store};
use crate::solve::network::{Found, Network};
use crate::solve::{Choice, ChoiceSource, Domain};

/// The maximum number of segments that a network places before a chain is tried.
const FEW: usize = 64;

/// The places of a layout, and the values of bases that place nothing but are connected with others.
#[derive(Debug)]
pub struct Solved {
    /// The start of each segment.
    pub starts: Vec<i128>,
    /// The values of [`Problem::loose`], in order.
    pub loose: Vec<i128>,
}

/// Returns the start of each segment, in `order` as far as the constraints allow it.
pub fn solve(
    cx: Context<'_>,
    array: FieldId,
    problem: &Problem,
    order: &[usize],
    input: &Store,
    source: &mut ChoiceSource,
) -> Result<Solved, RunError> {
    let layout = Layout { problem, input };
    let chain = layout.chain();
    // For a few bases without fixed distances, the network draws evenly.
    let first = |chain: &&Chain| chain.rigid || problem.segments.len() > FEW;
    if let Some(chain) = chain.as_ref().filter(first)
        && let Some(bases) = layout.by_chain(cx, chain, order, source)?
    {
        return Ok(layout.solved(bases));
    }
    let allowed = chain.as_ref().and_then(|chain| chain.allowed(order));
    if let Some(bases) = layout.by_network(cx, allowed.as_deref().unwrap_or(order), source)? {
        return Ok(layout.solved(bases));
    }
    if let Some(chain) = chain.as_ref().filter(|chain| !first(chain))
        && let Some(bases) = layout.by_chain(cx, chain, order, source)?
    {
        return Ok(layout.solved(bases));
    }
    let why = format!("no places of the segments of {} were found", cx.name(array));
    Err(match problem.coupled.first() {
        Some(r) => cx.impossible(r.span, &format!("{why} such that {}", layout.conditions(cx))),
        None => RunError::NoRepresentation(why),
    })
}

/// A layout as constraints on its bases.
struct Layout<'p> {
    problem: &'p Problem,
    input: &'p Store,
}

impl Layout<'_> {
    /// Returns all bases: those of segments, then those that place nothing.
    fn bases(&self) -> Vec<Base> {
        let slots = self.problem.slots.slots.iter().map(|slot| slot.base);
        slots.chain(self.problem.loose.iter().map(|(base, _)| *base)).collect()
    }

    /// Returns the values that each base may have, apart from the others, in the order of [`Layout::bases`].
    fn domains(&self) -> Vec<Domain> {
        let Problem { slots, segments, space, loose, .. } = self.problem;
        let placed = slots.slots.iter().zip(segments).map(|(slot, segment)| {
            let within = Domain::range((0, space.limit())).set;
            let starts = &segment.starts;
            let starts = Domain { set: starts.set.intersect(&within), ..*starts };
            starts.shifted(-slot.lo).divided(slot.scale)
        });
        placed.chain(loose.iter().map(|(_, domain)| domain.clone())).collect()
    }

    /// Returns the lengths of a field.
    fn lengths(&self, field: FieldId) -> &[usize] {
        match &self.input.slots[field] {
            Slot::Array(a, _) => &a.lengths,
            _ => &[],
        }
    }

    fn base_of(&self, atom: &Atom) -> Option<Base> {
        let Atom::Ref(Side::Input, field, _) = atom else { return None };
        Some((*field, position_of(atom, self.lengths(*field))?))
    }

    /// Solves the layout in a given order as a network; `None` on failure.
    fn by_network(
        &self,
        cx: Context<'_>,
        order: &[usize],
        source: &mut ChoiceSource,
    ) -> Result<Option<BTreeMap<Base, i128>>, RunError> {
        let bases = self.bases();
        let numbers: BTreeMap<Base, u32> = bases.iter().copied().zip(0..).collect();
        let number = |r: &Ref| numbers.get(&self.base_of(&Poly::ref_atom(r))?).copied();
        let preds = self.constraints(order);
        let tables = &cx.prepared.runner.cache.tables;
        let Some(network) = Network::new(self.domains(), &preds, &number, tables) else {
            return Ok(None);
        };
        let (settled, drawn) = self.settled(cx, source);
        let found = match drawn {
            Some(field) => network.draw(&mut source.stream(cx.dimension(field))),
            None => {
                let preferred = |base| settled.get(base).copied().unwrap_or(i128::MIN);
                network.near(&bases.iter().map(preferred).collect::<Vec<_>>())
            }
        };
        let Found::Values(values) = found else { return Ok(None) };
        let bases = bases.into_iter().zip(values).collect();
        self.record(cx, &bases, source)?;
        Ok(Some(bases))
    }

    /// Returns the bases that already have values; if none has a value, also returns the field under whose name all are
    /// drawn.
    fn settled(
        &self,
        cx: Context<'_>,
        source: &ChoiceSource,
    ) -> (BTreeMap<Base, i128>, Option<FieldId>) {
        let groups = self.by_field();
        let settled: BTreeMap<Base, i128> = groups
            .iter()
            .flat_map(|(field, own)| {
                let name = cx.dimension(*field);
                let values = source.settled_list(name, own.len()).unwrap_or_default();
                own.iter().copied().zip(values).collect::<Vec<_>>()
            })
            .collect();
        let first = groups.keys().next().copied();
        let drawn = first.filter(|field| settled.is_empty() && source.varies(cx.dimension(*field)));
        (settled, drawn)
    }

    /// Returns the bases as a chain, if the constraints concern only their distances.
    fn chain(&self) -> Option<Chain> {
        let Problem { slots, segments, coupled, .. } = self.problem;
        if slots.slots.iter().any(|slot| slot.scale != 1) {
            return None;
        }
        let sizes = slots.slots.iter().zip(segments).map(|(slot, segment)| (slot.lo, segment.len));
        let sizes = sizes.chain(std::iter::repeat((0, 0)));
        let items: Vec<Item> = self
            .domains()
            .into_iter()
            .zip(sizes)
            .map(|(values, (lo, len))| Item { values, lo, len })
            .collect();
        let numbers: BTreeMap<Base, usize> = self.bases().into_iter().zip(0..).collect();
        let number = |atom: &Atom| numbers.get(&self.base_of(atom)?).copied();
        Chain::new(&items, coupled.iter().map(|r| &r.pred), &number)
    }

    /// Places the bases as a chain, in this order as far as possible; `None` on failure.
    fn by_chain(
        &self,
        cx: Context<'_>,
        chain: &Chain,
        order: &[usize],
        source: &mut ChoiceSource,
    ) -> Result<Option<BTreeMap<Base, i128>>, RunError> {
        let bases = self.bases();
        let (settled, drawn) = self.settled(cx, source);
        let preferred = bases.iter().enumerate();
        let preferred: BTreeMap<usize, i128> =
            preferred.filter_map(|(k, base)| Some((k, *settled.get(base)?))).collect();
        let mut stream = drawn.map(|field| source.stream(cx.dimension(field)));
        let rng = stream.as_mut().map(|rng| (rng, cx.limits.slack));
        let Some(values) = chain.place(&self.problem.space, order, &preferred, rng) else {
            return Ok(None);
        };
        let bases = bases.into_iter().zip(values).collect();
        self.record(cx, &bases, source)?;
        Ok(Some(bases))
    }

    /// Returns the constraints that connect bases, in the spec's words.
    fn conditions(&self, cx: Context<'_>) -> String {
        let mut all: Vec<String> = self.problem.coupled.iter().map(|r| describe(cx, r)).collect();
        all.dedup();
        all.join(" and ")
    }

    /// Returns the bases of each field.
    fn by_field(&self) -> BTreeMap<FieldId, Vec<Base>> {
        let mut out: BTreeMap<FieldId, Vec<Base>> = BTreeMap::new();
        for base in self.bases() {
            out.entry(base.0).or_default().push(base);
        }
        out
    }

    /// Records the values of the bases; those of an array form one list.
    fn record(
        &self,
        cx: Context<'_>,
        values: &BTreeMap<Base, i128>,
        source: &mut ChoiceSource,
    ) -> Result<(), RunError> {
        for (field, own) in self.by_field() {
            let list: Vec<i128> = own.iter().filter_map(|base| values.get(base).copied()).collect();
            let value = match cx.program.input.fields[field].is_scalar() {
                true => Choice::Int(list.first().copied().unwrap_or(0)),
                false => Choice::List(list),
            };
            source.fix(cx.dimension(field), value, || self.conditions(cx))?;
        }
        Ok(())
    }

    fn solved(&self, bases: BTreeMap<Base, i128>) -> Solved {
        let value = |base: &Base| bases.get(base).copied().unwrap_or(0);
        let Problem { slots, loose, .. } = self.problem;
        Solved {
            starts: slots.slots.iter().map(|slot| slot.start(value(&slot.base))).collect(),
            loose: loose.iter().map(|(base, _)| value(base)).collect(),
        }
    }

    fn reference(&self, base: Base) -> Ref {
        element(base, self.lengths(base.0))
    }

    /// Returns the base of a segment, as a reference.
    fn base(&self, k: usize) -> Ref {
        self.reference(self.problem.slots.slots[k].base)
    }

    fn start(&self, k: usize) -> Expr {
        let SegmentSlot { scale, lo, .. } = self.problem.slots.slots[k];
        let base = Expr::Ref(self.base(k));
        let first = if scale == 1 { base } else { Expr::bin(Op::Mul, Expr::Int(scale), base) };
        Expr::bin(Op::Add, first, Expr::Int(lo))
    }

    fn end(&self, k: usize) -> Expr {
        Expr::bin(Op::Add, self.start(k), Expr::Int(self.problem.segments[k].len))
    }

    /// Returns the constraints of the layout with its segments in `order`.
    fn constraints(&self, order: &[usize]) -> Vec<Pred> {
        let Problem { segments, space, coupled, .. } = self.problem;
        let mut preds: Vec<Pred> = coupled.iter().map(|r| r.pred.clone()).collect();
        for pair in order.windows(2) {
            preds.push(Pred::cmp(Cmp::Le, self.end(pair[0]), self.start(pair[1])));
        }
        for &k in order {
            preds.push(Pred::cmp(Cmp::Le, self.end(k), Expr::Int(space.limit())));
            preds.push(Pred::cmp(Cmp::Ge, self.start(k), Expr::Int(0)));
            for &(lo, hi) in space.taken() {
                preds.push(Pred::or([
                    Pred::cmp(Cmp::Le, self.end(k), Expr::Int(lo)),
                    Pred::cmp(Cmp::Ge, self.start(k), Expr::Int(hi)),
                ]));
            }
            let Domain { modulus, residue, .. } = segments[k].starts;
            if modulus > 1 {
                let rem = Expr::bin(Op::Rem, self.start(k), Expr::Int(modulus));
                preds.push(Pred::cmp(Cmp::Eq, rem, Expr::Int(residue)));
            }
        }
        preds
    }
}
