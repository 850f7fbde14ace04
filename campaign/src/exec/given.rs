//! The seed file as a variant: every client is run on it before the plan begins.
//!
//! A client can fail on a seed file like on any other file. Its choices are those that differ from the plainest file of
//! the same picture.

use std::sync::Arc;

use super::build::{File, ReducedVariant, reduce};
use super::context::Context;
use crate::records::{ClientId, GIVEN, Record, Row};
use crate::runtime::map;
use equivalents::subject::Variant;

/// Runs every client on the seed file or, if the client ignores dimensions in which this differs from the plainest
/// file, on the file without them. Returns the rows in the order of the clients.
pub fn run_given(context: &Context<'_>, given: &Variant) -> Vec<Row> {
    let Context { subject, clients, sessions, order, settings, log, .. } = context;
    let file = Arc::new(File::of(*subject, given.clone()));
    log.write(&Record::Variant {
        variant: GIVEN,
        vary: "the seed file".to_owned(),
        class: file.info.class,
        bytes: file.info.size,
        choices: file.info.choices.clone(),
    });
    let judged = map(settings.jobs, order, |_, client| {
        let session = sessions[*client].as_ref()?;
        let file = match reduce(*subject, clients[*client].ignores(), &file.info.choices) {
            None => Arc::clone(&file),
            Some(ReducedVariant::File(file)) => file,
            Some(ReducedVariant::Nothing | ReducedVariant::Impossible) => return None,
        };
        // The plan begins with the next file; a client that cannot be run is dropped there.
        while !context.budget.stop_requested() {
            match session.judge(&file.bytes) {
                // The user's Ctrl-C may have hit the client as well.
                Ok(None) => {}
                Ok(Some(cached)) => {
                    let name = session.client.name();
                    log.write(&Record::result(GIVEN, name, &cached.judgment, cached.took));
                    let (info, judgment) = (Arc::clone(&file.info), cached.judgment);
                    return Some(Row { variant: GIVEN, client: *client, info, judgment });
                }
                Err(_) => return None,
            }
        }
        None
    });
    let mut rows: Vec<Row> = judged.into_iter().flatten().collect();
    rows.sort_by_key(|row: &Row| -> ClientId { row.client });
    rows
}
