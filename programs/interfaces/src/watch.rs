//! Enforced time limits. A watch knows the current part of the work and its end; work that exceeds its time is
//! abandoned.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::library::{Place, Problem};

/// The time after the limit during which work may still stop by itself, which reports a more precise place.
const GRACE: Duration = Duration::from_millis(200);

/// The stack size of the thread that does the work. It is large because expressions may be nested.
const STACK: usize = 256 << 20;

/// A time limit and the current part of the work. Copies share both.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    limit: Option<(Instant, Duration)>,
    part: Arc<Mutex<String>>,
}

impl Watch {
    /// A watch whose limit counts from now; without a limit, it never ends.
    pub fn new(limit: Option<Duration>) -> Self {
        // A limit beyond the range of the clock is no limit.
        let end = limit.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit)));
        Self { limit: end, part: Arc::default() }
    }

    /// Names the part that begins, such as `the reachable states were listed`.
    pub fn begin(&self, part: impl Into<String>) {
        *self.part.lock().unwrap_or_else(PoisonError::into_inner) = part.into();
    }

    /// The time that is left; `None` if there is no limit.
    pub fn left(&self) -> Option<Duration> {
        self.limit.map(|(end, _)| end.saturating_duration_since(Instant::now()))
    }

    /// Fails after the limit.
    ///
    /// # Errors
    ///
    /// The limit has passed. The error names the limit and the part that was not finished.
    pub fn in_time(&self) -> Result<(), Problem> {
        match self.left() {
            Some(left) if left.is_zero() => Err(self.passed()),
            _ => Ok(()),
        }
    }

    fn passed(&self) -> Problem {
        let part = self.part.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let limit = self.limit.map_or(0.0, |(_, limit)| limit.as_secs_f64());
        let part = if part.is_empty() { "the library was read".to_owned() } else { part };
        let message = format!("the time limit of {limit} s passed while {part}");
        Problem::new(Place::default(), message)
    }

    /// Does some work in a separate thread and returns its result, or an error soon after the limit. Work that does not
    /// stop by itself continues until the process ends.
    ///
    /// # Errors
    ///
    /// The errors of the work, and an error if the limit has passed.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (sender, receiver) = channel();
        let watch = self.clone();
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn(move || sender.send(work(&watch))).map_err(|e| {
            Problem::new(Place::default(), format!("a thread cannot be started: {e}"))
        })?;
        let answer = match self.left() {
            Some(left) => receiver.recv_timeout(left.saturating_add(GRACE)),
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match answer {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => Err(self.passed()),
            // Only a panic ends the work without an answer. It is resumed here.
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(_) => Err(Problem::new(Place::default(), "the work has ended without a result")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_does_not_stop_is_left() {
        let start = Instant::now();
        let watch = Watch::new(Some(Duration::from_millis(50)));
        let answer: Result<(), Problem> = watch.run(|watch| {
            watch.begin("nothing was done");
            std::thread::sleep(Duration::from_secs(30));
            Ok(())
        });
        let message = answer.unwrap_err().message;
        assert_eq!(message, "the time limit of 0.05 s passed while nothing was done");
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn work_in_time_has_its_result() {
        assert_eq!(Watch::new(None).run(|_| Ok(5)), Ok(5));
        assert_eq!(Watch::new(Some(Duration::MAX)).run(|_| Ok(6)), Ok(6));
    }
}
