//! Caches of what inversion computes, so that a variant costs little more than its choices.
//!
//! The [`Plan`] of an ensure of scalars, which is what it leaves open, depends on the canonical value and on the
//! scalars chosen before it. It is kept by the runner, in the [`SharedCache`], if no element of
//! the canonical value decides it: then pictures of equal size share it. Otherwise the prepared
//! value keeps it, in its [`ValueCache`]. Layouts, and whether elements satisfy their conditions,
//! are kept by the values of all that they depend on, their [`Dependencies`]. The key of an entry
//! holds everything that its computation reads, hence a cache never changes a representation.

mod dependencies;
mod plan_reads;

use std::sync::Arc;

use dependencies::Dependencies;
pub use plan_reads::PlanReads;

use super::elements::constraints::Split;
use super::layout::problem::{Problem, Room};
use super::limits::Limits;
use super::names::NamesByScope;
use super::scalars::plan::{Component, ComponentKey, Plan};
use crate::invert::{EnsureId, Inverse};
use crate::run::store::Store;
use crate::solve::memo::BoundedMemo;
use crate::solve::network::Tables;

/// The most plans in a shared cache. Values that differ in everything would fill a larger one
/// without a hit.
const MOST_SHARED: usize = 1 << 10;
/// The most layouts, which are larger.
const MOST_PROBLEMS: usize = 1 << 8;
/// The most constraints on elements, each of which takes some 500 bytes an element.
const MOST_CONSTRAINTS: usize = 1 << 5;
/// The most plans of one canonical value.
const MOST_PER_VALUE: usize = 1 << 14;

/// An ensure, and the scalars that have a value: all of them, or those that the result depends on.
pub type ScalarKey = (EnsureId, Vec<Option<i128>>);

/// The results that hold for every canonical value of an inverse.
#[derive(Debug)]
pub(crate) struct SharedCache {
    /// The limits under which it was computed.
    pub(crate) limits: Limits,
    /// The names of the dimensions of each input field.
    pub names: NamesByScope,
    /// For each ensure: the scalars that its plan depends on.
    scalars: Vec<PlanReads>,
    /// For each ensure of places or elements: the fields that it depends on.
    dependencies: Vec<Option<Dependencies>>,
    /// Plans, by the values of the output scalars.
    pub plans: BoundedMemo<(Vec<i128>, ScalarKey), Arc<Plan>>,
    /// Connected components of unknown scalars, by their constraints.
    pub components: BoundedMemo<ComponentKey, Arc<Component>>,
    /// True for given elements that satisfy their conditions.
    pub elements: BoundedMemo<(EnsureId, Vec<i128>), bool>,
    /// For each ensure of elements: the fields that its constraints depend on.
    constraint_dependencies: Vec<Option<Dependencies>>,
    /// Constraints on the elements of an array.
    pub constraints: BoundedMemo<(EnsureId, Vec<i128>), Arc<Split>>,
    /// Functions by cases, which plans have in common.
    pub tables: Tables,
    /// Layouts to be solved.
    pub problems: BoundedMemo<(EnsureId, Vec<i128>), Arc<Problem>>,
    /// The room of segments, before they are placed.
    pub rooms: BoundedMemo<(EnsureId, Vec<i128>), Room>,
    /// For each ensure of places: the fields that decide this where arrays are defined first.
    room_dependencies: Vec<Option<Dependencies>>,
    /// As `rooms`, where arrays are defined first.
    pub rooms_of_defined: BoundedMemo<(EnsureId, Vec<i128>), Room>,
}

impl SharedCache {
    /// Creates the empty cache of an inverse.
    pub(crate) fn new(inverse: &Inverse, limits: Limits) -> Self {
        Self {
            limits,
            names: NamesByScope::default(),
            scalars: inverse.ensures.iter().map(|e| PlanReads::of(inverse, e)).collect(),
            dependencies: inverse.ensures.iter().map(|e| Dependencies::of(inverse, e)).collect(),
            plans: BoundedMemo::new(MOST_SHARED),
            components: BoundedMemo::new(MOST_SHARED),
            elements: BoundedMemo::new(MOST_SHARED),
            constraint_dependencies: (0..inverse.ensures.len())
                .map(|n| Dependencies::of_constraints(inverse, EnsureId(n)))
                .collect(),
            constraints: BoundedMemo::new(MOST_CONSTRAINTS),
            tables: Tables::default(),
            problems: BoundedMemo::new(MOST_PROBLEMS),
            rooms: BoundedMemo::new(MOST_SHARED),
            room_dependencies: inverse
                .ensures
                .iter()
                .map(|e| Dependencies::of_room(inverse, e))
                .collect(),
            rooms_of_defined: BoundedMemo::new(MOST_SHARED),
        }
    }

    /// Returns the scalars that the plan of ensure `n` depends on.
    pub fn plan_reads(&self, n: EnsureId) -> Option<&PlanReads> {
        self.scalars.get(n.0)
    }

    /// Returns the values that the constraints of ensure `n` of elements depend on, if they fit a key.
    pub fn constraint_dependencies(
        &self,
        n: EnsureId,
        input: &Store,
        output: &Store,
    ) -> Option<Vec<i128>> {
        self.constraint_dependencies.get(n.0)?.as_ref()?.values(input, output)
    }

    /// Returns the values that decide whether the segments of ensure `n` fit where arrays are defined first, if they
    /// fit a key.
    pub fn room_dependencies(
        &self,
        n: EnsureId,
        input: &Store,
        output: &Store,
    ) -> Option<Vec<i128>> {
        self.room_dependencies.get(n.0)?.as_ref()?.values(input, output)
    }

    /// Returns the values that ensure `n` of places or elements depends on, if they fit a key.
    pub fn dependencies(&self, n: EnsureId, input: &Store, output: &Store) -> Option<Vec<i128>> {
        self.dependencies.get(n.0)?.as_ref()?.values(input, output)
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
