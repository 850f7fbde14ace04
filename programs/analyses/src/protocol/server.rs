//! The server: carries queries between clients, each of which runs in a thread or a process of its own.
//!
//! Only one client steps at a time, in an order that a seed decides, so that a run repeats exactly. A
//! client that panics, is late or answers nonsense is left out from then on: all places at which it had
//! answered are outdated for the others, and it counts as one that knows nothing, which is never wrong.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::channel::{FromClient, Seat, ToClient};
use super::formula::{Dereference, Formula};
use super::{Client, End, Progress, Report, Spot, Verdict, parse};

/// Settings of a run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// False if clients get no answers from one another.
    pub communicate: bool,
    /// The time of the run. Communication ends after three quarters of it.
    pub time: Duration,
    /// The time in which a client must answer.
    pub patience: Duration,
    /// The order of steps: 0 for one after the other, else the seed of a random one.
    pub schedule: u64,
}

impl Default for Settings {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { communicate: true, time: seconds(60), patience: seconds(30), schedule: 0 }
    }
}

/// A query and its answers.
#[derive(Debug, Clone)]
pub struct Event {
    /// The client that asked.
    pub asker: &'static str,
    /// The place.
    pub spot: Spot,
    /// The values that it asked for.
    pub wanted: Vec<Dereference>,
    /// The answers by client.
    pub answers: Vec<(&'static str, String)>,
}

/// Most queries that are logged.
const LOGGED: usize = 100_000;

/// The outcome of a run.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The reports by client, in the order of the clients.
    pub reports: Vec<(&'static str, Report)>,
    /// The queries, the first ones if there are many.
    pub log: Vec<Event>,
    /// The number of queries for values.
    pub queries: u64,
    /// The number of steps.
    pub steps: u64,
}

/// A client as the server sees it.
struct Slot {
    seat: Seat,
    alive: bool,
    finished: bool,
    /// Places at which it told something.
    told: BTreeSet<Spot>,
}

/// Runs clients on one program to their end, in threads. `assertions` is the number of verdicts in each report.
pub fn run(clients: Vec<Box<dyn Client>>, assertions: usize, settings: Settings) -> Outcome {
    run_seats(clients.into_iter().filter_map(Seat::local).collect(), assertions, settings)
}

/// As [`run`], with clients that run somewhere.
pub fn run_seats(seats: Vec<Seat>, assertions: usize, settings: Settings) -> Outcome {
    let slot = |seat| Slot { seat, alive: true, finished: false, told: BTreeSet::new() };
    let mut exchange = Exchange {
        slots: seats.into_iter().map(slot).collect(),
        settings,
        begin: Instant::now(),
        closed: false,
        outcome: Outcome::default(),
    };
    exchange.steps();
    exchange.reports(assertions);
    exchange.outcome
}

struct Exchange {
    slots: Vec<Slot>,
    settings: Settings,
    begin: Instant,
    /// True once communication ended.
    closed: bool,
    outcome: Outcome,
}

impl Exchange {
    /// Lets clients step until all have finished, or the time is over.
    fn steps(&mut self) {
        let (mut quiet, mut turn, mut random) = (0, 0, self.settings.schedule);
        loop {
            let open: Vec<usize> = self.open();
            let spent = self.begin.elapsed();
            if open.is_empty() || spent >= self.settings.time {
                return;
            }
            if spent >= self.settings.time * 3 / 4 || quiet > 3 * open.len() {
                if self.closed && quiet > 3 * open.len() {
                    return;
                }
                quiet = 0;
                self.conclude();
            }
            let next = if self.settings.schedule == 0 {
                turn += 1;
                open[turn % open.len()]
            } else {
                open[usize::try_from(random_next(&mut random) % open.len() as u64).unwrap_or(0)]
            };
            self.outcome.steps += 1;
            match self.step(next) {
                Some(Progress::Worked) => quiet = 0,
                Some(Progress::Waits) => quiet += 1,
                Some(Progress::Finished) => {
                    self.slots[next].finished = true;
                    quiet = 0;
                }
                None => quiet = 0,
            }
        }
    }

    fn open(&self) -> Vec<usize> {
        (0..self.slots.len()).filter(|k| self.slots[*k].alive && !self.slots[*k].finished).collect()
    }

    fn conclude(&mut self) {
        if !std::mem::replace(&mut self.closed, true) {
            for slot in self.slots.iter().filter(|slot| slot.alive) {
                // One that is gone is noticed when it is asked.
                let _ = slot.seat.to.send(ToClient::Conclude);
            }
        }
    }

