//! Describes sets of states in terms of the variables of the library.

use biodivine_lib_bdd::{Bdd, BddVariable};

use super::{Calls, Field, Space};
use crate::library::State;

/// A union of products of ranges, one range for each variable of a list.
pub type Boxes = Vec<Vec<(i64, i64)>>;

/// The maximum number of boxes that describe a set. A set that needs more is not described.
const MOST_BOXES: usize = 256;

/// A range of one variable, and for each the set of the other variables' values.
type Slices = Vec<((i64, i64), Bdd)>;

impl Space {
    /// A set over the given variables as boxes; `None` if it needs too many.
    pub fn boxes(&self, set: &Bdd, fields: &[&Field]) -> Option<Boxes> {
        let Some((first, rest)) = fields.split_first() else {
            return Some(if set.is_false() { Vec::new() } else { vec![Vec::new()] });
        };
        let mut slices = Slices::new();
        slice(set, first, first.bits.len(), 0, &mut slices)?;
        let mut out = Boxes::new();
        for (range, holds) in slices {
            for mut rest in self.boxes(&holds, rest)? {
                rest.insert(0, range);
                out.push(rest);
            }
            if out.len() > MOST_BOXES {
                return None;
            }
        }
        Some(out)
    }

    /// A set over globals as text, such as `top = 0` or `top in 1..2 & open = 1`.
    pub fn describe(&self, set: &Bdd) -> String {
        let support = set.support_set();
        let in_support = |f: &&Field| {
            let depends = |b: &Bdd| f.now().any(|v| b.support_set_contains(&v));
            f.now().any(|v| support.contains(&v)) && depends(set)
        };
        let fields: Vec<&Field> = self.globals.iter().filter(in_support).collect();
        // A variable that may have any value of its range adds no information.
        let Some(boxes) = self.boxes(set, &fields) else {
            return format!("{}, …", self.example(None, set));
        };
        describe_boxes(&boxes, &fields)
    }

    /// One state of a set as text.
    pub(crate) fn example(&self, function: Option<usize>, set: &Bdd) -> String {
        let locals = function.map_or(&[][..], |f| &self.locals[f]);
        let fields: Vec<&Field> = self.globals.iter().chain(locals).collect();
        let values = self.pick(set, &fields);
        let parts: Vec<String> = fields
            .iter()
            .zip(values)
            .filter(|(f, _)| f.low != f.high)
            .map(|(f, value)| format!("{} = {value}", f.name))
            .collect();
        parts.join(", ")
    }

    /// The values of some variables in one state of a set that is not empty.
    pub fn pick(&self, set: &Bdd, fields: &[&Field]) -> State {
        let state = set.first_valuation();
        let value = |field: &&Field| {
            let Some(state) = &state else { return field.low };
            field.value(&|v| state.value(v))
        };
        fields.iter().map(value).collect()
    }
}

impl Calls {
    /// A set over the given variables as boxes; `None` if it takes too many.
    pub fn boxes(&self, set: &Bdd, fields: &[&Field]) -> Option<Boxes> {
        self.space.boxes(set, fields)
    }

    /// A set over globals as text, such as `top = 0` or `top in 1..2 & open = 1`.
    pub fn describe(&self, set: &Bdd) -> String {
        self.space.describe(set)
    }

    /// The values of some variables in one state of a set that is not empty.
    pub fn pick(&self, set: &Bdd, fields: &[&Field]) -> State {
        self.space.pick(set, fields)
    }

    /// One state of a set as text.
    pub(crate) fn example(&self, function: Option<usize>, set: &Bdd) -> String {
        self.space.example(function, set)
    }
}

/// Boxes as text. If there are many, only the first ones are listed.
pub(crate) fn describe_boxes(boxes: &Boxes, fields: &[&Field]) -> String {
    const SHOWN: usize = 3;
    let text = |b: &Vec<(i64, i64)>| {
        let parts: Vec<String> = fields.iter().zip(b).filter_map(|(f, r)| part(f, *r)).collect();
        if parts.is_empty() { "any".to_owned() } else { parts.join(" & ") }
    };
    let mut texts: Vec<String> = boxes.iter().take(SHOWN).map(text).collect();
    if boxes.len() > SHOWN {
        texts.push(format!("… ({} more)", boxes.len() - SHOWN));
    }
    texts.join(" | ")
}

/// Splits a set by the values of one variable into ranges on which the rest of the set is the same. `bits` are the
/// remaining bits of the variable, and `base` is the value of the other bits.
fn slice(set: &Bdd, field: &Field, bits: usize, base: i64, out: &mut Slices) -> Option<()> {
    if set.is_false() {
        return Some(());
    }
    let left: Vec<BddVariable> = field.now().take(bits).collect();
    if left.iter().all(|v| !set.support_set_contains(v)) {
        let (low, high) = match bits == field.bits.len() {
            true => (field.low, field.high),
            false => (base, base + (1 << bits) - 1),
        };
        match out.last_mut() {
            Some(((_, end), holds)) if *end + 1 == low && holds == set => *end = high,
            _ => out.push(((low, high), set.clone())),
        }
        return (out.len() <= MOST_BOXES).then_some(());
    }
    let top = left[bits - 1];
    let is_sign = field.low < 0 && bits == field.bits.len();
    // Values are in ascending order, so a sign bit that is set comes first.
    for value in if is_sign { [true, false] } else { [false, true] } {
        let weight = if is_sign { -(1 << (bits - 1)) } else { 1 << (bits - 1) };
        let base = base + if value { weight } else { 0 };
        slice(&set.var_restrict(top, value), field, bits - 1, base, out)?;
    }
    Some(())
}

/// Returns a range of a variable as text; `None` if it is the whole range.
pub(crate) fn part(field: &Field, (low, high): (i64, i64)) -> Option<String> {
    match (low == high, low <= field.low && high >= field.high) {
        (_, true) => None,
        (true, _) => Some(format!("{} = {low}", field.name)),
        (false, _) => Some(format!("{} in {low}..{high}", field.name)),
    }
}
