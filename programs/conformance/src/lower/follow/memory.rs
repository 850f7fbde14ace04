//! Memory as objects of bits, some of which have known values.

use std::collections::BTreeMap;
use std::rc::Rc;

pub use super::value::Cells;
use super::value::{Base, Input, Term, Val};

/// The maximum number of bits of an integer that is assembled from parts.
const WORD: i64 = 127;

/// The objects that differ from their initial values, or have no initial values.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Memory {
    /// The objects.
    pub objects: BTreeMap<Base, Rc<Cells>>,
}

/// The result of a load.
#[derive(Debug, PartialEq, Eq)]
pub enum Loaded {
    /// The bits have this value.
    Is(Val),
    /// The bits have not been assigned.
    Missing,
}

/// The lowest bits of a number.
pub fn low(value: i128, bits: i64) -> i128 {
    if bits >= WORD { value } else { value & ((1 << bits) - 1) }
}

/// Reads bits.
pub fn load(cells: &Cells, at: i64, bits: i64) -> Loaded {
    if let Some((own, value)) = cells.get(&at)
        && *own == bits
    {
        return Loaded::Is(value.clone());
    }
    let first = overlapping(cells, at, bits).next();
    if let Some((from, (own, Val::Term(term)))) = first
        && from <= at
        && at + bits <= from + own
    {
        return Loaded::Is(Term::part(term, own, at - from).unwrap_or(Val::Lost));
    }
    let (mut found, mut next, mut lost, mut any) = (0i128, at, false, false);
    for (from, (own, value)) in overlapping(cells, at, bits) {
        match value {
            Val::Int(value) if from <= next && bits <= WORD => {
                let part = value.checked_shr(u32::try_from(next - from).unwrap_or(127).min(127));
                let count = (from + own).min(at + bits) - next;
                found |= low(part.unwrap_or(0), count) << (next - at);
                next += count;
            }
            Val::Any => any = true,
            _ => lost = true,
        }
    }
    match (any, lost, next - at) {
        (_, true, _) => Loaded::Is(Val::Lost),
        (true, ..) => Loaded::Is(Val::Any),
        (_, _, count) if count == bits => Loaded::Is(Val::Int(found)),
        (_, _, 0) => Loaded::Missing,
        _ => Loaded::Is(Val::Any),
    }
}

/// The cells that have bits in common with a part.
fn overlapping(cells: &Cells, at: i64, bits: i64) -> impl Iterator<Item = (i64, (i64, &Val))> {
    let before = cells.range(..at).next_back().filter(|(from, (own, _))| **from + own > at);
    let all = before.into_iter().chain(cells.range(at..at.saturating_add(bits)));
    all.map(|(from, (own, value))| (*from, (*own, value)))
}

/// Removes bits from the cells, and keeps the bits around them.
pub fn carve(cells: &mut Cells, at: i64, bits: i64) {
    let found: Vec<(i64, i64, Val)> = overlapping(cells, at, bits)
        .map(|(from, (own, value))| (from, own, value.clone()))
        .collect();
    let end = at.saturating_add(bits);
    for (from, own, value) in found {
        cells.remove(&from);
        let part = |begin: i64, count: i64| match &value {
            Val::Int(value) => {
                let shift = u32::try_from(begin - from).unwrap_or(127).min(127);
                Val::Int(low(value >> shift, count))
            }
            Val::Any => Val::Any,
            Val::Term(term) => Term::part(term, own, begin - from).unwrap_or(Val::Lost),
            _ => Val::Lost,
        };
        if from < at {
            cells.insert(from, (at - from, part(from, at - from)));
        }
        if from + own > end {
            cells.insert(end, (from + own - end, part(end, from + own - end)));
        }
    }
}

/// Writes bits.
pub fn store(cells: &mut Cells, at: i64, bits: i64, value: Val) {
    if bits <= 0 {
        return;
    }
    if cells.get(&at).is_none_or(|(own, _)| *own != bits) {
        carve(cells, at, bits);
    }
    match value {
        Val::Block(block) => {
            carve(cells, at, bits);
            for (from, (own, value)) in block.iter() {
                cells.insert(at + from, (*own, value.clone()));
            }
        }
        Val::Int(value) => {
            cells.insert(at, (bits, Val::Int(low(value, bits))));
        }
        value => {
            cells.insert(at, (bits, value));
        }
    }
}

/// The bits of a part of an object, as a value.
pub fn block(cells: &Cells, at: i64, bits: i64) -> Val {
    let mut copy = cells.clone();
    carve(&mut copy, i64::MIN / 2, at.saturating_sub(i64::MIN / 2));
    carve(&mut copy, at.saturating_add(bits), i64::MAX / 4);
    Val::Block(Rc::new(copy.into_iter().map(|(from, cell)| (from - at, cell)).collect()))
}

impl Memory {
    /// Replaces an undecided value that is created again: by the name of a part that is a copy of it, or if there is
    /// none, by an unknown value. Returns the name.
    pub fn forget(&mut self, input: Input) -> Option<Input> {
        let is_in = |value: &Val, input: Input| matches!(value, Val::Term(term) if term.has(input));
        let is_copy = |value: &Val| matches!(value, Val::Term(t) if matches!(**t, Term::Input(own, _) if own == input));
        let all =
            || self.objects.iter().flat_map(|(base, cells)| cells.iter().map(move |c| (*base, c)));
        let mut copies = all().filter(|(_, (_, (_, value)))| is_copy(value));
        let free = copies.find_map(|(base, (at, _))| {
            let name = Input::Cell(base, *at);
            let is_used = name == input || all().any(|(_, (_, (_, value)))| is_in(value, name));
            (!is_used).then_some(name)
        });
        for object in self.objects.values_mut() {
            if object.values().any(|(_, value)| is_in(value, input)) {
                let cells = Rc::make_mut(object);
                for (_, value) in cells.values_mut().filter(|(_, value)| is_in(value, input)) {
                    *value = match (&*value, free) {
                        (Val::Term(term), Some(name)) => Val::Term(term.renamed(input, name)),
                        _ if is_copy(value) => Val::Lost,
                        _ => Val::Any,
                    };
                }
            }
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_cut_and_put_together() {
        let mut cells = Cells::new();
        store(&mut cells, 0, 64, Val::Int(0));
        store(&mut cells, 8, 8, Val::Int(0x12));
        store(&mut cells, 16, 8, Val::Int(-1));
        assert_eq!(load(&cells, 0, 32), Loaded::Is(Val::Int(0x00ff_1200)));
        assert_eq!(load(&cells, 12, 8), Loaded::Is(Val::Int(0xf1)));
        assert_eq!(load(&cells, 64, 8), Loaded::Missing);
        store(&mut cells, 12, 4, Val::Lost);
        assert_eq!(load(&cells, 8, 4), Loaded::Is(Val::Int(2)));
        assert_eq!(load(&cells, 8, 8), Loaded::Is(Val::Lost));
        let Val::Block(copy) = block(&cells, 8, 16) else { panic!() };
        assert_eq!(load(&copy, 8, 8), Loaded::Is(Val::Int(0xff)));
        assert_eq!(load(&copy, 16, 8), Loaded::Missing);
    }
}
