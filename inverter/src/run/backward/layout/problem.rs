//! The data of a layout: its segments, their constraints, and which segments share with which.

use std::collections::BTreeMap;

use crate::program::{Expr, FieldId, Ref, Side, Span};
use crate::run::backward::constraints::constraint::Residual;
use crate::solve::Domain;
use crate::solve::layout::{Segment, Space};

/// A base: an input field, and the position of an element of it (0 for a scalar).
pub type Base = (FieldId, usize);

/// Returns a base as a reference with numerals as indices.
pub fn element((field, mut at): Base, lengths: &[usize]) -> Ref {
    let mut index: Vec<Expr> = Vec::new();
    for length in lengths.iter().rev() {
        let length = (*length).max(1);
        index.push(Expr::Int((at % length) as i128));
        at /= length;
    }
    index.reverse();
    Ref { side: Side::Input, field, index, span: Span::default() }
}

/// A segment: its base, and its place relative to the base.
#[derive(Debug, Clone)]
pub struct SegmentSlot {
    /// The base.
    pub base: Base,
    /// The number of elements between two consecutive values of the base.
    pub scale: i128,
    /// The first element, relative to the base.
    pub lo: i128,
    /// The number of elements.
    pub len: i128,
}

impl SegmentSlot {
    /// Returns the first element for a value of the base.
    pub fn start(&self, base: i128) -> i128 {
        base.saturating_mul(self.scale).saturating_add(self.lo)
    }

    /// Returns the value of the base for a first element.
    pub fn value(&self, start: i128) -> i128 {
        (start - self.lo) / self.scale
    }
}

/// The segments whose bases are one input field.
#[derive(Debug, Clone)]
pub struct Group {
    /// The field.
    pub field: FieldId,
    /// The segments, by their positions among the slots.
    pub members: Vec<usize>,
}

/// The segments of an array for the current values of the scalars.
#[derive(Debug, Clone, Default)]
pub struct Slots {
    /// The segments, by base.
    pub slots: Vec<SegmentSlot>,
    /// The segment at the end of the array: its first and its last element, relative to the array's length. It is not
    /// in `slots`, and is placed after them.
    pub trailer: Option<(i128, i128)>,
    /// Ranges that are taken regardless of the choices.
    pub taken: Vec<(i128, i128)>,
    /// The groups: arrays of bases first, then scalars.
    pub groups: Vec<Group>,
}

impl Slots {
    /// Returns the same layout without the group of `field`, where `kept` are the segments of the others.
    pub fn without(&self, field: FieldId, kept: Vec<SegmentSlot>) -> Slots {
        let mut groups: Vec<Group> = Vec::new();
        for group in self.groups.iter().filter(|group| group.field != field) {
            let own = kept.iter().enumerate().filter(|(_, slot)| slot.base.0 == group.field);
            let members = own.map(|(k, _)| k).collect();
            groups.push(Group { field: group.field, members });
        }
        Slots { slots: kept, groups, ..self.clone() }
    }

    /// Returns the group of each segment.
    pub fn group_of(&self) -> Vec<usize> {
        let mut group_of = vec![0; self.slots.len()];
        for (k, group) in self.groups.iter().enumerate() {
            group.members.iter().for_each(|segment| group_of[*segment] = k);
        }
        group_of
    }
}

/// A segment that contains another one.
#[derive(Debug, Clone, Copy)]
pub struct AliasTarget {
    /// The segment.
    pub segment: usize,
    /// The element of the segment at which the other one begins.
    pub offset: i128,
}

/// For each segment, the target whose elements it aliases. A target aliases no other segment.
pub type Sharing = Vec<Option<AliasTarget>>;

/// A layout that is ready to be solved.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The segments.
    pub slots: Slots,
    /// The lengths and possible starts of the segments.
    pub segments: Vec<Segment>,
    /// The space in which the segments are placed.
    pub space: Space,
    /// The constraints that connect bases.
    pub coupled: Vec<Residual>,
    /// Bases without a segment that constraints connect with others, with the values that each may have, apart from the
    /// others.
    pub loose: Vec<(Base, Domain)>,
    /// The allowed values for the base of each empty segment.
    pub idle: BTreeMap<Base, Domain>,
}

impl Problem {
    /// Removes the segments that share, because they have no separate place.
    pub fn release(&mut self, sharing: &Sharing) {
        for (segment, shared) in self.segments.iter_mut().zip(sharing) {
            if shared.is_some() {
                *segment = Segment { len: 0, starts: Domain::range((0, self.space.limit())) };
            }
        }
    }
}
