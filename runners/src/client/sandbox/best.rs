//! Selection of the sandboxes that work on this machine.

use std::sync::{Arc, OnceLock};

use super::bubblewrap::Bubblewrap;
use super::kernel::Kernel;
use super::method::Sandbox;
use super::self_test;

impl Sandbox {
    /// Returns the best sandbox that passes its self-test. The result is cached.
    pub fn best() -> Arc<Self> {
        static BEST: OnceLock<Arc<Sandbox>> = OnceLock::new();
        let find = || Self::ways().into_iter().find(self_test::passes).unwrap_or(Self::Off);
        BEST.get_or_init(|| Arc::new(find())).clone()
    }

    /// Returns all sandboxes that pass their self-test, the best first.
    pub fn all() -> Vec<Arc<Self>> {
        Self::ways().into_iter().filter(self_test::passes).map(Arc::new).collect()
    }

    fn ways() -> Vec<Self> {
        let bubblewrap = Bubblewrap::find().map(Self::Bubblewrap);
        bubblewrap.into_iter().chain(Kernel::all().into_iter().map(Self::Kernel)).collect()
    }
}
