//! The server plans a night, distributes its runs to workers, and judges their replies.
//!
//! A night is planned and judged by the code that runs it on one machine; only the clients are elsewhere
//! ([`RemoteClient`]). So its results do not depend on the workers.

mod dead;
mod listen;
mod mend;
mod pictures;
mod results;
mod shared;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use super::dispatch::{Answer, Dispatch, Limits, Outgoing};
use super::ledger::Ledger;
use super::link::Link;
use super::remote::{RemoteClient, Way};
use super::watch::{Sources, Watched};
use super::wire::{ClientFacts, Item, SeedRef, key_of};
use campaign::{FileKey, Stop};
use clients::digest;
use clients::{ClientFailure, Selection, Selections};
use equivalents::subject::Subject;
use pictures::Pictures;
use reports::nightly::{Config, Ends, IsRead, Remote};
use reports::store::Batch;
pub use shared::{NightData, ServeOptions, Shared};
use tiff_harness::container::Profile;

/// The maximum number of variants of one client on one seed that are under way at once.
const WINDOW: usize = 16;

/// The maximum number of runs that are requested at once. Each needs a thread.
const MOST_THREADS: usize = 2048;

/// The maximum time to store the reports and to remove the rest of a night.
const LEAVING: Duration = Duration::from_secs(60);

/// The minimum number of seeds that are processed at once.
const SEEDS: usize = 3;

/// A fleet that runs the clients of a night.
#[derive(Debug)]
pub struct Fleet {
    runtime: Runtime,
    shared: Arc<Shared>,
    seeds_at_once: OnceLock<usize>,
    clients: Mutex<Vec<RemoteClient>>,
}

impl Fleet {
    /// Connects, creates the streams, and begins to listen to workers.
    ///
    /// # Errors
    ///
    /// Returns a one-line message about what cannot be reached or created.
    pub fn start(options: ServeOptions) -> io::Result<Self> {
        // The allocator requests huge pages, of which each of hundreds of waiting threads would have its own.
        let _ = rustix::thread::disable_transparent_huge_pages(true);
        let runtime = Builder::new_multi_thread().enable_all().worker_threads(2).build()?;
        let (link, created) = runtime.block_on(async {
            let begun = Instant::now();
            let link = Link::connect(&options.nats, "server", options.wait).await?;
            // JetStream begins a moment after the server.
            loop {
                match link.create().await {
                    Ok(created) => return Ok::<_, io::Error>((link, created)),
                    Err(error)
                        if begun.elapsed() >= options.wait
                            || link.without_jetstream().is_some() =>
                    {
                        return Err(error);
                    }
                    Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                }
            }
        })?;
        let dispatch = Dispatch::new(Arc::clone(&link.tokens));
        dispatch.reach(link.clone());
        let shared = Arc::new(Shared {
            dispatch: Arc::new(dispatch),
            link,
            sources: Arc::new(Sources::new()),
            options,
            night: OnceLock::new(),
            created: Mutex::new(created),
            seeds: Mutex::default(),
            formats: Mutex::default(),
        });
        runtime.spawn(listen::listen(Arc::clone(&shared)));
        runtime.spawn(mend::mend(Arc::clone(&shared)));
        let (seeds_at_once, clients) = (OnceLock::new(), Mutex::default());
        Ok(Self { runtime, shared, seeds_at_once, clients })
    }

    /// Serves the metrics on this address: `127.0.0.1:9464`.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if the address cannot be used.
    pub fn serve_metrics(&self, address: &str) -> io::Result<()> {
        let listener = self.runtime.block_on(tokio::net::TcpListener::bind(address));
        let listener = listener.map_err(|error| io::Error::other(format!("{address}: {error}")))?;
        let dispatch = Arc::clone(&self.shared.dispatch);
        self.runtime.spawn(super::metrics::serve(listener, move || {
            super::metrics::of_server(&dispatch.progress(), &dispatch.beats())
        }));
        Ok(())
    }

