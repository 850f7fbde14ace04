//! A pipe from a program, read without waiting.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::tail::Tail;

/// How much is read at a time.
const CHUNK: usize = 64 * 1024;

/// What is done with what comes through a pipe.
#[derive(Debug)]
pub(in crate::client) enum Kept {
    /// Only its ends are kept.
    Ends(Tail),
    /// All of it is kept, for who takes it out.
    All(Vec<u8>),
}

/// A pipe from the program, and what came through it.
pub(super) struct Pipe {
    file: Option<File>,
    kept: Kept,
}

impl Pipe {
    pub(super) fn new(fd: Option<OwnedFd>, kept: Kept) -> io::Result<Self> {
        if let Some(fd) = &fd {
            let flags = rustix::fs::fcntl_getfl(fd)?;
            rustix::fs::fcntl_setfl(fd, flags | rustix::fs::OFlags::NONBLOCK)?;
        }
        Ok(Self { file: fd.map(File::from), kept })
    }

    /// Takes what is there now, at most as much as a pipe holds many times over.
    pub(super) fn pump(&mut self) {
        let mut buffer = [0; CHUNK];
        for _ in 0..64 {
            let Some(file) = &mut self.file else { return };
            match file.read(&mut buffer) {
                Ok(0) => self.file = None,
                Ok(n) => match &mut self.kept {
                    Kept::Ends(tail) => tail.push(&buffer[..n]),
                    Kept::All(bytes) => bytes.extend_from_slice(&buffer[..n]),
                },
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.file = None,
            }
        }
    }

    /// How much came since it was last taken out.
    pub(super) fn total(&self) -> u64 {
        match &self.kept {
            Kept::Ends(tail) => tail.total(),
            Kept::All(bytes) => bytes.len() as u64,
        }
    }

    /// The ends of what came; nothing of a pipe that keeps all.
    pub(super) fn take_tail(&mut self) -> Tail {
        match &mut self.kept {
            Kept::Ends(tail) => std::mem::take(tail),
            Kept::All(_) => Tail::default(),
        }
    }

    /// All that came, of a pipe that keeps all.
    pub(super) fn all(&mut self) -> Option<&mut Vec<u8>> {
        match &mut self.kept {
            Kept::All(bytes) => Some(bytes),
            Kept::Ends(_) => None,
        }
    }

    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.file.as_ref().map(AsFd::as_fd)
    }
}
