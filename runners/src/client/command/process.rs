//! Runs one program within limits, and watches it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal, pidfd_open};

use super::containment::{self, Run};
use super::scratch::Scratch;
use super::tail::Tail;
use crate::client::description::{Limits, Memory};

/// What is to be run.
pub(super) struct Job<'a> {
    /// The program and its arguments: at least one word.
    pub argv: &'a [OsString],
    /// All of its environment.
    pub env: &'a [(OsString, OsString)],
    /// Where it runs.
    pub scratch: &'a Scratch,
    /// Where its standard output goes.
    pub stdout: Stdout<'a>,
    /// What it may use.
    pub limits: &'a Limits,
    /// When it must have ended.
    pub deadline: Instant,
}

/// Where standard output goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stdout<'a> {
    /// Read, and its ends kept.
    Kept,
    /// Into this file.
    File(&'a Path),
}

/// How a program ended.
pub(super) struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: Tail,
    /// What it complained.
    pub stderr: Tail,
    /// Why we stopped it, if we did.
    pub stopped: Option<Stop>,
    /// The largest address space seen, in bytes. A glimpse: short runs are not seen.
    pub peak_address_space: u64,
    /// Its process id.
    pub pid: u32,
}

/// Why a program was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It took too long.
    Time,
    /// Its folder grew too large.
    Disk,
    /// Its folder has too many files.
    Files,
    /// It used too much memory.
    Memory,
    /// It printed too much.
    Messages,
}

/// The shortest and the longest time between two looks at memory and disk.
const LOOKS: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(100));
/// How much is read from a client at a time.
const CHUNK: usize = 64 * 1024;

/// Runs a program to its end, or to a limit.
pub(super) fn run(job: &Job<'_>) -> io::Result<Ended> {
    let mut run = Run::begin();
    let mut started = Started::new(job, &mut run)?;
    let watched = started.watch(job);
    // Everything in the group dies before the leader's number is given back, whatever happened.
    started.run.kill_group();
    let status = started.child.wait()?;
    let stopped = watched?;
    // What was still in the pipes. They may be held open by an escaped child: do not wait.
    started.pump();
    let pid = started.child.id();
    Ok(Ended {
        status,
        stdout: std::mem::take(&mut started.stdout.tail),
        stderr: std::mem::take(&mut started.stderr.tail),
        stopped,
        peak_address_space: started.peak_address_space,
        pid,
    })
}

/// A pipe from the client, and what came through it.
struct Pipe {
    file: Option<File>,
    tail: Tail,
}

impl Pipe {
    fn new(fd: Option<OwnedFd>) -> io::Result<Self> {
        if let Some(fd) = &fd {
            let flags = rustix::fs::fcntl_getfl(fd)?;
            rustix::fs::fcntl_setfl(fd, flags | rustix::fs::OFlags::NONBLOCK)?;
        }
        Ok(Self { file: fd.map(File::from), tail: Tail::default() })
    }

    /// Takes what is there now, at most as much as a pipe holds many times over.
    fn pump(&mut self, buffer: &mut [u8]) {
        for _ in 0..64 {
            let Some(file) = &mut self.file else { return };
            match file.read(buffer) {
                Ok(0) => self.file = None,
                Ok(n) => self.tail.push(&buffer[..n]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.file = None,
            }
        }
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.file.as_ref().map(AsFd::as_fd)
    }
}

/// A program that runs.
struct Started<'r> {
    run: &'r mut Run,
    child: Child,
    pidfd: OwnedFd,
    stdout: Pipe,
    stderr: Pipe,
    buffer: Vec<u8>,
    peak_address_space: u64,
}

impl<'r> Started<'r> {
    fn new(job: &Job<'_>, run: &'r mut Run) -> io::Result<Self> {
        let mut command = Command::new(&job.argv[0]);
        command.args(&job.argv[1..]);
        command.env_clear().envs(job.env.iter().cloned()).envs([run.mark()]);
        command.current_dir(job.scratch.path()).stdin(Stdio::null()).stderr(Stdio::piped());
        command.stdout(match job.stdout {
            Stdout::Kept => Stdio::piped(),
            Stdout::File(path) => File::create(path)?.into(),
        });
        limit(&mut command, job.limits);
        let mut child = command.spawn().map_err(|e| {
            let program = job.argv[0].to_string_lossy();
            io::Error::new(e.kind(), format!("cannot start {program}: {e}"))
        })?;
        let leader = Pid::from_child(&child);
        run.started(leader);
        let prepared = (|| {
            let pidfd = pidfd_open(leader, PidfdFlags::empty())?;
            let stdout = Pipe::new(child.stdout.take().map(OwnedFd::from))?;
            let stderr = Pipe::new(child.stderr.take().map(OwnedFd::from))?;
            io::Result::Ok((pidfd, stdout, stderr))
        })();
        match prepared {
            Ok((pidfd, stdout, stderr)) => Ok(Self {
                run,
                child,
                pidfd,
                stdout,
                stderr,
                buffer: vec![0; CHUNK],
                peak_address_space: 0,
            }),
            Err(e) => {
                run.kill_group();
                let _ = child.wait();
                Err(e)
            }
        }
    }

