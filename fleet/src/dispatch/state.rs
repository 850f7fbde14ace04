//! The state of the dispatch, behind its lock.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use quick_cache::unsync::Cache;

use crate::token::Tokens;
use crate::wire::{Beat, ClientFacts, FileSource, Item, Job, Progress, SeedRef, key_of, to_text};
use clients::Reply;
use clients::digest;

/// The weight of the last run in the mean cost of a client.
const WEIGHT: f64 = 0.05;

/// The cost of a run in microseconds, until one was measured.
pub const COST: f64 = 50_000.0;

/// The number of files whose last reader is remembered. Confirmations follow soon after.
const READERS: usize = 100_000;

/// The number of times that a confirmation is requested again because the same worker sent it.
const IN_VAIN: u8 = 2;

/// The maximum number of groups of clients that are known at once.
pub const MOST_GROUPS: usize = 1024;

/// The maximum number of workers that are known at once.
pub const MOST_WORKERS: usize = 16_384;

/// A worker from which a message has arrived.
#[derive(Debug)]
pub struct Worker {
    /// The time of its last message.
    pub seen: Instant,
    /// Its last message.
    pub beat: Beat,
    /// The process that sent messages under this name before.
    pub former: Option<String>,
}

/// The identity of a run, without the number of times that it was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// The place of the client.
    pub client: usize,
    /// The file.
    pub file: digest::Key,
    /// True if a fresh process must read the file.
    pub fresh: bool,
}

/// A reply of a client that ran elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Replied {
    /// The reply.
    pub reply: Reply,
    /// The duration of the run.
    pub took: Duration,
    /// The worker that ran it.
    pub worker: Arc<str>,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A reply.
    Reply(Replied),
    /// A failure on the side of repfuzz.
    Failed {
        /// The reason, in one line.
        why: String,
        /// True if the failure concerns only this file.
        glue: bool,
    },
    /// The worker needs the bytes, or its picture is needed.
    Again,
}

/// A job to publish.
#[derive(Debug, Clone, PartialEq)]
pub struct Outgoing {
    /// Its number in the ledger.
    pub number: u64,
    /// The group of clients for which the job is.
    pub group: String,
    /// The job.
    pub job: Job,
    /// The number of times that it was published before.
    pub again: u32,
}

/// A request that waits for its answer.
#[derive(Debug)]
pub struct Waiting {
    pub key: Key,
    pub bytes: Arc<[u8]>,
    pub seed: Option<Arc<SeedRef>>,
    pub item: Item,
    pub sender: SyncSender<Answer>,
    pub since: Instant,
    /// The number of times that the run was requested from another worker, and none took it.
    pub in_vain: u8,
}

/// A job that is under way.
#[derive(Debug)]
pub struct Flight {
    pub out: Outgoing,
    /// For each item, the request that waits for it; `None` if the campaign has not requested it again since this
    /// process began.
    pub waiting: Vec<(Key, Option<Waiting>)>,
}

/// A client of the night.
#[derive(Debug)]
pub struct ClientState {
    pub facts: ClientFacts,
    /// The extension of the names of its files.
    pub extension: String,
    /// The mean duration of a run in microseconds.
    pub cost: f64,
    /// Requests that are not in a job.
    pub queue: VecDeque<Waiting>,
}

/// Counts since this process began.
#[derive(Debug, Default)]
pub struct Stats {
    pub jobs: u64,
    pub runs: u64,
    pub repeated: u64,
    pub dead: u64,
    /// The numbers of runs in the last seconds.
    recent: VecDeque<(Instant, u64)>,
}

