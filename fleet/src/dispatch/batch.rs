//! Forms jobs: about a second of work each, or less where workers have nothing else to do.

use std::collections::VecDeque;

use super::state::{Flight, Key, Outgoing, State, Waiting};
use crate::wire::{FileSource, Job, MOST_ITEMS, PROTOCOL};

/// The work of a job in microseconds.
const WORK: f64 = 1_000_000.0;

/// The maximum number of jobs under way for each slot: the one that it runs, and others that are being prepared or
/// whose results are being sent.
const PER_SLOT: usize = 3;

/// The maximum size of a job in bytes before compression. Messages of NATS have at most 1 MiB.
const MOST_BYTES: usize = 400 << 10;

impl State {
    /// Returns the jobs that are to be published now.
    pub fn outgoing(&mut self) -> Vec<Outgoing> {
        let groups: Vec<String> = self.groups.keys().cloned().collect();
        let mut jobs = Vec::new();
        for group in groups {
            let places = self.places(&group);
            let room = self.slots(&group) * PER_SLOT;
            loop {
                let under_way = self.outstanding.get(&group).copied().unwrap_or(0);
                let pending: usize = places.iter().map(|c| self.clients[*c].queue.len()).sum();
                if under_way >= room || pending == 0 {
                    break;
                }
                let share = pending.div_ceil(room - under_way);
                let Some(job) = self.next_job(&group, &places, share) else { break };
                jobs.push(job);
            }
        }
        jobs
    }

    /// The positions, among the night's clients, of the clients of a group.
    fn places(&self, group: &str) -> Vec<usize> {
        let Some(has) = self.groups.get(group) else { return Vec::new() };
        let same = |place: &usize| {
            let facts = &self.clients[*place].facts;
            has.iter().any(|f| f.is(facts))
        };
        (0..self.clients.len()).filter(same).collect()
    }

    /// Forms a job of at most `most` runs for the client whose first run has waited longest.
    fn next_job(&mut self, group: &str, places: &[usize], most: usize) -> Option<Outgoing> {
        let since = |place: &usize| self.clients[*place].queue.front().map(|first| first.since);
        let waits = |place: &&usize| since(place).is_some();
        let place = *places.iter().filter(waits).min_by_key(|place| since(place))?;
        let client = &mut self.clients[place];
        let second = (WORK / client.cost.max(1.0)) as usize;
        let taken = take(&mut client.queue, most.min(second).clamp(1, MOST_ITEMS));
        let job = Job {
            id: String::new(),
            protocol: PROTOCOL,
            night: self.night.clone(),
            extension: client.extension.clone(),
            client: client.facts.name.clone(),
            version: client.facts.version.clone(),
            program: client.facts.files.digest(),
            seed: taken.first().and_then(|first| first.seed.as_deref().cloned()),
            items: taken.iter().map(|waiting| waiting.item.clone()).collect(),
        };
        Some(self.launch(
            group.to_owned(),
            job,
            taken.into_iter().map(|w| (w.key, Some(w))).collect(),
        ))
    }

    /// Assigns a number to a job, and records it.
    fn launch(
        &mut self,
        group: String,
        mut job: Job,
        waiting: Vec<(Key, Option<Waiting>)>,
    ) -> Outgoing {
        self.published();
        let number = self.next;
        self.next += 1;
        // The number is for people; the word is a secret that only the recipients of the job know.
        job.id = format!("{}-{number}-{}", self.night, self.tokens.word());
        *self.outstanding.entry(group.clone()).or_default() += 1;
        let out = Outgoing { number, group, job, again: 0 };
        self.flights.insert(out.job.id.clone(), Flight { out: out.clone(), waiting });
        out
    }

    /// Splits a job into jobs of one file each; `None` if it has only one file or is not under way.
    pub fn split(&mut self, job: &str) -> Option<Vec<Outgoing>> {
        let flight = self.flights.get(job).filter(|flight| flight.waiting.len() > 1)?;
        // The group of a job from an earlier process is not known.
        let group = Some(flight.out.group.clone()).filter(|group| !group.is_empty());
        let group = group.or_else(|| self.group_for(&flight.out.job))?;
        let Flight { out, waiting } = self.flights.remove(job)?;
        if let Some(count) = self.outstanding.get_mut(&out.group) {
            *count = count.saturating_sub(1);
        }
        let items = out.job.items.clone();
        let parts = items.into_iter().zip(waiting).enumerate().map(|(place, (item, waiting))| {
            let part = Job { items: vec![item], ..out.job.clone() };
            let key = waiting.0;
            let nobody = waiting.1.is_none();
            let launched = self.launch(group.clone(), part, vec![waiting]);
            if nobody {
                self.adopt(&key, (job, place), &launched.job.id);
            }
            launched
        });
        Some(parts.collect())
    }
}

/// Takes up to `most` requests for files of the same seed as the first one, as long as their bytes fit into a message.
fn take(queue: &mut VecDeque<Waiting>, most: usize) -> Vec<Waiting> {
    let mut taken: Vec<Waiting> = Vec::new();
    let mut bytes = 0;
    let mut rest = VecDeque::with_capacity(queue.len());
    while let Some(waiting) = queue.pop_front() {
        let size = size(&waiting);
        let first = taken.first();
        let fits = first.is_none_or(|first| {
            first.seed == waiting.seed
                && first.item.not_by == waiting.item.not_by
                && taken.len() < most
                && bytes + size <= MOST_BYTES
        });
        if fits {
            bytes += size;
            taken.push(waiting);
        } else {
            rest.push_back(waiting);
        }
        if taken.len() == most {
            break;
        }
    }
    rest.append(queue);
    *queue = rest;
    taken
}

/// The approximate size of a request in its job.
fn size(waiting: &Waiting) -> usize {
    200 + match &waiting.item.file {
        FileSource::Choices { choices, .. } => 64 * choices.len(),
        FileSource::Inline(text) => text.len(),
        FileSource::Own { .. } | FileSource::Object => 0,
    }
}
