//! Elements that decide where, or whether, something is written, chosen so that all writes of an element agree.
//!
//! Examples are the indices into a color map, the kind of each row, and two indices in one byte: each element causes
//! separate writes, and only the writes of several elements can conflict. The elements are therefore chosen one after
//! another, in random order, each with a value whose writes agree with the earlier ones. If that reaches a dead end,
//! because elements took more room than they needed, each receives the value that writes the fewest new elements, so
//! that equal entries share their place.

use std::hash::{Hash, Hasher};

use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap, FxHasher};

use crate::invert::Level;
use crate::invert::access::Access;
use crate::program::{FieldId, Pred, Ref, Side};
use crate::run::backward::checks::nest::{is_skipped, iterations};
use crate::run::backward::checks::writes::written_value;
use crate::run::backward::limits::{FAR, MOST_VALUES, MOST_WRITES};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::eval::{Env, Stop};
use crate::run::store::Slot;
use crate::solve::{Domain, Stream};

/// The maximum number of values of an element that are tried at random.
const TRIED: usize = 6;
/// Up to this number of values, all are compared to find the one that writes the fewest elements; if there are more,
/// only this many fitting values are compared.
const FITTING: (u128, usize) = (1 << 8, 16);
/// The maximum number of writes that are tried in total, for each element.
const EFFORT: usize = 1 << 9;
/// The minimum number of elements for which effort is allowed, so that each of a few elements may try as many values as
/// each of many.
const FEW: usize = 1 << 10;

/// An element that is written.
pub type Cell = (FieldId, [i128; 3]);
/// The written value; `None` if it is not known yet.
pub type Value = Option<i128>;

/// An access that, in each iteration of its outer loops, a single element of the array decides.
pub struct Decided<'a> {
    /// The access.
    pub access: &'a Access,
    /// The number of loops outside everything that the element decides.
    outer: usize,
    /// The guards that the element does not decide, and those that it decides before the inner loops.
    settled: Vec<Pred>,
    decided: Vec<Pred>,
    /// The number of elements in each dimension; `None` for a free length.
    lengths: Vec<Option<i128>>,
    /// True if the written value depends on the element itself.
    itself: bool,
}

/// An iteration of the outer loops of an access.
pub struct Iteration {
    /// The access, by its position among those of the effects.
    pub access: usize,
    vars: Vec<i128>,
}

impl Iteration {
    /// Sets the variables of the outer loops.
    pub fn enter(&self, env: &mut Env<'_>, access: &Access) {
        for (level, var) in access.nest.iter().zip(&self.vars) {
            env.set_var(level.var, *var);
        }
    }
}

/// The writes that each element decides.
pub struct Effects<'a> {
    /// The accesses that elements decide.
    pub accesses: Vec<Decided<'a>>,
    /// For each element, the iterations that it decides.
    pub iterations: Vec<Vec<Iteration>>,
    /// The writes that no element decides.
    fixed: FxHashMap<Cell, Value>,
    /// One past the greatest index of a dimension of free length.
    most: i128,
}

/// Returns the elements of other arrays that these elements of `field`, and all known values, write; `None` if some
/// writes conflict.
pub fn written(
    run: &mut Backward<'_>,
    field: FieldId,
    values: &[i128],
) -> Result<Option<Vec<Cell>>, RunError> {
    let Some(effects) = effects(run, field, values.len())? else { return Ok(None) };
    let (mut written, mut effort) = (effects.fixed.clone(), usize::MAX);
    for (at, value) in values.iter().enumerate() {
        let choice = Choosing::new(&effects, field, false, std::mem::take(&mut written));
        let Some(writes) = choice.agrees(run, at, *value, &mut effort)? else { return Ok(None) };
        written = choice.written;
        written.extend(writes);
    }
    Ok(Some(written.into_keys().collect()))
}

