//! The dimensions of each input field, resolved once for each scope in which an inverse runs.

use std::sync::OnceLock;

use crate::program::Program;
use crate::solve::{ChoiceSource, DimensionId};

/// The dimensions that belong to one input field.
#[derive(Debug)]
pub struct Names {
    /// The value of the field.
    pub value: DimensionId,
    /// The physical order of the segments that the field places.
    pub order: DimensionId,
    /// The positions of these segments among the others, for an array of bases.
    pub places: DimensionId,
    /// The position of the segment of a scalar base.
    pub place: DimensionId,
    /// The gaps before these segments, for an array of bases.
    pub gaps: DimensionId,
    /// The gap before the segment of a scalar base.
    pub gap: DimensionId,
    /// The segments that share elements with others.
    pub sharing: DimensionId,
    /// The values of bases that place nothing.
    pub unused: DimensionId,
    /// The content of free elements.
    pub fill: DimensionId,
}

impl Names {
    /// Resolves the names of a field whose own dimension is `dimension`, in the scope of a source.
    pub fn of(dimension: &str, source: &ChoiceSource) -> Self {
        let name = |suffix: &str| source.id(&format!("{dimension} {suffix}"));
        Self {
            value: source.id(dimension),
            order: name("order"),
            places: name("places"),
            place: name("place"),
            gaps: name("gaps"),
            gap: name("gap"),
            sharing: name("sharing"),
            unused: name("unused"),
            fill: name("fill"),
        }
    }
}

/// The dimensions of all input fields of an inverse, by scope, as a list that only grows.
#[derive(Debug, Default)]
pub struct NamesByScope(OnceLock<Box<InScope>>);

#[derive(Debug)]
struct InScope {
    scope: Option<DimensionId>,
    names: Vec<Names>,
    others: NamesByScope,
}

impl NamesByScope {
    /// Returns the names in the scope of a source.
    pub fn of(&self, program: &Program, source: &ChoiceSource) -> &[Names] {
        let (mut at, scope) = (self, source.scope());
        loop {
            let new = || {
                let names = program.input.fields.iter().map(|f| Names::of(f.dimension(), source));
                Box::new(InScope { scope, names: names.collect(), others: Self::default() })
            };
            let found = at.0.get_or_init(new);
            if found.scope == scope {
                return &found.names;
            }
            at = &found.others;
        }
    }
}
