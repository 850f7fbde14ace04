//! What a writer of a TIFF file is free to decide about the container, by name.
//!
//! | dimension | values | class | TIFF 6.0 |
//! |---|---|---|---|
//! | `byte order` | `II`, `MM` | baseline | sections 2 and 7: readers must take both |
//! | `spare value bytes` | `zeros`, `filler` | baseline | section 2: a short value is left-justified in its field; the rest is no part of it |
//! | `type of T` | `SHORT`, `LONG` where the value fits | baseline | section 8, the fields with "SHORT or LONG" |
//! | `default of T` | `explicit`, `absent` where T has its default | baseline; `explicit` of a tag of part 2 is an extension | section 7, defaults |
//!
//! T is a tag's name. `T` has no such dimension where there is no choice: one type that
//! fits, no default, or another value than the default. [`orientation`](class_of) is
//! chosen elsewhere, and has its class here. [`RULES`](super::rules::RULES) has the tags.

use inverter::solve::{ChoiceError, ChoiceSource, Choices, Value};

use super::rules::{Count, Rule, rule_of};
use super::write::{Plan, PlannedEntry, PlannedIfd, Spare, needs_block};
use super::{ByteOrder, Class, FieldType, Format, Tag, Values};
use crate::strips::{IntegerTag, StripFile};

/// The dimension of the order of bytes.
pub const BYTE_ORDER: &str = "byte order";
/// The dimension of the bytes that short values leave over.
pub const SPARE_BYTES: &str = "spare value bytes";

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];
const SPARES: [(Spare, &str); 2] = [(Spare::Zeros, "zeros"), (Spare::Filler, "filler")];
const EXPLICIT: &str = "explicit";
const ABSENT: &str = "absent";

/// The name of the dimension of a tag's type: `type of ImageWidth`.
pub fn type_dimension(tag: Tag) -> String {
    format!("type of {}", tag.label())
}

/// The name of the dimension of saying a default or not: `default of Orientation`.
pub fn default_dimension(tag: Tag) -> String {
    format!("default of {}", tag.label())
}

/// What the container must say, whichever way it says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    integers: Vec<(Tag, Vec<u64>)>,
    carried: Vec<(Tag, Values)>,
    /// The orientation that `carried` was written for.
    seed_orientation: u64,
}

impl Said {
    /// What `seed` says. Left to be [`set`](Said::set) for another layout of the picture:
    /// ImageWidth, ImageLength, Orientation and RowsPerStrip, where they change, and
    /// StripOffsets and StripByteCounts, which are not in it.
    ///
    /// XResolution and YResolution are required of a baseline file (TIFF 6.0, sections 3,
    /// 4 and 6): where the seed has just one, the other is the same, where it has none,
    /// both are 72.
    pub fn of(seed: &StripFile) -> Self {
        let per_strip = |tag| rule_of(tag).is_some_and(|rule| rule.count == Count::PerStrip);
        let integers = seed.integers.iter().filter(|i| !per_strip(i.tag) && may_be_said(i));
        let integers = integers.map(|integer| (integer.tag, integer.values.clone())).collect();
        let mut carried = seed.carried.clone();
        let resolutions = [Tag::X_RESOLUTION, Tag::Y_RESOLUTION];
        let known = carried.iter().find(|(tag, _)| resolutions.contains(tag));
        let known = known.map_or(Values::rationals(&[(72, 1)]), |(_, values)| values.clone());
        for tag in resolutions {
            if carried.iter().all(|entry| entry.0 != tag) {
                carried.push((tag, known.clone()));
            }
        }
        Self { integers, carried, seed_orientation: seed.orientation.into() }
    }

    /// The values of an integer tag, if there are any to be said.
    pub fn get(&self, tag: Tag) -> Option<&[u64]> {
        self.integers.iter().find(|entry| entry.0 == tag).map(|entry| entry.1.as_slice())
    }

    /// Takes an integer tag out: it is said elsewhere.
    pub fn remove(&mut self, tag: Tag) {
        self.integers.retain(|entry| entry.0 != tag);
    }

