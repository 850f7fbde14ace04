//! Tracks: groups of clients that have had the same results, and are therefore given the same files.
//!
//! All clients start in a few tracks. A track divides when its clients differ in a result, so the files of a client
//! depend only on its own results, and clients without limits share their files.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::input_scheduler::InputScheduler;
use crate::oracle::Outcome;
use crate::records::{ClientId, VariantInfo};

/// A file that was made for a client in a step, and the outcome, if the client was run on it.
#[derive(Debug, Clone, PartialEq)]
struct Report {
    info: Arc<VariantInfo>,
    outcome: Option<Outcome>,
}

/// Clients with the same results.
#[derive(Debug)]
pub struct Track {
    /// The clients, in their order.
    pub clients: Vec<ClientId>,
    /// Decides on their next file.
    pub scheduler: InputScheduler,
    /// The number of steps that were evaluated.
    evaluated: u64,
}

/// All clients in tracks.
#[derive(Debug)]
pub struct Tracks {
    tracks: Vec<Track>,
    /// The reports of each client on the steps that are not evaluated yet.
    reports: Vec<BTreeMap<u64, Report>>,
}

impl Tracks {
    /// Tracks of `clients` clients; each group comes with its scheduler.
    pub fn new(clients: usize, groups: Vec<(Vec<ClientId>, InputScheduler)>) -> Self {
        let track = |(clients, scheduler)| Track { clients, scheduler, evaluated: 0 };
        let tracks = groups.into_iter().map(track).collect();
        Self { tracks, reports: vec![BTreeMap::new(); clients] }
    }

    /// Records the file that was made for a client in step `k`, unless the client had it before.
    pub fn made(&mut self, k: u64, client: ClientId, info: &Arc<VariantInfo>) {
        self.reports[client].insert(k, Report { info: Arc::clone(info), outcome: None });
    }

    /// Records the outcome of a client on the file of step `k`.
    pub fn ran(&mut self, k: u64, client: ClientId, outcome: Outcome) {
        if let Some(report) = self.reports[client].get_mut(&k) {
            report.outcome = Some(outcome);
        }
    }

    /// Evaluates the steps before `before`, all of which must be finished, and returns the tracks in a
    /// fixed order. `before` must not decrease from call to call.
    pub fn at(&mut self, before: u64) -> &mut [Track] {
        let mut tracks = Vec::new();
        for track in std::mem::take(&mut self.tracks) {
            self.evaluate(track, before, &mut tracks);
        }
        self.tracks = tracks;
        &mut self.tracks
    }

    /// Evaluates the steps of one track, and adds it, or the tracks into which it divides, to `tracks`.
    fn evaluate(&mut self, mut track: Track, before: u64, tracks: &mut Vec<Track>) {
        while track.evaluated < before {
            let k = track.evaluated;
            track.evaluated += 1;
            let mut groups: Vec<(Option<Report>, Vec<ClientId>)> = Vec::new();
            for client in track.clients.drain(..) {
                let report = self.reports[client].remove(&k);
                match groups.iter_mut().find(|(known, _)| *known == report) {
                    Some((_, clients)) => clients.push(client),
                    None => groups.push((report, vec![client])),
                }
            }
            let mut groups = groups.into_iter();
            let Some((first, clients)) = groups.next() else { return };
            for (report, clients) in groups {
                let mut scheduler = track.scheduler.clone();
                evaluate(&mut scheduler, k, report);
                self.evaluate(Track { clients, scheduler, ..track }, before, tracks);
            }
            track.clients = clients;
            evaluate(&mut track.scheduler, k, first);
        }
        tracks.push(track);
    }
}

fn evaluate(scheduler: &mut InputScheduler, k: u64, report: Option<Report>) {
    let (info, outcome) = report.map_or((None, None), |r| (Some(r.info), r.outcome));
    scheduler.evaluate(k, info.as_ref(), outcome);
}
