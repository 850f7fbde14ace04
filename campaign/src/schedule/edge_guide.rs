//! Guidance by edges: the choices of variants that reached new edges of a client are kept, and further variants are
//! derived from them by a few other choices.
//!
//! An edge is new if neither the seed nor an earlier variant reached it. "Earlier" refers to the order of the plan, and
//! a step depends only on steps at a fixed distance, so variants do not depend on the number of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use inverter::solve::Vary;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::plan::PlanStep;
use crate::records::{ClientId, EdgeSummary, SeedEdges, VariantInfo};
use clients::Edges;

/// The maximum number of dimensions of a kept variant that are drawn again.
const MOST_CHANGES: usize = 4;

/// The edges that a client reached in a step.
pub struct Reached {
    /// The client.
    pub client: ClientId,
    /// The edges.
    pub edges: Edges,
    /// The number of the step's file.
    pub variant: u64,
    /// A description of that file.
    pub info: Arc<VariantInfo>,
    /// True if it showed the expected result. Variants derived from other files would mostly fail again with the same
    /// cause.
    pub same: bool,
}

/// A variant that reached new edges.
#[derive(Debug)]
struct Kept {
    variant: u64,
    info: Arc<VariantInfo>,
    /// The number of steps derived from it.
    uses: usize,
}

/// The edges of one client.
#[derive(Debug)]
struct Progress {
    seed: Edges,
    /// The edges of the seed and of all evaluated variants.
    all: Edges,
    found: Vec<(u64, usize)>,
}

/// Collects the edges of all clients, and derives steps from the variants that reached new ones.
pub struct EdgeGuide {
    run_seed: u64,
    dimensions: BTreeSet<String>,
    clients: Vec<(ClientId, Result<Progress, EdgeSummary>)>,
    /// The results of steps that are not evaluated yet.
    results: BTreeMap<u64, Vec<Reached>>,
    kept: Vec<Kept>,
}

impl EdgeGuide {
    /// A guide for a run with this run seed, over `dimensions`. `clients` are those that publish edges, with the edges
    /// of the seed.
    pub fn new(run_seed: u64, dimensions: &[String], clients: &[(ClientId, SeedEdges)]) -> Self {
        let progress = |seed: &SeedEdges| match seed {
            SeedEdges::Missing => Err(EdgeSummary::Missing),
            SeedEdges::Unsteady => Err(EdgeSummary::Unsteady),
            SeedEdges::Known(seed) => {
                Ok(Progress { seed: seed.clone(), all: seed.clone(), found: Vec::new() })
            }
        };
        Self {
            run_seed,
            dimensions: dimensions.iter().cloned().collect(),
            clients: clients.iter().map(|(id, seed)| (*id, progress(seed))).collect(),
            results: BTreeMap::new(),
            kept: Vec::new(),
        }
    }

    /// Records the edges that a client reached in step `k`.
    pub fn record(&mut self, k: u64, reached: Reached) {
        self.results.entry(k).or_default().push(reached);
    }

    /// Returns step `k`, derived from a kept variant, if it is the turn of such a step; `index` determines its random
    /// choices. The result depends only on the steps before `before`, all of which must have been recorded. `k` must
    /// increase from call to call.
    pub fn step(&mut self, k: u64, index: u64, before: u64) -> Option<PlanStep> {
        self.evaluate(before);
        if k.is_multiple_of(2) {
            return None;
        }
        // The variant that was used least; if there are several, the latest.
        let (_, kept) = self
            .kept
            .iter_mut()
            .enumerate()
            .min_by_key(|(place, k)| (k.uses, usize::MAX - place))?;
        kept.uses += 1;
        let mut random = ChaCha8Rng::seed_from_u64(self.run_seed);
        random.set_stream(index);
        let changes = random.random_range(1..=MOST_CHANGES);
        let names = self.dimensions.iter().sample(&mut random, changes);
        Some(PlanStep {
            index,
            vary: Vary::only(names),
            overrides: kept.info.choices.clone(),
            from: Some(kept.variant),
        })
    }

    /// Evaluates the steps before `before`, in their order.
    fn evaluate(&mut self, before: u64) {
        while let Some(entry) = self.results.first_entry().filter(|entry| *entry.key() < before) {
            let mut results = entry.remove();
            // The results were recorded in any order.
            results.sort_by_key(|reached| reached.client);
            let mut kept = None;
            for Reached { client, edges, variant, info, same } in results {
                let known = self.clients.iter_mut().find(|(id, _)| *id == client);
                let Some((_, Ok(progress))) = known else { continue };
                let new = progress.all.add(&edges);
                if new > 0 {
                    progress.found.push((variant, new));
                    kept = kept.or(same.then_some((variant, info)));
                }
            }
            if let Some((variant, info)) = kept {
                self.dimensions.extend(info.choices.iter().map(|(name, _)| name.to_owned()));
                self.kept.push(Kept { variant, info, uses: 0 });
            }
        }
    }

    /// Returns what all clients reached.
    pub fn finish(mut self) -> Vec<(ClientId, EdgeSummary)> {
        self.evaluate(u64::MAX);
        let summary = |progress: Result<Progress, EdgeSummary>| match progress {
            Err(summary) => summary,
            Ok(Progress { seed, all, found }) => EdgeSummary::Known {
                build: all.of_build(),
                seed: seed.count(),
                beyond: all.without(&seed).iter().collect(),
                found,
                places: Vec::new(),
            },
        };
        self.clients.into_iter().map(|(id, progress)| (id, summary(progress))).collect()
    }
}

#[cfg(test)]
#[path = "edge_guide_tests.rs"]
mod tests;
