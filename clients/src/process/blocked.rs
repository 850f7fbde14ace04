//! The system calls in which threads are blocked, read from `/proc`, and the times at which they return by themselves.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// A system call of a blocked thread: its number and arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Call {
    number: i64,
    arguments: [u64; 6],
}

/// The time at which a blocked thread continues if nothing wakes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Never.
    Never,
    /// After this time, from when it was blocked.
    After(Duration),
    /// At this time.
    At(Instant),
}

impl Due {
    /// Returns the time, for a thread that was blocked at `since` or later.
    pub(super) fn from(self, since: Instant) -> Option<Instant> {
        match self {
            Self::Never => None,
            Self::After(time) => since.checked_add(time),
            Self::At(time) => Some(time),
        }
    }
}

/// Reads `/proc/PID/task/TID/syscall` of a thread of the process `pid`. `None` if the thread runs, or is in a call
/// that may return at any time.
pub(super) fn due(pid: u32, syscall: &str) -> Option<Due> {
    Call::parse(syscall)?.due(&|at| read(pid, at))
}

impl Call {
    fn parse(syscall: &str) -> Option<Self> {
        let mut words = syscall.split_ascii_whitespace();
        let number = words.next()?.parse().ok()?;
        let mut arguments = [0; 6];
        for argument in &mut arguments {
            *argument = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
        }
        Some(Self { number, arguments })
    }

