//! Starts programs with limits and a sandbox, and ends them.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{PidfdFlags, Resource, Rlimit, Signal, pidfd_open};

use super::answer::Answer;
use super::cgroup::ControlGroup;
use super::child::{Child, Launch, Prepare, StartMethod};
use super::containment::ProcessTree;
use super::idleness::{Idle, Idleness};
use super::pipe::{Capture, Pipe};
use super::sampling::SamplingSchedule;
use super::scratch::Scratch;
use super::tail::Tail;
use super::usage::{self, Usage};
use super::{Ended, Stop, cgroup_parent, eviction, spawner};
use crate::description::{Limits, Memory};
use crate::sandbox::{Place, Sandbox};

/// The maximum number of processes that are examined if there is no limit.
const MOST_PROCESSES: u64 = 4096;

/// A program to run.
pub(crate) struct Job<'a> {
    /// The program and its arguments: at least one word.
    pub argv: &'a [OsString],
    /// The complete environment.
    pub env: &'a [(OsString, OsString)],
    /// The folder in which it runs.
    pub scratch: &'a Scratch,
    /// The folders of its own files.
    pub own: &'a [&'a Path],
    /// The values of variables that its description sets, which may name its own files.
    pub values: &'a [OsString],
    /// True if it connects to its own sockets.
    pub sockets: bool,
    /// The socket of its display, if it shows windows.
    pub display: Option<&'a Path>,
    /// The destination of its standard output.
    pub stdout: Stdout<'a>,
    /// Its resource limits.
    pub limits: &'a Limits,
    /// The sandbox around it.
    pub sandbox: &'a Sandbox,
}

impl Job<'_> {
    fn place(&self) -> Place<'_> {
        Place {
            scratch: self.scratch.path(),
            folder: self.scratch.handle(),
            inside: self.scratch.namespaces(),
            own: self.own,
            values: self.values,
            sockets: self.sockets,
            display: self.display,
            memory: (self.limits.memory_mb > 0).then_some(self.limits.memory_mb << 20),
        }
    }
}

/// The destination of standard output.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stdout<'a> {
    /// Read; the start and the end are kept.
    Ends,
    /// Written to this open file.
    File(&'a File),
    /// Output is read and kept, and standard input is a pipe. For a program that answers requests, and may outlive the
    /// thread that starts it.
    Interactive,
}

/// A running program. Dropping it kills the program and its descendants.
pub(crate) struct Started {
    // The order matters: the group and the process tree are dropped last, after the program has been waited for.
    pub(super) child: Child,
    pub(super) pidfd: OwnedFd,
    stdin: Option<File>,
    /// The file to which its standard output goes.
    pub(super) printed: Option<File>,
    pub(super) stdout: Pipe,
    pub(super) stderr: Pipe,
    pub(super) peak_address_space: u64,
    /// The largest sampled peak of a process's resident memory.
    pub(super) peak: u64,
    /// The maximum resident memory of all processes together sampled since [`Started::restart_sampling`].
    pub(super) resident: u64,
    pub(super) schedule: SamplingSchedule,
    idleness: Idleness,
    pub(super) group: Option<ControlGroup>,
    tree: ProcessTree,
}

impl Started {
    pub(crate) fn new(job: &Job<'_>) -> io::Result<Self> {
        let cannot = |e: io::Error| {
            let program = job.argv[0].to_string_lossy();
            io::Error::new(e.kind(), format!("cannot start {program}: {e}"))
        };
        let confined = job.sandbox.confine(&job.place(), job.argv).map_err(cannot)?;
        let mut tree = ProcessTree::begin();
        let idleness = Idleness::new();
        let group = cgroup_parent::group(job.limits, job.scratch.is_in_memory());
        let join = group.as_ref().map(ControlGroup::join).transpose()?;
        let interactive = matches!(job.stdout, Stdout::Interactive);
        let (stdin, to_stdin) = match interactive {
            true => io::pipe().map(|(theirs, ours)| (theirs.into(), Some(OwnedFd::from(ours))))?,
            false => (File::open("/dev/null")?.into(), None),
        };
        let (from_stdout, stdout, printed) = match job.stdout {
            Stdout::Ends | Stdout::Interactive => {
                io::pipe().map(|(ours, theirs)| (Some(OwnedFd::from(ours)), theirs.into(), None))?
            }
            Stdout::File(file) => (None, file.try_clone()?.into(), Some(file.try_clone()?)),
        };
        let (from_stderr, stderr) = io::pipe()?;
        let launch = Launch {
            argv: confined.argv,
            env: job.env.iter().cloned().chain([tree.mark()]).collect(),
            folder: job.scratch.path().to_owned(),
            stdio: [stdin, stdout, stderr.into()],
            method: if confined.forks { StartMethod::Fork } else { StartMethod::ShareMemory },
            prepare: prepare(job.limits, join, confined.enter),
        };
        let child = match interactive {
            // The program dies with the spawner's thread instead of this one.
            true => spawner::start(launch),
            false => launch.start(),
        };
        let mut child = child.map_err(cannot)?;
        tree.started(child.pid());
        let kept = if interactive {
            Capture::Answer(Answer::default())
        } else {
            Capture::Ends(Tail::default())
        };
        let prepared = (|| {
            let pidfd = pidfd_open(child.pid(), PidfdFlags::empty())?;
            let stdout = Pipe::new(from_stdout, kept)?;
            let stderr = Pipe::new(Some(from_stderr.into()), Capture::Ends(Tail::default()))?;
            io::Result::Ok((pidfd, stdout, stderr))
        })();
        match prepared {
            Ok((pidfd, stdout, stderr)) => {
                let (stdin, schedule) = (to_stdin.map(File::from), SamplingSchedule::new());
                Ok(Self {
                    child,
                    pidfd,
                    stdin,
                    printed,
                    stdout,
                    stderr,
                    peak_address_space: 0,
                    peak: 0,
                    resident: 0,
                    schedule,
                    idleness,
                    group,
                    tree,
                })
            }
            Err(e) => {
                tree.kill_group();
                let _ = child.wait();
                Err(e)
            }
        }
    }

