//! The tracks in which clients start: those with the same result on the seed are together.

use std::sync::Arc;

use super::context::Context;
use crate::oracle::Outcome;
use crate::records::{ClientId, Row, VariantInfo};
use crate::schedule::{Background, InputScheduler, Tracks};

/// All that is known about a client before its first file.
#[derive(PartialEq)]
struct Start {
    ignored: Vec<String>,
    /// The seed file in the form that the client was given, and the outcome.
    seed: Option<(Arc<VariantInfo>, Outcome)>,
    base_refused: bool,
}

/// Returns the tracks of all clients that can be judged, by their results `rows` on the seed file.
pub fn tracks(context: &Context<'_>, rows: &[Row]) -> Tracks {
    let Context { subject, clients, sessions, settings, .. } = context;
    let own = subject.own_choices();
    let given = context.given.map(|given| given.differing_from(own)).unwrap_or_default();
    let mut groups: Vec<(Vec<ClientId>, Start)> = Vec::new();
    for client in ClientId::all(clients.len()).filter(|client| sessions[*client].is_some()) {
        let row = rows.iter().find(|row| row.client == client);
        let seed = row.map(|row| (Arc::clone(&row.info), row.outcome()));
        let reads_seed = seed.as_ref().is_some_and(|(_, outcome)| *outcome != Outcome::Refused);
        let base_refused = reads_seed && context.refuse_base.contains(&client);
        let start = Start { ignored: clients[client].ignores().to_vec(), seed, base_refused };
        match groups.iter_mut().find(|(_, other)| *other == start) {
            Some((clients, _)) => clients.push(client),
            None => groups.push((vec![client], start)),
        }
    }
    let scheduler = |(clients, start): (Vec<ClientId>, Start)| {
        let Start { ignored, seed, base_refused } = start;
        let background = Background { given: given.clone(), base_refused, ignored };
        let is_feature = |dimension: &str| subject.is_feature(dimension);
        let dimensions = subject.dimensions();
        let mut scheduler =
            InputScheduler::new(settings.variants, dimensions, is_feature, own, background);
        if let Some((info, outcome)) = seed {
            scheduler.evaluate_seed(&info, outcome);
        }
        (clients, scheduler)
    };
    Tracks::new(clients.len(), groups.into_iter().map(scheduler).collect())
}
