//! The results of a cause, by the worker of a fleet that ran them.

use std::collections::BTreeMap;

use crate::oracle::Outcome;
use crate::records::{Cause, Depth, Row, WorkerCount};
use equivalents::subject::Subject;

/// Counts the `rows` of the cause's client by worker name. Results without a worker are not counted.
pub fn by_worker(subject: &dyn Subject, cause: &Cause, rows: &[&Row]) -> Vec<WorkerCount> {
    let mut counts: BTreeMap<&str, WorkerCount> = BTreeMap::new();
    let whole = cause.depth > Depth::Partly || cause.dimensions.is_empty();
    for row in rows {
        let Some(worker) = row.judgment.worker.as_deref() else { continue };
        if !whole && !cause.is_in(subject, &row.info.varied) {
            continue;
        }
        let shown = row.signature().resembles(cause.signature());
        // Another difference may hide this one.
        if !shown && row.outcome() != Outcome::Same {
            continue;
        }
        let none = || WorkerCount { worker: worker.to_owned(), shown: 0, files: 0 };
        let count = counts.entry(worker).or_insert_with(none);
        count.files += 1;
        count.shown += usize::from(shown);
    }
    counts.into_values().collect()
}
