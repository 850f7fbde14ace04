//! Ending a campaign early, in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A request to end. The first ends the making of variants: what was found is still
/// reduced and reported. The second ends the reduction, too.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// No request yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks once more.
    pub fn request(&self) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_add(1));
    }

    /// How often it was asked for.
    pub fn level(&self) -> u8 {
        self.0.load(Ordering::SeqCst)
    }

    /// Whether to make no more variants.
    pub fn variants(&self) -> bool {
        self.level() >= 1
    }

    /// Whether to reduce no more, either.
    pub fn everything(&self) -> bool {
        self.level() >= 2
    }

    /// A request for each Ctrl-C (or SIGTERM) that this process gets; the third ends it at
    /// once. One process can have one of these; for a second, nothing happens.
    pub fn on_ctrl_c() -> Self {
        let stop = Self::new();
        let seen = stop.clone();
        let _ = ctrlc::set_handler(move || {
            seen.request();
            match seen.level() {
                1 => eprintln!(
                    "\nstopping: what was found will be reduced and reported; \
                     again to report at once"
                ),
                2 => eprintln!("\nstopping: reporting what was found, as it is"),
                _ => std::process::exit(130),
            }
        });
        stop
    }
}