    /// `read` returns the two words at an address of the process.
    fn due(&self, read: &dyn Fn(u64) -> Option<[i64; 2]>) -> Option<Due> {
        let a = &self.arguments;
        let milliseconds = |argument: u64| match u64::try_from(argument as u32 as i32) {
            Ok(time) => Due::After(Duration::from_millis(time)),
            Err(_) => Due::Never,
        };
        // `unit`: nanoseconds of the second word.
        let at = |address: u64, unit: i64| match address {
            0 => Some(Due::Never),
            _ => Some(Due::After(duration(read(address)?, unit)?)),
        };
        Some(match self.number {
            #[cfg(target_arch = "x86_64")]
            libc::SYS_poll => milliseconds(a[2]),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_select => at(a[4], 1000)?,
            #[cfg(target_arch = "x86_64")]
            libc::SYS_epoll_wait => milliseconds(a[3]),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_pause => Due::Never,
            libc::SYS_epoll_pwait => milliseconds(a[3]),
            libc::SYS_ppoll => at(a[2], 1)?,
            libc::SYS_pselect6 => at(a[4], 1)?,
            libc::SYS_wait4 | libc::SYS_waitid | libc::SYS_rt_sigsuspend => Due::Never,
            libc::SYS_futex => {
                let flags = libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME;
                let (operation, flags) = (a[1] as i32 & !flags, a[1] as i32 & flags);
                let real = flags & libc::FUTEX_CLOCK_REALTIME != 0;
                match (operation, a[3]) {
                    (libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET, 0) => Due::Never,
                    (libc::FUTEX_WAIT, address) => at(address, 1)?,
                    (libc::FUTEX_WAIT_BITSET, address) if !real => {
                        Due::At(monotonic(duration(read(address)?, 1)?)?)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

fn duration([seconds, parts]: [i64; 2], unit: i64) -> Option<Duration> {
    let nanoseconds = u32::try_from(parts.checked_mul(unit)?).ok()?;
    let rest = Duration::from_nanos(nanoseconds.into());
    Duration::from_secs(u64::try_from(seconds).ok()?).checked_add(rest)
}

/// Converts a time of the monotonic clock.
fn monotonic(time: Duration) -> Option<Instant> {
    let clock = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let clock = duration([clock.tv_sec, clock.tv_nsec], 1)?;
    let now = Instant::now();
    now.checked_add(time.saturating_sub(clock))
}

/// Reads two words of the memory of a process.
fn read(pid: u32, at: u64) -> Option<[i64; 2]> {
    let mut bytes = [0; 16];
    File::open(format!("/proc/{pid}/mem")).ok()?.read_exact_at(&mut bytes, at).ok()?;
    let (first, second) = bytes.split_at(8);
    Some([i64::from_ne_bytes(first.try_into().ok()?), i64::from_ne_bytes(second.try_into().ok()?)])
}

/// Returns true if the process may have a timer that no blocked thread shows, such as a signal timer or a timer
/// descriptor.
pub(super) fn has_hidden_timers(pid: u32) -> bool {
    let timers = fs::read_to_string(format!("/proc/{pid}/timers"));
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else { return true };
    timers.is_ok_and(|timers| !timers.is_empty())
        || files.flatten().any(|file| {
            fs::read_link(file.path()).is_ok_and(|to| to.as_os_str() == "anon_inode:[timerfd]")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(number: i64, arguments: [u64; 6]) -> Option<Due> {
        let words: Vec<String> = arguments.iter().map(|a| format!("{a:#x}")).collect();
        let line = format!("{number} {} 0x7ffe 0x7f1c\n", words.join(" "));
        let memory = |at| (at == 0x100).then_some([2, 500_000]);
        Call::parse(&line).unwrap().due(&memory)
    }

    #[test]
    fn calls_that_wait() {
        let after = |time| Some(Due::After(time));
        assert_eq!(
            due(libc::SYS_epoll_pwait, [3, 9, 9, 250, 0, 0]),
            after(Duration::from_millis(250))
        );
        assert_eq!(due(libc::SYS_epoll_pwait, [3, 9, 9, 0xffff_ffff, 0, 0]), Some(Due::Never));
        let half = Duration::new(2, 500_000);
        assert_eq!(due(libc::SYS_ppoll, [9, 1, 0x100, 0, 0, 0]), after(half));
        assert_eq!(due(libc::SYS_ppoll, [9, 1, 0, 0, 0, 0]), Some(Due::Never));
        assert_eq!(due(libc::SYS_ppoll, [9, 1, 0x200, 0, 0, 0]), None);
        assert_eq!(due(libc::SYS_futex, [9, 0x80, 0, 0x100, 0, 0]), after(half));
        assert_eq!(due(libc::SYS_futex, [9, 0x189, 0, 0x100, 0, 0]), None);
        assert_eq!(due(libc::SYS_futex, [9, 0x189, 0, 0, 0, 0]), Some(Due::Never));
        assert_eq!(due(libc::SYS_futex, [9, 0x86, 0, 0, 0, 0]), None);
        assert_eq!(due(libc::SYS_futex, [9, 0x89, 0, 0, 0, 0]), Some(Due::Never));
        assert_eq!(due(libc::SYS_wait4, [7, 0, 0, 0, 0, 0]), Some(Due::Never));
        for other in [libc::SYS_read, libc::SYS_clock_nanosleep, libc::SYS_write] {
            assert_eq!(due(other, [0; 6]), None);
        }
        assert!(Call::parse("running\n").is_none() && Call::parse("-1 0x7ffe 0x7f1c\n").is_none());
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn calls_of_one_machine_only() {
        assert_eq!(
            due(libc::SYS_poll, [9, 1, 38, 0, 0, 0]),
            Some(Due::After(Duration::from_millis(38)))
        );
        assert_eq!(due(libc::SYS_select, [5, 9, 0, 0, 0, 0]), Some(Due::Never));
        assert_eq!(
            due(libc::SYS_select, [5, 9, 0, 0, 0x100, 0]),
            Some(Due::After(Duration::from_millis(2500)))
        );
    }

    #[test]
    fn a_thread_of_ours_that_waits() {
        let (told, id) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            told.send(rustix::thread::gettid()).unwrap();
            let time = rustix::event::Timespec { tv_sec: 60, tv_nsec: 7 };
            let _ = rustix::event::poll(&mut [], Some(&time));
        });
        let call = format!("/proc/self/task/{}/syscall", id.recv().unwrap().as_raw_nonzero());
        // The thread does nothing else, so it will be blocked there at some time.
        let seen = loop {
            let seen = super::due(std::process::id(), &fs::read_to_string(&call).unwrap());
            if matches!(seen, Some(Due::After(_))) {
                break seen;
            }
            std::thread::yield_now();
        };
        assert_eq!(seen, Some(Due::After(Duration::new(60, 7))));
    }
}
