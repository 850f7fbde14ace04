//! Requests by the user to end a campaign early.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A counter of requests to stop. The first ends the making of variants; findings so far are still reduced and
/// reported. The second also ends the reduction.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// A counter at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a request.
    pub fn request(&self) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_add(1));
    }

    /// Adds a request if there are still exactly `seen` of them, so that many threads together add only one. Returns
    /// false if there are too many to count.
    pub fn request_once(&self, seen: u8) -> bool {
        let Some(next) = seen.checked_add(1) else { return false };
        let _ = self.0.compare_exchange(seen, next, Ordering::SeqCst, Ordering::SeqCst);
        true
    }

    /// Returns the number of requests.
    pub fn requests(&self) -> u8 {
        self.0.load(Ordering::SeqCst)
    }

    /// Returns true if no more variants are to be made.
    pub fn ends_variants(&self) -> bool {
        self.requests() >= 1
    }

    /// Returns true if the reduction is to end as well.
    pub fn ends_reduction(&self) -> bool {
        self.requests() >= 2
    }

    /// Adds a request for each Ctrl-C (or SIGTERM) that this process receives; the third ends it at once. A process can
    /// have only one such handler, so a second call has no effect.
    pub fn on_ctrl_c() -> Self {
        Self::on_signals(&[
            "stopping: the findings so far will be reduced and reported; \
             press Ctrl-C again to report them as they are",
            "stopping: reporting the findings as they are",
        ])
    }

    /// Like [`Stop::on_ctrl_c`], but prints these lines on standard error; one more signal than there are lines ends
    /// the process at once.
    pub fn on_signals(lines: &'static [&'static str]) -> Self {
        let stop = Self::new();
        let requests = stop.clone();
        let _ = ctrlc::set_handler(move || {
            requests.request();
            let place = usize::from(requests.requests()).saturating_sub(1);
            let Some(line) = lines.get(place) else { std::process::exit(130) };
            // The reader of standard error may have exited, in which case `eprintln!` would panic.
            let _ = writeln!(std::io::stderr(), "\n{line}");
        });
        stop
    }
}