    /// Says `values` by the integer tag `tag`, whatever it said before.
    pub fn set(&mut self, tag: Tag, values: &[u64]) {
        self.remove(tag);
        self.integers.push((tag, values.to_vec()));
    }

    /// The tags that are carried as they are. Width and height of the stored picture
    /// change places with the orientation, and so must the resolutions along them.
    fn carried(&self) -> impl Iterator<Item = (Tag, Values)> {
        let turned = |orientation: u64| orientation >= 5;
        let now = self.get(Tag::ORIENTATION).and_then(|values| values.first().copied());
        let swap = turned(now.unwrap_or(1)) != turned(self.seed_orientation);
        self.carried.iter().cloned().map(move |(tag, values)| match tag {
            Tag::X_RESOLUTION if swap => (Tag::Y_RESOLUTION, values),
            Tag::Y_RESOLUTION if swap => (Tag::X_RESOLUTION, values),
            _ => (tag, values),
        })
    }
}

/// A way to say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The byte order.
    pub order: ByteOrder,
    /// The bytes that short values leave over.
    pub spare: Spare,
    /// The entries, by tag. More can be pushed: the strips' places, once they are known.
    pub entries: Vec<(Tag, Values)>,
}

impl Chosen {
    /// The entries whose values need a block, and its size, in the order of `entries`.
    pub fn blocks(&self, format: Format) -> Vec<(Tag, u64)> {
        let blocks = self.entries.iter().filter(|(_, values)| needs_block(format, values));
        blocks.map(|(tag, values)| (*tag, values.size())).collect()
    }

    /// The plan with the directory at `ifd_at` and the blocks at `block_at`, in the order
    /// of [`Chosen::blocks`].
    pub fn plan(self, format: Format, ifd_at: u64, block_at: &[u64]) -> Plan {
        let mut places = block_at.iter().copied();
        let entry = |(tag, values): (Tag, Values)| {
            let value_at = needs_block(format, &values).then(|| places.next()).flatten();
            PlannedEntry { tag, values, value_at }
        };
        let entries = self.entries.into_iter().map(entry).collect();
        let ifd = PlannedIfd { at: ifd_at, entries, next: 0 };
        Plan { order: self.order, format, spare: self.spare, ifd }
    }
}

/// Chooses how to say it.
///
/// # Errors
///
/// If a given choice is not possible here, or a value has no type that holds it.
pub fn choose(source: &mut ChoiceSource, said: &Said) -> Result<Chosen, ChoiceError> {
    let order = ORDERS[source.named(BYTE_ORDER, &ORDERS.map(ByteOrder::mark))?];
    let spare = SPARES[source.named(SPARE_BYTES, &SPARES.map(|s| s.1))?].0;
    let bits = said.get(Tag::BITS_PER_SAMPLE).and_then(|values| values.first().copied());
    let mut entries: Vec<(Tag, Values)> = said.carried().collect();
    for (tag, values) in &said.integers {
        if let Some(values) = choose_entry(source, *tag, values, bits.unwrap_or(1))? {
            entries.push((*tag, values));
        }
    }
    entries.sort_by_key(|entry| entry.0);
    Ok(Chosen { order, spare, entries })
}

/// Chooses how one integer tag says `values`, in a picture of `bits` a sample; `None` for
/// not at all.
///
/// # Errors
///
/// As [`choose`].
pub fn choose_entry(
    source: &mut ChoiceSource,
    tag: Tag,
    values: &[u64],
    bits: u64,
) -> Result<Option<Values>, ChoiceError> {
    if is_default(tag, values, bits)
        && source.named(&default_dimension(tag), &[EXPLICIT, ABSENT])? == 1
    {
        return Ok(None);
    }
    choose_values(source, tag, values).map(Some)
}

/// Chooses the type of an integer tag, and gives its values in it.
///
/// # Errors
///
/// As [`choose_type`].
pub fn choose_values(
    source: &mut ChoiceSource,
    tag: Tag,
    values: &[u64],
) -> Result<Values, ChoiceError> {
    let most = values.iter().copied().max().unwrap_or(0);
    let kind = choose_type(source, tag, most)?;
    Values::integers(kind, values).ok_or_else(|| no_type(tag, most))
}

