//! Commits results to the ledger, then gives them to the campaigns, then acknowledges them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::Message;
use futures_util::{FutureExt, StreamExt};

use super::pictures::taken_out;
use super::shared::Shared;
use crate::fleet::ledger::Arrival;
use crate::fleet::wire::{Done, decode};

/// The most results that are committed at once.
const AT_ONCE: usize = 256;

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
        .expires(Duration::from_secs(20))
        .heartbeat(Duration::from_secs(5));
    let mut messages = stream.messages().await.map_err(io::Error::other)?;
    while let Some(first) = messages.next().await {
        let mut arrived = vec![first.map_err(io::Error::other)?];
        while arrived.len() < AT_ONCE
            && let Some(Some(Ok(next))) = messages.next().now_or_never()
        {
            arrived.push(next);
        }
        accept(shared, arrived).await?;
    }
    Ok(())
}

/// Commits, delivers and acknowledges results. Those that are not committed stay in the stream.
async fn accept(shared: &Shared, messages: Vec<Message>) -> io::Result<()> {
    let mut results = Vec::new();
    for message in &messages {
        match decode::<Done>(&message.payload) {
            // The server of NATS decides who may use a subject; the text may claim anything.
            Ok(done) if message.subject.split('.').nth(2) == Some(done.worker.as_str()) => {
                results.push(done);
            }
            Ok(done) => {
                tracing::warn!("a result of {} under the name of {}", message.subject, done.worker)
            }
            Err(error) => tracing::warn!("a result that cannot be read: {error}"),
        }
    }
    commit(shared, results).await?;
    for message in messages {
        // If this is lost, the result is delivered again, and has no effect.
        message.ack().await.map_err(io::Error::other)?;
    }
    Ok(())
}

/// Commits results, and gives those that are new to the campaigns.
pub async fn commit(shared: &Shared, results: Vec<Done>) -> io::Result<()> {
    let night = shared.night();
    let with_pictures = |mut done: Done| {
        let pictures = taken_out(&mut done.items);
        (done, pictures)
    };
    let rows: Vec<_> = results.into_iter().map(with_pictures).collect();
    let ledger = night.ledger.clone();
    let committing = move || ledger.commit(&rows).map(|arrivals| (rows, arrivals));
    let committed = tokio::task::spawn_blocking(committing).await.map_err(io::Error::other)?;
    let (rows, arrivals) = committed.map_err(|error| {
        tracing::error!("cannot write the ledger: {error}");
        io::Error::other(error)
    })?;
    for ((done, _), arrival) in rows.into_iter().zip(arrivals) {
        match arrival {
            Arrival::New => {
                let mut answers = Vec::new();
                for reply in done.items.clone() {
                    answers.push(night.pictures.answer(&shared.link, &night.ledger, reply).await);
                }
                shared.dispatch.complete(&done, answers);
            }
            Arrival::Repeated => shared.dispatch.repeated(),
            Arrival::Unknown => tracing::warn!("a result of the unknown job {}", done.job),
        }
    }
    Ok(())
}