/// Chooses the elements of `field`, whose values conflict, so that all writes agree. Returns false, with arbitrary
/// values assigned, on failure.
pub fn choose_agreeing(
    run: &mut Backward<'_>,
    field: FieldId,
    domains: &[Domain],
    values: &mut [i128],
    rng: &mut Stream,
) -> Result<bool, RunError> {
    let Some(effects) = effects(run, field, domains.len())? else { return Ok(false) };
    let mut order: Vec<usize> = (0..domains.len()).collect();
    order.shuffle(rng);
    // Elements with few values come first, because others may otherwise take these values.
    order.sort_by_key(|at| domains[*at].quotients().len());
    for frugal in [false, true] {
        let mut choice = Choosing::new(&effects, field, frugal, effects.fixed.clone());
        let mut effort = EFFORT * domains.len().max(FEW);
        let mut complete = true;
        for &at in &order {
            match choice.choose(run, at, &domains[at], values[at], (rng, &mut effort))? {
                Some(value) => values[at] = value,
                None => {
                    complete = false;
                    break;
                }
            }
        }
        if complete {
            run.assignment.assign_elements(field, values.iter().copied().enumerate());
            return Ok(true);
        }
    }
    Ok(false)
}

/// A choice in progress.
struct Choosing<'e, 'a> {
    effects: &'e Effects<'a>,
    field: FieldId,
    /// True if each element receives the value that writes the fewest new elements.
    frugal: bool,
    written: FxHashMap<Cell, Value>,
    /// The values that elements with equal contents have received, by a digest of the contents.
    accepted: FxHashMap<u64, Vec<i128>>,
}

impl<'e, 'a> Choosing<'e, 'a> {
    fn new(
        effects: &'e Effects<'a>,
        field: FieldId,
        frugal: bool,
        written: FxHashMap<Cell, Value>,
    ) -> Self {
        Self { effects, field, frugal, written, accepted: FxHashMap::default() }
    }

    /// Chooses one element, and records its writes. `own` is tried first unless room is short.
    fn choose(
        &mut self,
        run: &mut Backward<'_>,
        at: usize,
        domain: &Domain,
        own: i128,
        (rng, effort): (&mut Stream, &mut usize),
    ) -> Result<Option<i128>, RunError> {
        let quotients = domain.quotients();
        let size = quotients.len();
        let key = self.effects.contents(run, at)?;
        let known = self.accepted.get(&key).cloned().unwrap_or_default();
        let mut first: Vec<i128> = Vec::new();
        let pick =
            |rng: &mut Stream| (!known.is_empty()).then(|| known[rng.random_range(0..known.len())]);
        if self.frugal {
            first.extend(pick(rng));
            first.extend(known.iter().copied());
        } else {
            first.push(own);
            first.extend(pick(rng));
            let any = (0..TRIED).filter_map(|_| quotients.nth(rng.random_range(0..size.max(1))));
            first.extend(any.map(|q| domain.member(q)));
            first.extend(known.iter().copied());
        }
        for value in first {
            if domain.contains(value)
                && let Some(writes) = self.agrees(run, at, value, effort)?
            {
                return Ok(Some(self.accept(key, value, writes)));
            }
        }
        // Tries all values, or some of them, starting with a random one.
        let from = rng.random_range(0..size.max(1));
        let mut best: Option<(i128, Vec<(Cell, Value)>)> = None;
        let mut fitting = 0;
        for k in 0..size.min(MOST_VALUES) {
            let Some(quotient) = quotients.nth((from + k) % size) else { continue };
            let value = domain.member(quotient);
            let Some(writes) = self.agrees(run, at, value, effort)? else { continue };
            fitting += 1;
            let better = best.as_ref().is_none_or(|(_, least)| writes.len() < least.len());
            if better {
                let done = !self.frugal || writes.is_empty();
                best = Some((value, writes));
                if done {
                    break;
                }
            }
            if size > FITTING.0 && fitting == FITTING.1 {
                break;
            }
        }
        Ok(best.map(|(value, writes)| self.accept(key, value, writes)))
    }

    fn accept(&mut self, key: u64, value: i128, writes: Vec<(Cell, Value)>) -> i128 {
        self.written.extend(writes);
        let known = self.accepted.entry(key).or_default();
        if !known.contains(&value) {
            known.push(value);
        }
        value
    }

