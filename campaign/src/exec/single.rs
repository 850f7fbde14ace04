//! The execution phase of `repfuzz reduce`: one set of choices in place of a plan.

use std::sync::Arc;

use inverter::solve::Choices;

use super::build::without_ignored;
use super::context::Context;
use crate::records::{ClientId, ExecutionResults, Log, Omission, Record, Row, VariantInfo};

/// Runs every client on the variant of `choices`, without the dimensions that it ignores.
pub fn single(context: &Context<'_>, choices: &Choices) -> ExecutionResults {
    let Context { subject, clients, sessions, log, budget, .. } = context;
    let mut results = ExecutionResults::default();
    for (id, session) in ClientId::all(sessions.len()).zip(*sessions) {
        let Some(session) = session else { continue };
        let name = session.client.name();
        let given = without_ignored(choices, clients[id].ignores());
        let given = given.unwrap_or_else(|| choices.clone());
        if given.is_empty() && !choices.is_empty() {
            drop_client(&mut results, log, id, name, "it ignores all of these choices");
            continue;
        }
        let variant = match subject.replay(&given) {
            Ok(variant) => variant,
            Err(why) => {
                drop_client(&mut results, log, id, name, &why.to_string());
                continue;
            }
        };
        let info = Arc::new(VariantInfo::of(*subject, &variant));
        if !results.variants.contains(&info) {
            results.variants.push(Arc::clone(&info));
        }
        // Repeat the run if the user's Ctrl-C may have hit the client as well.
        while !budget.ends_reduction() {
            match session.judge(&variant.bytes) {
                Ok(None) => continue,
                Ok(Some(cached)) => {
                    let judgment = cached.judgment;
                    results.rows.push(Row { variant: 1, client: id, info, judgment });
                }
                Err(error) => drop_client(&mut results, log, id, name, &error.to_string()),
            }
            break;
        }
    }
    results.files = results.variants.len();
    results
}

fn drop_client(results: &mut ExecutionResults, log: &Log, client: ClientId, name: &str, why: &str) {
    log.write(&Record::Dropped { client: name.to_owned(), why: why.to_owned() });
    results.dropped.push(Omission { client, why: why.to_owned() });
}
