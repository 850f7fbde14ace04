//! Waits for processes, and returns the resources that they used.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Pid;

/// The resources that ended processes used.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rusage {
    /// Their processor time, user and system.
    pub cpu: Duration,
    /// The peak resident memory of the largest process, in bytes. It is at least that of repfuzz itself when it started
    /// the process, because the kernel also counts the memory before `exec`.
    pub peak: u64,
}

impl Rusage {
    /// Adds the resources of other processes.
    pub(super) fn add(&mut self, other: Self) {
        self.cpu += other.cpu;
        self.peak = self.peak.max(other.peak);
    }
}

/// Waits for the child `pid`, and returns its status and the resources that it and its waited-for descendants used.
/// `None` if it has not ended and `WNOHANG` is among the `options`.
pub(super) fn wait_for(pid: Pid, options: libc::c_int) -> io::Result<Option<(ExitStatus, Rusage)>> {
    let mut status = 0;
    // SAFETY: both pointers are to variables of the types that `wait4` fills; zeros are a valid `rusage`.
    #[allow(unsafe_code)]
    let (waited, used) = unsafe {
        let mut used: libc::rusage = std::mem::zeroed();
        let pid = pid.as_raw_nonzero().get();
        (libc::wait4(pid, &mut status, options, &mut used), used)
    };
    match waited {
        0 => Ok(None),
        -1 => Err(io::Error::last_os_error()),
        _ => {
            let cpu = time(used.ru_utime) + time(used.ru_stime);
            let peak = u64::try_from(used.ru_maxrss).unwrap_or(0) << 10;
            Ok(Some((ExitStatus::from_raw(status), Rusage { cpu, peak })))
        }
    }
}

fn time(time: libc::timeval) -> Duration {
    let micros = i128::from(time.tv_sec) * 1_000_000 + i128::from(time.tv_usec);
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}