    /// Waits for the requested number of workers, which together must have all clients in `names`.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if no worker came.
    pub fn wait_for_workers(&self, names: &[String]) -> io::Result<()> {
        let ServeOptions { workers, wait, .. } = &self.shared.options;
        let (begun, dispatch) = (Instant::now(), &self.shared.dispatch);
        loop {
            let offered = dispatch.offered().0;
            let there = |name: &String| offered.iter().any(|facts| facts.name == *name);
            let (count, slots) = dispatch.workers();
            if count >= (*workers).max(1) && !offered.is_empty() && names.iter().all(there) {
                tracing::info!("{count} workers with {slots} slots");
                return Ok(());
            }
            if begun.elapsed() >= *wait {
                return match offered.is_empty() {
                    true => Err(io::Error::other(format!(
                        "no worker came within {}",
                        humantime::format_duration(*wait)
                    ))),
                    false => Ok(()),
                };
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Ends the night. Puts its reports into the object store. Removes the rest of it if it is `finished`; otherwise it
    /// can be resumed.
    pub fn finish(self, finished: bool, report: &Path) {
        self.shared.dispatch.end();
        let Some(night) = self.shared.night.get().filter(|_| finished) else { return };
        let link = &self.shared.link;
        let leave = async {
            for name in ["summary.txt", "junit.xml", "results.sarif", "nightly.html"] {
                let Ok(bytes) = std::fs::read(report.join(name)) else { continue };
                let object = format!("report-{}-{name}", night.id);
                if let Err(error) = link.put(&link.names.files(), &object, &bytes).await {
                    tracing::warn!("cannot store the report: {error}");
                }
            }
            link.forget(&night.id).await;
        };
        // The night is in the store, so a NATS server that does not answer or the user's signal ends the wait.
        let dispatch = &self.shared.dispatch;
        let left = self.runtime.block_on(async {
            tokio::select! {
                () = leave => true,
                () = dispatch.stopped() => false,
                () = tokio::time::sleep(LEAVING) => false,
            }
        });
        if !left {
            tracing::warn!("NATS does not answer: messages of the night may be left there");
        }
        night.ledger.clone().remove();
    }

    /// Returns the identifier of the night in the store if the night has begun.
    pub fn night(&self) -> Option<&str> {
        self.shared.night.get().map(|night| night.uid.as_str())
    }

    fn way(&self) -> Way {
        Way {
            dispatch: Arc::clone(&self.shared.dispatch),
            sources: Arc::clone(&self.shared.sources),
            link: self.shared.link.clone(),
            handle: self.runtime.handle().clone(),
        }
    }

    /// Loads the jobs of earlier processes from the ledger. Replies that are in the store are not needed again.
    fn resume(&self, night: &NightData, mut kept: HashMap<(String, FileKey), usize>) {
        let entries = night.ledger.entries().unwrap_or_default();
        for (job, done) in entries {
            let answers: Option<Vec<Answer>> = done.map(|done| {
                self.runtime.block_on(night.pictures.answers(&self.shared.link, &done))
            });
            let consumed = |item: &Item| {
                let Some(file) = key_of(&item.sha256) else { return false };
                let count = kept.get_mut(&(job.client.clone(), file));
                count.is_some_and(|count| {
                    let one = *count > 0;
                    *count = count.saturating_sub(1);
                    one
                })
            };
            self.shared.dispatch.resume(&job, answers, consumed);
        }
    }
}

impl Remote for Fleet {
    fn select(&self, config: &Config, expected: &[String], extensions: &[&str]) -> Selections {
        let (offered, others) = self.shared.dispatch.offered();
        for (facts, slots) in others {
            tracing::warn!(
                "{} {:?} of {slots} slots is not used: more have another version, or another program",
                facts.name,
                facts.version
            );
        }
        let named = names(config);
        let offers = |name: &&String| offered.iter().any(|facts| facts.name == **name);
        let wanted: Vec<&ClientFacts> = match named.is_empty() {
            true => offered.iter().collect(),
            false => offered.iter().filter(|facts| named.contains(&facts.name)).collect(),
        };
        let mut clients: Vec<RemoteClient> = Vec::new();
        let mut all = Vec::new();
        for extension in extensions {
            let mut selection = Selection::default();
            for facts in wanted.iter().filter(|facts| facts.reads(extension)) {
                match facts.unusable.get(*extension) {
                    Some(why) => selection
                        .failures
                        .push(ClientFailure { name: Some(facts.name.clone()), why: why.clone() }),
                    None => {
                        let (place, facts) = (clients.len(), (*facts).clone());
                        let client = RemoteClient::new(place, facts, extension, self.way());
                        selection.clients.push(Box::new(client.clone()));
                        clients.push(client);
                    }
                }
            }
            all.push(selection);
        }
        *self.clients.lock().unwrap_or_else(PoisonError::into_inner) = clients;
        let mut all = Selections::of(all);
        let asked = if named.is_empty() { expected } else { &named };
        all.failures.extend(asked.iter().filter(|name| !offers(name)).map(|name| {
            let why = format!("no worker has client {name}");
            ClientFailure { name: Some(name.clone()), why }
        }));
        let unfit = wanted.iter().filter(|facts| named.contains(&facts.name));
        let unfit = unfit.filter(|facts| extensions.iter().all(|e| !facts.reads(e)));
        let formats = |facts: &ClientFacts| facts.formats.clone().unwrap_or_default();
        let failure =
            |facts: &&ClientFacts| ClientFailure::unfit(&facts.name, &formats(facts), extensions);
        all.failures.extend(unfit.map(failure));
        all
    }

    fn jobs(&self, clients: usize, seeds: usize) -> usize {
        let (_, slots) = self.shared.dispatch.workers();
        let all = (slots * WINDOW).min(MOST_THREADS);
        let jobs = (WINDOW * clients).clamp(WINDOW, 256);
        // While one seed starts or is reduced, the others keep the workers busy.
        let at_once = all.div_ceil(jobs).max(SEEDS).min(seeds.max(1));
        let _ = self.seeds_at_once.set(at_once);
        jobs
    }

    fn seeds_at_once(&self) -> usize {
        self.seeds_at_once.get().copied().unwrap_or(1)
    }

    fn begin(&self, batch: &Batch, stop: &Stop, time: Option<Ends>) -> io::Result<()> {
        let uid = batch.uid().map_err(io::Error::other)?;
        let id = uid.get(..12).unwrap_or(&uid).to_owned();
        let path: PathBuf = batch.store().path().to_owned();
        let about =
            |error: rusqlite::Error| io::Error::other(format!("{}-fleet: {error}", path.display()));
        let ledger = Ledger::open(&path, &id).map_err(about)?;
        let next = ledger.next_number().map_err(about)?;
        let clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let facts = clients.iter().map(RemoteClient::described).collect();
        let limits = Limits { stop: stop.clone(), time };
        self.shared.dispatch.begin(&id, facts, next, limits);
        let night = NightData { uid, id, ledger, pictures: Pictures::new() };
        self.resume(&night, batch.kept_replies().map_err(io::Error::other)?);
        let _ = self.shared.night.set(night);
        let shared = &self.shared;
        self.runtime.spawn(publish(Arc::clone(shared)));
        self.runtime.spawn(results::results(Arc::clone(shared)));
        self.runtime.spawn(dead::dead_letters(Arc::clone(shared)));
        self.runtime.spawn(dead::reconcile(Arc::clone(shared)));
        Ok(())
    }

    fn watched(
        &self,
        subject: Box<dyn Subject>,
        is_read: IsRead<'_>,
    ) -> io::Result<Box<dyn Subject>> {
        let sha256 = digest::hex(subject.seed_bytes());
        let subject: Arc<dyn Subject> = Arc::from(subject);
        let seed = shared::Seed(Arc::downgrade(&subject));
        self.shared.seeds().insert(sha256.clone(), seed);
        self.way().put(&sha256, subject.seed_bytes())?;
        let format = match is_read.texts {
            Some(texts) => {
                let name = digest::hex(texts.as_bytes());
                self.shared.formats().insert(name.clone(), Arc::clone(texts));
                self.way().put(&name, texts.as_bytes())?;
                Some(name)
            }
            None => None,
        };
        let wide = is_read.profile == Profile::Wide;
        let (restriction, max_size) = (is_read.restriction.clone(), is_read.size.0);
        let seed = SeedRef { sha256, wide, restriction, max_size, format };
        let sources = Arc::clone(&self.shared.sources);
        Ok(Box::new(Watched::new(subject, sources, seed)))
    }
}

/// Returns the names of the clients that a configuration requests.
pub fn names(config: &Config) -> Vec<String> {
    let extra = config.client.iter().filter_map(|client| client.split_once('='));
    config.clients.iter().cloned().chain(extra.map(|(name, _)| name.to_owned())).collect()
}

impl Shared {
    fn night(&self) -> &NightData {
        #[expect(clippy::expect_used, reason = "the tasks that call this begin with the night")]
        self.night.get().expect("the night has begun")
    }

    /// Adds jobs to the ledger, then publishes them. `replaced` is the job of which they are parts.
    async fn send(&self, jobs: Vec<Outgoing>, replaced: Option<String>) {
        let ledger = self.night().ledger.clone();
        let jobs = Arc::new(jobs);
        loop {
            let (ledger, jobs, replaced) = (ledger.clone(), Arc::clone(&jobs), replaced.clone());
            let add = move || {
                let rows: Vec<_> = jobs.iter().map(|out| (out.number, &out.job)).collect();
                ledger.add(&rows, replaced.as_deref())
            };
            match tokio::task::spawn_blocking(add).await {
                Ok(Ok(())) => break,
                Ok(Err(error)) => tracing::error!("cannot write the ledger: {error}"),
                Err(error) => tracing::error!("cannot write the ledger: {error}"),
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        for out in jobs.iter() {
            self.publish(out);
        }
    }

    /// Publishes a job in a separate task.
    fn publish(&self, out: &Outgoing) {
        let subject = self.link.names.job(&out.group, &out.job.night);
        let (link, payload) = (self.link.clone(), super::wire::encode(&out.job));
        let (job, client) = (out.number, &out.job.client);
        tracing::debug!(job, runs = out.job.items.len(), client, "job");
        tokio::spawn(async move { link.publish(&subject, payload).await });
    }
}

/// Publishes jobs as they are needed.
async fn publish(shared: Arc<Shared>) {
    loop {
        let tick = Duration::from_millis(200);
        let _ = tokio::time::timeout(tick, shared.dispatch.wanted()).await;
        let jobs = shared.dispatch.outgoing();
        if !jobs.is_empty() {
            shared.send(jobs, None).await;
        }
    }
}
