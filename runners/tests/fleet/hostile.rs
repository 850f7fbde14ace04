//! Messages of strangers take neither memory nor time of a server.

use std::fs;
use std::io::Write;
use std::time::Duration;

use fleet::wire::{Beat, ClientFacts, Done, Hello, ItemReply, WireReply, encode};

use crate::fleet::Night;
use crate::nats::Nats;

/// Two gibibytes of spaces, as a message of some 65 KB whose header says how much it is.
fn bomb() -> Vec<u8> {
    const SIZE: u64 = 2 << 30;
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.set_pledged_src_size(Some(SIZE)).unwrap();
    encoder.include_contentsize(true).unwrap();
    let part = vec![b' '; 1 << 20];
    (0..SIZE >> 20).for_each(|_| encoder.write_all(&part).unwrap());
    encoder.finish().unwrap()
}

/// The maximum amount of memory that a process had, in KiB.
fn most_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix("kB").unwrap().trim().parse().unwrap()
}

fn facts(name: String) -> ClientFacts {
    ClientFacts {
        name,
        version: "\x1b]0;a\x07".to_owned(),
        summary: "x".repeat(1 << 16),
        command: None,
        files: Default::default(),
        formats: None,
        unusable: Default::default(),
        applies: Vec::new(),
        ignores: Vec::new(),
        contract: None,
        facts: Default::default(),
        confinement: None,
    }
}

/// A worker that has impossible numbers, and its clients.
fn stranger(round: u32) -> (Beat, Hello) {
    let (worker, group) = (format!("w{round}"), format!("g{round}"));
    let beat = Beat {
        worker: worker.clone(),
        group: group.clone(),
        process: String::new(),
        slots: 4096,
        busy: usize::MAX,
        runs: u64::MAX,
        jobs: u64::MAX,
        load: f64::MAX,
    };
    (beat, Hello { protocol: 2, worker, group, clients: vec![facts(format!("c{round}"))] })
}

/// A result of a job that the stranger does not have.
fn lie(night: &str) -> Done {
    let reply = WireReply::Picture { digest: "0".repeat(64), size: (u32::MAX, u32::MAX) };
    let items = vec![ItemReply { us: u64::MAX, reply }];
    Done { job: format!("{night}-1-0"), worker: "stranger".to_owned(), items }
}

async fn attack(url: String, bomb: Vec<u8>, night: &Night, rounds: std::ops::Range<u32>) {
    let client = async_nats::connect(url).await.unwrap();
    for round in rounds {
        let (beat, hello) = stranger(round);
        let mut all = vec![
            (format!("beat.w{round}"), encode(&beat)),
            (format!("hello.w{round}"), encode(&hello)),
        ];
        all.extend(["beat.x", "hello.x", "night.x"].map(|s| (s.to_owned(), bomb.clone())));
        if let Some(night) = night.id() {
            let subject = format!("result.stranger.{night}");
            all.extend([(subject.clone(), encode(&lie(&night))), (subject, bomb.clone())]);
        }
        for (subject, payload) in all {
            client.publish(format!("repfuzz.{subject}"), payload.into()).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    client.flush().await.unwrap();
}

#[test]
fn bombs_take_no_memory_and_change_no_result() {
    let Some(nats) = Nats::start() else { return };
    let here = Night::new(4, "0");
    here.run_here();
    let night = Night::new(4, "0.1");
    let mut server = night.serve(&nats.url(), &[]);
    let bomb = bomb();
    assert!(bomb.len() < 1 << 20);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(attack(nats.url(), bomb.clone(), &night, 0..10));
    let _worker = night.work(&nats.url(), "honest", &[]);
    while night.id().is_none() {
        assert!(server.ended().is_none(), "it ended before");
        std::thread::sleep(Duration::from_millis(20));
    }
    runtime.block_on(attack(nats.url(), bomb, &night, 10..20));
    let most = most_memory(server.id());
    assert!(most < 900 << 10, "{most} KiB");
    assert_eq!(server.wait(Duration::from_secs(300)), 1);
    assert_eq!(night.results(), here.results());
}
