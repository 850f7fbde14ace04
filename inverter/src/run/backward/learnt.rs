//! What has been worked out of an inverse, and holds of every canonical value.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Limits;
use super::mentioned::Mentioned;
use super::names::Names;
use super::places::Problem;
use super::plan::{Key, Plans};
use crate::invert::{Ensure, EnsureId, Inverse};
use crate::program::{FieldId, Ref, Side};

/// How many plans are kept: with values that differ in everything there is much to be forgotten.
const MOST_SHARED: usize = 1 << 10;
/// The same of layouts, which are larger.
const MOST_PROBLEMS: usize = 1 << 8;

/// What the ensures of an inverse come to, by all that this depends on.
#[derive(Debug)]
pub(crate) struct Learnt {
    pub(crate) limits: Limits,
    /// For each ensure: the output scalars that it depends on, if it depends on no element.
    pub(super) scalars: Vec<Option<Vec<FieldId>>>,
    /// What these ensures leave open.
    pub(super) plans: Plans<(Vec<i128>, Key)>,
    /// For each ensure of places or elements: what it depends on.
    pub(super) mentioned: Vec<Option<Mentioned>>,
    /// Whether elements that are told are as they have to be.
    pub(super) fine: Plans<(EnsureId, Vec<i128>), bool>,
    /// Layouts.
    pub(super) problems: Plans<(EnsureId, Vec<i128>), Arc<Problem>>,
    /// By input.
    pub(super) names: Vec<Names>,
}

impl Learnt {
    /// Nothing yet.
    pub(crate) fn new(inverse: &Inverse, limits: Limits) -> Self {
        let scalars = |e: &Ensure| {
            let (mut fields, mut elements) = (BTreeSet::new(), false);
            let mut look = |r: &Ref| {
                if r.side == Side::Output {
                    elements |= !r.index.is_empty();
                    fields.insert(r.field);
                }
            };
            e.conjuncts.iter().for_each(|c| c.pred.refs(&mut look));
            inverse.extents.iter().for_each(|extent| extent.refs(&mut look));
            (!elements).then(|| fields.into_iter().collect())
        };
        Self {
            limits,
            scalars: inverse.ensures.iter().map(scalars).collect(),
            plans: Plans::new(MOST_SHARED),
            mentioned: inverse.ensures.iter().map(|e| Mentioned::of(inverse, e)).collect(),
            fine: Plans::new(MOST_SHARED),
            problems: Plans::new(MOST_PROBLEMS),
            names: inverse.program.input.fields.iter().map(Names::of).collect(),
        }
    }
}