    /// One step of a client, with all that it asks in it.
    fn step(&mut self, k: usize) -> Option<Progress> {
        if self.slots[k].seat.to.send(ToClient::Step).is_err() {
            self.fail(k);
            return None;
        }
        loop {
            // A client that asks for ever does not answer.
            let over = self.begin.elapsed() > self.settings.time + self.settings.patience;
            let Some(message) = self.reply(k).filter(|_| !over) else {
                self.fail(k);
                return None;
            };
            let reply = match message {
                FromClient::Stepped(progress) => return Some(progress),
                FromClient::AskValues(spot, wanted) => {
                    ToClient::Formula(self.values(k, &spot, &wanted))
                }
                FromClient::AskOver => ToClient::Bool(self.every(k, true)),
                FromClient::AskImprove => ToClient::Bool(self.every(k, false)),
                FromClient::Outdated(spot) => {
                    self.outdated(k, &spot);
                    continue;
                }
                _ => {
                    self.fail(k);
                    return None;
                }
            };
            // A client that died in the meantime is noticed above.
            let _ = self.slots[k].seat.to.send(reply);
        }
    }

    fn others(&self, k: usize) -> Vec<usize> {
        if !self.settings.communicate || self.closed {
            return Vec::new();
        }
        (0..self.slots.len()).filter(|other| *other != k && self.slots[*other].alive).collect()
    }

    /// The conjunction of the answers of all others.
    fn values(&mut self, k: usize, spot: &Spot, wanted: &[Dereference]) -> Formula {
        let (mut parts, mut answers) = (Vec::new(), Vec::new());
        let asked = self.ask_all(k, || ToClient::GetValues(spot.clone(), wanted.to_vec()));
        for other in asked {
            let Some(FromClient::Values(text)) = self.reply(other) else {
                self.fail(other);
                continue;
            };
            match parse::formula(&text) {
                Ok(Formula::True) => {}
                Ok(formula) => {
                    self.slots[other].told.insert(spot.clone());
                    parts.push(formula);
                }
                Err(_) => self.fail(other),
            }
            answers.push((self.slots[other].seat.name, text));
        }
        self.outcome.queries += 1;
        if self.outcome.log.len() < LOGGED && !answers.is_empty() {
            let asker = self.slots[k].seat.name;
            self.outcome.log.push(Event {
                asker,
                spot: spot.clone(),
                wanted: wanted.to_vec(),
                answers,
            });
        }
        Formula::and(parts)
    }

    /// The conjunction of "over-approximated", or the disjunction of "can improve".
    fn every(&mut self, k: usize, over: bool) -> bool {
        let mut all = true;
        let mut any = false;
        let query = || if over { ToClient::IsOver } else { ToClient::CanImprove };
        for other in self.ask_all(k, query) {
            match self.reply(other) {
                Some(FromClient::Bool(says)) => {
                    all &= says;
                    any |= says;
                }
                _ => {
                    self.fail(other);
                    // The others have to compute anew first.
                    all = false;
                    any = true;
                }
            }
        }
        if over { all } else { any }
    }

    fn outdated(&mut self, k: usize, spot: &Spot) {
        for other in self.others(k) {
            // One that is gone is noticed when it is asked.
            let _ = self.slots[other].seat.to.send(ToClient::Outdated(spot.clone()));
        }
    }

    /// Asks all others at once; returns whom.
    fn ask_all(&mut self, k: usize, query: impl Fn() -> ToClient) -> Vec<usize> {
        let others = self.others(k);
        for other in &others {
            // One that is gone has no reply.
            let _ = self.slots[*other].seat.to.send(query());
        }
        others
    }

    /// The reply of a client that was asked.
    fn reply(&mut self, k: usize) -> Option<FromClient> {
        self.slots[k].seat.from.recv_timeout(self.settings.patience).ok()
    }

    /// Leaves a client out. It counts as one that knows nothing from now on.
    fn fail(&mut self, k: usize) {
        if !std::mem::replace(&mut self.slots[k].alive, false) {
            return;
        }
        let told = std::mem::take(&mut self.slots[k].told);
        for spot in told {
            for other in self.others(k) {
                // As above.
                let _ = self.slots[other].seat.to.send(ToClient::Outdated(spot.clone()));
            }
        }
    }

    fn reports(&mut self, assertions: usize) {
        for k in 0..self.slots.len() {
            let alive = self.slots[k].alive;
            let asked = alive && self.slots[k].seat.to.send(ToClient::Report).is_ok();
            let report = if asked { self.reply(k) } else { None };
            let report = match report {
                Some(FromClient::Report(report)) if report.verdicts.len() == assertions => *report,
                _ => Report {
                    end: End::Crash,
                    verdicts: vec![Verdict::Unknown; assertions],
                    invariants: Vec::new(),
                },
            };
            self.outcome.reports.push((self.slots[k].seat.name, report));
        }
    }
}

/// A small generator (`splitmix64`), for the order of steps.
fn random_next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
