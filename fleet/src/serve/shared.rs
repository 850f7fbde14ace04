//! The parts of a server that its tasks share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use super::pictures::Pictures;
use crate::dispatch::Dispatch;
use crate::ledger::Ledger;
use crate::link::{Created, Link, NatsArgs};
use crate::watch::Sources;
use equivalents::subject::Subject;

/// The options of a server.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The way to NATS.
    pub nats: NatsArgs,
    /// The number of workers for which to wait.
    pub workers: usize,
    /// The maximum time to wait for them, and for the named clients.
    pub wait: Duration,
    /// The time after which the job of a silent worker is given to another one.
    pub lease: Duration,
    /// The number of workers to which a job is given in turn before it is given up.
    pub deliveries: usize,
}

/// The parts that the tasks of a server share.
#[derive(Debug)]
pub struct Shared {
    pub(super) link: Link,
    pub(super) dispatch: Arc<Dispatch>,
    pub(super) sources: Arc<Sources>,
    pub(super) options: ServeOptions,
    pub(super) night: OnceLock<NightData>,
    /// The streams and buckets that contain what this server sent.
    pub(super) created: Mutex<Created>,
    /// The seeds that are in progress, by their digests.
    pub(super) seeds: Mutex<BTreeMap<String, Seed>>,
    /// The texts of the seeds' formats, by their digests.
    pub(super) formats: Mutex<BTreeMap<String, Arc<str>>>,
}

/// A seed, as long as it is in progress.
#[derive(Clone)]
pub struct Seed(pub(super) Weak<dyn Subject>);

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Seed").finish()
    }
}

/// A night that has begun.
#[derive(Debug)]
pub struct NightData {
    /// The identifier of the night in the store.
    pub uid: String,
    /// Its identifier in subjects.
    pub id: String,
    pub(super) ledger: Ledger,
    pub(super) pictures: Pictures,
}
