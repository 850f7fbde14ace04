//! Other clients that read the file of a cause correctly, which shows that it can be read.

use std::time::Duration;

use crate::client_session::ClientSession;
use crate::oracle::Outcome;
use crate::records::{Cause, Depth};
use crate::runtime::{Budget, Gate, map};

/// The maximum number of readers that are named.
const READERS: usize = 2;

/// The maximum number of clients that are run for one cause.
const TRIED: usize = 6;

/// The clients of a run, and the means to run them.
pub struct Readers<'r, 'a> {
    /// The session of each client; `None` for one that cannot be judged.
    pub sessions: &'r [Option<ClientSession<'a>>],
    /// The approximate duration of one run of each client.
    pub costs: &'r [Duration],
    /// The number of threads.
    pub jobs: usize,
    /// Decides when to end.
    pub budget: &'r Budget,
}

/// Names in each cause the first clients that read its file correctly, each with a different library. A client whose
/// contract determines no picture of the file does not count.
pub fn add_readers(clients: &Readers<'_, '_>, causes: &mut [Cause]) {
    let library = |session: &Option<ClientSession<'_>>| -> String {
        let session = session.as_ref();
        session.map(|session| session.client.facts().library).unwrap_or_default()
    };
    let libraries: Vec<String> = clients.sessions.iter().map(library).collect();
    let gate = Gate::new(clients.jobs);
    let found = map(gate.size(), causes, |_, cause| readers(clients, &libraries, &gate, cause));
    for (cause, readers) in causes.iter_mut().zip(found) {
        cause.readers = readers;
    }
}

fn readers(
    clients: &Readers<'_, '_>,
    libraries: &[String],
    gate: &Gate,
    cause: &Cause,
) -> Vec<String> {
    let (mut readers, mut tried) = (Vec::new(), 0);
    let mut known: Vec<&str> = vec![&libraries[cause.client.index()]];
    if !cause.is_fault() || cause.depth > Depth::Partly {
        return readers;
    }
    for (place, session) in clients.sessions.iter().enumerate() {
        let library = libraries[place].as_str();
        let Some(session) = session.as_ref().filter(|_| place != cause.client.index()) else {
            continue;
        };
        if readers.len() == READERS || tried == TRIED || clients.budget.ends_reduction() {
            break;
        }
        if known.contains(&library) && !library.is_empty() {
            continue;
        }
        let Some(is_right) = gate.pass(clients.costs[place], || reads(session, cause)) else {
            continue;
        };
        tried += 1;
        if is_right {
            known.push(library);
            let (name, version) = (session.client.name(), session.client.version());
            readers.push(format!("{name} {version}").trim_end().to_owned());
        }
    }
    readers
}

/// Returns true if the client of `session` reads the file of the example correctly; `None` if its contract determines
/// nothing for it.
fn reads(session: &ClientSession<'_>, cause: &Cause) -> Option<bool> {
    let small = cause.small.as_ref();
    let of_small = small.map(|small| session.of_picture(&small.picture, &small.picture));
    let session = of_small.as_ref().unwrap_or(session);
    let file = small.map_or(&cause.file, |small| &small.file);
    session.expectation.truth(file)?;
    // A failure on our side says nothing about the file.
    let judged = session.judge(file).ok().flatten()?;
    Some(judged.judgment.outcome == Outcome::Same)
}
