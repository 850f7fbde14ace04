//! Ensures of places: segments of an array, each where its base says.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Backward;
use super::kept_order::KeptOrder;
use super::scalars::Residual;
use super::sharing::Sharing;
use crate::invert::{Discipline, EnsureId, Part};
use crate::program::{Cmp, Expr, FieldId, Op, Poly, Pred, Ref, Side, Span};
use crate::run::error::RunError;
use crate::run::eval::Stop;
use crate::run::store::Slot;
use crate::solve::layout::{Laid, Segment, Space};
use crate::solve::smt::{self, Unknown};
use crate::solve::{Choice, ChoiceError, Domain, IntervalSet};

/// One segment: which base, and where it lies relative to that.
#[derive(Debug, Clone)]
pub(in crate::run) struct Place {
    /// The base input, and which element of it (0 for a scalar).
    pub(in crate::run) base: (FieldId, usize),
    /// The first element, relative to the base.
    pub(in crate::run) lo: i128,
    /// How many elements.
    pub(in crate::run) len: i128,
}

/// What an array's segments are, with the scalars as they are.
#[derive(Debug, Clone, Default)]
pub(in crate::run) struct Places {
    /// The segments, by base.
    pub(in crate::run) places: Vec<Place>,
    /// What is taken already.
    pub(in crate::run) taken: Vec<(i128, i128)>,
    /// The members of each base input: arrays first, then scalars.
    pub(in crate::run) groups: Vec<(FieldId, Vec<usize>)>,
}

impl Places {
    /// The group of each segment.
    pub(super) fn group_of(&self) -> Vec<usize> {
        let mut group_of = vec![0; self.places.len()];
        for (group, (_, members)) in self.groups.iter().enumerate() {
            members.iter().for_each(|k| group_of[*k] = group);
        }
        group_of
    }
}

/// A layout ready to be solved.
#[derive(Debug, Clone)]
pub(in crate::run) struct Problem {
    places: Places,
    pub(in crate::run) segments: Vec<Segment>,
    pub(in crate::run) space: Space,
    coupled: Vec<Residual>,
    /// What conditions leave to bases of nothing.
    pub(in crate::run) idle: BTreeMap<(FieldId, usize), Domain>,
}

/// A part of a segment: its base, and its first and last element from there.
struct Found {
    base: (FieldId, usize),
    lo: i128,
    hi: i128,
}

impl Found {
    /// With another part of the same segment; an empty one does not widen it.
    fn widen(&mut self, lo: i128, hi: i128) -> bool {
        if hi >= lo {
            let empty = self.hi < self.lo;
            (self.lo, self.hi) = if empty { (lo, hi) } else { (self.lo.min(lo), self.hi.max(hi)) };
        }
        true
    }
}

/// Segments as they come one after the other.
struct Order {
    segments: Vec<usize>,
    /// The last place that each can have in this order; `None` if there are none.
    latest: Option<Vec<i128>>,
}

impl Problem {
    /// Takes the sharers out of it: they have no place of their own.
    pub(in crate::run) fn release(&mut self, sharing: &Sharing) {
        for (segment, shared) in self.segments.iter_mut().zip(sharing) {
            if shared.is_some() {
                *segment = Segment { len: 0, starts: Domain::range((0, self.space.limit())) };
            }
        }
    }
}

