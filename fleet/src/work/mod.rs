//! A worker takes jobs, makes their files, runs clients on them, and sends the replies.
//!
//! A *lane* takes one job after another. There are more lanes than slots, so while a slot runs the clients of one job,
//! other lanes fetch the next job, make its files, and send the results of the last one.

mod execute;
mod offers;
mod prepare;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::sync::Semaphore;

use super::link::{Link, NatsArgs, about};
use super::names::{Names, is_token};
use super::wire::{Beat, ClientFacts, Done, Hello, Item, Job, PROTOCOL, decode, encode, group};
use campaign::Stop;
use execute::Sent;
pub use offers::Offered;
use offers::Offers;
use prepare::Seeds;

/// The time that a request for a job waits for one.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time between two messages about what it does.
const BEAT: Duration = Duration::from_secs(2);

/// The time after which a job that failed on this machine is given to a worker again.
const LATER: Duration = Duration::from_secs(1);

/// The time between two checks for requests to stop.
const LOOK: Duration = Duration::from_millis(100);

/// The time after a request to stop in which results are still sent. After that the worker just ends; NATS gives jobs
/// that are not acknowledged to another worker.
const LEAVING: Duration = Duration::from_millis(700);

/// The options of a worker.
#[derive(Debug, Clone)]
pub struct WorkOptions {
    /// The way to NATS.
    pub nats: NatsArgs,
    /// Its name, which no other worker has.
    pub name: String,
    /// The number of jobs that it does at once.
    pub slots: usize,
    /// The time without a job after which the worker ends; if `None`, it never does.
    pub idle_exit: Option<Duration>,
    /// The address on which metrics are served.
    pub metrics: Option<String>,
}

/// A worker.
struct Worker {
    link: Link,
    options: WorkOptions,
    group: String,
    /// A word that no other process of this name has.
    process: String,
    clients: Offers,
    facts: Vec<ClientFacts>,
    seeds: Seeds,
    sent: Sent,
    slots: Semaphore,
    stop: Stop,
    busy: AtomicUsize,
    jobs: AtomicU64,
    runs: AtomicU64,
    /// The time in which slots ran clients, in microseconds.
    worked: AtomicU64,
    /// The end of the last job.
    last: Mutex<Instant>,
    /// True if the worker has already reported that the server has no JetStream.
    hinted: AtomicBool,
}

/// Works until `stop` has a request, or until there was no job for the time set in the options.
///
/// # Errors
///
/// Returns a one-line message if a name is wrong or the server cannot be reached.
pub fn work(options: WorkOptions, clients: Vec<Offered>, stop: &Stop) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .max_blocking_threads(8 * options.slots + 64)
        .build()?;
    let done = runtime.block_on(run(options, clients, stop));
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// As [`work`], within a runtime that others may use as well.
///
/// # Errors
///
/// As [`work`].
pub async fn run(options: WorkOptions, clients: Vec<Offered>, stop: &Stop) -> io::Result<()> {
    if !is_token(&options.name) {
        let name = &options.name;
        return Err(io::Error::other(format!("worker {name:?}: use letters, digits, - and _")));
    }
    let of = |offered: &Offered| ClientFacts {
        unusable: offered.unusable.clone(),
        ..ClientFacts::of(&*offered.client)
    };
    let facts: Vec<ClientFacts> = clients.iter().map(of).collect();
    let patience = options.idle_exit.unwrap_or(Duration::MAX);
    let link = tokio::select! {
        link = Link::connect(&options.nats, &options.name, patience) => link?,
        () = requested(stop) => return Ok(()),
    };
    let worker = Arc::new(Worker {
        group: group(&facts),
        process: link.tokens.word(),
        clients: Offers::of(clients),
        facts,
        seeds: Seeds::new(link.clone()),
        sent: Sent::new(),
        slots: Semaphore::new(options.slots),
        stop: stop.clone(),
        busy: AtomicUsize::new(0),
        jobs: AtomicU64::new(0),
        runs: AtomicU64::new(0),
        worked: AtomicU64::new(0),
        last: Mutex::new(Instant::now()),
        hinted: AtomicBool::new(false),
        link,
        options,
    });
    tracing::info!(
        worker = worker.options.name,
        group = worker.group,
        slots = worker.options.slots,
        clients = worker.facts.len(),
        "ready"
    );
    if let Some(address) = &worker.options.metrics {
        let listener = tokio::net::TcpListener::bind(address).await;
        let listener = listener.map_err(|error| about(address, &error))?;
        let of = Arc::clone(&worker);
        tokio::spawn(super::metrics::serve(listener, move || {
            super::metrics::of_worker(&of.beat(0.0))
        }));
    }
    let talk = tokio::spawn(talk(Arc::clone(&worker)));
    let lanes = 2 * worker.options.slots + 1;
    let lanes: Vec<_> = (0..lanes).map(|_| tokio::spawn(lane(Arc::clone(&worker)))).collect();
    for lane in lanes {
        let _ = lane.await;
    }
    talk.abort();
    // If NATS is unreachable, nothing important is lost.
    let _ = tokio::time::timeout(LEAVING, worker.link.client.flush()).await;
    tracing::info!(worker = worker.options.name, "done");
    Ok(())
}