/// The state of the dispatch.
#[derive(Debug)]
pub struct State {
    /// The source of words for the identifiers of jobs.
    pub tokens: Arc<Tokens>,
    pub night: String,
    pub clients: Vec<ClientState>,
    /// The clients of each group of workers.
    pub groups: BTreeMap<String, Vec<ClientFacts>>,
    /// The number of jobs that are under way, for each group.
    pub outstanding: BTreeMap<String, usize>,
    pub flights: HashMap<String, Flight>,
    /// Items of jobs under way for which no request waits.
    orphans: HashMap<Key, VecDeque<(String, usize)>>,
    /// Answers that no request has asked for yet.
    ready: HashMap<Key, VecDeque<Answer>>,
    /// The last worker that read a file, by client and file.
    readers: Cache<(usize, digest::Key), Arc<str>>,
    pub workers: BTreeMap<String, Worker>,
    /// Workers that cannot be used.
    pub refused: BTreeSet<String>,
    pub next: u64,
    pub stats: Stats,
    /// The time at which a job was last completed, or was published when no other job was under way.
    moved: Option<Instant>,
}

impl State {
    /// Creates a state without requests. Identifiers of jobs contain words from `tokens`.
    pub fn new(tokens: Arc<Tokens>) -> Self {
        Self {
            tokens,
            night: String::new(),
            clients: Vec::new(),
            groups: BTreeMap::new(),
            outstanding: BTreeMap::new(),
            flights: HashMap::new(),
            orphans: HashMap::new(),
            ready: HashMap::new(),
            readers: Cache::new(READERS),
            workers: BTreeMap::new(),
            refused: BTreeSet::new(),
            next: 0,
            stats: Stats::default(),
            moved: None,
        }
    }

    /// Begins a night with these clients, each with the extension of its files, whose jobs have numbers from `next` on.
    pub fn begin(&mut self, night: &str, clients: Vec<(ClientFacts, String)>, next: u64) {
        (self.night, self.next) = (night.to_owned(), next);
        let new = |(facts, extension)| {
            let queue = VecDeque::new();
            ClientState { facts, extension, cost: COST, queue }
        };
        self.clients = clients.into_iter().map(new).collect();
    }

    /// Adds a job of an earlier process. `consumed` returns true for items whose replies are in the store.
    pub fn resume(
        &mut self,
        job: &Job,
        answers: Option<Vec<Answer>>,
        mut consumed: impl FnMut(&Item) -> bool,
    ) {
        let does = |c: &ClientState| c.facts.does(job) && c.extension == job.extension;
        let Some(client) = self.clients.iter().position(does) else { return };
        let key = |item: &Item| {
            let file = key_of(&item.sha256)?;
            Some(Key { client, file, fresh: item.fresh })
        };
        let keys: Option<Vec<Key>> = job.items.iter().map(key).collect();
        let Some(keys) = keys else { return };
        match answers {
            Some(answers) => {
                for ((key, item), answer) in keys.into_iter().zip(&job.items).zip(answers) {
                    if answer != Answer::Again && !consumed(item) {
                        self.ready.entry(key).or_default().push_back(answer);
                    }
                }
            }
            None => {
                let number = number(job);
                for (place, key) in keys.iter().enumerate() {
                    self.orphans.entry(*key).or_default().push_back((job.id.clone(), place));
                }
                // The group is not known, so the job does not count for any.
                let (group, job) = (String::new(), job.clone());
                let out = Outgoing { number, group, job, again: 0 };
                let waiting = keys.into_iter().map(|key| (key, None)).collect();
                self.flights.insert(out.job.id.clone(), Flight { out, waiting });
            }
        }
    }

    /// Adds a request, which is answered at once, waits for a job under way, or is queued. A file that is read again to
    /// confirm a result is read by another worker if there is one.
    pub fn ask(&mut self, mut waiting: Waiting) {
        let key = waiting.key;
        if let Some(answer) = pop(&mut self.ready, &key) {
            // This does not block, because the channel has room for one answer.
            let _ = waiting.sender.try_send(answer);
            return;
        }
        if let Some((job, place)) = pop(&mut self.orphans, &key)
            && let Some(flight) = self.flights.get_mut(&job)
        {
            flight.waiting[place].1 = Some(waiting);
            return;
        }
        if key.fresh
            && let Some(reader) = self.readers.get(&(key.client, key.file)).cloned()
            && self.has_other(key.client, &reader)
        {
            waiting.item.not_by = Some(reader.to_string());
        }
        if let Some(client) = self.clients.get_mut(key.client) {
            client.queue.push_back(waiting);
        }
    }