    /// Returns the new elements that are written with this value; `None` if a write conflicts.
    fn agrees(
        &self,
        run: &mut Backward<'_>,
        at: usize,
        value: i128,
        effort: &mut usize,
    ) -> Result<Option<Vec<(Cell, Value)>>, RunError> {
        if *effort == 0 {
            return Ok(None);
        }
        run.assignment.assign_elements(self.field, [(at, value)]);
        let mut new: Vec<(Cell, Value)> = Vec::new();
        let mut agree = true;
        for iteration in &self.effects.iterations[at] {
            let decided = &self.effects.accesses[iteration.access];
            let mut env = run.env();
            iteration.enter(&mut env, decided.access);
            let mut write = |cell: Cell, value: Value| {
                *effort = effort.saturating_sub(1);
                let inside = |(k, length): (usize, &Option<i128>)| {
                    (0..length.unwrap_or(self.effects.most)).contains(&cell.1[k])
                };
                let old = match self.written.get(&cell) {
                    Some(old) => Some(old),
                    None => new.iter().find(|(c, _)| *c == cell).map(|(_, value)| value),
                };
                agree &= decided.lengths.iter().enumerate().all(inside);
                match old {
                    Some(old) => agree &= value.is_some() && *old == value,
                    None => new.push((cell, value)),
                }
                agree
            };
            match decided.inside(&mut env, &mut write) {
                Ok(true) => {}
                // A write conflicts, or depends on something that has no value.
                Ok(false) | Err(_) => return Ok(None),
            }
        }
        Ok(Some(new))
    }
}

impl Effects<'_> {
    /// Returns a digest of everything that an element's iterations may write.
    fn contents(&self, run: &mut Backward<'_>, at: usize) -> Result<u64, RunError> {
        let mut hasher = FxHasher::default();
        for iteration in &self.iterations[at] {
            let Decided { access, itself, .. } = &self.accesses[iteration.access];
            // Such a value is as distinctive as the element itself, wherever it is written.
            if *itself {
                continue;
            }
            iteration.access.hash(&mut hasher);
            let mut env = run.env();
            iteration.enter(&mut env, access);
            // The first write represents all writes of inner loops, because this is only a guess.
            for level in &access.nest[iteration.vars.len()..] {
                env.set_var(level.var, 0);
            }
            match written_value(&mut env, access) {
                Ok(value) => value.hash(&mut hasher),
                Err(_) => 0.hash(&mut hasher),
            }
        }
        Ok(hasher.finish())
    }
}

impl Decided<'_> {
    /// Calls `each` on every write under the current values of the outer loop variables, until it returns
    /// false.
    pub fn inside(
        &self,
        env: &mut Env<'_>,
        each: &mut dyn FnMut(Cell, Value) -> bool,
    ) -> Result<bool, Stop> {
        for guard in &self.decided {
            if !env.holds(guard, self.access.span)? {
                return Ok(true);
            }
        }
        self.at(env, self.outer, each)
    }

    fn at(
        &self,
        env: &mut Env<'_>,
        depth: usize,
        each: &mut dyn FnMut(Cell, Value) -> bool,
    ) -> Result<bool, Stop> {
        let Access { nest, guards, span, .. } = self.access;
        if depth > self.outer && is_skipped(env, guards, nest, depth, *span)? {
            return Ok(true);
        }
        let Some(level) = nest.get(depth) else {
            let (cell, value) = write(env, self.access)?;
            return Ok(each(cell, value));
        };
        for k in 0..iterations(env, &level.count, *span)? {
            env.step(1, *span)?;
            env.set_var(level.var, k);
            if !self.at(env, depth + 1, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the write under the current values of the loop variables.
fn write(env: &mut Env<'_>, access: &Access) -> Result<(Cell, Value), Stop> {
    let mut at = [0i128; 3];
    for (slot, index) in at.iter_mut().zip(&access.index) {
        *slot = env.eval(index, access.span)?;
    }
    Ok(((access.field, at), written_value(env, access)?))
}

/// Returns true for a placeholder of a place that is not chosen yet.
fn is_far(slot: &Slot) -> bool {
    matches!(slot, Slot::Scalar(n) if *n >= FAR)
}

/// Returns the writes that each element of `field` decides; `None` if an access depends on several elements at once.
pub fn effects<'a>(
    run: &mut Backward<'a>,
    field: FieldId,
    count: usize,
) -> Result<Option<Effects<'a>>, RunError> {
    let cx = run.cx;
    let arrays: Vec<FieldId> = cx
        .inverse
        .accesses
        .iter()
        .filter(|a| a.depends_on(&[field]) && !a.reads())
        .map(|a| a.field)
        .collect();
    let mut out = Effects {
        accesses: Vec::new(),
        iterations: (0..count).map(|_| Vec::new()).collect(),
        fixed: FxHashMap::default(),
        most: match run.assignment.input.slots.iter().any(is_far) {
            true => i128::MAX,
            false => cx.most_elements(),
        },
    };
    let mut left = MOST_WRITES;
    for access in cx.inverse.accesses.iter().filter(|a| arrays.contains(&a.field) && !a.reads()) {
        let lengths = run.known_lengths(access.field);
        let Some((own, decided)) = decided(access, field, lengths) else { return Ok(None) };
        let done = match own {
            None => {
                let mut each = |env: &mut Env<'_>| {
                    let (cell, value) = write(env, access)?;
                    out.fixed.insert(cell, value);
                    Ok(out.fixed.len() < MOST_WRITES)
                };
                decided.outside(&mut run.env(), 0, &mut each)
            }
            Some(own) => {
                let number = out.accesses.len();
                let mut each = |env: &mut Env<'_>| -> Result<bool, Stop> {
                    let at = env.locate(&own, access.span)?;
                    let vars =
                        access.nest[..decided.outer].iter().map(|l| env.var(l.var)).collect();
                    left = left.saturating_sub(1);
                    let Some(all) = out.iterations.get_mut(at) else { return Ok(false) };
                    all.push(Iteration { access: number, vars });
                    Ok(left > 0)
                };
                let done = decided.outside(&mut run.env(), 0, &mut each);
                out.accesses.push(decided);
                done
            }
        };
        match done {
            Ok(true) => {}
            // The place is not known yet; later choices are checked later.
            Err(Stop::Unset(..)) if !access.depends_on(&[field]) => {}
            Ok(false) | Err(_) => return Ok(None),
        }
    }
    Ok(Some(out))
}

