//! The server carries queries between clients, each of which runs in a separate thread or process.
//!
//! Only one client steps at a time, in an order that a seed determines, so a run is reproducible. A client that panics,
//! is late or gives an invalid answer is excluded. All places at which it had answered are then outdated for the
//! others, and it counts as a client that knows nothing, which is always sound.

use std::collections::BTreeSet;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::channel::{FromClient, Seat, ToClient};
use super::formula::{Dereference, Formula};
use super::{Client, End, Progress, Report, Spot, Verdict, parse};

/// Settings of a run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// False if clients receive no answers from one another.
    pub communicate: bool,
    /// The time of the run. Communication ends after three quarters of it.
    pub time: Duration,
    /// The maximum time in which a client must answer. If a quarter of the remaining time is less, that is the limit.
    pub patience: Duration,
    /// The order of steps: 0 for round-robin, otherwise the seed of a random order.
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

/// The maximum number of queries that are logged.
const LOGGED: usize = 100_000;

/// The outcome of a run.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The reports by client, in the order of the clients.
    pub reports: Vec<(&'static str, Report)>,
    /// The queries, or only the first ones if there are many.
    pub log: Vec<Event>,
    /// The number of queries for values.
    pub queries: u64,
    /// The number of steps.
    pub steps: u64,
    /// The reason why each client that ended with a crash was excluded.
    pub crashes: Vec<(&'static str, String)>,
}

/// A client as the server sees it.
struct Slot {
    seat: Seat,
    alive: bool,
    finished: bool,
    /// Places at which it answered something.
    told: BTreeSet<Spot>,
}

/// Runs clients on one program to their end, in threads. `assertions` is the number of verdicts in each report.
pub fn run(clients: Vec<Box<dyn Client>>, assertions: usize, settings: Settings) -> Outcome {
    run_seats(clients.into_iter().filter_map(Seat::local).collect(), assertions, settings)
}

/// As [`run`], with clients that may run anywhere.
pub fn run_seats(seats: Vec<Seat>, assertions: usize, settings: Settings) -> Outcome {
    let slot = |seat| Slot { seat, alive: true, finished: false, told: BTreeSet::new() };
    let mut exchange = Exchange {
        slots: seats.into_iter().map(slot).collect(),
        settings,
        begin: Instant::now(),
        closed: false,
        late: Duration::ZERO,
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
    /// The time that clients spent waiting for others that did not answer.
    late: Duration,
    outcome: Outcome,
}

/// The reason for a client that panicked, or whose process ended.
const GONE: &str = "it ended before the run did";
/// The reason for a client whose answer does not match a question.
const NO_ANSWER: &str = "it sent something else than an answer";

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
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
                // A client that is gone is noticed at the next question.
                let _ = slot.seat.to.send(ToClient::Conclude);
            }
        }
    }

    /// Runs one step of a client, including its questions.
    fn step(&mut self, k: usize) -> Option<Progress> {
        if self.slots[k].seat.to.send(ToClient::Step).is_err() {
            self.fail(k, GONE.to_owned());
            return None;
        }
        let (begin, patience, late) = (Instant::now(), self.patience(), self.late);
        loop {
            // A client that asks forever must not use the time of the others. Time lost to late clients is not charged
            // to it.
            let late = self.late.saturating_sub(late);
            let Some(left) = (patience + late).checked_sub(begin.elapsed()) else {
                self.fail(k, format!("its step did not end in {}", seconds(patience)));
                return None;
            };
            let message = match self.reply(k, left.min(self.patience())) {
                Ok(message) => message,
                Err(why) => {
                    self.fail(k, why);
                    return None;
                }
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
                    self.fail(k, "it sent an answer to no question".to_owned());
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
            let text = match self.answer(other) {
                Ok(FromClient::Values(text)) => text,
                reply => {
                    self.fail(other, reply.err().unwrap_or_else(|| NO_ANSWER.to_owned()));
                    continue;
                }
            };
            match parse::formula(&text) {
                Ok(Formula::True) => {}
                Ok(formula) => {
                    self.slots[other].told.insert(spot.clone());
                    parts.push(formula);
                }
                Err(why) => self.fail(other, format!("it answered no formula: {why}")),
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
            match self.answer(other) {
                Ok(FromClient::Bool(says)) => {
                    all &= says;
                    any |= says;
                }
                reply => {
                    self.fail(other, reply.err().unwrap_or_else(|| NO_ANSWER.to_owned()));
                    // The others have to compute again first.
                    all = false;
                    any = true;
                }
            }
        }
        if over { all } else { any }
    }

    fn outdated(&mut self, k: usize, spot: &Spot) {
        for other in self.others(k) {
            // A client that is gone is noticed at the next question.
            let _ = self.slots[other].seat.to.send(ToClient::Outdated(spot.clone()));
        }
    }

    /// Asks all others at once; returns those that were asked.
    fn ask_all(&mut self, k: usize, query: impl Fn() -> ToClient) -> Vec<usize> {
        let others = self.others(k);
        for other in &others {
            // A client that is gone does not reply.
            let _ = self.slots[*other].seat.to.send(query());
        }
        others
    }

    /// Returns the time in which a client must answer now. It is a share of the remaining time, so that the others can
    /// continue without it.
    fn patience(&self) -> Duration {
        let time = self.settings.time;
        let left = time.saturating_sub(self.begin.elapsed());
        // A client may finish a step that it began just before the end of the time, such as a query to Z3.
        let least = (time / 16).max(Duration::from_secs(5).min(time / 3));
        self.settings.patience.min((left / 4).max(least))
    }

    /// The reply of a client, or the reason why there is none.
    fn reply(&self, k: usize, patience: Duration) -> Result<FromClient, String> {
        self.slots[k].seat.from.recv_timeout(patience).map_err(|why| match why {
            RecvTimeoutError::Timeout => format!("no answer in {}", seconds(patience)),
            RecvTimeoutError::Disconnected => GONE.to_owned(),
        })
    }

    /// Returns the reply of a client to the question of another one. Records the time that is lost by waiting for it.
    fn answer(&mut self, k: usize) -> Result<FromClient, String> {
        let begin = Instant::now();
        let reply = self.reply(k, self.patience());
        if reply.is_err() {
            self.late += begin.elapsed();
        }
        reply
    }

    /// Excludes a client for a reason. Afterwards, it counts as a client that knows nothing.
    fn fail(&mut self, k: usize, why: String) {
        if !std::mem::replace(&mut self.slots[k].alive, false) {
            return;
        }
        self.outcome.crashes.push((self.slots[k].seat.name, why));
        let told = std::mem::take(&mut self.slots[k].told);
        for spot in told {
            for other in self.others(k) {
                // If the client is gone, it is noticed at the next question.
                let _ = self.slots[other].seat.to.send(ToClient::Outdated(spot.clone()));
            }
        }
    }

    fn reports(&mut self, assertions: usize) {
        for k in 0..self.slots.len() {
            // A client that is gone does not reply.
            let asked = self.slots[k].alive.then(|| self.slots[k].seat.to.send(ToClient::Report));
            let reply = asked.map(|_| self.reply(k, self.patience()));
            let report = match reply {
                Some(Ok(FromClient::Report(report))) if report.verdicts.len() == assertions => {
                    *report
                }
                other => {
                    let why = other.and_then(Result::err);
                    self.fail(k, why.unwrap_or_else(|| "it reported no result".to_owned()));
                    Report {
                        end: End::Crash,
                        verdicts: vec![Verdict::Unknown; assertions],
                        invariants: Vec::new(),
                    }
                }
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
