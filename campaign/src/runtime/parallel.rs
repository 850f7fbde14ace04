//! The number of processors, and a parallel map with results in the order of the items.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of processors that this process can use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Memory for a display, a viewer on it, and the screenshots of both.
const DISPLAY_MEMORY: u64 = 400 << 20;
/// The maximum number of displays for each processor; more would not keep it busier.
const MOST_DISPLAYS: usize = 4;

/// The number of displays for which there is memory.
pub fn displays() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    displays_in(&text, processors())
}

fn displays_in(meminfo: &str, processors: usize) -> usize {
    let free = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = free.and_then(|free| free.split_ascii_whitespace().next()?.parse::<u64>().ok());
    let room = kib.unwrap_or(0).saturating_mul(1024) / DISPLAY_MEMORY;
    usize::try_from(room).unwrap_or(usize::MAX).clamp(1, MOST_DISPLAYS * processors)
}

/// Applies `work` to each of `items` on up to `jobs` threads.
pub fn map<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(k) else { break };
                    let result = work(k, item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((k, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs `work` and turns a panic in it into a message.
pub fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_text(&*panic))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|t| (*t).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_else(|| "no message".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_fit_into_memory() {
        let of = |kib: &str| displays_in(&format!("MemTotal: 9 kB\nMemAvailable:  {kib} kB\n"), 2);
        assert_eq!([of("100"), of("4096000"), of("99999999999"), of("x")], [1, 8, 8, 1]);
        assert_eq!(displays_in("", 2), 1);
        assert!(displays() >= 1);
    }
}
