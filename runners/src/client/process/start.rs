//! Starting a program, and ending it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{PidfdFlags, Resource, Rlimit, Signal, pidfd_open};

use super::child::{Begin, Child, Prepare};
use super::containment::Run;
use super::pipe::{Kept, Pipe};
use super::scratch::Scratch;
use super::tail::Tail;
use super::usage::{self, Usage};
use super::watch::Looks;
use super::{Ended, Stop, spawner};
use crate::client::description::{Limits, Memory};
use crate::client::sandbox::Sandbox;

/// What is to be run.
pub(in crate::client) struct Job<'a> {
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
    /// What is around it.
    pub sandbox: &'a Sandbox,
}

/// Where standard output goes.
#[derive(Debug, Clone, Copy)]
pub(in crate::client) enum Stdout<'a> {
    /// Read, and its ends kept.
    Ends,
    /// Into this file.
    File(&'a Path),
    /// Read and kept whole; standard input is a pipe. For a program that is talked to, and
    /// may live longer than the thread that starts it.
    Dialogue,
}

/// A program that runs. Dropping it kills it, and all that it has started.
pub(in crate::client) struct Started {
    // The order matters: the run is dropped last of all, once the program was waited for.
    pub(super) child: Child,
    pub(super) pidfd: OwnedFd,
    stdin: Option<File>,
    pub(super) stdout: Pipe,
    pub(super) stderr: Pipe,
    pub(super) peak_address_space: u64,
    pub(super) looks: Looks,
    run: Run,
}

impl Started {
    pub(in crate::client) fn new(job: &Job<'_>) -> io::Result<Self> {
        let cannot = |e: io::Error| {
            let program = job.argv[0].to_string_lossy();
            io::Error::new(e.kind(), format!("cannot start {program}: {e}"))
        };
        let walls = job.sandbox.walls(job.scratch.path(), job.argv).map_err(cannot)?;
        let mut run = Run::begin();
        let dialogue = matches!(job.stdout, Stdout::Dialogue);
        let (stdin, to_stdin) = match dialogue {
            true => io::pipe().map(|(theirs, ours)| (theirs.into(), Some(OwnedFd::from(ours))))?,
            false => (File::open("/dev/null")?.into(), None),
        };
        let (from_stdout, stdout) = match job.stdout {
            Stdout::Ends | Stdout::Dialogue => {
                io::pipe().map(|(ours, theirs)| (Some(OwnedFd::from(ours)), theirs.into()))?
            }
            Stdout::File(path) => (None, File::create(path)?.into()),
        };
        let (from_stderr, stderr) = io::pipe()?;
        let begin = Begin {
            argv: walls.argv,
            env: job.env.iter().cloned().chain([run.mark()]).collect(),
            folder: job.scratch.path().to_owned(),
            stdio: [stdin, stdout, stderr.into()],
            may_borrow: walls.enter.is_none(),
            prepare: prepare(job.limits, walls.enter),
        };
        let child = match dialogue {
            // Whose death ends the program is another thread than this one.
            true => spawner::start(begin),
            false => begin.start(),
        };
        let mut child = child.map_err(cannot)?;
        run.started(child.pid());
        let kept = if dialogue { Kept::All(Vec::new()) } else { Kept::Ends(Tail::default()) };
        let prepared = (|| {
            let pidfd = pidfd_open(child.pid(), PidfdFlags::empty())?;
            let stdout = Pipe::new(from_stdout, kept)?;
            let stderr = Pipe::new(Some(from_stderr.into()), Kept::Ends(Tail::default()))?;
            io::Result::Ok((pidfd, stdout, stderr))
        })();
        match prepared {
            Ok((pidfd, stdout, stderr)) => {
                let (stdin, looks) = (to_stdin.map(File::from), Looks::new());
                Ok(Self { child, pidfd, stdin, stdout, stderr, peak_address_space: 0, looks, run })
            }
            Err(e) => {
                run.kill_group();
                let _ = child.wait();
                Err(e)
            }
        }
    }

    /// Says something to the program: less than a pipe holds.
    pub(in crate::client) fn say(&mut self, line: &str) -> io::Result<()> {
        self.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(line.as_bytes()))
    }

    /// Takes out all that the program has printed, of one that is talked to.
    pub(in crate::client) fn take_answer(&mut self) -> Vec<u8> {
        self.stdout.all().map(std::mem::take).unwrap_or_default()
    }

    /// Forgets what the program has complained so far.
    pub(in crate::client) fn forget_messages(&mut self) {
        self.stderr.pump();
        self.stderr.take_tail();
    }

    /// What the program and its descendants use now.
    pub(in crate::client) fn usage(&self) -> Usage {
        usage::of(self.child.id())
    }

    /// Asks the program to end, and waits so long.
    pub(in crate::client) fn ask_to_end(&mut self, patience: Duration) {
        if let Ok(None) = self.child.try_wait() {
            let _ = rustix::process::kill_process(self.child.pid(), Signal::TERM);
            let end = Instant::now() + patience;
            // Last words are no end.
            while let Some(left) = end.checked_duration_since(Instant::now())
                && matches!(self.wait(left), Ok(false))
            {
                self.stdout.pump();
                self.stderr.pump();
            }
        }
    }

    /// Ends the program, if it has not ended by itself; `stopped` says why.
    pub(in crate::client) fn end(mut self, stopped: Option<Stop>) -> io::Result<Ended> {
        // Everything in the group dies before the leader's number is given back.
        self.run.kill_group();
        let status = self.child.wait()?;
        // What was still in the pipes. They may be held open by an escaped child: do not wait.
        self.stdout.pump();
        self.stderr.pump();
        Ok(Ended {
            status,
            stdout: self.stdout.take_tail(),
            stderr: self.stderr.take_tail(),
            stopped,
            peak_address_space: self.peak_address_space,
            pid: self.child.id(),
        })
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            self.run.kill_group();
            let _ = self.child.wait();
        }
    }
}

/// What sets the session, the limits, the sandbox and the end with repfuzz of the program to
/// be started. It makes bare system calls on values computed before: it allocates nothing and
/// takes no lock (an `io::Error` of an error number or a kind does not allocate). The same is
/// asked of `Walls::enter`.
fn prepare(limits: &Limits, mut enter: Option<Prepare>) -> Prepare {
    // Also how a limit is noticed: a file of just this length.
    let mut resources = vec![
        (Resource::Fsize, limits.disk_mb << 20),
        (Resource::Core, 0),
        (Resource::Nofile, limits.open_files),
    ];
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
    Box::new(move || {
        rustix::process::setsid()?;
        for (resource, value) in &resources {
            rustix::process::setrlimit(*resource, *value)?;
        }
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if rustix::process::getppid() != Some(parent) {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        enter.as_mut().map_or(Ok(()), |enter| enter())
    })
}
