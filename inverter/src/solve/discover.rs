//! Discovery of the dimensions that a seed has.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::choices::Choices;
use super::dimension::DimensionId;
use super::source::ChoiceSource;

/// The number of random variants made in search of dimensions.
const VARIANTS: u64 = 64;

/// Returns the dimensions of a seed, in the order in which they are chosen. The dimensions of a
/// variant depend on earlier choices, so a few random variants are made; together they show all.
/// `build` makes one from a source with the seed's `baseline`, and returns false if it cannot.
pub fn dimensions(
    baseline: &Arc<Choices>,
    mut build: impl FnMut(&mut ChoiceSource) -> bool,
) -> Vec<DimensionId> {
    let mut found: IndexSet<DimensionId, FxBuildHasher> = IndexSet::default();
    let sources = (0..VARIANTS).map(|index| ChoiceSource::seeded(0, index));
    for source in std::iter::once(ChoiceSource::replaying(Choices::new())).chain(sources) {
        let mut source = source.with_baseline(Arc::clone(baseline));
        if build(&mut source) {
            found.extend(source.recorded().ids());
        }
    }
    found.into_iter().collect()
}

/// Returns the names of [`dimensions`].
pub fn names(baseline: &Arc<Choices>, build: impl FnMut(&mut ChoiceSource) -> bool) -> Vec<String> {
    dimensions(baseline, build).into_iter().map(|id| id.name().to_owned()).collect()
}
