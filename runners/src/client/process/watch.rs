//! Waiting for a program, with an eye on what it uses.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::pipe::Pipe;
use super::scratch::Scratch;
use super::start::Started;
use super::{Stop, usage};
use crate::client::description::{Limits, Memory};

/// The shortest and the longest time between two looks at memory and disk.
const LOOKS: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(100));

/// What a program is held to while it is waited for.
pub(in crate::client) struct Watch<'a> {
    /// Where it runs.
    pub scratch: &'a Scratch,
    /// What it may use.
    pub limits: &'a Limits,
    /// When to stop waiting.
    pub deadline: Instant,
}

/// What waiting came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::client) enum Seen {
    /// The program has ended by itself.
    Ended,
    /// It has done what was waited for.
    Done,
    /// It must be stopped.
    Stopped(Stop),
}

impl Started {
    /// Reads what the program prints until it ends, must be stopped, or `done` says of all
    /// that was printed (of a program whose output is kept whole) that it will do.
    pub(in crate::client) fn watch(
        &mut self,
        watch: &Watch<'_>,
        done: &mut dyn FnMut(&[u8]) -> bool,
    ) -> io::Result<Seen> {
        let most_messages = watch.limits.messages_mb << 20;
        let most_answer = (watch.limits.disk_mb + watch.limits.messages_mb) << 20;
        let mut pause = LOOKS.0;
        let mut next_look = Instant::now() + pause;
        loop {
            let now = Instant::now();
            if now >= watch.deadline {
                return Ok(Seen::Stopped(Stop::Time));
            }
            if now >= next_look {
                if let Some(stop) = self.look(watch) {
                    return Ok(Seen::Stopped(stop));
                }
                pause = (pause * 2).min(LOOKS.1);
                next_look = Instant::now() + pause;
            }
            let until = next_look.min(watch.deadline).saturating_duration_since(now);
            let ended = self.wait(until)?;
            self.stdout.pump();
            self.stderr.pump();
            let printed = match self.stdout.all() {
                Some(all) if done(all) => return Ok(Seen::Done),
                Some(all) if all.len() as u64 > most_answer => {
                    return Ok(Seen::Stopped(Stop::Messages));
                }
                Some(_) => 0,
                None => self.stdout.total(),
            };
            if ended {
                return Ok(Seen::Ended);
            }
            if printed + self.stderr.total() > most_messages {
                return Ok(Seen::Stopped(Stop::Messages));
            }
        }
    }

    /// Waits until the program has ended (true), has printed something, or the time is up.
    pub(super) fn wait(&self, time: Duration) -> io::Result<bool> {
        // Rounded up, so as not to spin.
        let timeout = Timespec::try_from(time + Duration::from_micros(100))
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut fds = vec![PollFd::new(&self.pidfd, PollFlags::IN)];
        fds.extend(
            [&self.stdout, &self.stderr]
                .into_iter()
                .filter_map(Pipe::fd)
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => Ok(!fds[0].revents().is_empty()),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(e) => Err(e.into()),
        }
    }

    /// Looks at what the program uses now.
    pub(in crate::client) fn look(&mut self, watch: &Watch<'_>) -> Option<Stop> {
        let limits = watch.limits;
        let used = usage::of(self.child.id());
        self.peak_address_space = self.peak_address_space.max(used.address_space);
        let most = limits.memory_mb << 20;
        if limits.memory == Memory::Resident && most > 0 && used.resident > most {
            return Some(Stop::Memory);
        }
        if used.tasks > limits.processes {
            return Some(Stop::Processes);
        }
        let folder = watch.scratch.used();
        if folder.bytes > limits.disk_mb << 20 {
            Some(Stop::Disk)
        } else if folder.too_many_files() {
            Some(Stop::Files)
        } else {
            None
        }
    }
}
