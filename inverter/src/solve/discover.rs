//! Which dimensions there are.

use std::sync::Arc;

use super::choices::Choices;
use super::source::ChoiceSource;

/// How many random variants are made in search of dimensions.
const VARIANTS: u64 = 64;

/// The names of the dimensions of a seed with its `own` choices, in the order in which they are
/// chosen. What is chosen depends on what was chosen before; a few variants meet it all. `build`
/// makes one, and is false if there is none.
pub fn dimensions(
    own: &Arc<Choices>,
    mut build: impl FnMut(&mut ChoiceSource) -> bool,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let sources = (0..VARIANTS).map(|index| ChoiceSource::seeded(0, index));
    for source in std::iter::once(ChoiceSource::replaying(Choices::new())).chain(sources) {
        let mut source = source.with_baseline(Arc::clone(own));
        if build(&mut source) {
            for (name, _) in source.recorded().iter() {
                if !names.iter().any(|n| n == name) {
                    names.push(name.to_owned());
                }
            }
        }
    }
    names
}
