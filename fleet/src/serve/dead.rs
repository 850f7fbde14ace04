//! Jobs that are delivered too often, and jobs that are lost.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use serde::Deserialize;

use super::results;
use super::shared::Shared;
use crate::wire::{Done, ItemReply, Job, WireReply, decode};

/// The minimum time without a result after which the server looks for lost jobs.
const SILENCE: Duration = Duration::from_secs(5);

/// The number of times that a job is republished before it is given up.
const AGAIN: u32 = 3;

/// An advisory of JetStream.
#[derive(Debug, Deserialize)]
struct Advisory {
    stream_seq: u64,
}

/// Takes dead letters until the program ends.
pub async fn dead_letters(shared: Arc<Shared>) {
    loop {
        if let Err(error) = take(&shared).await {
            tracing::debug!("dead letters: {error}; trying again");
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn take(shared: &Shared) -> io::Result<()> {
    let consumer = shared.link.night_dead(&shared.night().id).await?;
    let stream = consumer.stream().expires(Duration::from_secs(20));
    let mut messages =
        stream.heartbeat(Duration::from_secs(5)).messages().await.map_err(io::Error::other)?;
    while let Some(message) = messages.next().await {
        let message = message.map_err(io::Error::other)?;
        if let Ok(Advisory { stream_seq }) = serde_json::from_slice(&message.payload) {
            buried(shared, stream_seq).await?;
        }
        message.ack().await.map_err(io::Error::other)?;
    }
    Ok(())
}

/// Removes the job of a dead letter from the stream if it belongs to this night.
async fn buried(shared: &Shared, sequence: u64) -> io::Result<()> {
    let name = shared.link.names.jobs();
    let stream = shared.link.stream.get_stream_no_info(&name).await.map_err(io::Error::other)?;
    // The job may have been done in the meantime.
    let Ok(message) = stream.get_raw_message(sequence).await else { return Ok(()) };
    if message.subject.rsplit('.').next() != Some(shared.night().id.as_str()) {
        return Ok(());
    }
    let job = decode::<Job>(&message.payload).map_err(io::Error::other)?;
    give_up(shared, &job).await?;
    stream.delete_message(sequence).await.map_err(io::Error::other)?;
    Ok(())
}

/// Gives up a job that was delivered too often. A single file may be the reason why workers end, so each file becomes a
/// separate job. If that job fails as well, the file has no result.
async fn give_up(shared: &Shared, job: &Job) -> io::Result<()> {
    if let Some(parts) = shared.dispatch.split(&job.id) {
        tracing::warn!("job {} was delivered too often; its files are tried one by one", job.id);
        shared.send(parts, Some(job.id.clone())).await;
        return Ok(());
    }
    if !shared.dispatch.knows(&job.id) {
        return Ok(());
    }
    let deliveries = shared.options.deliveries;
    let why = format!("{deliveries} workers did not finish a file, one after the other");
    tracing::warn!("job {} of {} is given up: {why}", job.id, job.client);
    shared.dispatch.gave_up();
    let failed =
        |_| ItemReply { us: 0, reply: WireReply::Failed { why: why.clone(), glue: false } };
    let items = job.items.iter().map(failed).collect();
    let worker = "server".to_owned();
    results::commit(shared, vec![Done { job: job.id.clone(), worker, items }]).await
}

/// Republishes jobs that neither stream has, because a NATS server that is killed may lose its last messages.
pub async fn reconcile(shared: Arc<Shared>) {
    let silence = shared.options.lease.max(SILENCE);
    loop {
        tokio::time::sleep(silence / 2).await;
        if !shared.dispatch.is_stalled(silence) {
            continue;
        }
        match lost(&shared).await {
            Ok(true) => {
                for out in shared.dispatch.again(true) {
                    tracing::warn!("job {} is lost; it is published again", out.job.id);
                    if out.again > AGAIN {
                        let given_up = give_up(&shared, &out.job).await;
                        given_up.unwrap_or_else(|error| tracing::warn!("{error}"));
                    } else {
                        shared.publish(&out);
                    }
                }
            }
            Ok(false) => {
                for out in shared.dispatch.moved() {
                    tracing::warn!("job {} has no worker; it is published for others", out.job.id);
                    shared.publish(&out);
                }
            }
            Err(error) => tracing::debug!("cannot count messages: {error}"),
        }
    }
}

/// Returns true if no message of the night will still be delivered. Removes messages that will not.
async fn lost(shared: &Shared) -> io::Result<bool> {
    let night = &shared.night().id;
    let (jobs, results) = shared.link.left(night).await?;
    if results > 0 {
        return Ok(false);
    }
    if jobs > 0 {
        for group in shared.dispatch.groups() {
            if shared.link.pending(&group).await? {
                return Ok(false);
            }
        }
        shared.link.drop_jobs(night).await?;
    }
    Ok(true)
}
