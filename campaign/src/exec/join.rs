//! Joins the shards of a run.

use crate::records::{Cause, ClientId, ClientSummary, Run, rank};

impl Run {
    /// Joins `parts`, each of which has different clients, into one run. `order` has the names of all clients in their
    /// original order. `None` if there are no parts.
    ///
    /// The result is that of the undivided run, because a client's results do not depend on other clients. Only times
    /// differ. Slices of one client's variants are added up. If a part ended early, the counts of variants are those of
    /// the part that got furthest.
    pub fn join(parts: Vec<Run>, order: &[&str]) -> Option<Run> {
        let furthest = parts.iter().max_by_key(|part| part.variants)?;
        let mut whole = Run { clients: Vec::new(), causes: Vec::new(), ..furthest.clone() };
        let mut clients = Vec::new();
        for part in parts {
            whole.stopped |= part.stopped;
            whole.time_up |= part.time_up;
            whole.repeated = whole.repeated.max(part.repeated);
            whole.impossible = whole.impossible.max(part.impossible);
            whole.started = whole.started.min(part.started);
            whole.took = whole.took.max(part.took);
            let mut causes: Vec<Vec<Cause>> = vec![Vec::new(); part.clients.len()];
            for cause in part.causes {
                causes[cause.client].push(cause);
            }
            clients.extend(part.clients.into_iter().zip(causes));
        }
        let place = |name: &str| order.iter().position(|n| *n == name).unwrap_or(order.len());
        clients.sort_by_key(|(client, _)| place(&client.name));
        let clients = added(clients);
        for (id, (summary, causes)) in ClientId::all(clients.len()).zip(clients) {
            whole.clients.push(summary);
            whole.causes.extend(causes.into_iter().map(|cause| Cause { client: id, ..cause }));
        }
        rank(&mut whole.causes, |client| &whole.clients[client].name);
        Some(whole)
    }
}

/// Adds up the slices of each client, which follow each other.
fn added(clients: Vec<(ClientSummary, Vec<Cause>)>) -> Vec<(ClientSummary, Vec<Cause>)> {
    let mut all: Vec<(ClientSummary, Vec<Cause>)> = Vec::new();
    for (summary, causes) in clients {
        match all.last_mut().filter(|(last, _)| last.name == summary.name) {
            Some((last, known)) => {
                last.add(summary);
                causes.into_iter().for_each(|cause| add_cause(known, cause));
            }
            None => all.push((summary, causes)),
        }
    }
    all
}

/// Adds a cause of another slice; one with the same dimensions and signature is the same cause.
fn add_cause(known: &mut Vec<Cause>, cause: Cause) {
    let key = |c: &Cause| (c.signature(), c.standing(), c.depth, c.whole, c.dimensions.clone());
    let Some(same) = known.iter_mut().find(|one| key(one) == key(&cause)) else {
        known.push(cause);
        return;
    };
    same.count += cause.count;
    for example in cause.examples {
        if !same.examples.contains(&example) {
            same.examples.push(example);
        }
    }
    for form in cause.forms {
        if !same.forms.contains(&form) {
            same.forms.push(form);
        }
    }
}