    /// Returns true if another worker is to confirm a reply and this worker sent it.
    fn is_unconfirmed(&self, waiting: &Waiting, answer: &Answer) -> bool {
        let Answer::Reply(Replied { worker, .. }) = answer else { return false };
        waiting.in_vain < IN_VAIN
            && waiting.item.not_by.as_deref() == Some(&**worker)
            && self.has_other(waiting.key.client, worker)
    }

    /// Returns true if the job is under way.
    pub fn knows(&self, job: &str) -> bool {
        self.flights.contains_key(job)
    }

    /// Passes the answers of a job to those that wait for them.
    pub fn complete(&mut self, job: &str, answers: Vec<Answer>) {
        let Some(flight) = self.flights.remove(job) else { return };
        if let Some(count) = self.outstanding.get_mut(&flight.out.group) {
            *count = count.saturating_sub(1);
        }
        self.moved = Some(Instant::now());
        self.stats.jobs += 1;
        self.stats.count(answers.len() as u64);
        for (place, ((key, waiting), answer)) in flight.waiting.into_iter().zip(answers).enumerate()
        {
            if let (Answer::Reply(Replied { took, worker, .. }), Some(client)) =
                (&answer, self.clients.get_mut(key.client))
            {
                client.cost += WEIGHT * (took.as_micros() as f64 - client.cost);
                self.readers.insert((key.client, key.file), Arc::clone(worker));
            }
            match (waiting, answer) {
                (Some(mut waiting), answer) if self.is_unconfirmed(&waiting, &answer) => {
                    waiting.in_vain += 1;
                    self.clients[key.client].queue.push_front(waiting);
                }
                (Some(waiting), Answer::Again) => self.ask_again(waiting),
                (Some(waiting), answer) => {
                    let _ = waiting.sender.try_send(answer);
                }
                (None, answer) => {
                    self.forget_orphan(&key, job, place);
                    // The request that follows will contain the bytes.
                    if answer != Answer::Again {
                        self.ready.entry(key).or_default().push_back(answer);
                    }
                }
            }
        }
    }

    fn forget_orphan(&mut self, key: &Key, job: &str, place: usize) {
        let Some(of) = self.orphans.get_mut(key) else { return };
        of.retain(|(id, k)| (id.as_str(), *k) != (job, place));
        if of.is_empty() {
            self.orphans.remove(key);
        }
    }

    /// Records that an item for which no request waits is now alone in the job `to`.
    pub fn adopt(&mut self, key: &Key, (job, place): (&str, usize), to: &str) {
        self.forget_orphan(key, job, place);
        self.orphans.entry(*key).or_default().push_back((to.to_owned(), 0));
    }

    /// Queues a request once more, with the bytes of the file.
    fn ask_again(&mut self, mut waiting: Waiting) {
        let in_vain = waiting.item.full && matches!(waiting.item.file, FileSource::Inline(_));
        let Some(client) = self.clients.get_mut(waiting.key.client).filter(|_| !in_vain) else {
            let _ = waiting.sender.try_send(Answer::Again);
            return;
        };
        waiting.item.full = true;
        if !matches!(waiting.item.file, FileSource::Object) {
            waiting.item.file = FileSource::Inline(to_text(&waiting.bytes));
        }
        client.queue.push_front(waiting);
    }

    /// Returns true if jobs are under way and none has been completed for `time`.
    pub fn is_stalled(&mut self, time: Duration) -> bool {
        !self.flights.is_empty() && self.moved.get_or_insert_with(Instant::now).elapsed() >= time
    }

