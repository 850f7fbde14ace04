//! One set of choices in place of a plan.

use std::sync::Arc;

use inverter::solve::Choices;

use super::context::Context;
use crate::campaign::client_session::replay;
use crate::campaign::error::CampaignError;
use crate::campaign::records::{Executed, Info, Left, Log, Record, Row};
use crate::subject::VariantError;

/// Gives every client the variant of `choices`, without what it ignores.
pub fn single(context: &Context<'_>, choices: &Choices) -> Result<Executed, CampaignError> {
    let Context { subject, clients, benches, log, budget, .. } = context;
    let mut executed = Executed::default();
    for (place, bench) in benches.iter().enumerate() {
        let Some(bench) = bench else { continue };
        let mut given = choices.clone();
        for dimension in clients[place].ignores() {
            given.remove(dimension);
        }
        if given.is_empty() && !choices.is_empty() {
            drop_client(
                &mut executed,
                log,
                place,
                bench.client.name(),
                "it ignores all of these choices",
            );
            continue;
        }
        let variant = match replay(*subject, &given) {
            Ok(variant) => variant,
            Err(VariantError::Impossible(why)) => {
                drop_client(&mut executed, log, place, bench.client.name(), &why);
                continue;
            }
            Err(VariantError::Internal(what)) => {
                return Err(CampaignError::Defect { what, choices: given });
            }
        };
        let info = Arc::new(Info::of(*subject, &variant));
        if !executed.made.contains(&info) {
            executed.made.push(Arc::clone(&info));
        }
        // Again, if Ctrl-C may have hit the client, too.
        while !budget.everything() {
            match bench.judge(&variant.bytes) {
                Ok(None) => continue,
                Ok(Some(seen)) => {
                    let judged = seen.judged;
                    executed.rows.push(Row { variant: 1, client: place, info, judged });
                }
                Err(error) => {
                    drop_client(&mut executed, log, place, bench.client.name(), &error.to_string());
                }
            }
            break;
        }
    }
    Ok(executed)
}

fn drop_client(executed: &mut Executed, log: &Log, client: usize, name: &str, why: &str) {
    log.write(&Record::Dropped { client: name.to_owned(), why: why.to_owned() });
    executed.dropped.push(Left { client, why: why.to_owned() });
}
