//! Collects the runs that campaigns ask for into jobs, and gives each campaign its replies.

mod batch;
mod state;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::wire::{Beat, ClientFacts, Done, Hello, Item, Job, Progress, SeedRef};
use crate::campaign::Stop;
use crate::client::{GlueFailure, Reply};
use crate::digest;
pub use state::{Answer, Outgoing};
use state::{Key, State, Waiting};

/// The time between two looks at the user's requests to stop.
const LOOK: Duration = Duration::from_secs(1);

/// A run that a campaign asks for.
pub struct Request<'f> {
    /// The place of the client.
    pub client: usize,
    /// The file.
    pub bytes: &'f [u8],
    /// The seed that the file is made from, if it is known.
    pub seed: Option<Arc<SeedRef>>,
    /// The file for the worker.
    pub item: Item,
}

/// The runs that are asked for, the jobs that are under way, and the workers.
#[derive(Debug)]
pub struct Dispatch {
    state: Mutex<State>,
    wake: Notify,
    stop: OnceLock<Stop>,
}

impl Default for Dispatch {
    fn default() -> Self {
        Self::new()
    }
}

impl Dispatch {
    /// Nothing is asked for yet.
    pub fn new() -> Self {
        Self { state: Mutex::default(), wake: Notify::new(), stop: OnceLock::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a night with these clients, whose jobs have numbers from `next` on. `stop` has the requests of
    /// the user to end it.
    pub fn begin(&self, night: &str, clients: Vec<ClientFacts>, next: u64, stop: Stop) {
        self.lock().begin(night, clients, next);
        let _ = self.stop.set(stop);
    }

    /// Takes a job of an earlier process, with its answers if they arrived. `consumed` returns true for items
    /// whose replies are in the store.
    pub fn resume(
        &self,
        job: &Job,
        answers: Option<Vec<Answer>>,
        consumed: impl FnMut(&Item) -> bool,
    ) {
        self.lock().resume(job, answers, consumed);
    }

    /// Runs a client on a file elsewhere; returns its reply and the duration of the run.
    ///
    /// # Errors
    ///
    /// As [`crate::client::Client::run`].
    pub fn run(&self, request: Request<'_>) -> io::Result<(Reply, Duration)> {
        let requests = || self.stop.get().map_or(0, Stop::requests);
        let before = requests();
        let answers = self.ask(request);
        loop {
            match answers.recv_timeout(LOOK) {
                Ok(answer) => return answer.into_reply(),
                // The reply of a run during which the user asked to stop is not used.
                Err(_) if requests() != before => return Ok((Reply::Hang, Duration::ZERO)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the night has ended"));
                }
            }
        }
    }

    /// Asks for a run; returns where its answer will be.
    fn ask(&self, request: Request<'_>) -> Receiver<Answer> {
        let Request { client, bytes, seed, item } = request;
        let key = Key { client, file: digest::key(bytes), fresh: item.fresh };
        let (sender, receiver) = sync_channel(1);
        let waiting =
            Waiting { key, bytes: bytes.into(), seed, item, sender, since: Instant::now() };
        self.lock().ask(waiting);
        self.wake.notify_one();
        receiver
    }

    /// Waits until there may be jobs to publish.
    pub async fn wanted(&self) {
        self.wake.notified().await;
    }

    /// Returns the jobs that are to be published now.
    pub fn outgoing(&self) -> Vec<Outgoing> {
        self.lock().outgoing()
    }

    /// Returns true if the job is under way.
    pub fn knows(&self, job: &str) -> bool {
        self.lock().knows(job)
    }

    /// Gives the answers of a job to those that wait for them.
    pub fn complete(&self, done: &Done, answers: Vec<Answer>) {
        self.lock().complete(&done.job, answers);
        self.wake.notify_one();
    }

    /// Counts a result that arrived again.
    pub fn repeated(&self) {
        self.lock().stats.repeated += 1;
    }

    /// Splits a job that was delivered too often into jobs of one file each, so that one file does not take
    /// others with it; `None` if it has one only, or is not under way.
    pub fn split(&self, job: &str) -> Option<Vec<Outgoing>> {
        self.lock().split(job)
    }

    /// Counts a job that was given up.
    pub fn gave_up(&self) {
        self.lock().stats.dead += 1;
    }

    /// Returns true if jobs are under way, and none has been completed for `time`.
    pub fn is_stalled(&self, time: Duration) -> bool {
        self.lock().is_stalled(time)
    }

    /// Returns the jobs that are under way, to be published again.
    pub fn again(&self) -> Vec<Outgoing> {
        self.lock().again()
    }

    /// Returns the groups of clients that workers have or had.
    pub fn groups(&self) -> Vec<String> {
        self.lock().groups.keys().cloned().collect()
    }

    /// Takes note of a worker's clients; returns true if its group is a new one.
    pub fn hello(&self, hello: Hello) -> bool {
        let new = self.lock().hello(hello);
        self.wake.notify_one();
        new
    }

    /// Takes note of what a worker does; returns false if its clients are not known.
    pub fn beat(&self, beat: Beat) -> bool {
        let known = self.lock().beat(beat);
        self.wake.notify_one();
        known
    }

    /// Returns the clients that live workers have, each in one version: the one that most slots have. The
    /// others are listed as well, with the number of their slots.
    pub fn offered(&self) -> (Vec<ClientFacts>, Vec<(ClientFacts, usize)>) {
        self.lock().offered()
    }

    /// Returns the number of live workers, and of their slots.
    pub fn workers(&self) -> (usize, usize) {
        self.lock().workers()
    }

    /// Returns the live workers.
    pub fn beats(&self) -> Vec<Beat> {
        self.lock().beats()
    }

    /// Returns how far the night is.
    pub fn progress(&self) -> Progress {
        self.lock().progress()
    }

    /// Fails all that wait: the night has ended.
    pub fn end(&self) {
        self.lock().end();
    }
}

impl Answer {
    fn into_reply(self) -> io::Result<(Reply, Duration)> {
        match self {
            Answer::Reply(reply, took) => Ok((reply, took)),
            Answer::Failed { why, glue: true } => Err(GlueFailure::error(why)),
            Answer::Failed { why, glue: false } => Err(io::Error::other(why)),
            Answer::Again => Err(io::Error::other("no worker can make this file")),
        }
    }
}
