//! One worker process, and what is said to it and by it.

use std::fs;
use std::io;
use std::sync::Arc;

use super::super::classify;
use super::super::setting::{Room, Setting};
use crate::client::Reply;
use crate::client::process::{Seen, Started, Stdout, Watch};

/// What a worker says first.
const READY: &[u8] = b"ready\n";
/// The longest line that starts an answer.
const LONGEST_HEADER: usize = 64;

/// A process that decodes file after file.
pub(super) struct Worker {
    started: Started,
    room: Room,
    setting: Arc<Setting>,
    /// How many files it has read.
    pub served: u32,
}

/// What a worker did.
pub(super) enum Answer {
    /// It answered, and is ready for more.
    Alive(Box<Worker>, Reply),
    /// It can do no more. This is what it did, as far as can be told.
    Dead(Reply),
}

impl Worker {
    /// A worker that is ready, or what it did instead.
    pub(super) fn start(setting: &Arc<Setting>) -> io::Result<Result<Self, Reply>> {
        let Some(argv) = &setting.description.run.worker else {
            return Err(io::Error::other("a client without a worker"));
        };
        let room = setting.room()?;
        let started = setting.start(&room, argv, Stdout::Dialogue, &[])?;
        let mut worker = Self { started, room, setting: setting.clone(), served: 0 };
        Ok(match worker.watch(|said| said.len() >= READY.len())? {
            Seen::Done if worker.started.take_answer() == READY => Ok(worker),
            Seen::Done => Err(worker.babbles("it did not say that it is ready")?),
            seen => Err(worker.end(seen)?),
        })
    }

    /// Has the worker decode `file`.
    pub(super) fn decode(mut self, file: &[u8]) -> io::Result<Answer> {
        self.put(file)?;
        self.started.look_anew();
        self.started.forget_messages();
        self.started.take_answer();
        // A worker that has ended in the meantime cannot be talked to: that shows below.
        let _ = self.started.say(&format!("decode {}\n", self.room.input.display()));
        let seen = self.watch(|said| !matches!(Said::of(said), Said::Unfinished))?;
        if seen != Seen::Done {
            return Ok(Answer::Dead(self.end(seen)?));
        }
        let answer = self.started.take_answer();
        let reply = match Said::of(&answer) {
            Said::Picture(bytes) => self.setting.picture(bytes, None),
            Said::Refused(words) => {
                let words = String::from_utf8_lossy(words);
                classify::refusal(&words, &self.setting.description, &self.room.scrub)
            }
            Said::Unfinished => return Ok(Answer::Dead(self.babbles("half an answer")?)),
            Said::Nonsense(why) => return Ok(Answer::Dead(self.babbles(why)?)),
        };
        // What is so fast that nobody looked must not fill the disk bit by bit.
        let used = self.room.scratch.used();
        let limits = &self.setting.description.limits;
        if used.too_many_files() || used.bytes > limits.disk_mb << 20 {
            return Ok(Answer::Dead(reply));
        }
        self.served += 1;
        Ok(Answer::Alive(Box::new(self), reply))
    }

    /// Writes the file that is to be read. A new one each time: the last may still be mapped.
    fn put(&self, file: &[u8]) -> io::Result<()> {
        match fs::remove_file(&self.room.input) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => fs::write(&self.room.input, file),
        }
    }

    fn watch(&mut self, done: impl Fn(&[u8]) -> bool) -> io::Result<Seen> {
        let watch = Watch {
            scratch: &self.room.scratch,
            limits: &self.setting.description.limits,
            deadline: self.setting.deadline(),
        };
        self.started.watch(&watch, &mut |said| done(said))
    }

    /// What a worker did that has ended, or must be.
    fn end(self, seen: Seen) -> io::Result<Reply> {
        let stopped = match seen {
            Seen::Stopped(stop) => Some(stop),
            _ => None,
        };
        let ended = self.started.end(stopped)?;
        Ok(self.room.failure(&ended).unwrap_or_else(|| {
            let words = self.room.words(&ended).map(|w| format!(": {w}")).unwrap_or_default();
            Reply::Crash { message: format!("ended without an answer{words}") }
        }))
    }

    /// What a worker did that does not keep to the protocol.
    fn babbles(self, why: &str) -> io::Result<Reply> {
        self.started.end(None)?;
        Ok(Reply::Crash { message: format!("the worker broke the protocol: {why}") })
    }
}

/// What was said so far.
#[derive(Debug, PartialEq)]
enum Said<'a> {
    Unfinished,
    Picture(&'a [u8]),
    Refused(&'a [u8]),
    Nonsense(&'static str),
}

impl<'a> Said<'a> {
    fn of(said: &'a [u8]) -> Self {
        let Some(end) = said.iter().take(LONGEST_HEADER).position(|&b| b == b'\n') else {
            return match said.len() {
                0..LONGEST_HEADER => Self::Unfinished,
                _ => Self::Nonsense("an answer starts with `picture LENGTH` or `refused LENGTH`"),
            };
        };
        let header = std::str::from_utf8(&said[..end]).unwrap_or_default();
        let (kind, length) = header.split_once(' ').unwrap_or_default();
        let Ok(length) = length.parse::<usize>() else {
            return Self::Nonsense("an answer starts with `picture LENGTH` or `refused LENGTH`");
        };
        let bytes = &said[end + 1..];
        match kind {
            _ if bytes.len() > length => Self::Nonsense("more bytes than it announced"),
            "picture" if bytes.len() == length => Self::Picture(bytes),
            "refused" if bytes.len() == length => Self::Refused(bytes),
            "picture" | "refused" => Self::Unfinished,
            _ => Self::Nonsense("an answer is `picture` or `refused`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert_eq!(Said::of(b""), Said::Unfinished);
        assert_eq!(Said::of(b"picture 3"), Said::Unfinished);
        assert_eq!(Said::of(b"picture 3\nab"), Said::Unfinished);
        assert_eq!(Said::of(b"picture 3\nabc"), Said::Picture(b"abc"));
        assert_eq!(Said::of(b"refused 0\n"), Said::Refused(b""));
        for nonsense in
            [&b"picture\n"[..], b"picture -1\n", b"hello 3\nabc", b"picture 3\nabcd", &[b'x'; 70]]
        {
            assert!(matches!(Said::of(nonsense), Said::Nonsense(_)), "{nonsense:?}");
        }
    }
}
