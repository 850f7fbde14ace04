//! The workers of a fleet, as known from their messages.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::state::{Flight, MOST_GROUPS, MOST_WORKERS, Outgoing, State, Worker};
use crate::wire::{Beat, ClientFacts, Hello};
use clients::sandbox::OR;

/// The time without a message after which a worker counts as gone.
const GONE: Duration = Duration::from_secs(15);

/// The server's knowledge about the sender of a worker's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// The clients of its group are known.
    Known,
    /// Its clients are not known, so the server must ask for them.
    Stranger,
    /// Two processes alternately send messages under its name. Its clients are known.
    Double,
}

impl State {
    /// Returns the sandboxes of a worker's clients that differ from those of equal versions elsewhere, each with the
    /// other ones.
    pub fn otherwise_confined(&self, hello: &Hello) -> BTreeSet<(String, String)> {
        // The worker's own group comes first, because differences that were reported are recorded there.
        let own = self.groups.get(&hello.group).into_iter();
        let known: Vec<&ClientFacts> = own.chain(self.groups.values()).flatten().collect();
        let other = |facts: &ClientFacts| {
            let same = |k: &&&ClientFacts| k.is(facts);
            let before = known.iter().find(same)?.confinement.as_ref()?;
            let mine = facts.confinement.as_ref()?;
            before.split(OR).all(|one| one != mine).then(|| (mine.clone(), before.clone()))
        };
        hello.clients.iter().filter_map(other).collect()
    }

    /// Records a worker whose clients cannot be used until it lists other ones; returns true if that was not known.
    pub fn refuse(&mut self, worker: &str) -> bool {
        self.workers.remove(worker);
        self.refused.len() < MOST_WORKERS && self.refused.insert(worker.to_owned())
    }

    /// Records a worker's clients; returns true if its group is new.
    pub fn hello(&mut self, hello: Hello) -> bool {
        self.refused.remove(&hello.worker);
        let Some(known) = self.groups.get_mut(&hello.group) else {
            if self.groups.len() >= MOST_GROUPS {
                tracing::warn!("more than {MOST_GROUPS} groups of clients: one is not known");
                return false;
            }
            self.groups.insert(hello.group, hello.clients);
            return true;
        };
        for facts in known {
            let same = |f: &&ClientFacts| f.is(facts);
            if let Some(other) = hello.clients.iter().find(same) {
                join_confinement(facts, other);
            }
        }
        false
    }

    /// Records what a worker does.
    pub fn beat(&mut self, beat: Beat) -> Heard {
        let known = self.groups.contains_key(&beat.group);
        let seen = Instant::now();
        self.workers.retain(|_, worker| worker.seen.elapsed() < GONE);
        let before = self.workers.remove(&beat.worker);
        if self.workers.len() >= MOST_WORKERS || self.refused.contains(&beat.worker) {
            return Heard::Known;
        }
        // After a restart, no message of the old process arrives after one of the new process.
        let double = before.as_ref().is_some_and(|b| b.former.as_ref() == Some(&beat.process));
        let former = before.and_then(|before| match before.beat.process == beat.process {
            true => before.former,
            false => Some(before.beat.process),
        });
        self.workers.insert(beat.worker.clone(), Worker { seen, beat, former });
        match (known, double) {
            (false, _) => Heard::Stranger,
            (true, true) => Heard::Double,
            (true, false) => Heard::Known,
        }
    }

    /// Returns the jobs under way of groups that have no worker now, reassigned to a group that has a worker and their
    /// client.
    pub fn moved(&mut self) -> Vec<Outgoing> {
        let mut flights = std::mem::take(&mut self.flights);
        let mut moved = Vec::new();
        for Flight { out, .. } in flights.values_mut() {
            if self.slots(&out.group) > 0 {
                continue;
            }
            let group = self.group_for(&out.job).filter(|group| self.slots(group) > 0);
            let Some(group) = group else { continue };
            if let Some(count) = self.outstanding.get_mut(&out.group) {
                *count = count.saturating_sub(1);
            }
            *self.outstanding.entry(group.clone()).or_default() += 1;
            out.group = group;
            moved.push(out.clone());
        }
        self.flights = flights;
        moved
    }

    /// Returns true if a live worker has the client at this position.
    pub fn is_served(&self, client: usize) -> bool {
        self.serving(client).next().is_some()
    }

    /// Returns true if a live worker other than this one has the client at this position.
    pub fn has_other(&self, client: usize, worker: &str) -> bool {
        self.serving(client).any(|beat| beat.worker != worker)
    }

    /// The live workers that have the client at this position.
    fn serving(&self, client: usize) -> impl Iterator<Item = &Beat> {
        let facts = self.clients.get(client).map(|client| &client.facts);
        let same = move |f: &ClientFacts| facts.is_some_and(|own| f.is(own));
        let has = move |beat: &&Beat| {
            beat.slots > 0 && self.groups.get(&beat.group).is_some_and(|all| all.iter().any(same))
        };
        self.live().filter(has)
    }

    fn live(&self) -> impl Iterator<Item = &Beat> {
        self.workers.values().filter(|w| w.seen.elapsed() < GONE).map(|worker| &worker.beat)
    }

    /// Returns the slots of the live workers of a group.
    pub fn slots(&self, group: &str) -> usize {
        self.live().filter(|beat| beat.group == group).map(|beat| beat.slots).sum()
    }

    /// Returns the number of live workers, and of their slots.
    pub fn workers(&self) -> (usize, usize) {
        (self.live().count(), self.live().map(|beat| beat.slots).sum())
    }

    /// Returns the live workers.
    pub fn beats(&self) -> Vec<Beat> {
        self.live().cloned().collect()
    }

    /// Returns the clients of live workers, each with the version and the program that most slots have, and the other
    /// versions.
    pub fn offered(&self) -> (Vec<ClientFacts>, Vec<(ClientFacts, usize)>) {
        let mut all: BTreeMap<(String, String, String), (ClientFacts, usize)> = BTreeMap::new();
        for beat in self.live() {
            for facts in self.groups.get(&beat.group).into_iter().flatten() {
                let key = (facts.name.clone(), facts.version.clone(), facts.files.digest());
                let known = all.entry(key).or_insert_with(|| (facts.clone(), 0));
                known.1 += beat.slots;
                join_confinement(&mut known.0, facts);
            }
        }
        let mut best: BTreeMap<String, (ClientFacts, usize)> = BTreeMap::new();
        let mut others = Vec::new();
        for ((name, ..), (facts, slots)) in all {
            match best.get_mut(&name) {
                Some((known, most)) if *most <= slots => {
                    others.push((std::mem::replace(known, facts), *most));
                    *most = slots;
                }
                Some(_) => others.push((facts, slots)),
                None => {
                    best.insert(name, (facts, slots));
                }
            }
        }
        (best.into_values().map(|(facts, _)| facts).collect(), others)
    }
}

/// Records the sandbox of `other`, which is the same client on other machines, if it differs.
fn join_confinement(facts: &mut ClientFacts, other: &ClientFacts) {
    let (Some(mine), Some(other)) = (&mut facts.confinement, &other.confinement) else { return };
    for one in other.split(OR) {
        if mine.split(OR).all(|known| known != one) {
            *mine = format!("{mine}{OR}{one}");
        }
    }
}
