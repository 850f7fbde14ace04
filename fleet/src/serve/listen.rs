//! Listens to workers, and reports the progress of the night.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;

use super::shared::Shared;
use crate::dispatch::Heard;
use crate::wire::{Beat, Hello, PROTOCOL, decode, encode};

/// The time between two reports on the night.
const REPORT: Duration = Duration::from_secs(1);

/// All workers are asked for their clients again after this number of reports.
const ASK: u64 = 10;

/// Listens to workers until the program ends.
pub async fn listen(shared: Arc<Shared>) {
    let link = &shared.link;
    let (beats, hellos) = (link.names.beat("*"), link.names.hello("*"));
    let subscribed = async {
        let beats = link.client.subscribe(beats).await?;
        Ok::<_, async_nats::SubscribeError>((beats, link.client.subscribe(hellos).await?))
    };
    let (mut beats, mut hellos) = match subscribed.await {
        Ok(both) => both,
        Err(error) => return tracing::error!("cannot listen to workers: {error}"),
    };
    let mut tick = tokio::time::interval(REPORT);
    let (mut ticks, mut doubles) = (0_u64, BTreeSet::new());
    loop {
        tokio::select! {
            Some(message) = beats.next() => {
                let beat = decode::<Beat>(&message.payload).ok();
                if let Some(beat) = beat.filter(|beat| beat.is_of(&message.subject)) {
                    let worker = beat.worker.clone();
                    match shared.dispatch.beat(beat) {
                        Heard::Known => {}
                        Heard::Stranger => ask(&shared).await,
                        Heard::Double => if doubles.insert(worker.clone()) {
                            tracing::warn!("two workers are called {worker}: give each a --name");
                        }
                    }
                }
            }
            Some(message) = hellos.next() => {
                let hello = decode::<Hello>(&message.payload).ok();
                if let Some(hello) = hello.filter(|hello| hello.is_of(&message.subject)) {
                    greet(&shared, hello).await;
                }
            }
            _ = tick.tick() => {
                if ticks.is_multiple_of(ASK) {
                    ask(&shared).await;
                }
                ticks += 1;
                report(&shared, ticks).await;
            }
            else => return,
        }
    }
}

/// Asks all workers for their clients.
async fn ask(shared: &Shared) {
    let _ = shared.link.client.publish(shared.link.names.who(), "".into()).await;
}

/// Records a worker's clients. The jobs of a new group need a consumer.
async fn greet(shared: &Shared, hello: Hello) {
    let (lease, deliveries) = (shared.options.lease, shared.options.deliveries as i64);
    let (group, worker) = (hello.group.clone(), hello.worker.clone());
    if hello.protocol < PROTOCOL {
        if shared.dispatch.refuse(&worker) {
            tracing::warn!(
                "worker {worker} is not used: it is of an earlier version of repfuzz (protocol {}, here {PROTOCOL})",
                hello.protocol
            );
        }
        return;
    }
    match shared.link.group(&group, lease, deliveries).await {
        Ok(()) => {
            let clients = hello.clients.len();
            for (here, elsewhere) in shared.dispatch.otherwise_confined(&hello) {
                tracing::warn!(
                    "worker {worker} runs clients in another sandbox than equal workers: {here}, not {elsewhere}"
                );
            }
            if shared.dispatch.hello(hello) {
                tracing::info!(group, worker, clients, "a group of clients");
            }
        }
        Err(error) => tracing::warn!(group, "cannot create its consumer: {error}"),
    }
}

/// Reports the progress of the night.
async fn report(shared: &Shared, ticks: u64) {
    let Some(night) = shared.night.get() else { return };
    let progress = shared.dispatch.progress();
    if ticks.is_multiple_of(30) {
        let crate::wire::Progress { workers, slots, waiting, outstanding, .. } = progress;
        let (runs, rate) = (progress.runs, progress.rate.round());
        tracing::info!(workers, slots, waiting, outstanding, runs, rate, "night");
        if slots == 0 && waiting > 0 {
            tracing::warn!("there is no worker with the clients of {waiting} runs that wait");
        }
    }
    let subject = shared.link.names.night(&night.id);
    let _ = shared.link.client.publish(subject, encode(&progress).into()).await;
}
