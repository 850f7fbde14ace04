//! One worker process and its protocol.

use std::fs;
use std::io;
use std::sync::Arc;

use super::super::classify;
use super::super::context::{ProgramContext, Workspace};
use crate::client::Reply;
use crate::client::process::{Started, Stdout, Watch, WatchResult};

/// The worker's first message.
const READY: &[u8] = b"ready\n";
/// Size limit of an answer's first line.
const LONGEST_HEADER: usize = 64;

/// A process that decodes many files.
pub(super) struct Worker {
    started: Started,
    workspace: Workspace,
    context: Arc<ProgramContext>,
    /// The number of files that it has read.
    pub served: u32,
}

/// A worker's answer.
pub(super) enum Answer {
    /// It answered and accepts more requests.
    Alive(Box<Worker>, Reply),
    /// It cannot be used any more. The reply is a best guess.
    Dead(Reply),
}

impl Worker {
    /// Starts a worker; returns its failure if it does not become ready.
    pub(super) fn start(context: &Arc<ProgramContext>) -> io::Result<Result<Self, Reply>> {
        let Some(argv) = &context.description.run.worker else {
            return Err(io::Error::other("a client without a worker"));
        };
        let workspace = context.workspace()?;
        let started = context.start(&workspace, argv, Stdout::Interactive, &[], None)?;
        let mut worker = Self { started, workspace, context: context.clone(), served: 0 };
        Ok(match worker.watch(|output| output.len() >= READY.len())? {
            WatchResult::Done if worker.started.take_answer() == READY => Ok(worker),
            WatchResult::Done => Err(worker.protocol_error("it did not print `ready`")?),
            seen => Err(worker.end(seen)?),
        })
    }

    /// Sends a request to decode `file` and reads the answer.
    pub(super) fn decode(mut self, file: &[u8]) -> io::Result<Answer> {
        self.put(file)?;
        self.started.restart_sampling();
        self.started.forget_messages();
        self.started.take_answer();
        // Writing fails if the worker has ended in the meantime, which is detected below.
        let _ = self.started.say(&format!("decode {}\n", self.workspace.input.display()));
        let seen = self.watch(|output| !matches!(Message::of(output), Message::Unfinished))?;
        if seen != WatchResult::Done {
            return Ok(Answer::Dead(self.end(seen)?));
        }
        let answer = self.started.take_answer();
        let reply = match Message::of(&answer) {
            Message::Picture(bytes) => self.context.picture(bytes, None),
            Message::Refused(words) => {
                let words = String::from_utf8_lossy(words);
                let (description, scrub) = (&self.context.description, &self.workspace.scrub);
                let peak = || self.started.usage().address_space;
                let reply = classify::refusal(&words, description, scrub, peak);
                // Earlier files may have used the memory: a fresh process decides.
                if matches!(reply, Reply::Resource { .. }) {
                    return Ok(Answer::Dead(reply));
                }
                reply
            }
            Message::Unfinished => {
                return Ok(Answer::Dead(self.protocol_error("the answer is incomplete")?));
            }
            Message::Invalid(why) => return Ok(Answer::Dead(self.protocol_error(why)?)),
        };
        // Fast answers are never sampled, but must not fill the disk bit by bit.
        let used = self.workspace.scratch.used();
        let limits = &self.context.description.limits;
        if used.too_many_files() || used.bytes > limits.disk_mb << 20 {
            return Ok(Answer::Dead(reply));
        }
        self.served += 1;
        Ok(Answer::Alive(Box::new(self), reply))
    }

    /// Writes the input file. It is created anew: the worker may still have the last one mapped.
    fn put(&self, file: &[u8]) -> io::Result<()> {
        match fs::remove_file(&self.workspace.input) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => fs::write(&self.workspace.input, file),
        }
    }

    fn watch(&mut self, done: impl Fn(&[u8]) -> bool) -> io::Result<WatchResult> {
        let watch = Watch {
            scratch: &self.workspace.scratch,
            limits: &self.context.description.limits,
            deadline: self.context.deadline(),
        };
        self.started.watch(&watch, &mut |output| done(output))
    }

    /// Ends a worker and classifies its end.
    fn end(self, seen: WatchResult) -> io::Result<Reply> {
        let stopped = match seen {
            WatchResult::Stopped(stop) => Some(stop),
            _ => None,
        };
        let ended = self.started.end(stopped)?;
        Ok(self.workspace.failure(&ended).unwrap_or_else(|| {
            let words = self.workspace.words(&ended).map(|w| format!(": {w}")).unwrap_or_default();
            Reply::Crash { message: format!("ended without an answer{words}") }
        }))
    }

    /// Ends a worker that violates the protocol.
    fn protocol_error(self, why: &str) -> io::Result<Reply> {
        self.started.end(None)?;
        Ok(Reply::Crash { message: format!("the worker broke the protocol: {why}") })
    }
}

/// The output so far, parsed.
#[derive(Debug, PartialEq)]
enum Message<'a> {
    Unfinished,
    Picture(&'a [u8]),
    Refused(&'a [u8]),
    Invalid(&'static str),
}

impl<'a> Message<'a> {
    fn of(output: &'a [u8]) -> Self {
        let Some(end) = output.iter().take(LONGEST_HEADER).position(|&b| b == b'\n') else {
            return match output.len() {
                0..LONGEST_HEADER => Self::Unfinished,
                _ => Self::Invalid("an answer starts with `picture LENGTH` or `refused LENGTH`"),
            };
        };
        let header = std::str::from_utf8(&output[..end]).unwrap_or_default();
        let (kind, length) = header.split_once(' ').unwrap_or_default();
        let Ok(length) = length.parse::<usize>() else {
            return Self::Invalid("an answer starts with `picture LENGTH` or `refused LENGTH`");
        };
        let bytes = &output[end + 1..];
        match kind {
            _ if bytes.len() > length => Self::Invalid("more bytes than it announced"),
            "picture" if bytes.len() == length => Self::Picture(bytes),
            "refused" if bytes.len() == length => Self::Refused(bytes),
            "picture" | "refused" => Self::Unfinished,
            _ => Self::Invalid("an answer is `picture` or `refused`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert_eq!(Message::of(b""), Message::Unfinished);
        assert_eq!(Message::of(b"picture 3"), Message::Unfinished);
        assert_eq!(Message::of(b"picture 3\nab"), Message::Unfinished);
        assert_eq!(Message::of(b"picture 3\nabc"), Message::Picture(b"abc"));
        assert_eq!(Message::of(b"refused 0\n"), Message::Refused(b""));
        for nonsense in
            [&b"picture\n"[..], b"picture -1\n", b"hello 3\nabc", b"picture 3\nabcd", &[b'x'; 70]]
        {
            assert!(matches!(Message::of(nonsense), Message::Invalid(_)), "{nonsense:?}");
        }
    }
}
