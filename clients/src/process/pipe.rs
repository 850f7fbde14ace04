//! A pipe from a program, read without blocking.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::answer::Answer;
use super::tail::Tail;

/// The number of bytes that are read at a time.
const CHUNK: usize = 64 * 1024;

/// The part of a stream that is kept.
#[derive(Debug)]
pub(crate) enum Capture {
    /// Only the start and the end.
    Ends(Tail),
    /// The answer to a request, for a caller that takes it out.
    Answer(Answer),
}

/// A pipe from the program, and the data read from it.
pub(super) struct Pipe {
    file: Option<File>,
    kept: Capture,
}

impl Pipe {
    pub(super) fn new(fd: Option<OwnedFd>, kept: Capture) -> io::Result<Self> {
        if let Some(fd) = &fd {
            let flags = rustix::fs::fcntl_getfl(fd)?;
            rustix::fs::fcntl_setfl(fd, flags | rustix::fs::OFlags::NONBLOCK)?;
        }
        Ok(Self { file: fd.map(File::from), kept })
    }

    /// Reads the available data, up to a multiple of the capacity of a pipe.
    pub(super) fn pump(&mut self) {
        let mut buffer = [0; CHUNK];
        for _ in 0..64 {
            let Some(file) = &mut self.file else { return };
            match file.read(&mut buffer) {
                Ok(0) => self.file = None,
                Ok(n) => match &mut self.kept {
                    Capture::Ends(tail) => tail.push(&buffer[..n]),
                    Capture::Answer(answer) => answer.push(&buffer[..n]),
                },
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.file = None,
            }
        }
    }

    /// The number of bytes since the data was last taken out.
    pub(super) fn total(&self) -> u64 {
        match &self.kept {
            Capture::Ends(tail) => tail.total(),
            Capture::Answer(answer) => answer.total(),
        }
    }

    /// Takes the start and the end of the data; empty for a pipe with answers.
    pub(super) fn take_tail(&mut self) -> Tail {
        match &mut self.kept {
            Capture::Ends(tail) => std::mem::take(tail),
            Capture::Answer(_) => Tail::default(),
        }
    }

    /// The answer so far, of a pipe of answers.
    pub(super) fn answer(&mut self) -> Option<&mut Answer> {
        match &mut self.kept {
            Capture::Answer(answer) => Some(answer),
            Capture::Ends(_) => None,
        }
    }

    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.file.as_ref().map(AsFd::as_fd)
    }
}
