//! The campaigns of a night, which are groups of its tasks.

use super::inputs::Mode;
use super::kinds::Seed;
use campaign::Slice;
use reports::nightly::Task;

/// A campaign of the night.
pub(super) struct Job {
    /// Its place in the batch.
    pub place: usize,
    /// The place of the seed.
    pub seed: usize,
    /// The place of its kind.
    pub kind: usize,
    /// The indices of the clients among those of the kind.
    pub clients: Vec<usize>,
    /// The slice of the variants.
    pub slice: Slice,
}

/// Groups `tasks`: one campaign for all clients of a seed whose variants are not divided, and one for
/// each slice. If nothing is fuzzed, all seeds are rechecked.
pub(super) fn jobs(tasks: &[Task], seeds: &[Seed], mode: Mode) -> Vec<Job> {
    if mode == Mode::Report {
        let job = |(seed, kind)| Job {
            place: seed,
            seed,
            kind,
            clients: Vec::new(),
            slice: Slice::WHOLE,
        };
        let kinds = seeds.iter().enumerate().filter_map(|(place, seed)| Some((place, seed.kind?)));
        return kinds.map(job).collect();
    }
    let mut jobs: Vec<Job> = Vec::new();
    let mut slices = 0;
    for task in tasks {
        let whole = task.slice.is_whole();
        match jobs.iter_mut().find(|job| whole && job.slice.is_whole() && job.seed == task.seed) {
            Some(job) => job.clients.push(task.client),
            None => {
                // A seed of no kind has no clients.
                let Some(kind) = seeds[task.seed].kind else { continue };
                slices += usize::from(!whole);
                let place = if whole { task.seed } else { seeds.len() + slices };
                let clients = vec![task.client];
                jobs.push(Job { place, seed: task.seed, kind, clients, slice: task.slice });
            }
        }
    }
    jobs
}
