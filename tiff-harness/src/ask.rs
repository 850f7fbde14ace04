//! Alternatives of different classes, by name.

use inverter::solve::{ChoiceError, ChoiceSource};

use crate::container::choices::ask::{Way, ask as ask_ways};
use crate::container::{Class, Profile};

/// One of a few named alternatives, by its place in `ways`; the first is simplest. What
/// `profile` does not draw is taken only where it is given, or kept from the seed.
///
/// # Errors
///
/// If a given choice is none of them.
pub fn ask(
    source: &mut ChoiceSource,
    profile: Profile,
    dimension: &str,
    ways: &[(&str, Class)],
) -> Result<usize, ChoiceError> {
    let ways: Vec<Way<'_, usize>> =
        ways.iter().enumerate().map(|(k, way)| (k, way.0, way.1)).collect();
    Ok(ask_ways(source, profile, dimension, &ways)?.unwrap_or(0))
}
