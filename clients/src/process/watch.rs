//! Waits for a program while sampling its resource usage.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::answer::Answer;
use super::cgroup::ControlGroup;
use super::pipe::Pipe;
use super::scratch::Scratch;
use super::start::Started;
use super::{Stop, deleted, usage};
use crate::description::{Limits, Memory};

/// A program whose peak memory grows by this number of bytes between two samples is sampled again soon, to measure its
/// peak.
const GROWTH: u64 = 8 << 20;

/// The limits on a program while it is waited for.
pub(crate) struct Watch<'a> {
    /// The folder that it runs in.
    pub scratch: &'a Scratch,
    /// Its resource limits.
    pub limits: &'a Limits,
    /// The time at which to stop waiting.
    pub deadline: Instant,
    /// Waiting also ends when this can be read.
    pub wakes: Option<BorrowedFd<'a>>,
}

/// The result of waiting for a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WatchResult {
    /// The program has ended by itself.
    Ended,
    /// The awaited output has arrived.
    Done,
    /// There is something to read, but not from the program.
    Woken,
    /// The program has exceeded a limit and must be killed.
    Stopped(Stop),
}

impl Started {
    /// Drains the program's output until it ends, exceeds a limit, or `done` returns true for the
    /// output so far (only for an interactive program).
    pub(crate) fn watch(
        &mut self,
        watch: &Watch<'_>,
        done: &mut dyn FnMut(&Answer) -> bool,
    ) -> io::Result<WatchResult> {
        let most_messages = watch.limits.messages_mb << 20;
        let most_answer = (watch.limits.disk_mb + watch.limits.messages_mb) << 20;
        loop {
            let now = Instant::now();
            if now >= watch.deadline {
                return Ok(WatchResult::Stopped(Stop::Time));
            }
            if now >= self.schedule.next() {
                match self.sample(watch) {
                    Sample::Over(stop) => return Ok(WatchResult::Stopped(stop)),
                    Sample::Within { near } => self.schedule.sampled(near),
                }
            }
            let until = self.schedule.next().min(watch.deadline).saturating_duration_since(now);
            let (ended, woken) = self.wait_or(until, watch.wakes)?;
            self.stdout.pump();
            self.stderr.pump();
            let printed = match self.stdout.answer() {
                Some(all) if done(all) => return Ok(WatchResult::Done),
                Some(all) if all.total() > most_answer => {
                    return Ok(WatchResult::Stopped(Stop::Messages));
                }
                Some(_) => 0,
                None => self.stdout.total(),
            };
            if ended {
                return Ok(WatchResult::Ended);
            }
            if printed + self.stderr.total() > most_messages {
                return Ok(WatchResult::Stopped(Stop::Messages));
            }
            if woken {
                return Ok(WatchResult::Woken);
            }
        }
    }

    /// Waits until the program has ended (true), has printed something, or the time is up.
    pub(super) fn wait(&self, time: Duration) -> io::Result<bool> {
        self.wait_or(time, None).map(|(ended, _)| ended)
    }

    /// Like `wait`, or until `wakes` can be read, as the second value indicates.
    fn wait_or(&self, time: Duration, wakes: Option<BorrowedFd<'_>>) -> io::Result<(bool, bool)> {
        // The time is rounded up to avoid a busy loop.
        let timeout = Timespec::try_from(time + Duration::from_micros(100))
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut fds = vec![PollFd::new(&self.pidfd, PollFlags::IN)];
        fds.extend(
            [&self.stdout, &self.stderr]
                .into_iter()
                .filter_map(Pipe::fd)
                .chain(wakes)
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        let ready = |fd: &PollFd<'_>| !fd.revents().is_empty();
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => Ok((ready(&fds[0]), wakes.is_some() && fds.last().is_some_and(ready))),
            Err(rustix::io::Errno::INTR) => Ok((false, false)),
            Err(e) => Err(e.into()),
        }
    }

    /// Restarts the sampling schedule, because the program gets new work.
    pub(crate) fn restart_sampling(&mut self) {
        self.schedule.restart();
        self.resident = 0;
    }

    /// Samples the program's resource usage.
    fn sample(&mut self, watch: &Watch<'_>) -> Sample {
        let limits = watch.limits;
        // The kernel may have refused something without ending the program.
        if let Some(stop) = self.group.as_ref().and_then(ControlGroup::exceeded) {
            return Sample::Over(stop);
        }
        let pids = self.processes(limits.processes);
        let used = usage::of(&pids);
        let grew = used.address_space > self.peak_address_space;
        self.peak_address_space = self.peak_address_space.max(used.address_space);
        let grows = used.peak > self.peak + GROWTH;
        self.peak = self.peak.max(used.peak);
        self.resident = self.resident.max(used.resident);
        let deleted = deleted::of(&pids, self.printed.as_ref());
        let most_memory = limits.memory_mb << 20;
        // The first sum, which is fast, counts shared pages several times.
        let memory = match used.resident.saturating_add(deleted.memory) {
            much if most_memory > 0 && much > most_memory => usage::memory(&pids, deleted.memory),
            little => little,
        };
        let (folder, most_disk) = (watch.scratch.used(), limits.disk_mb << 20);
        let counted = || folder.bytes.saturating_add(deleted.disk);
        let disk = watch.scratch.occupied().unwrap_or_else(counted);
        if most_memory > 0 && memory > most_memory {
            Sample::Over(Stop::Memory)
        } else if used.tasks > limits.processes {
            Sample::Over(Stop::Processes)
        } else if disk > most_disk {
            Sample::Over(Stop::Disk)
        } else if folder.too_many_files() {
            Sample::Over(Stop::Files)
        } else {
            let half = |used: u64, most: u64| most > 0 && used > most / 2;
            // The kernel limits the address space of each process; this only observes the peak before the program ends.
            let address_space = limits.memory == Memory::AddressSpace
                && grew
                && half(used.address_space, most_memory);
            let near = address_space
                || grows
                || half(memory, most_memory)
                || half(used.tasks, limits.processes)
                || half(disk, most_disk);
            Sample::Within { near }
        }
    }
}

/// The result of one sample.
enum Sample {
    /// A limit is exceeded.
    Over(Stop),
    /// No limit is exceeded; `near` is true if more than half of one is used, or if memory grows.
    Within { near: bool },
}
