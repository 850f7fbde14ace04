//! Collects the runs that campaigns request into jobs, and passes the replies to each campaign.

mod batch;
mod state;
#[cfg(test)]
mod tests;
mod workers;

use std::collections::BTreeSet;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::link::Link;
use super::token::Tokens;
use super::wire::{Beat, ClientFacts, Done, Hello, Item, Job, Progress, SeedRef};
use campaign::Stop;
use clients::digest;
use clients::{GlueFailure, Reply};
use reports::nightly::Ends;
pub use state::{Answer, Outgoing, Replied};
use state::{Key, State, Waiting};
pub use workers::Heard;

/// The time between two looks at the user's requests to stop.
const LOOK: Duration = Duration::from_secs(1);

/// A run that a campaign requests.
pub struct Request<'f> {
    /// The position of the client.
    pub client: usize,
    /// The file.
    pub bytes: &'f [u8],
    /// The seed from which the file is made, if known.
    pub seed: Option<Arc<SeedRef>>,
    /// The file that the worker reads.
    pub item: Item,
}

/// The requested runs, the jobs under way, and the workers.
#[derive(Debug)]
pub struct Dispatch {
    state: Mutex<State>,
    wake: Notify,
    limits: OnceLock<Limits>,
    /// The connection by which workers are reached.
    nats: OnceLock<Link>,
}

/// The reasons why a night ends early.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The requests of the user.
    pub stop: Stop,
    /// The end of its time, if it has one.
    pub time: Option<Ends>,
}