impl Worker {
    fn beat(&self, load: f64) -> Beat {
        Beat {
            worker: self.options.name.clone(),
            group: self.group.clone(),
            process: self.process.clone(),
            slots: self.options.slots,
            busy: self.busy.load(Ordering::SeqCst),
            runs: self.runs.load(Ordering::SeqCst),
            jobs: self.jobs.load(Ordering::SeqCst),
            load,
        }
    }

    fn last(&self) -> Instant {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if the worker must take no more jobs.
    fn ends(&self) -> bool {
        let idle = || {
            let since = self.last().elapsed();
            self.busy.load(Ordering::SeqCst) == 0
                && self.options.idle_exit.is_some_and(|most| since >= most)
        };
        self.stop.requests() > 0 || idle()
    }

    /// Waits until the worker must take no more jobs.
    async fn ended(&self) {
        while !self.ends() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until a lane must end: some time after the worker must take no more jobs, unless the lane's client `runs`
    /// then.
    async fn left(&self, runs: &AtomicBool) {
        let mut since: Option<Instant> = None;
        while since.is_none_or(|since| since.elapsed() < LEAVING) {
            tokio::time::sleep(LOOK).await;
            let waits = self.ends() && !runs.load(Ordering::SeqCst);
            since = waits.then(|| since.unwrap_or_else(Instant::now));
        }
    }

    /// Reports once why no jobs arrive, if known.
    fn hint(&self) {
        if let Some(hint) = self.link.without_jetstream()
            && !self.hinted.swap(true, Ordering::SeqCst)
        {
            tracing::warn!("{hint}");
        }
    }

    async fn hello(&self) {
        let hello = Hello {
            protocol: PROTOCOL,
            worker: self.options.name.clone(),
            group: self.group.clone(),
            clients: self.facts.clone(),
        };
        let subject = self.link.names.hello(&self.options.name);
        let _ = self.link.client.publish(subject, encode(&hello).into()).await;
    }
}

/// Reports what the worker does, and lists its clients on request.
async fn talk(worker: Arc<Worker>) {
    let mut asked = match worker.link.client.subscribe(worker.link.names.who()).await {
        Ok(asked) => asked,
        Err(error) => return tracing::error!("cannot listen to servers: {error}"),
    };
    // Nobody else uses this subject, unless another worker has the same name.
    let mine = worker.link.names.beat(&worker.options.name);
    let mut heard = match worker.link.client.subscribe(mine).await {
        Ok(heard) => heard,
        Err(error) => return tracing::error!("cannot listen to workers: {error}"),
    };
    let mut told = false;
    worker.hello().await;
    let mut tick = tokio::time::interval(BEAT);
    let (mut at, mut worked) = (Instant::now(), 0);
    loop {
        tokio::select! {
            Some(_) = asked.next() => worker.hello().await,
            Some(message) = heard.next() => {
                let beat = decode::<Beat>(&message.payload);
                if !told && beat.is_ok_and(|beat| beat.process != worker.process) {
                    let name = &worker.options.name;
                    tracing::warn!("another worker is called {name}: give each a --name");
                    told = true;
                }
            }
            _ = tick.tick() => {
                let now = worker.worked.load(Ordering::SeqCst);
                let time = at.elapsed().as_micros() as f64 * worker.options.slots as f64;
                let load = ((now - worked) as f64 / time.max(1.0)).min(1.0);
                (at, worked) = (Instant::now(), now);
                let subject = worker.link.names.beat(&worker.options.name);
                let beat = encode(&worker.beat(load));
                let _ = worker.link.client.publish(subject, beat.into()).await;
            }
            else => return,
        }
    }
}

/// Waits until the user asks for an end.
async fn requested(stop: &Stop) {
    while stop.requests() == 0 {
        tokio::time::sleep(LOOK).await;
    }
}

/// Takes one job after another. When it must end, it drops everything that it waits for except a running client.
async fn lane(worker: Arc<Worker>) {
    let runs = AtomicBool::new(false);
    tokio::select! {
        () = jobs(&worker, &runs) => {}
        () = worker.left(&runs) => {}
    }
}

/// Takes one job after another. `runs` is true while a client runs.
async fn jobs(worker: &Arc<Worker>, runs: &AtomicBool) {
    let mut consumer: Option<(PullConsumer, Duration, i64)> = None;
    while !worker.ends() {
        let found = match consumer.take() {
            Some(found) => Ok(found),
            None => find(worker).await,
        };
        let (from, lease, deliveries) = match found {
            Ok(found) => found,
            Err(error) => {
                // No server has created the stream yet.
                tracing::debug!("{error}; trying again");
                worker.hint();
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
            }
        };
        let next = tokio::select! {
            next = next(&from) => next,
            () = worker.ended() => return,
        };
        match next {
            Ok(Some(message)) => {
                do_job(worker, &message, lease, deliveries, runs).await;
                consumer = Some((from, lease, deliveries));
            }
            Ok(None) => consumer = Some((from, lease, deliveries)),
            Err(error) => {
                tracing::debug!("no job: {error}");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

/// Returns the consumer of the worker's jobs, its lease, and the number of deliveries of a job.
async fn find(worker: &Worker) -> io::Result<(PullConsumer, Duration, i64)> {
    let (stream, name) = (worker.link.names.jobs(), Names::group_consumer(&worker.group));
    let found = worker.link.stream.get_stream_no_info(&stream).await;
    let stream = found.map_err(|error| about(&stream, &error))?;
    let consumer: PullConsumer =
        stream.get_consumer(&name).await.map_err(|error| about(&name, &error))?;
    let config = &consumer.cached_info().config;
    let (lease, deliveries) = (config.ack_wait, config.max_deliver);
    Ok((consumer, lease, deliveries))
}

async fn next(consumer: &PullConsumer) -> io::Result<Option<Message>> {
    let asked = async {
        let batch = consumer.batch().max_messages(1).expires(PATIENCE).messages().await;
        let mut batch = batch.map_err(io::Error::other)?;
        batch.next().await.transpose().map_err(io::Error::other)
    };
    // A NATS server that was unreachable may not know about the request.
    tokio::time::timeout(3 * PATIENCE, asked).await.map_err(io::Error::other)?
}

/// Does a job, and keeps its lease meanwhile.
async fn do_job(
    worker: &Arc<Worker>,
    message: &Message,
    lease: Duration,
    deliveries: i64,
    runs: &AtomicBool,
) {
    let job: Job = match decode(&message.payload) {
        Ok(job) => job,
        Err(error) => {
            // The job comes from another version. A worker that can read it will get it.
            tracing::warn!("a job that cannot be read: {error}");
            let _ = message.ack_with(AckKind::Nak(Some(LATER))).await;
            return;
        }
    };
    if job.protocol > PROTOCOL {
        let protocol = job.protocol;
        tracing::warn!(
            "a job of a later version of repfuzz (protocol {protocol}, here {PROTOCOL}) is left to others"
        );
        let _ = message.ack_with(AckKind::Nak(Some(LATER))).await;
        return;
    }
    let last = message.info().is_ok_and(|info| info.delivered >= deliveries);
    let mine = |item: &Item| item.not_by.as_ref() == Some(&worker.options.name);
    if job.items.iter().any(mine) && !last {
        // Another machine should confirm the result of this one.
        let _ = message.ack_with(AckKind::Nak(Some(LATER))).await;
        return;
    }
    let work = reply(worker, job, runs);
    tokio::pin!(work);
    let mut renew = tokio::time::interval(lease / 3);
    renew.tick().await;
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            _ = renew.tick() => {
                let _ = message.ack_with(AckKind::Progress).await;
            }
        }
    };
    let Some(done) = done else {
        let _ = message.ack_with(AckKind::Nak(None)).await;
        return;
    };
    if done.items.iter().any(execute::is_failure) && !last {
        // On another machine, the disk of the scratch folder may not be full.
        let _ = message.ack_with(AckKind::Nak(Some(LATER))).await;
        return;
    }
    send(worker, &done, message, lease).await;
}

/// Sends the results of a job, retries until they are stored, then acknowledges the job.
async fn send(worker: &Worker, done: &Done, message: &Message, lease: Duration) {
    let night = message.subject.rsplit('.').next().unwrap_or_default();
    let subject = worker.link.names.result(&worker.options.name, night);
    let publish = worker.link.publish(&subject, encode(done));
    tokio::pin!(publish);
    let mut renew = tokio::time::interval(lease / 3);
    renew.tick().await;
    loop {
        tokio::select! {
            () = &mut publish => break,
            _ = renew.tick() => {
                let _ = message.ack_with(AckKind::Progress).await;
            }
        }
    }
    // If the acknowledgment is lost, the job is run again, and its second result is recognized as such.
    let _ = tokio::time::timeout(PATIENCE, message.double_ack()).await;
}

/// Makes the files of a job, waits for a slot, and runs the client. `None` if it must end before that.
async fn reply(worker: &Arc<Worker>, job: Job, runs: &AtomicBool) -> Option<Done> {
    let seed = worker.seeds.get(job.seed.as_ref()).await;
    let objects = worker.seeds.objects(&job).await;
    let items = job.items.clone();
    let prepared =
        tokio::task::spawn_blocking(move || prepare::files(&items, seed, &objects)).await;
    let files = prepared.ok()?;
    let permit = worker.slots.acquire().await.ok()?;
    if worker.stop.requests() > 0 {
        return None;
    }
    worker.busy.fetch_add(1, Ordering::SeqCst);
    runs.store(true, Ordering::SeqCst);
    let (of, job) = (Arc::clone(worker), Arc::new(job));
    let running = Arc::clone(&job);
    let ran = tokio::task::spawn_blocking(move || {
        let begun = Instant::now();
        let client = of.clients.get(&running);
        let replies = execute::run(client.as_deref(), &running, &files, &of.stop);
        let worked = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        of.worked.fetch_add(worked, Ordering::SeqCst);
        of.runs.fetch_add(replies.len() as u64, Ordering::SeqCst);
        // If some files are missing, another worker runs the job.
        (replies.len() == running.items.len()).then_some(replies)
    })
    .await;
    runs.store(false, Ordering::SeqCst);
    worker.busy.fetch_sub(1, Ordering::SeqCst);
    *worker.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    drop(permit);
    worker.jobs.fetch_add(1, Ordering::SeqCst);
    let items = execute::packed(&worker.link, &worker.sent, &job, ran.ok()??).await;
    Some(Done { job: job.id.clone(), worker: worker.options.name.clone(), items })
}
