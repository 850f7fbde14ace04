//! Values during a trial: a few constants or any value, with the tags from which they come.

use canonical::{Binary, IntType, Unary, fold};

/// The tags that a value depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark(pub u8);

impl Mark {
    /// No tag.
    pub const NONE: Self = Self(0);
    /// BitsPerSample.
    pub const BITS: Self = Self(1);
    /// PhotometricInterpretation.
    pub const PHOTOMETRIC: Self = Self(2);
    /// Orientation.
    pub const ORIENTATION: Self = Self(4);
    /// SamplesPerPixel and ExtraSamples.
    pub const SAMPLES: Self = Self(8);
    /// PlanarConfiguration.
    pub const PLANAR: Self = Self(16);

    /// The tags of both marks.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if the marks have a tag in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The maximum number of constants of one value.
const MOST: usize = 8;

/// A value. Without constants it belongs to code that is never reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The constants in ascending order; `None` for any value.
    pub set: Option<Vec<i128>>,
    /// The tags that it comes from.
    pub mark: Mark,
}

impl Value {
    /// Any value, which does not come from a tag.
    pub const ANY: Self = Self { set: None, mark: Mark::NONE };
    /// The value of code that is never reached.
    pub const NEVER: Self = Self { set: Some(Vec::new()), mark: Mark::NONE };

    /// A constant that comes from a tag.
    pub fn of(value: i128, mark: Mark) -> Self {
        Self { set: Some(vec![value]), mark }
    }

    /// Any value that comes from tags.
    pub fn any(mark: Mark) -> Self {
        Self { set: None, mark }
    }

    /// Either of two values.
    pub fn join(&self, other: &Self) -> Self {
        let mark = self.mark.with(other.mark);
        let set = match (&self.set, &other.set) {
            (Some(a), Some(b)) => limited(a.iter().chain(b).copied().collect()),
            _ => None,
        };
        Self { set, mark }
    }

    /// The value of an operator with one operand.
    pub fn unary(&self, operator: Unary) -> Self {
        let set = self.set.as_ref().and_then(|set| {
            let values = set.iter().map(|v| fold::integer(operator, *v, IntType::LONG).ok());
            values.collect::<Option<Vec<i128>>>().and_then(limited)
        });
        Self { set, mark: self.mark }
    }

    /// The value of an operator with two operands.
    pub fn binary(&self, operator: Binary, other: &Self) -> Self {
        let mark = self.mark.with(other.mark);
        if *self == Self::NEVER || *other == Self::NEVER {
            return Self::NEVER;
        }
        let set = match (&self.set, &other.set) {
            (Some(a), Some(b)) => {
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b)));
                let values = pairs.map(|(a, b)| fold::integers(operator, a, b, IntType::LONG).ok());
                values.collect::<Option<Vec<i128>>>().and_then(limited)
            }
            _ => None,
        };
        // A comparison has at most two possible values.
        let set = set.or_else(|| operator.is_comparison().then(|| vec![0, 1]));
        Self { set, mark }
    }

    /// Returns two flags: the value may be zero, and it may be nonzero.
    pub fn truth(&self) -> (bool, bool) {
        match &self.set {
            None => (true, true),
            Some(set) => (set.contains(&0), set.iter().any(|v| *v != 0)),
        }
    }
}

/// Returns the values in order; `None` if there are too many.
fn limited(mut values: Vec<i128>) -> Option<Vec<i128>> {
    values.sort_unstable();
    values.dedup();
    (values.len() <= MOST).then_some(values)
}
