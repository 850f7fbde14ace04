//! Waiting for a program, with an eye on what it uses.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::pipe::Pipe;
use super::scratch::Scratch;
use super::start::Started;
use super::{Stop, usage};
use crate::client::description::{Limits, Memory};

/// The shortest and the longest time between two looks at memory and disk. A look costs as much
/// as some short programs, so most of these are never looked at.
const LOOKS: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(250));

/// When a program is looked at: less often the longer it lives, but often while it uses half of
/// what it may.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looks {
    pause: Duration,
    next: Instant,
}

impl Looks {
    /// For a program that starts now.
    pub(super) fn new() -> Self {
        Self { pause: LOOKS.0, next: Instant::now() + LOOKS.0 }
    }

    fn looked(&mut self, near: bool) {
        self.pause = if near { LOOKS.0 } else { (self.pause * 2).min(LOOKS.1) };
        self.next = Instant::now() + self.pause;
    }
}

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
        loop {
            let now = Instant::now();
            if now >= watch.deadline {
                return Ok(Seen::Stopped(Stop::Time));
            }
            if now >= self.looks.next {
                match self.look(watch) {
                    Look::Over(stop) => return Ok(Seen::Stopped(stop)),
                    Look::Within { near } => self.looks.looked(near),
                }
            }
            let until = self.looks.next.min(watch.deadline).saturating_duration_since(now);
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

    /// The program gets something new to do.
    pub(in crate::client) fn look_anew(&mut self) {
        self.looks = Looks::new();
    }

    /// Looks at what the program uses now.
    fn look(&mut self, watch: &Watch<'_>) -> Look {
        let limits = watch.limits;
        let used = usage::of(self.child.id());
        let grew = used.address_space > self.peak_address_space;
        self.peak_address_space = self.peak_address_space.max(used.address_space);
        let most_memory = limits.memory_mb << 20;
        let watched = limits.memory == Memory::Resident;
        let (folder, most_disk) = (watch.scratch.used(), limits.disk_mb << 20);
        if watched && most_memory > 0 && used.resident > most_memory {
            Look::Over(Stop::Memory)
        } else if used.tasks > limits.processes {
            Look::Over(Stop::Processes)
        } else if folder.bytes > most_disk {
            Look::Over(Stop::Disk)
        } else if folder.too_many_files() {
            Look::Over(Stop::Files)
        } else {
            let half = |used: u64, most: u64| most > 0 && used > most / 2;
            // An address space is limited by the kernel; we only want to see it before it ends.
            let memory = match watched {
                true => half(used.resident, most_memory),
                false => grew && half(used.address_space, most_memory),
            };
            let near =
                memory || half(used.tasks, limits.processes) || half(folder.bytes, most_disk);
            Look::Within { near }
        }
    }
}

/// What a look at a program comes to.
enum Look {
    /// It uses more than it may.
    Over(Stop),
    /// It does not; whether it is near to it.
    Within { near: bool },
}
