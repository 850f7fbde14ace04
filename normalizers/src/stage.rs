//! A spec that ships, as one stage of a pipeline that a harness runs.

use std::sync::{Arc, OnceLock};

use inverter::check::load_recorded;
use inverter::primitive::Primitives;
use inverter::program::SpecText;
use inverter::run::{Executable, Limits, Runner};

/// A spec with its inverse, which is made on first use.
pub struct Stage {
    /// The name of its file.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
    inverse: OnceLock<Executable>,
    runner: OnceLock<Arc<Runner<'static>>>,
}

impl Stage {
    pub(crate) const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, inverse: OnceLock::new(), runner: OnceLock::new() }
    }

    /// The spec with its inverse.
    ///
    /// # Panics
    ///
    /// Panics if a spec that ships cannot be inverted, which a test excludes.
    pub fn inverse(&self) -> &Executable {
        let spec = SpecText::alone(self.name, self.text);
        self.inverse.get_or_init(|| {
            match load_recorded(&spec, &Primitives::shipped(), crate::records::all()) {
                Ok(mut all) => all.swap_remove(0),
                Err(e) => panic!("{}: {e}", self.name),
            }
        })
    }

    /// The runner for this inverse, without shared segments. The process shares it, with its caches.
    ///
    /// # Panics
    ///
    /// As [`Stage::inverse`].
    pub fn runner(&'static self) -> &'static Arc<Runner<'static>> {
        let limits = Limits { sharing: false, ..Limits::default() };
        self.runner.get_or_init(|| Arc::new(Runner::new(self.inverse(), limits)))
    }
}
