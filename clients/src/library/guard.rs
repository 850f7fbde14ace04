//! Runs a library call on a separate thread, so that panics and endless loops are contained.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::Once;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{io, thread};

use tiff_harness::Picture;

use super::failure::Failure;
use crate::message::Scrubber;
use crate::{GlueFailure, Observed, Reply, Spent};

thread_local! {
    /// On a guarded thread, the message of its panic.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static GUARDED: RefCell<bool> = const { RefCell::new(false) };
}

/// Runs `work` on a thread of its own, which makes a picture.
pub(super) fn run(
    time: Duration,
    work: impl FnOnce() -> Result<Picture, Failure> + Send + 'static,
) -> io::Result<Observed> {
    let (result, cpu) = run_any(time, work)?;
    let reply = result.map_or_else(|failed| failed, Reply::Picture);
    let spent = cpu.map(|cpu| Spent { cpu, peak: None, alone: true });
    Ok(Observed { spent, ..reply.into() })
}

/// Runs `work` on a thread of its own. Returns its result or its failure, and the processor time if it ended by itself.
pub(super) fn run_any<T: Send + 'static>(
    time: Duration,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> io::Result<(Result<T, Reply>, Option<Duration>)> {
    hush();
    let (send, receive) = mpsc::channel();
    thread::Builder::new().name("client".to_string()).spawn(move || {
        GUARDED.set(true);
        let result = panic::catch_unwind(AssertUnwindSafe(work));
        // The receiver is gone if the call timed out.
        let _ = send.send((result.map_err(|_| PANIC.take().unwrap_or_default()), thread_time()));
    })?;
    let line = |text: String| Scrubber::new().line(&text);
    let (result, cpu) = match receive.recv_timeout(time) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => return Ok((Err(Reply::Hang), None)),
        Err(RecvTimeoutError::Disconnected) => {
            let message = "its thread ended without an answer".to_string();
            return Ok((Err(Reply::Crash { message }), None));
        }
    };
    let result = match result {
        Ok(Ok(made)) => Ok(made),
        Ok(Err(Failure::Refused(why))) => Err(Reply::Refused { message: line(why) }),
        Ok(Err(Failure::Resource(why))) => Err(Reply::Resource { message: line(why) }),
        Ok(Err(Failure::Glue(why))) => return Err(GlueFailure::error(why)),
        Err(message) => Err(Reply::Crash { message: line(format!("panic: {message}")) }),
    };
    Ok((result, Some(cpu)))
}

/// Returns the processor time of this thread.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Installs a panic hook that records panics of guarded threads and passes on all others.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARDED.with_borrow(|guarded| *guarded) {
                let payload = info.payload();
                let message = payload.downcast_ref::<&str>().copied();
                let message =
                    message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
                let message = message.unwrap_or("without a message");
                // Crashes at the same place are one fault, and comparisons of messages ignore numbers.
                let place = |l: &Location<'_>| format!(" ({}:{})", short(l.file()), l.line());
                let place = info.location().map(place);
                PANIC.set(Some(format!("{message}{}", place.unwrap_or_default())));
            } else {
                before(info);
            }
        }));
    });
}

/// The end of a source file's path, starting with the crate's folder.
fn short(path: &str) -> &str {
    let start = path.rfind("/src/").map_or(0, |at| path[..at].rfind('/').map_or(0, |s| s + 1));
    &path[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_panic_is_a_crash() {
        let reply = run(LONG, || panic!("index {} out of range", 7)).unwrap().reply;
        let Reply::Crash { message } = reply else { panic!("{reply:?}") };
        assert!(
            message.starts_with("panic: index 7 out of range (clients/src/library/guard.rs:"),
            "{message}"
        );
    }

    #[test]
    fn an_endless_loop_is_a_hang() {
        let (_keep, never) = mpsc::channel::<()>();
        let reply = run(Duration::from_millis(20), move || {
            let _ = never.recv();
            Err(Failure::Refused(String::new()))
        });
        assert_eq!(reply.unwrap().reply, Reply::Hang);
    }

    #[test]
    fn paths_are_shortened() {
        assert_eq!(short("/home/x/tiff-0.11.3/src/a.rs"), "tiff-0.11.3/src/a.rs");
        let registry =
            "/home/x/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/tiff-0.11.3/src/a.rs";
        assert_eq!(short(registry), "tiff-0.11.3/src/a.rs");
        assert_eq!(short("a.rs"), "a.rs");
    }
}
