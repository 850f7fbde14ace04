//! The edges that a client reaches on the seed; edges that only variants reach are representation-dependent.

use std::io;

use super::executor::ClientExecutor;
use crate::records::SeedEdges;
use clients::Process;

/// Runs a client on each of `files`, all of which are the seed, and on the first one also in a fresh process, because
/// the edges of a file must not depend on files read earlier. `None` for a client whose description says that it
/// publishes no edges.
///
/// # Errors
///
/// As [`ClientExecutor::run`].
pub fn seed_edges(files: &[&[u8]], executor: &ClientExecutor<'_>) -> Option<io::Result<SeedEdges>> {
    executor.client.publishes_edges().then(|| known(files, executor))
}

fn known(files: &[&[u8]], executor: &ClientExecutor<'_>) -> io::Result<SeedEdges> {
    let run_in = |process, file: &[u8]| Ok::<_, io::Error>(executor.run(file, process)?.edges);
    let run = |file: &[u8]| run_in(Process::Any, file);
    let Some((first, others)) = files.split_first() else { return Ok(SeedEdges::Missing) };
    let (Some(mut all), Some(again)) = (run(first)?, run_in(Process::Fresh, first)?) else {
        return Ok(SeedEdges::Missing);
    };
    if again != all {
        return Ok(SeedEdges::Unsteady);
    }
    for file in others {
        run(file)?.iter().for_each(|edges| _ = all.add(edges));
    }
    Ok(SeedEdges::Known(all))
}
