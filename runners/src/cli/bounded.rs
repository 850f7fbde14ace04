//! Limits on time and memory for work on specs, which may exceed what is available.
//!
//! Work that exceeds a limit is abandoned in its thread, where Z3 may continue. A normal exit would free data that Z3
//! still uses, so the process ends at once ([`leave`]).

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;

use super::fail;

/// The memory limit, in bytes.
const MEMORY: u64 = 4 << 30;
/// Interval between checks of the limits.
const LOOK: Duration = Duration::from_millis(50);
/// Stack size: specs may be deeply nested.
const STACK: usize = 256 << 20;

/// Time limit for work on a spec.
#[derive(Debug, Clone, Args)]
pub struct Bounds {
    /// Give up after this many seconds
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = seconds)]
    pub time: f64,
}

/// Parses a time limit in seconds.
///
/// # Errors
///
/// Returns an error if it is not a number from 0 to a million.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=1e6).contains(&time) => Ok(time),
        _ => Err("must be 0 to 1000000".to_owned()),
    }
}

/// True if work was abandoned in its thread.
static ABANDONED: AtomicBool = AtomicBool::new(false);

/// Runs `work`, which returns an exit code, within `bounds` and the memory limit. Abandons the work if it exceeds them,
/// so its side effects must not matter.
pub fn bounded(bounds: &Bounds, work: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    bounded_by(bounds.time, "--time", String::new, work)
}

/// Runs `work` like [`bounded`] with a time limit in seconds, which the option `option` sets. `so_far` describes in one
/// line the part of the work that is done, for the message about the rest. The text may be empty.
pub fn bounded_by(
    time: f64,
    option: &'static str,
    so_far: impl Fn() -> String,
    work: impl FnOnce() -> u8 + Send + 'static,
) -> u8 {
    let (done, waits) = channel();
    let work = move || {
        // The receiver is gone after a timeout.
        let _ = done.send(work());
    };
    if let Err(e) = std::thread::Builder::new().stack_size(STACK).spawn(work) {
        return fail(format!("cannot start a thread: {e}"));
    }
    let with = || Some(so_far()).filter(|s| !s.is_empty()).map(|s| format!(": {s}"));
    let start = Instant::now();
    loop {
        match waits.recv_timeout(LOOK) {
            Ok(code) if ABANDONED.load(Ordering::Relaxed) => leave(code),
            Ok(code) => return code,
            Err(RecvTimeoutError::Disconnected) => leave(fail("the work ended unexpectedly")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if start.elapsed().as_secs_f64() > time {
            let with = with().unwrap_or_default();
            leave(fail(format!("not finished within {time} s{with}; {option} sets another limit")));
        }
        if resident().is_some_and(|bytes| bytes > MEMORY) {
            let with = with().unwrap_or_default();
            leave(fail(format!("needs more than {} GiB of memory{with}", MEMORY >> 30)));
        }
    }
}

/// Ends the process at once. Other threads run until then, and nothing that they own is freed.
#[allow(unsafe_code)]
fn leave(code: u8) -> ! {
    // Let another thread finish the line that it is printing. The reader may be gone.
    let mut out = std::io::stdout().lock();
    let _ = out.flush();
    // SAFETY: this is a system call without pointer arguments, which does not return. Nothing of this process is used
    // afterwards, and its files are closed by the system.
    unsafe { libc::_exit(i32::from(code)) }
}

/// Runs `work` until a point in time. Returns what it has put into its result so far, and true if it is finished.
/// Abandons unfinished work.
#[cfg(feature = "z3")]
pub fn within<T: Default + Send + 'static>(
    until: Instant,
    work: impl FnOnce(&Mutex<T>) + Send + 'static,
) -> (T, bool) {
    let result: Arc<Mutex<T>> = Arc::default();
    let own = Arc::clone(&result);
    let (done, waits) = channel();
    let spawned = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        work(&own);
        // The receiver is gone after the time limit.
        let _ = done.send(());
    });
    let left = until.saturating_duration_since(Instant::now());
    let ended = match spawned.map(|_| waits.recv_timeout(left)) {
        Ok(Ok(())) => true,
        // The panic was reported by the thread itself.
        Ok(Err(RecvTimeoutError::Disconnected)) => std::panic::resume_unwind(Box::new(())),
        Ok(Err(RecvTimeoutError::Timeout)) | Err(_) => {
            ABANDONED.store(true, Ordering::Relaxed);
            false
        }
    };
    let result = std::mem::take(&mut *result.lock().unwrap_or_else(PoisonError::into_inner));
    (result, ended)
}

/// The resident memory of this process, if the system reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}
