//! Jobs that no worker finishes.

use std::fs;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use fleet::wire::{Beat, ClientFacts, Hello, encode, group};
use futures_util::StreamExt;

use crate::fleet::Night;
use crate::nats::Nats;

/// Takes all jobs, and says nothing of them again.
async fn swallow(url: String) {
    let client = async_nats::connect(&url).await.unwrap();
    let facts = |name: &str| ClientFacts {
        name: name.to_owned(),
        version: String::new(),
        summary: String::new(),
        command: None,
        files: Default::default(),
        formats: None,
        unusable: Default::default(),
        applies: Vec::new(),
        ignores: Vec::new(),
        contract: None,
        facts: Default::default(),
        confinement: None,
    };
    let (worker, clients) = ("black-hole".to_owned(), vec![facts("mm"), facts("late")]);
    let group = group(&clients);
    let beat = Beat {
        worker: worker.clone(),
        group: group.clone(),
        process: String::new(),
        slots: 4,
        busy: 0,
        runs: 0,
        jobs: 0,
        load: 0.0,
    };
    let hello = encode(&Hello { protocol: 2, worker, group: group.clone(), clients });
    let stream = async_nats::jetstream::new(client.clone());
    loop {
        let subject = "repfuzz.hello.black-hole";
        client.publish(subject, hello.clone().into()).await.unwrap();
        client.publish("repfuzz.beat.black-hole", encode(&beat).into()).await.unwrap();
        let jobs = async {
            let stream = stream.get_stream("repfuzz-jobs").await.ok()?;
            let consumer: PullConsumer =
                stream.get_consumer(&format!("group-{group}")).await.ok()?;
            let batch = consumer.batch().max_messages(10).expires(Duration::from_millis(300));
            Some(batch.messages().await.ok()?.count().await)
        };
        if jobs.await.is_none() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[test]
fn a_job_that_no_worker_finishes_is_given_up_and_the_night_ends() {
    let Some(nats) = Nats::start() else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.spawn(swallow(nats.url()));
    let night = Night::new(3, "0");
    let mut server = night.serve(&nats.url(), &["--deliveries", "2", "--lease", "1s"]);
    let code = server.wait(Duration::from_secs(300));
    runtime.shutdown_background();
    // Nothing was read, which is lost coverage.
    assert_eq!(code, 1);
    let summary = fs::read_to_string(night.path().join("nightly-report/summary.txt")).unwrap();
    let why = "2 workers did not finish a file, one after the other";
    assert!(summary.contains(why), "{summary}");
}
