//! A spec that ships, as one stage of a pipeline that a harness runs.

use std::sync::{Arc, OnceLock};

use inverter::invert::invert;
use inverter::program::{SpecError, parse};
use inverter::run::compiled::Compiled;
use inverter::run::{Executable, Limits, Runner};

/// A spec with its inverse, which is made on first use.
pub struct Stage {
    /// The name of its file.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
    compiled: &'static Compiled,
    inverse: OnceLock<Executable>,
    runner: OnceLock<Arc<Runner<'static>>>,
}

impl Stage {
    pub(crate) const fn new(
        name: &'static str,
        text: &'static str,
        compiled: &'static Compiled,
    ) -> Self {
        Self { name, text, compiled, inverse: OnceLock::new(), runner: OnceLock::new() }
    }

    /// The spec with its inverse.
    ///
    /// # Panics
    ///
    /// If a spec that ships cannot be inverted, which a test excludes.
    pub fn inverse(&self) -> &Executable {
        // A test makes the further checks of `check::load`.
        let made =
            || Executable::new(invert(&parse(self.name, self.text)?)?).with_compiled(self.compiled);
        self.inverse
            .get_or_init(|| made().unwrap_or_else(|e: SpecError| panic!("{}: {e}", self.name)))
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
