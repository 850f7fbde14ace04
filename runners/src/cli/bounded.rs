//! Work that ends: a spec may ask for more time or memory than there is.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use clap::Args;

use super::trouble;

/// The most memory that such work may take, in bytes.
const MEMORY: u64 = 4 << 30;
/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// Room for the nesting that specs may have.
const STACK: usize = 256 << 20;

/// How long such work may take.
#[derive(Debug, Clone, Args)]
pub struct Bounds {
    /// Give up after so many seconds
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = seconds)]
    pub time: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=1e6).contains(&time) => Ok(time),
        _ => Err("it must be 0 to 1000000".to_owned()),
    }
}

/// Does `work`, which gives an exit code, but no longer than `bounds` say and with no more
/// memory than there should be. It must not matter if it is left undone.
pub fn bounded(bounds: &Bounds, work: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    let (done, waits) = channel();
    let work = move || {
        // Nobody waits any more if it took too long.
        let _ = done.send(work());
    };
    if let Err(e) = std::thread::Builder::new().stack_size(STACK).spawn(work) {
        return trouble(format!("no thread to work in: {e}"));
    }
    let start = Instant::now();
    loop {
        match waits.recv_timeout(LOOK) {
            Ok(code) => return code,
            Err(RecvTimeoutError::Disconnected) => return trouble("the work ended unexpectedly"),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if start.elapsed().as_secs_f64() > bounds.time {
            let time = bounds.time;
            return trouble(format!("not done in {time} s; --time gives it longer"));
        }
        if resident().is_some_and(|bytes| bytes > MEMORY) {
            return trouble(format!("not done with {} GiB of memory", MEMORY >> 30));
        }
    }
}

/// How much memory this process has, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}
