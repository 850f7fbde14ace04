//! Finds the dimensions of a seed by making 65 variants of it.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::choices::Choices;
use super::dimension::DimensionId;
use super::source::ChoiceSource;

/// The number of random variants that are made to find dimensions.
const VARIANTS: u64 = 64;

/// Returns the dimensions of a seed, in the order in which they are chosen. Earlier choices
/// determine which dimensions a variant has, so random variants are made, in addition to the one
/// without choices. `build` makes a variant from a source with the seed's `baseline`, and returns
/// false if it cannot.
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
