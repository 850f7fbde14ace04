//! Caches what inversion computes, so that a variant costs little more than its choices.
//!
//! The [`Plan`] of an ensure of scalars, which describes the choices that it leaves open, depends on the canonical
//! value and on the scalars chosen earlier. If it does not depend on elements of the canonical value, the runner keeps
//! it in the [`SharedCache`], so that pictures of equal size share it. Otherwise the prepared value keeps it in its
//! [`ValueCache`]. A layout is built twice for a file, to check that there is room and to place the segments. Layouts
//! recur in files of the same sizes, and so do the constraints on elements and their networks. The key of an entry
//! holds everything that its computation reads, so a cache never changes a representation.

mod plan_reads;
mod reads;

use std::sync::Arc;

pub use plan_reads::PlanReads;
use reads::Reads;

use super::elements::constraints::Split;
use super::layout::problem::Problem;
use super::limits::Limits;
use super::names::NamesByScope;
use super::scalars::plan::{Component, ComponentKey, Plan};
use crate::invert::{EnsureId, Inverse};
use crate::run::store::Store;
use crate::solve::memo::BoundedMemo;
use crate::solve::network::Tables;

/// The maximum number of plans in a shared cache. Values that have nothing in common would fill a larger cache without
/// a hit.
const MOST_SHARED: usize = 1 << 10;
/// The maximum number of layouts in a shared cache. They are larger than plans.
const MOST_LAYOUTS: usize = 1 << 8;
/// The maximum number of constraints on elements, each of which takes some 500 bytes per element.
const MOST_CONSTRAINTS: usize = 1 << 5;
/// The maximum number of plans of one canonical value.
const MOST_PER_VALUE: usize = 1 << 14;

/// An ensure, and the values of scalars: all scalars that have one, or those on which the result depends.
pub type ScalarKey = (EnsureId, Vec<Option<i128>>);

/// The results that hold for every canonical value of an inverse.
#[derive(Debug)]
pub(crate) struct SharedCache {
    /// The limits under which the results were computed.
    pub(crate) limits: Limits,
    /// The names of the dimensions of each input field.
    pub names: NamesByScope,
    /// For each ensure: the scalars that its plan depends on.
    scalars: Vec<PlanReads>,
    /// Plans, by the values of the output scalars.
    pub plans: BoundedMemo<(Vec<i128>, ScalarKey), Arc<Plan>>,
    /// Connected components of unknown scalars, by their constraints.
    pub components: BoundedMemo<ComponentKey, Arc<Component>>,
    /// Functions by cases, which plans share.
    pub tables: Tables,
    /// For each ensure of places or elements, the fields on which its layout or its constraints depend.
    reads: Vec<Option<Reads>>,
    /// Constraints on the elements of an array.
    pub constraints: BoundedMemo<(EnsureId, Vec<i128>), Arc<Split>>,
    /// Layouts.
    pub layouts: BoundedMemo<(EnsureId, Vec<i128>), Arc<Problem>>,
}

impl SharedCache {
    /// Creates the empty cache of an inverse.
    pub(crate) fn new(inverse: &Inverse, limits: Limits) -> Self {
        Self {
            limits,
            names: NamesByScope::default(),
            scalars: inverse.ensures.iter().map(|e| PlanReads::of(inverse, e)).collect(),
            plans: BoundedMemo::new(MOST_SHARED),
            components: BoundedMemo::new(MOST_SHARED),
            tables: Tables::default(),
            reads: (0..inverse.ensures.len()).map(|n| Reads::of(inverse, EnsureId(n))).collect(),
            constraints: BoundedMemo::new(MOST_CONSTRAINTS),
            layouts: BoundedMemo::new(MOST_LAYOUTS),
        }
    }

    /// Returns the values on which the layout or the constraints of ensure `n` depend, if they fit in a key.
    pub fn key(&self, n: EnsureId, input: &Store, output: &Store) -> Option<Vec<i128>> {
        self.reads.get(n.0)?.as_ref()?.key(input, output)
    }

    /// Returns the scalars that the plan of ensure `n` depends on.
    pub fn plan_reads(&self, n: EnsureId) -> Option<&PlanReads> {
        self.scalars.get(n.0)
    }
}

/// The results that hold for one canonical value.
#[derive(Debug)]
pub struct ValueCache {
    /// Plans that elements of the canonical value decide.
    pub plans: BoundedMemo<ScalarKey, Arc<Plan>>,
}

impl Default for ValueCache {
    fn default() -> Self {
        Self { plans: BoundedMemo::new(MOST_PER_VALUE) }
    }
}
