//! The places of calls in the text.

use std::collections::BTreeMap;

use canonical::{FileId, Program};

/// Columns of the calls of each line and name, ascending.
pub type Calls = BTreeMap<(FileId, u32, String), Vec<u32>>;

/// The columns of all calls.
pub fn calls(source: &Program) -> Calls {
    let mut found = Calls::new();
    for (_, _, graph) in source.defined() {
        for (id, call) in graph.calls() {
            let Some(place) = graph.edge(id).place else { continue };
            for target in call.callee.targets() {
                let name = source.function(*target).name.clone();
                found.entry((place.file, place.line, name)).or_default().push(place.column);
            }
        }
    }
    for columns in found.values_mut() {
        columns.sort_unstable();
        columns.dedup();
    }
    found
}
