//! The normalization programs that ship with repfuzz, inverted once a process.
//!
//! The specs themselves are under `specs/`, a file for each stage of a format; their
//! documentation names the section of the standard that each statement comes from.

pub mod tiff;

use std::sync::OnceLock;

use inverter::invert::{Inverse, invert};
use inverter::program::{SpecError, parse};

/// A spec with its inverse, made when it is first asked for.
pub struct Stage {
    /// The file's name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    inverse: OnceLock<Inverse>,
}

impl Stage {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, inverse: OnceLock::new() }
    }

    /// The spec with its inverse.
    ///
    /// # Panics
    ///
    /// If a spec that ships cannot be inverted; a test inverts them all.
    pub fn inverse(&self) -> &Inverse {
        self.inverse.get_or_init(|| {
            let made = parse(self.name, self.text).and_then(|program| invert(&program));
            made.unwrap_or_else(|e: SpecError| panic!("{}: {e}", self.name))
        })
    }
}

/// Every spec that ships.
pub fn all() -> impl Iterator<Item = &'static Stage> {
    [&tiff::STRIPS, &tiff::ORIENTATION].into_iter()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_spec_inverts_without_loss() {
        for stage in super::all() {
            assert_eq!(stage.inverse().losses, [], "{}", stage.name);
        }
    }
}
