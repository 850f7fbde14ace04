//! Reruns the example of each known bucket on its client.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::store::{Bucket, BucketKey, BucketKind};
use campaign::{self, Recheck, Rechecked, Reference, Stop};
use clients::Client;
use equivalents::subject::Subject;

/// Reruns the examples of `buckets`, which were found on `subject`, on the `clients` that showed them. A finding is
/// gone if two runs do not show it. Skips buckets that are not reproducible, because one run proves nothing about them,
/// and buckets for which `time` does not suffice.
pub fn recheck(
    subject: &dyn Subject,
    clients: &[Box<dyn Client>],
    buckets: &[&Bucket],
    jobs: usize,
    stop: &Stop,
    time: Option<Duration>,
) -> BTreeMap<BucketKey, Rechecked> {
    let wanted = |bucket: &&Bucket| {
        bucket.key.kind == BucketKind::Reduced && !bucket.example.file.is_empty()
    };
    let of = |client: &dyn Client| -> Vec<&Bucket> {
        let all = buckets.iter().copied().filter(wanted);
        all.filter(|bucket| bucket.key.client == client.name()).collect()
    };
    let work: Vec<(&dyn Client, Vec<&Bucket>)> = clients
        .iter()
        .map(|client| (&**client, of(&**client)))
        .filter(|(_, buckets)| !buckets.is_empty())
        .collect();
    let files: Vec<(&dyn Client, Vec<Recheck<'_>>)> = work
        .iter()
        .map(|(client, buckets)| (*client, buckets.iter().map(|b| file(b)).collect()))
        .collect();
    let outcomes = campaign::recheck(subject, &files, jobs, stop, time);
    let mut rechecked = BTreeMap::new();
    for ((_, buckets), outcomes) in work.iter().zip(outcomes) {
        for (bucket, outcome) in buckets.iter().zip(outcomes) {
            rechecked.extend(outcome.map(|outcome| (bucket.key.clone(), outcome)));
        }
    }
    rechecked
}

fn file(bucket: &Bucket) -> Recheck<'_> {
    let reference = match &bucket.example.seed {
        Some(seed) => Reference::Of(seed),
        None if bucket.key.dimensions.is_empty() => Reference::Seed,
        None => Reference::Variants,
    };
    Recheck { file: &bucket.example.file, reference }
}