/// Chooses the type of an integer tag whose greatest value is `max_value`.
///
/// # Errors
///
/// If the given type does not hold the value, or no type does.
pub fn choose_type(
    source: &mut ChoiceSource,
    tag: Tag,
    max_value: u64,
) -> Result<FieldType, ChoiceError> {
    match fitting_types(tag, max_value).as_slice() {
        [] => Err(no_type(tag, max_value)),
        [only] => Ok(*only),
        types => {
            let names: Vec<String> = types.iter().map(ToString::to_string).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Ok(types[source.named(&type_dimension(tag), &names)?])
        }
    }
}

fn no_type(tag: Tag, value: u64) -> ChoiceError {
    ChoiceError {
        dimension: type_dimension(tag),
        value: Value::Int(value.into()),
        why: format!("no type of {tag} holds it"),
    }
}

/// The types that a tag may have (TIFF 6.0, section 8) and that hold `value`.
fn fitting_types(tag: Tag, value: u64) -> Vec<FieldType> {
    let types = rule_of(tag).map_or(&[] as &[_], |rule| rule.types);
    types.iter().copied().filter(|kind| kind.max_integer() >= Some(value)).collect()
}

fn is_default(tag: Tag, values: &[u64], bits: u64) -> bool {
    let default = rule_of(tag).and_then(|rule: &Rule| rule.default(bits));
    default.is_some_and(|default| !values.is_empty() && values.iter().all(|v| *v == default))
}

/// Predictor belongs to LZW (TIFF 6.0, section 14). libtiff warns of it in any other file, so
/// it is only said there if the seed says it.
fn may_be_said(integer: &IntegerTag) -> bool {
    integer.tag != Tag::PREDICTOR || integer.stored.is_some()
}

/// What `seed` itself chose, of the same dimensions under the same names.
pub fn own_choices(seed: &StripFile) -> Choices {
    let mut own = Choices::new();
    own.set(BYTE_ORDER, seed.order.mark());
    if let Some((_, name)) = SPARES.iter().find(|row| row.0 == seed.spare) {
        own.set(SPARE_BYTES, *name);
    }
    let bits = seed.integer(Tag::BITS_PER_SAMPLE).and_then(|i| i.values.first().copied());
    for integer in seed.integers.iter().filter(|i| may_be_said(i)) {
        if is_default(integer.tag, &integer.values, bits.unwrap_or(1)) {
            let said = if integer.stored.is_some() { EXPLICIT } else { ABSENT };
            own.set(&default_dimension(integer.tag), said);
        }
        let types = fitting_types(integer.tag, integer.values.iter().copied().max().unwrap_or(0));
        match integer.stored {
            Some(kind) if types.len() > 1 && types.contains(&kind) => {
                own.set(&type_dimension(integer.tag), kind.to_string().as_str());
            }
            _ => {}
        }
    }
    own
}

/// The class of a file that chooses `value` of `dimension`; `None` for a dimension that is
/// not of the container. `orientation` is here too: "Support for orientations other than 1
/// is not a Baseline TIFF requirement" (TIFF 6.0, section 8).
pub fn class_of(dimension: &str, value: &Value) -> Option<Class> {
    let rule = |name: &str| super::rules::RULES.iter().find(|rule| rule.tag.label() == name);
    match dimension {
        BYTE_ORDER | SPARE_BYTES => Some(Class::Baseline),
        "orientation" if *value == Value::Int(1) => Some(Class::Baseline),
        "orientation" => Some(Class::Extension),
        _ => match (dimension.strip_prefix("type of "), dimension.strip_prefix("default of ")) {
            (Some(name), _) => rule(name).map(|_| Class::Baseline),
            (_, Some(name)) if *value == Value::from(EXPLICIT) => {
                rule(name).map(Rule::explicit_class)
            }
            (_, Some(name)) => rule(name).map(|_| Class::Baseline),
            _ => None,
        },
    }
}
