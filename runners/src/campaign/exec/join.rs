//! The parts of a divided run as one.

use crate::campaign::records::{Cause, Run, rank};

impl Run {
    /// The run that `parts` are the parts of, each with clients of its own; `order` has the
    /// names of all clients, as they were given. `None` if there are no parts.
    ///
    /// It is what the undivided run comes to, for what a client does depends on no other. Only
    /// times differ; and counts of variants, if a part ended before the others, are those of
    /// the part that went furthest.
    pub fn join(parts: Vec<Run>, order: &[&str]) -> Option<Run> {
        let furthest = parts.iter().max_by_key(|part| part.variants)?;
        let mut whole = Run { clients: Vec::new(), causes: Vec::new(), ..furthest.clone() };
        let mut clients = Vec::new();
        for part in parts {
            whole.stopped |= part.stopped;
            whole.time_up |= part.time_up;
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
        for (place, (client, causes)) in clients.into_iter().enumerate() {
            whole.clients.push(client);
            whole.causes.extend(causes.into_iter().map(|cause| Cause { client: place, ..cause }));
        }
        rank(&mut whole.causes, |client| &whole.clients[client].name);
        Some(whole)
    }
}
