//! Restores the data on a NATS server that lost everything, so that the night can continue.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use super::shared::{Seed, Shared};
use crate::link::Created;

/// The time between two checks.
const LOOK: Duration = Duration::from_secs(2);

/// Checks and restores the streams and buckets until the program ends.
pub async fn mend(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(LOOK).await;
        if let Err(error) = look(&shared).await {
            tracing::debug!("streams: {error}; trying again");
        }
    }
}

/// Creates missing streams and buckets. If some are new, another server of the fleet may have created them.
async fn look(shared: &Shared) -> io::Result<()> {
    let created = shared.link.create().await?;
    if *shared.created() == created {
        return Ok(());
    }
    tracing::warn!("NATS lost its storage: seeds and jobs are given to it again");
    let (lease, deliveries) = (shared.options.lease, shared.options.deliveries as i64);
    for group in shared.dispatch.groups() {
        shared.link.group(&group, lease, deliveries).await?;
    }
    let bucket = shared.link.names.files();
    shared.seeds().retain(|_, seed| seed.0.strong_count() > 0);
    let seeds = shared.seeds().clone();
    for (sha256, seed) in &seeds {
        if let Some(seed) = seed.0.upgrade() {
            shared.link.put(&bucket, sha256, seed.seed_bytes()).await?;
        }
    }
    let formats = shared.formats().clone();
    for (sha256, texts) in &formats {
        shared.link.put(&bucket, sha256, texts.as_bytes()).await?;
    }
    for (sha256, bytes) in shared.dispatch.objects() {
        shared.link.put(&bucket, &sha256, &bytes).await?;
    }
    for out in shared.dispatch.again(false) {
        shared.publish(&out);
    }
    // This is recorded last, so that everything is sent again if a step fails.
    *shared.created() = created;
    Ok(())
}

impl Shared {
    fn created(&self) -> MutexGuard<'_, Created> {
        self.created.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seeds that are in progress.
    pub(super) fn seeds(&self) -> MutexGuard<'_, BTreeMap<String, Seed>> {
        self.seeds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The texts of the formats of seeds, by their digests.
    pub(super) fn formats(&self) -> MutexGuard<'_, BTreeMap<String, Arc<str>>> {
        self.formats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