impl Backward<'_> {
    pub(super) fn ensure_places(&mut self, n: EnsureId, array: FieldId) -> Result<(), RunError> {
        let problem = self.problem_once(n, array)?;
        let connected = !problem.coupled.is_empty();
        let sharing = self.choose_sharing(array, &problem.places, !connected)?;
        let shares = sharing.iter().any(Option::is_some);
        let mut trouble = self.settle_places(array, &problem, &sharing)?;
        if shares && trouble.is_none() {
            trouble = self.meeting_writes(array)?;
        }
        if let Some(why) = trouble {
            let names: Vec<&str> =
                problem.places.groups.iter().map(|g| &*self.names(g.0).sharing).collect();
            if let Some(name) = names.iter().find(|n| self.source.is_given(n)) {
                let value = self.source.chosen(name).cloned();
                let value = value.unwrap_or(Choice::from("none"));
                return Err(self.source.refusal(name, &value, why).into());
            }
            // What was drawn does not work out where the segments came to lie.
            let none = vec![None; sharing.len()];
            for name in &names {
                if self.source.chosen(name).is_some() {
                    self.source.settle(name, Choice::from("none"), String::new)?;
                }
            }
            if let Some(why) = self.settle_places(array, &problem, &none)? {
                return Err(RunError::NoRepresentation(why));
            }
        }
        self.settle_idle(array, &problem)?;
        let inverse = self.inverse;
        if let Some(Discipline::Layout(layout)) = inverse.disciplines.get(&array)
            && layout.checked
            && let Some(trouble) = self.meeting_writes(array)?
        {
            return Err(RunError::NoRepresentation(trouble));
        }
        Ok(())
    }

    /// Gives every base of a segment its value. In words, why a sharer cannot be where its
    /// host puts it.
    fn settle_places(
        &mut self,
        array: FieldId,
        problem: &Problem,
        sharing: &Sharing,
    ) -> Result<Option<String>, RunError> {
        let mut own = Cow::Borrowed(problem);
        if sharing.iter().any(Option::is_some) {
            own.to_mut().release(sharing);
        }
        let order = self.choose_order(&own)?;
        let mut starts = self.choose_gaps(array, &own, &order)?;
        for (k, shared) in sharing.iter().enumerate() {
            let Some((host, by)) = shared else { continue };
            starts[k] = starts[*host] + by;
            let segment = &problem.segments[k];
            let inside = starts[k] + segment.len <= problem.space.limit();
            if !segment.starts.contains(starts[k]) || !inside {
                return Ok(Some("a sharer cannot lie where its host does".to_owned()));
            }
        }
        let mut end = problem.space.taken_end();
        for (place, start) in problem.places.places.iter().zip(&starts) {
            let (field, at) = place.base;
            let value = start - place.lo;
            match &mut self.input.slots[field] {
                Slot::Array(cells, known) => {
                    cells.cells.set(at, value);
                    known.insert(at);
                }
                _ => self.give(field, value),
            }
            if place.len > 0 {
                end = end.max(start + place.len);
            }
        }
        if self.placed_dimension(array) == 0 {
            self.ends[array] = Some(end);
        }
        Ok(None)
    }

    /// The place of something that this representation does not have means nothing; it has
    /// a value all the same, of those that conditions leave.
    fn settle_idle(&mut self, array: FieldId, problem: &Problem) -> Result<(), RunError> {
        let inverse = self.inverse;
        let Some(Discipline::Layout(layout)) = inverse.disciplines.get(&array) else {
            return Ok(());
        };
        if let Some(((field, _), _)) = problem.idle.iter().find(|(_, d)| d.is_empty()) {
            let why = format!("no value is left for {}, which places nothing", self.name(*field));
            return Err(RunError::NoRepresentation(why));
        }
        for base in layout.bases() {
            let f = &self.program.input.fields[base];
            if f.is_scalar() {
                if self.input.slots[base] == Slot::Unset {
                    // A value that nothing asks about is no choice.
                    let value = match problem.idle.get(&(base, 0)) {
                        Some(domain) => {
                            self.source.stepped(f.dimension(), domain, self.landmarks)?
                        }
                        None => f.int.range().0.max(0),
                    };
                    self.give(base, value);
                }
                continue;
            }
            let idle = problem.idle.iter().filter(|d| d.0.0 == base);
            let (cells, domains): (Vec<usize>, Vec<Domain>) =
                idle.map(|(at, d)| (at.1, d.clone())).unzip();
            if cells.is_empty() {
                continue;
            }
            let values = self.source.integers(&self.names(base).unused, &domains)?;
            if let Slot::Array(array, known) = &mut self.input.slots[base] {
                for (at, value) in cells.into_iter().zip(values) {
                    array.cells.set(at, value);
                    known.insert(at);
                }
            }
        }
        Ok(())
    }

    /// Why the segments fit nowhere with the scalars as they are, if so; `None` too where
    /// they depend on arrays that are not chosen yet.
    pub(super) fn no_room(
        &mut self,
        n: EnsureId,
        array: FieldId,
    ) -> Result<Option<String>, RunError> {
        if let Some(Discipline::Layout(layout)) = self.inverse.disciplines.get(&array) {
            let mut open = false;
            let mut look = |r: &Ref| {
                let unset = || self.input.slots[r.field] == Slot::Unset;
                open |= r.side == Side::Input && !r.index.is_empty() && unset();
            };
            for part in &layout.parts {
                part.refs(&mut look);
            }
            // How large the segments are is not known yet.
            if open {
                return Ok(None);
            }
        }
        self.looking(|run| run.room(n, array))
    }

    /// Does something that only looks: what it allocates and draws on the way depends on
    /// scalars that may be chosen anew.
    pub(super) fn looking<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let unset = |slot: &Slot| *slot == Slot::Unset;
        let before: Vec<bool> = self.input.slots.iter().map(unset).collect();
        let source = self.source.clone();
        let none = (0..self.fills.len()).map(|_| None).collect();
        let fills = std::mem::replace(&mut self.fills, none);
        let result = look(self);
        self.fills = fills;
        for (slot, _) in self.input.slots.iter_mut().zip(before).filter(|s| s.1) {
            *slot = Slot::Unset;
        }
        *self.source = source;
        result
    }

    fn room(&mut self, n: EnsureId, array: FieldId) -> Result<Option<String>, RunError> {
        if let Some(Discipline::Layout(layout)) = self.inverse.disciplines.get(&array) {
            for base in layout.bases() {
                if !self.can_allocate(base) {
                    return Ok(None);
                }
            }
        }
        match self.problem(n, array) {
            Ok(problem) => {
                let order: Vec<usize> = (0..problem.segments.len()).collect();
                let order = problem.space.by_deadline(&problem.segments, &order);
                let fits = problem.space.latest(&problem.segments, &order).is_some();
                Ok((!fits).then(|| self.crowded(array)))
            }
            Err(RunError::NoRepresentation(why)) => Ok(Some(why)),
            Err(RunError::Refused { .. }) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn crowded(&self, array: FieldId) -> String {
        format!("the segments of {} do not fit where they may be", self.name(array))
    }

    pub(in crate::run) fn problem(
        &mut self,
        n: EnsureId,
        array: FieldId,
    ) -> Result<Problem, RunError> {
        let places = self.places(array)?;
        let mut bases = self.bases(n)?;
        let segments: Vec<Segment> = places
            .places
            .iter()
            .map(|p| {
                let range = self.program.input.fields[p.base.0].int.range();
                let domain = bases.take(p.base).unwrap_or_else(|| Domain::range(range));
                Segment { len: p.len, starts: domain.shifted(p.lo) }
            })
            .collect();
        let dimension = match self.inverse.disciplines.get(&array) {
            Some(Discipline::Layout(layout)) => layout.dimension,
            _ => 0,
        };
        let limit = match self.fixed_length(array, dimension)? {
            Some(length) => length,
            None => self.free_limit(&segments, &places.taken),
        };
        let space = Space::new(limit, places.taken.clone());
        let (coupled, idle) = bases.left();
        Ok(Problem { places, segments, space, coupled, idle })
    }

    /// The end of the closest packing, and the slack that is allowed beyond.
    fn free_limit(&self, segments: &[Segment], taken: &[(i128, i128)]) -> i128 {
        let all = 1i128 << 80;
        let space = Space::new(all, taken.to_vec());
        let order: Vec<usize> = (0..segments.len()).collect();
        let order = space.by_deadline(segments, &order);
        let none = vec![0; segments.len()];
        let mut end = space.taken_end();
        if let Some(latest) = space.latest(segments, &order) {
            let laid = space.place(segments, &order, &latest, &none);
            end = laid.starts.iter().zip(segments).map(|(at, s)| at + s.len).fold(end, i128::max);
        }
        end + i128::from(self.limits.slack)
    }

    /// Allocates the arrays that say where the segments of an array are.
    pub(super) fn allocate_bases(&mut self, array: FieldId) -> Result<(), RunError> {
        let inverse = self.inverse;
        if let Some(Discipline::Layout(layout)) = inverse.disciplines.get(&array) {
            for part in &layout.parts {
                if let Some(base) = part.base.as_ref().filter(|base| !base.index.is_empty()) {
                    self.allocate(base.field, part.span)?;
                }
            }
        }
        Ok(())
    }

    /// The segments of an array.
    pub(in crate::run) fn places(&mut self, array: FieldId) -> Result<Places, RunError> {
        let inverse = self.inverse;
        let mut found: Vec<Found> = Vec::new();
        let mut taken = Vec::new();
        self.allocate_bases(array)?;
        if let Some(Discipline::Layout(layout)) = inverse.disciplines.get(&array) {
            for part in &layout.parts {
                self.part(part, 0, &mut found, &mut taken)?;
            }
        }
        let mut places = Vec::new();
        let mut arrays: Vec<(FieldId, Vec<usize>)> = Vec::new();
        let mut scalars: Vec<(FieldId, Vec<usize>)> = Vec::new();
        // Stable: of one base, in the order of the parts.
        if !found.is_sorted_by_key(|f| f.base) {
            found.sort_by_key(|f| f.base);
        }
        found.dedup_by(|next, first| next.base == first.base && first.widen(next.lo, next.hi));
        for Found { base, lo, hi } in found {
            let is_scalar = self.program.input.fields[base.0].is_scalar();
            let groups = if is_scalar { &mut scalars } else { &mut arrays };
            match groups.last_mut() {
                Some((field, members)) if *field == base.0 => members.push(places.len()),
                _ => groups.push((base.0, vec![places.len()])),
            }
            places.push(Place { base, lo, len: (hi - lo + 1).max(0) });
        }
        arrays.extend(scalars);
        Ok(Places { places, taken, groups: arrays })
    }

    fn part(
        &mut self,
        part: &Part,
        depth: usize,
        found: &mut Vec<Found>,
        taken: &mut Vec<(i128, i128)>,
    ) -> Result<(), RunError> {
        match self.barred(&part.guards, &part.outer, depth, part.span) {
            Ok(false) => {}
            Ok(true) => return Ok(()),
            Err(stop) => return Err(self.not_known(stop, part.span)),
        }
        if let Some(level) = part.outer.get(depth) {
            let count = match self.rounds(&level.count, part.span) {
                Ok(count) => count,
                Err(stop) => return Err(self.not_known(stop, part.span)),
            };
            for k in 0..count {
                self.step(part.span)?;
                self.set_var(level.var, k);
                self.part(part, depth + 1, found, taken)?;
            }
            return Ok(());
        }
        // What has no elements has no place either; nor need its inner bounds have a value.
        for level in &part.inner {
            self.set_var(level.var, 0);
            match self.rounds(&level.count, part.span) {
                Ok(count) if count > 0 => {}
                Ok(_) => return Ok(()),
                Err(stop) => return Err(self.not_known(stop, part.span)),
            }
        }
        let (lo, hi) = (self.known(&part.lo, part.span)?, self.known(&part.hi, part.span)?);
        match &part.base {
            None => taken.push((lo, hi + 1)),
            Some(base) => {
                let at = match self.env().locate(base, part.span) {
                    Ok(at) => at,
                    Err(stop) => return Err(self.not_known(stop, part.span)),
                };
                found.push(Found { base: (base.field, at), lo, hi });
            }
        }
        Ok(())
    }

    fn known(&mut self, e: &Expr, span: Span) -> Result<i128, RunError> {
        match self.env().eval(e, span) {
            Ok(value) => Ok(value),
            Err(stop) => Err(self.not_known(stop, span)),
        }
    }

    fn not_known(&mut self, stop: Stop, span: Span) -> RunError {
        match stop {
            Stop::Error(e) => e,
            Stop::Unset(field, at) => self.env().unset(field, at, span),
        }
    }

    /// The physical order of the segments: for each base array an order of its own, for
    /// each further base the places at which its members are put among the others.
    fn choose_order(&mut self, problem: &Problem) -> Result<Order, RunError> {
        let mut order: Vec<usize> = Vec::new();
        let mut kept = KeptOrder::new(&problem.places);
        for (field, members) in &problem.places.groups {
            let f = &self.program.input.fields[*field];
            let names = self.names(*field);
            let likewise = kept.next(self.source, names, members.len(), &order);
            let mut own = members.clone();
            if members.len() > 1 {
                let permutation = self.source.permutation(&names.order, members.len())?;
                own = permutation.into_iter().map(|k| members[k]).collect();
            }
            if order.is_empty() {
                order = own;
                continue;
            }
            if f.is_scalar() {
                let most = order.len() as i128;
                let domain = IntervalSet::range(0, most);
                let likewise = likewise.and_then(|places| places.first().map(|p| Choice::Int(*p)));
                let at = self.source.keeping(&names.place, likewise, |source| {
                    source.integer(&names.place, &domain, &[0, most])
                })?;
                order.insert(at as usize, own[0]);
                continue;
            }
            let places =
                self.source.keeping(&names.places, likewise.map(Choice::List), |source| {
                    source.places(&names.places, own.len(), order.len())
                })?;
            let mut merged = Vec::with_capacity(order.len() + own.len());
            let mut own = own.into_iter().zip(places).peekable();
            for (k, other) in order.iter().enumerate() {
                while let Some((member, _)) = own.next_if(|o| o.1 <= k) {
                    merged.push(member);
                }
                merged.push(*other);
            }
            merged.extend(own.map(|o| o.0));
            order = merged;
        }
        let Problem { space, segments, .. } = problem;
        if let Some(latest) = space.latest(segments, &order) {
            return Ok(Order { segments: order, latest: Some(latest) });
        }
        // Where some may only be near the beginning, they come first.
        let order = space.by_deadline(segments, &order);
        let latest = space.latest(segments, &order);
        Ok(Order { segments: order, latest })
    }

    /// Where each segment starts, given the order.
    fn choose_gaps(
        &mut self,
        array: FieldId,
        problem: &Problem,
        order: &Order,
    ) -> Result<Vec<i128>, RunError> {
        let Problem { places, segments, space, coupled, .. } = problem;
        let Order { segments: order, latest } = order;
        if !coupled.is_empty() {
            return self.coupled_places(array, problem, order);
        }
        let Some(latest) = latest else {
            return Err(RunError::NoRepresentation(self.crowded(array)));
        };
        let group_of = places.group_of();
        let mut gaps = vec![0i128; segments.len()];
        // With the gaps so far.
        let mut so_far: Option<Laid> = None;
        for (group, (field, _)) in places.groups.iter().enumerate() {
            let f = &self.program.input.fields[*field];
            // In physical order, as a person would look at the file.
            let physical: Vec<usize> =
                order.iter().copied().filter(|k| group_of[*k] == group).collect();
            let names = self.names(*field);
            let name = if f.is_scalar() { &names.gap } else { &names.gaps };
            let with = |values: &[i128]| {
                let mut gaps = gaps.clone();
                for (k, gap) in physical.iter().zip(values) {
                    gaps[*k] = *gap;
                }
                gaps
            };
            let fits = |values: &[i128]| {
                if values.len() != physical.len() || values.iter().any(|g| *g < 0) {
                    return Err(format!("it must be {} amounts of at least 0", physical.len()));
                }
                let with = with(values);
                let laid = match &so_far {
                    Some(laid) if with == gaps => laid.clone(),
                    _ => space.place(segments, order, latest, &with),
                };
                if laid.cut {
                    Err("the gaps leave no room for what follows".to_owned())
                } else {
                    Ok((with, laid))
                }
            };
            let scalar = f.is_scalar();
            let value = |values: Vec<i128>| match scalar {
                true => Choice::Int(values.first().copied().unwrap_or(0)),
                false => Choice::List(values),
            };
            let slack = self.limits.slack;
            let chosen = self.source.choose(
                name,
                |value| match value {
                    Choice::Int(gap) if scalar => fits(&[*gap]),
                    Choice::List(values) if !scalar => fits(values),
                    _ => Err("it must be a list of amounts".to_owned()),
                },
                || value(vec![0; physical.len()]),
                |rng| {
                    let mut drawn = crate::solve::draw::draw_gaps(rng, physical.len(), slack);
                    let lay = |drawn: &[i128]| space.place(segments, order, latest, &with(drawn));
                    let mut laid = lay(&drawn);
                    // Halved until there is room, then told as they come out.
                    while laid.cut && drawn.iter().any(|g| *g > 0) {
                        drawn.iter_mut().for_each(|g| *g /= 2);
                        laid = lay(&drawn);
                    }
                    value(physical.iter().map(|k| laid.gaps[*k]).collect())
                },
            )?;
            gaps = chosen.0;
            so_far = Some(chosen.1);
        }
        Ok(so_far.map(|laid| laid.starts).unwrap_or_default())
    }

    /// Where conditions connect several bases: Z3, with the order fixed, so that each
    /// segment is constrained against its neighbours only.
    fn coupled_places(
        &mut self,
        array: FieldId,
        problem: &Problem,
        order: &[usize],
    ) -> Result<Vec<i128>, RunError> {
        let Problem { places, segments, space, coupled, .. } = problem;
        let identity: Vec<usize> = (0..segments.len()).collect();
        let reversed: Vec<usize> = identity.iter().rev().copied().collect();
        let lengths = |field: FieldId| match &self.input.slots[field] {
            Slot::Array(a, _) => a.lengths.clone(),
            _ => Vec::new(),
        };
        let base = |k: usize| {
            let (field, at) = places.places[k].base;
            element(field, at, &lengths(field))
        };
        let start =
            |k: usize| Expr::bin(Op::Add, Expr::Ref(base(k)), Expr::Int(places.places[k].lo));
        let end = |k: usize| Expr::bin(Op::Add, start(k), Expr::Int(segments[k].len));
        for order in [order, &identity, &reversed] {
            let unknowns: Vec<Unknown> = order
                .iter()
                .map(|k| {
                    let set = &segments[*k].starts.set;
                    let lo = places.places[*k].lo;
                    let range = (
                        set.min().unwrap_or(0) - lo,
                        set.max().unwrap_or(-1).min(space.limit()) - lo,
                    );
                    Unknown { atom: Poly::ref_atom(&base(*k)), range }
                })
                .collect();
            let mut preds: Vec<Pred> = coupled.iter().map(|r| r.pred.clone()).collect();
            for pair in order.windows(2) {
                preds.push(Pred::cmp(Cmp::Le, end(pair[0]), start(pair[1])));
            }
            for &k in order {
                preds.push(Pred::cmp(Cmp::Le, end(k), Expr::Int(space.limit())));
                preds.push(Pred::cmp(Cmp::Ge, start(k), Expr::Int(0)));
                for &(lo, hi) in space.taken() {
                    preds.push(Pred::or([
                        Pred::cmp(Cmp::Le, end(k), Expr::Int(lo)),
                        Pred::cmp(Cmp::Ge, start(k), Expr::Int(hi)),
                    ]));
                }
                let Domain { modulus, residue, .. } = segments[k].starts;
                if modulus > 1 {
                    let rem = Expr::bin(Op::Rem, start(k), Expr::Int(modulus));
                    preds.push(Pred::cmp(Cmp::Eq, rem, Expr::Int(residue)));
                }
            }
            let solved = smt::solve(&unknowns, &preds, &mut |_, _| None);
            if let Ok(values) = solved {
                let mut starts = vec![0; segments.len()];
                for (k, value) in order.iter().zip(values) {
                    starts[*k] = value + places.places[*k].lo;
                }
                return Ok(starts);
            }
        }
        Err(match coupled.first() {
            Some(r) => {
                self.impossible(r.span, &format!("{} and {}", self.crowded(array), self.text(r)))
            }
            None => RunError::Choice(ChoiceError {
                dimension: self.name(array),
                value: Choice::Int(0),
                why: self.crowded(array),
            }),
        })
    }
}

/// The element at a place among the cells.
fn element(field: FieldId, mut at: usize, lengths: &[usize]) -> Ref {
    let mut index: Vec<Expr> = Vec::new();
    for length in lengths.iter().rev() {
        let length = (*length).max(1);
        index.push(Expr::Int((at % length) as i128));
        at /= length;
    }
    index.reverse();
    Ref { side: Side::Input, field, index, span: Span::default() }
}