impl Dispatch {
    /// Creates a dispatch without requests. The identifiers of jobs contain words from `tokens`.
    pub fn new(tokens: Arc<Tokens>) -> Self {
        let state = Mutex::new(State::new(tokens));
        Self { state, wake: Notify::new(), limits: OnceLock::new(), nats: OnceLock::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the connection to the workers. Without it, there are no workers.
    pub fn reach(&self, link: Link) {
        let _ = self.nats.set(link);
    }

    /// Returns true if there is a worker that has the client.
    fn is_served(&self, client: usize) -> bool {
        self.nats.get().is_none_or(Link::is_connected) && self.lock().is_served(client)
    }

    /// Begins a night with these clients, each with the extension of its files, whose jobs have numbers from `next` on.
    pub fn begin(
        &self,
        night: &str,
        clients: Vec<(ClientFacts, String)>,
        next: u64,
        limits: Limits,
    ) {
        self.lock().begin(night, clients, next);
        let _ = self.limits.set(limits);
    }

    /// Adds a job of an earlier process, with its answers if they arrived. `consumed` returns true for items whose
    /// replies are in the store.
    pub fn resume(
        &self,
        job: &Job,
        answers: Option<Vec<Answer>>,
        consumed: impl FnMut(&Item) -> bool,
    ) {
        self.lock().resume(job, answers, consumed);
    }

    /// Runs a client on a file elsewhere; returns its reply.
    ///
    /// # Errors
    ///
    /// As [`clients::Client::run`]; and if the night ends before.
    pub fn run(&self, request: Request<'_>) -> io::Result<Replied> {
        let client = request.client;
        let before = self.requests();
        let mut answers = None;
        loop {
            if let Some(why) = self.ends(client) {
                return Err(io::Error::other(why));
            }
            let answers = answers.get_or_insert_with(|| self.ask(&request));
            match answers.recv_timeout(LOOK) {
                Ok(answer) => return answer.into_reply(),
                Err(RecvTimeoutError::Timeout) => self.hasten(client, before)?,
                Err(RecvTimeoutError::Disconnected) if self.requests() == before => {
                    return Err(io::Error::other("the night has ended"));
                }
                Err(RecvTimeoutError::Disconnected) => {}
            }
            // The reply of a run during which the user asked to stop is not used.
            if self.requests() != before {
                let (took, worker) = (Duration::ZERO, Arc::from(""));
                return Ok(Replied { reply: Reply::Hang, took, worker });
            }
        }
    }

    fn requests(&self) -> u8 {
        self.limits.get().map_or(0, |limits| limits.stop.requests())
    }

    /// Returns the reason not to wait for a run of this client, such as that the night's time is used up.
    fn ends(&self, client: usize) -> Option<&'static str> {
        let ends = self.limits.get()?.time?;
        let now = Instant::now();
        if now >= ends.night {
            return Some("the night's time was used up before a worker ran it");
        }
        (now >= ends.work && !self.is_served(client))
            .then_some("no worker was there to run it before the night's time was used up")
    }

    /// If the user asked to stop, and there is no worker to reduce the findings, requests a second stop. Then the run
    /// is interrupted, its reply is not used, and the findings are reported without reduction.
    fn hasten(&self, client: usize, before: u8) -> io::Result<()> {
        if before == 0 || self.is_served(client) {
            return Ok(());
        }
        let Some(limits) = self.limits.get() else { return Ok(()) };
        match limits.stop.request_once(before) {
            true => Ok(()),
            false => Err(io::Error::other("the night was stopped")),
        }
    }

    /// Returns true if waiting is over: the user asked to stop, or the time is used up.
    pub fn is_over(&self) -> bool {
        let ends = self.limits.get().and_then(|limits| limits.time);
        self.requests() > 0 || ends.is_some_and(|ends| Instant::now() >= ends.work)
    }

    /// Waits until the user asks to stop once more.
    pub async fn stopped(&self) {
        let before = self.requests();
        while self.requests() == before {
            tokio::time::sleep(LOOK / 5).await;
        }
    }

    /// Waits until waiting is over, because the user asked to stop or the time is used up.
    pub async fn over(&self) {
        while !self.is_over() {
            tokio::time::sleep(LOOK / 5).await;
        }
    }

    /// Requests a run; returns the receiver of its answer.
    fn ask(&self, request: &Request<'_>) -> Receiver<Answer> {
        let Request { client, bytes, seed, item } = request;
        let (seed, item) = (seed.clone(), item.clone());
        let key = Key { client: *client, file: digest::key(bytes), fresh: item.fresh };
        let (sender, receiver) = sync_channel(1);
        let (bytes, since) = ((*bytes).into(), Instant::now());
        let waiting = Waiting { key, bytes, seed, item, sender, since, in_vain: 0 };
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

    /// Passes the answers of a job to the requests that wait for them.
    pub fn complete(&self, done: &Done, answers: Vec<Answer>) {
        self.lock().complete(&done.job, answers);
        self.wake.notify_one();
    }

    /// Counts a result that arrived again.
    pub fn repeated(&self) {
        self.lock().stats.repeated += 1;
    }

    /// Splits a job that was delivered too often into jobs of one file each, so that one bad file does not affect the
    /// others; `None` if it has only one file or is not under way.
    pub fn split(&self, job: &str) -> Option<Vec<Outgoing>> {
        self.lock().split(job)
    }

    /// Counts a job that was given up.
    pub fn gave_up(&self) {
        self.lock().stats.dead += 1;
    }

    /// Returns true if jobs are under way and none has been completed for `time`.
    pub fn is_stalled(&self, time: Duration) -> bool {
        self.lock().is_stalled(time)
    }

    /// Returns the jobs that are under way, to be published again. If jobs are `lost` individually, each has a limited
    /// number of attempts.
    pub fn again(&self, lost: bool) -> Vec<Outgoing> {
        self.lock().again(lost)
    }

    /// Returns the large files of jobs that are under way, and of runs that wait, with their digests.
    pub fn objects(&self) -> Vec<(String, Arc<[u8]>)> {
        self.lock().objects()
    }

    /// Returns the jobs under way of groups that currently have no worker, reassigned to a group that has a worker and
    /// their client.
    pub fn moved(&self) -> Vec<Outgoing> {
        self.lock().moved()
    }

    /// Returns the sandboxes of a worker's clients that differ from those of equal versions elsewhere, each with the
    /// other ones.
    pub fn otherwise_confined(&self, hello: &Hello) -> BTreeSet<(String, String)> {
        self.lock().otherwise_confined(hello)
    }

    /// Returns the groups of clients that workers have or had.
    pub fn groups(&self) -> Vec<String> {
        self.lock().groups.keys().cloned().collect()
    }

    /// Records a worker's clients; returns true if its group is new.
    pub fn hello(&self, hello: Hello) -> bool {
        let new = self.lock().hello(hello);
        self.wake.notify_one();
        new
    }

    /// Records a worker whose clients cannot be used; returns true if that was not known.
    pub fn refuse(&self, worker: &str) -> bool {
        self.lock().refuse(worker)
    }

    /// Records what a worker does.
    pub fn beat(&self, beat: Beat) -> Heard {
        let heard = self.lock().beat(beat);
        self.wake.notify_one();
        heard
    }

    /// Returns the clients of live workers, each in the version that most slots have. The other versions are listed as
    /// well, with the number of their slots.
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

    /// Returns the progress of the night.
    pub fn progress(&self) -> Progress {
        self.lock().progress()
    }

    /// Fails all waiting requests, because the night has ended.
    pub fn end(&self) {
        self.lock().end();
    }
}

impl Answer {
    fn into_reply(self) -> io::Result<Replied> {
        match self {
            Answer::Reply(replied) => Ok(replied),
            Answer::Failed { why, glue: true } => Err(GlueFailure::error(why)),
            Answer::Failed { why, glue: false } => Err(io::Error::other(why)),
            Answer::Again => Err(io::Error::other("no worker can make this file")),
        }
    }
}