    /// Reads what the program prints until it ends or must be stopped.
    fn watch(&mut self, job: &Job<'_>) -> io::Result<Option<Stop>> {
        let most_messages = job.limits.messages_mb << 20;
        let mut pause = LOOKS.0;
        let mut next_look = Instant::now() + pause;
        loop {
            let now = Instant::now();
            if now >= job.deadline {
                return Ok(Some(Stop::Time));
            }
            if now >= next_look {
                if let Some(stop) = self.look(job) {
                    return Ok(Some(stop));
                }
                pause = (pause * 2).min(LOOKS.1);
                next_look = Instant::now() + pause;
            }
            let until = next_look.min(job.deadline).saturating_duration_since(now);
            // Rounded up, so as not to spin.
            let timeout = Timespec::try_from(until + Duration::from_micros(100))
                .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
            if self.wait(&timeout)? {
                return Ok(None);
            }
            self.pump();
            if self.stdout.tail.total() + self.stderr.tail.total() > most_messages {
                return Ok(Some(Stop::Messages));
            }
        }
    }

    /// Waits until the program has ended (true), has printed something, or the time is up.
    fn wait(&self, timeout: &Timespec) -> io::Result<bool> {
        let mut fds = vec![PollFd::new(&self.pidfd, PollFlags::IN)];
        fds.extend(
            [&self.stdout, &self.stderr]
                .into_iter()
                .filter_map(Pipe::fd)
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        match poll(&mut fds, Some(timeout)) {
            Ok(_) => Ok(!fds[0].revents().is_empty()),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(e) => Err(e.into()),
        }
    }

    fn pump(&mut self) {
        self.stdout.pump(&mut self.buffer);
        self.stderr.pump(&mut self.buffer);
    }

    /// Looks at what the program uses now.
    fn look(&mut self, job: &Job<'_>) -> Option<Stop> {
        let memory = memory_of(self.child.id(), 0);
        self.peak_address_space = self.peak_address_space.max(memory.address_space);
        let most = job.limits.memory_mb << 20;
        if job.limits.memory == Memory::Resident && most > 0 && memory.resident > most {
            return Some(Stop::Memory);
        }
        let used = job.scratch.used();
        if used.bytes > job.limits.disk_mb << 20 {
            Some(Stop::Disk)
        } else if used.too_many_files() {
            Some(Stop::Files)
        } else {
            None
        }
    }
}

impl Drop for Started<'_> {
    /// A panic on the way must not leave the program running.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            self.run.kill_group();
            let _ = self.child.wait();
        }
    }
}

/// Sets the session, the limits and the end with repfuzz of the program to be started.
fn limit(command: &mut Command, limits: &Limits) {
    // Also how a limit is noticed: a file of just this length.
    let mut resources = vec![(Resource::Fsize, limits.disk_mb << 20), (Resource::Core, 0)];
    if limits.memory == Memory::AddressSpace && limits.memory_mb > 0 {
        resources.push((Resource::As, limits.memory_mb << 20));
    }
    // A limit that we are under ourselves cannot be raised.
    let resources: Vec<(Resource, Rlimit)> = resources
        .into_iter()
        .map(|(resource, wanted)| {
            let most = rustix::process::getrlimit(resource).maximum;
            let value = Some(most.map_or(wanted, |most| most.min(wanted)));
            (resource, Rlimit { current: value, maximum: value })
        })
        .collect();
    let parent = rustix::process::getpid();
    let prepare = move || {
        rustix::process::setsid()?;
        for (resource, value) in &resources {
            rustix::process::setrlimit(*resource, *value)?;
        }
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if rustix::process::getppid() != Some(parent) {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        Ok(())
    };
    // SAFETY: between fork and exec only async-signal-safe things may happen. `prepare` makes
    // bare system calls on values computed before: it allocates nothing and takes no lock
    // (an `io::Error` of an error number or a kind does not allocate).
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(prepare);
    }
}

/// What a process and its descendants use.
#[derive(Default)]
struct MemoryUse {
    /// The largest address space of any one of them, ever, in bytes.
    address_space: u64,
    /// What is in memory now, of all together, in bytes.
    resident: u64,
}

fn memory_of(pid: u32, depth: usize) -> MemoryUse {
    let mut used = MemoryUse::default();
    if let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) {
        let field = |name: &str| {
            let line = status.lines().find_map(|l| l.strip_prefix(name))?;
            line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        };
        used.address_space = field("VmPeak:").unwrap_or(0) << 10;
        used.resident = field("VmRSS:").unwrap_or(0) << 10;
    }
    if depth < 8 {
        for child in containment::children_of(pid) {
            let more = memory_of(child.as_raw_nonzero().get().unsigned_abs(), depth + 1);
            used.address_space = used.address_space.max(more.address_space);
            used.resident = used.resident.saturating_add(more.resident);
        }
    }
    used
}
