//! Selects the sandboxes that work on this machine.

use std::sync::{Arc, OnceLock};

use super::bubblewrap::Bubblewrap;
use super::kernel::Kernel;
use super::method::{FALLBACK, Sandbox};
use super::self_test;

/// The best sandbox, and the reason why it is not an installed bubblewrap.
type Best = (Arc<Sandbox>, Option<String>);

fn best() -> &'static Best {
    static BEST: OnceLock<Best> = OnceLock::new();
    BEST.get_or_init(|| {
        let mut failure = None;
        for bubblewrap in Bubblewrap::all().into_iter().map(Sandbox::Bubblewrap) {
            match self_test::passes_in_time(&bubblewrap) {
                Ok(()) => return (Arc::new(bubblewrap), None),
                Err(why) => failure = Some(why),
            }
        }
        let kernels = Kernel::all(failure.is_some()).into_iter().map(Sandbox::Kernel);
        let works = |sandbox: &Sandbox| self_test::passes_in_time(sandbox).is_ok();
        let other = kernels.into_iter().find(works).unwrap_or(Sandbox::Off);
        (Arc::new(other), failure)
    })
}

impl Sandbox {
    /// Returns the best sandbox that passes its self-test. A failed self-test is repeated with more time, because
    /// machines may be busy. The result is cached.
    pub fn best() -> Arc<Self> {
        best().0.clone()
    }

    /// Returns a warning if bubblewrap is installed, but not used by [`Sandbox::best`].
    pub fn warning() -> Option<String> {
        let (sandbox, failure) = best();
        let name = sandbox.name().trim_end_matches(FALLBACK);
        let warn = |why: &String| {
            format!(
                "bubblewrap is installed, but its trial runs failed ({why}); clients run in another sandbox: {name}"
            )
        };
        failure.as_ref().map(warn)
    }

    /// Returns all sandboxes that pass their self-test, the best first, one for each name.
    pub fn all() -> Vec<Arc<Self>> {
        let mut all: Vec<Arc<Self>> = Vec::new();
        for way in Self::ways() {
            let known = all.iter().any(|other| other.name() == way.name());
            if !known && self_test::passes_in_time(&way).is_ok() {
                all.push(Arc::new(way));
            }
        }
        all
    }

    fn ways() -> Vec<Self> {
        let bubblewraps = Bubblewrap::all().into_iter().map(Self::Bubblewrap);
        bubblewraps.chain(Kernel::all(false).into_iter().map(Self::Kernel)).collect()
    }
}