    /// Writes a line, which is shorter than the capacity of a pipe, to the program's standard input.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        self.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(line.as_bytes()))
    }

    /// Takes the output so far of an interactive program.
    pub(crate) fn take_answer(&mut self) -> Answer {
        self.stdout.answer().map(std::mem::take).unwrap_or_default()
    }

    /// Returns true if an interactive program has printed unread output, or prints some within `time`, although nothing
    /// was requested.
    pub(crate) fn talks_unasked(&mut self, time: Duration) -> bool {
        self.stdout.pump();
        if self.stdout.total() == 0 && !time.is_zero() {
            let _ = self.wait(time);
            self.stdout.pump();
        }
        self.stdout.total() > 0
    }

    /// Discards the program's messages so far.
    pub(crate) fn forget_messages(&mut self) {
        self.stderr.pump();
        self.stderr.take_tail();
    }

    /// Returns the maximum resident memory of all its processes together that was sampled since
    /// [`Started::restart_sampling`], in bytes.
    pub(crate) fn resident(&self) -> u64 {
        self.resident
    }

    /// Measures the resources that the program and its descendants currently use.
    pub(crate) fn usage(&self) -> Usage {
        usage::of(&self.processes(MOST_PROCESSES))
    }

    /// Lists the processes of the program; if there are more than `most`, some of them.
    pub(super) fn processes(&self, most: u64) -> Vec<u32> {
        usage::tree(self.tree.roots(), most)
    }

    /// Examines the threads of the program and its descendants. `None` if any of them runs, or may continue at any
    /// time.
    pub(crate) fn idle(&mut self) -> Option<Idle> {
        self.idleness.look(self.child.id())
    }

    /// Returns true if a timer that [`Started::idle`] cannot see may wake the program.
    pub(crate) fn has_hidden_timers(&self) -> bool {
        self.idleness.has_hidden_timers()
    }

    /// Sends SIGTERM to the program and waits for at most `patience`.
    pub(crate) fn ask_to_end(&mut self, patience: Duration) {
        if let Ok(None) = self.child.try_wait() {
            let _ = rustix::process::kill_process(self.child.pid(), Signal::TERM);
            let end = Instant::now() + patience;
            // Output does not mean that the program has ended.
            while let Some(left) = end.checked_duration_since(Instant::now())
                && matches!(self.wait(left), Ok(false))
            {
                self.stdout.pump();
                self.stderr.pump();
            }
        }
    }

    /// The number of bytes in the file to which standard output goes. The file has no name, so the folder's size does
    /// not include it.
    fn printed(&self) -> u64 {
        let meta = self.printed.as_ref().and_then(|file| file.metadata().ok());
        meta.map_or(0, |meta| meta.blocks() * 512)
    }

    /// Ends the program if it is still running; `stopped` is the limit that it exceeded.
    pub(crate) fn end(mut self, stopped: Option<Stop>) -> io::Result<Ended> {
        // The whole group must die before the leader's id is released.
        self.tree.kill_group();
        let status = self.child.wait()?;
        let mut used = self.child.rusage();
        used.add(self.tree.end());
        // A lower value is the memory of repfuzz, which started the program.
        let exact = if used.peak > usage::own_peak() { used.peak } else { 0 };
        let evicted = eviction::was_evicted(self.child.pid()).then_some(Stop::Lock);
        let exceeded = || self.group.as_ref().and_then(ControlGroup::exceeded);
        let stopped = evicted.or(stopped).or_else(exceeded);
        // Drain the pipes without waiting, because an escaped child may hold them open.
        self.stdout.pump();
        self.stderr.pump();
        Ok(Ended {
            status,
            stdout: self.stdout.take_tail(),
            stderr: self.stderr.take_tail(),
            stopped,
            printed: self.printed(),
            peak_address_space: self.peak_address_space,
            pid: self.child.id(),
            cpu: used.cpu,
            peak: exact.max(self.peak),
        })
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            self.tree.kill_group();
            let _ = self.child.wait();
        }
    }
}

/// Builds the child's work before `exec`: it sets the session, the control group, the limits, the death signal and the
/// sandbox. It makes plain system calls on precomputed values, and neither allocates nor locks (an `io::Error` of an
/// error number or a kind does not allocate). The same is required of `Confined::enter`.
fn prepare(
    limits: &Limits,
    mut join: Option<impl FnMut() -> io::Result<()> + Send + Sync + 'static>,
    mut enter: Option<Prepare>,
) -> Prepare {
    // A file of exactly this length also shows that the limit was reached.
    let mut resources = vec![
        (Resource::Fsize, limits.disk_mb << 20),
        (Resource::Core, 0),
        (Resource::Nofile, limits.open_files),
    ];
    if limits.memory == Memory::AddressSpace && limits.memory_mb > 0 {
        resources.push((Resource::As, limits.memory_mb << 20));
    }
    // We cannot raise a limit above our own.
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
        join.as_mut().map_or(Ok(()), |join| join())?;
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if rustix::process::getppid() != Some(parent) {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        enter.as_mut().map_or(Ok(()), |enter| enter())?;
        // This comes last, because a sandbox opens files, whose numbers are above those of all threads of repfuzz.
        for (resource, value) in &resources {
            rustix::process::setrlimit(*resource, *value)?;
        }
        Ok(())
    })
}