    /// Returns the jobs that are under way, to be published again. If jobs are `lost` individually, each has a limited
    /// number of attempts. A NATS server that lost everything does not count, because the jobs did not cause that.
    pub fn again(&mut self, lost: bool) -> Vec<Outgoing> {
        self.moved = Some(Instant::now());
        let mut flights = std::mem::take(&mut self.flights);
        let again = |flight: &mut Flight| {
            flight.out.again += u32::from(lost);
            // Any group with the client can run a job of an earlier process.
            if flight.out.group.is_empty() {
                flight.out.group = self.group_for(&flight.out.job)?;
            }
            Some(flight.out.clone())
        };
        let jobs = flights.values_mut().filter_map(again).collect();
        self.flights = flights;
        jobs
    }

    /// Returns the large files of jobs that are under way, and of runs that wait, with their digests.
    pub fn objects(&self) -> Vec<(String, Arc<[u8]>)> {
        let flying = self.flights.values().flat_map(|flight| &flight.waiting);
        let flying = flying.filter_map(|(_, waiting)| waiting.as_ref());
        let queued = self.clients.iter().flat_map(|client| &client.queue);
        let large = flying.chain(queued).filter(|w| w.item.file == FileSource::Object);
        let files: BTreeMap<String, Arc<[u8]>> =
            large.map(|w| (w.item.sha256.clone(), Arc::clone(&w.bytes))).collect();
        files.into_iter().collect()
    }

    /// Returns a group that has the client of a job, preferably one with workers.
    pub fn group_for(&self, job: &Job) -> Option<String> {
        let has = |facts: &ClientFacts| facts.does(job);
        let groups = self.groups.iter().filter(|(_, clients)| clients.iter().any(has));
        groups.max_by_key(|(group, _)| self.slots(group)).map(|(group, _)| group.clone())
    }

    /// Records that a job was published.
    pub fn published(&mut self) {
        if self.flights.is_empty() {
            self.moved = Some(Instant::now());
        }
    }

    /// Returns how far the night is.
    pub fn progress(&mut self) -> Progress {
        let (workers, slots) = self.workers();
        let rate = self.stats.rate();
        let Stats { jobs, runs, repeated, dead, .. } = self.stats;
        Progress {
            night: self.night.clone(),
            workers,
            slots,
            waiting: self.clients.iter().map(|client| client.queue.len()).sum(),
            outstanding: self.flights.len(),
            jobs,
            runs,
            repeated,
            dead,
            rate,
        }
    }

    /// Fails all waiting requests.
    pub fn end(&mut self) {
        self.flights.clear();
        self.clients.iter_mut().for_each(|client| client.queue.clear());
    }
}

impl Stats {
    fn count(&mut self, runs: u64) {
        self.runs += runs;
        self.recent.push_back((Instant::now(), runs));
        self.forget();
    }

    fn forget(&mut self) {
        let old = |(at, _): &(Instant, u64)| at.elapsed() > Duration::from_secs(10);
        while self.recent.front().is_some_and(old) {
            self.recent.pop_front();
        }
    }

    /// Returns the number of runs per second, over the last ten seconds.
    fn rate(&mut self) -> f64 {
        self.forget();
        let runs: u64 = self.recent.iter().map(|(_, runs)| runs).sum();
        let since = self.recent.front().map_or(0.0, |(at, _)| at.elapsed().as_secs_f64());
        runs as f64 / since.max(1.0)
    }
}

/// The number in a job's identifier, which is before its word.
fn number(job: &Job) -> u64 {
    job.id.rsplit('-').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn pop<T>(queues: &mut HashMap<Key, VecDeque<T>>, key: &Key) -> Option<T> {
    let queue = queues.get_mut(key)?;
    let first = queue.pop_front();
    if queue.is_empty() {
        queues.remove(key);
    }
    first
}
