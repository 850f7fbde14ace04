//! Limits on time and memory for work on specs, which may need more than there is.

use std::sync::mpsc::{RecvTimeoutError, channel};
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
/// If it is no number from 0 to a million.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=1e6).contains(&time) => Ok(time),
        _ => Err("must be 0 to 1000000".to_owned()),
    }
}

/// Runs `work`, which returns an exit code, within `bounds` and the memory limit. The work is
/// abandoned if it exceeds them, so its side effects must not matter.
pub fn bounded(bounds: &Bounds, work: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    bounded_by(bounds.time, "--time", work)
}

/// [`bounded`] by a time in seconds, which the option `option` sets.
pub fn bounded_by(
    time: f64,
    option: &'static str,
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
    let start = Instant::now();
    loop {
        match waits.recv_timeout(LOOK) {
            Ok(code) => return code,
            Err(RecvTimeoutError::Disconnected) => return fail("the work ended unexpectedly"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if start.elapsed().as_secs_f64() > time {
            return fail(format!("not finished within {time} s; {option} sets another limit"));
        }
        if resident().is_some_and(|bytes| bytes > MEMORY) {
            return fail(format!("needs more than {} GiB of memory", MEMORY >> 30));
        }
    }
}

/// The resident memory of this process, if the system reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}