impl Decided<'_> {
    /// Calls `each` in every iteration of the outer loops, until it returns false.
    fn outside(
        &self,
        env: &mut Env<'_>,
        depth: usize,
        each: &mut dyn FnMut(&mut Env<'_>) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let (nest, span) = (&self.access.nest[..self.outer], self.access.span);
        if is_skipped(env, &self.settled, nest, depth, span)? {
            return Ok(true);
        }
        let Some(level) = nest.get(depth) else { return each(env) };
        for k in 0..iterations(env, &level.count, span)? {
            env.step(1, span)?;
            env.set_var(level.var, k);
            if !self.outside(env, depth + 1, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the element of `field` that decides an access, if there is one, and how; `None` if several do.
fn decided<'a>(
    access: &'a Access,
    field: FieldId,
    lengths: Vec<Option<i128>>,
) -> Option<(Option<Ref>, Decided<'a>)> {
    let is_own = |r: &Ref| r.side == Side::Input && r.field == field;
    let mut own: Option<Ref> = None;
    let mut several = false;
    let mut see = |r: &Ref| {
        if is_own(r) {
            several |= own.as_ref().is_some_and(|o| o.index != r.index);
            own.get_or_insert_with(|| r.clone());
        }
    };
    access.nest.iter().for_each(|l| l.count.refs(&mut see));
    access.index.iter().chain(&access.value).for_each(|e| e.refs(&mut see));
    access.guards.iter().for_each(|g| g.refs(&mut see));
    if let Some(inner) = &access.stands_for {
        inner.index.iter().chain(&inner.value).for_each(|e| e.refs(&mut see));
        inner.guards.iter().for_each(|g| g.refs(&mut see));
    }
    if several {
        return None;
    }
    let nest = &access.nest;
    let Some(r) = own else {
        let settled = access.guards.clone();
        let (outer, decided) = (nest.len(), Vec::new());
        let decided = Decided { access, outer, settled, decided, lengths, itself: false };
        return Some((None, decided));
    };
    // The loops that select the element are outside, and nothing outside may depend on it.
    let picks = |l: &&Level| r.index.iter().any(|i| i.mentions_var(l.var));
    let outer = nest.iter().rposition(|l| picks(&l)).map_or(0, |k| k + 1);
    if nest[..outer].iter().any(|l| l.count.mentions(is_own)) {
        return None;
    }
    let inner = |g: &Pred| nest[outer..].iter().any(|l| g.mentions_var(l.var));
    let on_own = |g: &Pred| g.mentions(is_own);
    let settled = access.guards.iter().filter(|g| !on_own(g) && !inner(g)).cloned().collect();
    let own_guards = access.guards.iter().filter(|g| on_own(g) && !inner(g)).cloned().collect();
    let itself = access.value.iter().any(|value| value.mentions(is_own));
    Some((Some(r), Decided { access, outer, settled, decided: own_guards, lengths, itself }))
}
