//! One worker process and its protocol.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::super::classify;
use super::super::context::{ProgramContext, Workspace};
use super::edge_map::EdgeMap;
use crate::process::{Answer, Started, Stdout, Watch, WatchResult, is_obstacle};
use crate::sandbox::hidden_files;
use crate::{Edges, Reply, Spent};

/// The worker's first message.
const READY: &[u8] = b"ready\n";
/// Time for a second answer to the only request.
const PATIENCE: Duration = Duration::from_millis(3);
/// Size limit of an answer's first line.
const LONGEST_HEADER: usize = 64;

/// A process that decodes many files.
pub(super) struct Worker {
    started: Started,
    workspace: Workspace,
    context: Arc<ProgramContext>,
    edges: Option<EdgeMap>,
    /// The number of files of repfuzz that were hidden when the worker started.
    hidden: usize,
    /// The number of files that the worker has read.
    pub served: u32,
}

/// The result of a request to a worker.
pub(super) enum Answered {
    /// It answered and accepts more requests.
    Alive(Box<Worker>, Result<Vec<u8>, Reply>),
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
        let publishes = context.description.run.edges;
        let edges = publishes.then(|| EdgeMap::within(&workspace.scratch)).transpose()?;
        let variable: Vec<_> = edges.iter().map(EdgeMap::variable).collect();
        let hidden = hidden_files();
        let started = context.start(&workspace, argv, Stdout::Interactive, &variable, None)?;
        let context = context.clone();
        let mut worker = Self { started, workspace, context, edges, hidden, served: 0 };
        Ok(match worker.watch(|output| output.total() >= READY.len() as u64)? {
            WatchResult::Done if worker.started.take_answer().start() == READY => Ok(worker),
            WatchResult::Done => Err(worker.protocol_error("it did not print `ready`")?),
            seen => Err(worker.end(seen)?),
        })
    }

    /// Returns the maximum sampled memory for its last file, in bytes.
    pub(super) fn resident(&self) -> u64 {
        self.started.resident()
    }

    /// Ends the worker, which has answered, and returns the resources that it used.
    pub(super) fn spent(self) -> io::Result<Spent> {
        Ok(self.started.end(None)?.spent())
    }

    /// Ends the worker and returns the folder in which it worked.
    pub(super) fn into_workspace(self) -> Workspace {
        drop(self.started);
        self.workspace
    }

    /// Returns true if no file of repfuzz has been hidden since it started.
    pub(super) fn sees_nothing_hidden(&self) -> bool {
        self.hidden >= hidden_files()
    }

    /// Returns true if it has printed nothing since its last answer.
    pub(super) fn is_silent(&mut self) -> bool {
        !self.started.talks_unasked(Duration::ZERO)
    }

    /// Sends the request `words` about `file` and reads the answer, and the edges that it reached if the worker published
    /// them. A `lonely` request is the only one: the worker is given a moment to say more than it should.
    pub(super) fn ask(
        mut self,
        words: &str,
        file: &[u8],
        lonely: bool,
    ) -> io::Result<(Answered, Option<Edges>)> {
        match self.workspace.put(file) {
            Err(e) if is_obstacle(&e) => {
                let why = format!("it keeps its input file from being written ({e})");
                return Ok((Answered::Dead(self.protocol_error(&why)?), None));
            }
            put => put?,
        }
        self.started.restart_sampling();
        self.started.forget_messages();
        self.started.take_answer();
        // Writing fails if the worker has ended in the meantime, which is detected below.
        let _ = self.started.say(&format!("{words} {}\n", self.workspace.input.display()));
        let seen = self.watch(|output| !matches!(Message::of(output), Message::Unfinished))?;
        let edges = self.edges.as_ref().map_or(Ok(None), EdgeMap::read)?;
        Ok((self.answered(seen, lonely)?, edges))
    }

    /// Classifies the observations of a request.
    fn answered(mut self, seen: WatchResult, lonely: bool) -> io::Result<Answered> {
        if seen != WatchResult::Done {
            return Ok(Answered::Dead(self.end(seen)?));
        }
        let answer = self.started.take_answer();
        let reply = match Message::of(&answer) {
            Message::Picture(bytes) => Ok(bytes.to_vec()),
            Message::Refused(words) => {
                self.workspace.require_room(classify::says_no_space(&words))?;
                let (description, scrub) = (&self.context.description, &self.workspace.scrub);
                let peak = || self.started.usage().address_space;
                let reply = classify::refusal(&words, description, scrub, peak);
                // Earlier files may have used the memory, so a fresh process decides.
                if matches!(reply, Reply::Resource { .. }) {
                    return Ok(Answered::Dead(reply));
                }
                Err(reply)
            }
            Message::Unfinished => {
                return Ok(Answered::Dead(self.protocol_error("the answer is incomplete")?));
            }
            Message::Invalid(why) => return Ok(Answered::Dead(self.protocol_error(why)?)),
        };
        self.workspace.require_room(false)?;
        // One request has one answer. A second one must not be mistaken for the answer to the next request.
        let patience = if lonely { PATIENCE } else { Duration::ZERO };
        if self.started.talks_unasked(patience) {
            return Ok(Answered::Dead(self.protocol_error("it answered more than once")?));
        }
        // Fast answers are never sampled, but they must not fill the disk bit by bit.
        let used = self.workspace.scratch.used();
        let limits = &self.context.description.limits;
        if used.too_many_files() || used.bytes > limits.disk_mb << 20 {
            let reply =
                reply.map_or_else(|reply| reply, |bytes| self.context.picture(&bytes, None));
            return Ok(Answered::Dead(reply));
        }
        self.served += 1;
        Ok(Answered::Alive(Box::new(self), reply))
    }

    fn watch(&mut self, done: impl Fn(&Answer) -> bool) -> io::Result<WatchResult> {
        let watch = Watch {
            scratch: &self.workspace.scratch,
            limits: &self.context.description.limits,
            deadline: self.context.deadline(),
            wakes: None,
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
        Ok(self.workspace.failure(&ended)?.unwrap_or_else(|| {
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
    Refused(String),
    Invalid(&'static str),
}

impl<'a> Message<'a> {
    fn of(answer: &'a Answer) -> Self {
        let output = answer.start();
        let Some(end) = output.iter().take(LONGEST_HEADER).position(|&b| b == b'\n') else {
            return match output.len() {
                0..LONGEST_HEADER => Self::Unfinished,
                _ => Self::Invalid("an answer starts with `picture LENGTH` or `refused LENGTH`"),
            };
        };
        let header = std::str::from_utf8(&output[..end]).unwrap_or_default();
        let (kind, length) = header.split_once(' ').unwrap_or_default();
        let Ok(length) = length.parse::<u64>() else {
            return Self::Invalid("an answer starts with `picture LENGTH` or `refused LENGTH`");
        };
        let there = answer.total() - (end as u64 + 1);
        match kind {
            _ if there > length => Self::Invalid("more bytes than it announced"),
            "picture" if there == length => Self::Picture(&output[end + 1..]),
            "refused" if there == length => Self::Refused(answer.text_from(end + 1)),
            "picture" | "refused" => Self::Unfinished,
            _ => Self::Invalid("an answer is `picture` or `refused`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: &[u8]) -> Answer {
        let mut answer = Answer::default();
        answer.push(bytes);
        answer
    }

    #[test]
    fn answers() {
        for unfinished in [&b""[..], b"picture 3", b"picture 3\nab"] {
            assert_eq!(Message::of(&answer(unfinished)), Message::Unfinished);
        }
        assert_eq!(Message::of(&answer(b"picture 3\nabc")), Message::Picture(b"abc"));
        assert_eq!(Message::of(&answer(b"refused 0\n")), Message::Refused(String::new()));
        assert_eq!(Message::of(&answer(b"refused 2\nno")), Message::Refused("no".to_owned()));
        for nonsense in
            [&b"picture\n"[..], b"picture -1\n", b"hello 3\nabc", b"picture 3\nabcd", &[b'x'; 70]]
        {
            let answer = answer(nonsense);
            assert!(matches!(Message::of(&answer), Message::Invalid(_)), "{nonsense:?}");
        }
    }

    #[test]
    fn a_refusal_of_any_length_is_one() {
        let mut long = answer(b"refused 1000004\n");
        for _ in 0..1000 {
            assert_eq!(Message::of(&long), Message::Unfinished);
            long.push(&[b'x'; 1000]);
        }
        long.push(b"\nno\n");
        let Message::Refused(words) = Message::of(&long) else {
            panic!("{:?}", Message::of(&long))
        };
        assert!(words.len() < 100_000 && words.ends_with("\nno\n"));
    }
}
