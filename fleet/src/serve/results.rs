//! Commits results to the ledger, then passes them to the campaigns, then acknowledges them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::Message;
use futures_util::{FutureExt, StreamExt};

use super::shared::Shared;
use crate::ledger::Arrival;
use crate::wire::{Done, decode, is_workers};
use reports::report::clean;

/// The maximum number of results that are committed at once, and the maximum size of their messages in bytes, as they
/// arrive and unpacked.
const AT_ONCE: usize = 256;
const MOST_BYTES: usize = 8 << 20;

/// Takes results until the program ends.
pub async fn results(shared: Arc<Shared>) {
    loop {
        if let Err(error) = take(&shared).await {
            tracing::debug!("results: {error}; trying again");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn take(shared: &Shared) -> io::Result<()> {
    let consumer = shared.link.night_results(&shared.night().id).await?;
    let stream = consumer
        .stream()
        .max_messages_per_batch(2 * AT_ONCE)
        .max_bytes_per_batch(2 * MOST_BYTES)
        .expires(Duration::from_secs(20))
        .heartbeat(Duration::from_secs(5));
    let mut messages = stream.messages().await.map_err(io::Error::other)?;
    while let Some(first) = messages.next().await {
        let first = first.map_err(io::Error::other)?;
        let mut batch = Batch::default();
        batch.add(first);
        while batch.has_room()
            && let Some(Some(Ok(next))) = messages.next().now_or_never()
        {
            batch.add(next);
        }
        batch.accept(shared).await?;
    }
    Ok(())
}

/// Results that are committed together.
#[derive(Default)]
struct Batch {
    messages: Vec<Message>,
    results: Vec<Done>,
    /// The bytes of the messages, as they arrived and unpacked.
    bytes: usize,
}

impl Batch {
    fn has_room(&self) -> bool {
        self.messages.len() < AT_ONCE && self.bytes < MOST_BYTES
    }

    fn add(&mut self, message: Message) {
        self.bytes += message.payload.len();
        match decode::<Done>(&message.payload) {
            // The NATS server decides who may use a subject, but the text may claim anything.
            Ok(done) if is_workers(&message.subject, &done.worker) => {
                self.bytes += done.size();
                self.results.push(done);
            }
            Ok(done) => {
                let worker = clean(&done.worker);
                tracing::warn!("a result of {} under the name of {worker}", message.subject);
            }
            Err(error) => tracing::warn!("a result that cannot be read: {error}"),
        }
        self.messages.push(message);
    }

    /// Commits, delivers and acknowledges the results. Those that are not committed stay in the stream.
    async fn accept(self, shared: &Shared) -> io::Result<()> {
        commit(shared, self.results).await?;
        for message in self.messages {
            // If the acknowledgment is lost, the result is delivered again and has no effect.
            message.ack().await.map_err(io::Error::other)?;
        }
        Ok(())
    }
}

/// Commits results, and passes new ones to the campaigns.
pub async fn commit(shared: &Shared, results: Vec<Done>) -> io::Result<()> {
    let night = shared.night();
    let ledger = night.ledger.clone();
    let committing = move || ledger.commit(&results).map(|arrivals| (results, arrivals));
    let committed = tokio::task::spawn_blocking(committing).await.map_err(io::Error::other)?;
    let (results, arrivals) = committed.map_err(|error| {
        tracing::error!("cannot write the ledger: {error}");
        io::Error::other(error)
    })?;
    for (done, arrival) in results.into_iter().zip(arrivals) {
        match arrival {
            Arrival::New => {
                let answers = night.pictures.answers(&shared.link, &done).await;
                shared.dispatch.complete(&done, answers);
            }
            Arrival::Repeated => shared.dispatch.repeated(),
            Arrival::Unknown => tracing::warn!("a result of the unknown job {}", clean(&done.job)),
        }
    }
    Ok(())
}
