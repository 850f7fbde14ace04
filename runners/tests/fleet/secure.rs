//! TLS and nkeys: each worker has a key of its own, and cannot write the results of another.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::{Client, ConnectOptions};
use fleet::wire::{Done, ItemReply, WireReply, encode};
use futures_util::StreamExt;
use nkeys::{KeyPair, KeyPairType};

use crate::fleet::Night;
use crate::installed;
use crate::nats::Nats;

/// A key that is made from a number.
fn key(number: u8) -> KeyPair {
    KeyPair::new_from_raw(KeyPairType::User, [number; 32]).unwrap()
}

/// Makes an authority, and a certificate of this machine.
fn certificates(folder: &Path) {
    let openssl = |words: &[&str]| {
        let output = Command::new("openssl").args(words).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-batch"];
    let words = |first: &[&'static str], rest: &[&'static str]| -> Vec<&'static str> {
        [first, &new, rest].concat()
    };
    let authority =
        ["-x509", "-days", "2", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem"];
    openssl(&words(&["req"], &authority));
    let request = ["-subj", "/CN=nats", "-keyout", "nats.key", "-out", "nats.csr"];
    openssl(&words(&["req"], &request));
    fs::write(folder.join("names"), "subjectAltName = IP:127.0.0.1, DNS:localhost\n").unwrap();
    openssl(&[
        "x509", "-req", "-in", "nats.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2",
        "-extfile", "names", "-out", "nats.pem",
    ]);
}

/// The configuration of the documentation, with the keys of a server and two workers.
fn configuration(folder: &Path) -> String {
    certificates(folder);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/fleet/nats-users.conf");
    let mut text = fs::read_to_string(example).unwrap();
    for (name, number) in [("SERVER", 1), ("WORKER_1", 2), ("WORKER_2", 3)] {
        fs::write(folder.join(format!("{name}.nk")), key(number).seed().unwrap()).unwrap();
        text = text.replace(&format!("${name}"), &key(number).public_key());
    }
    format!("tls {{ cert_file: nats.pem, key_file: nats.key }}\n{text}")
}

/// Connects with the key of a worker, whose name it has.
async fn connect(nats: &Nats, name: &str, number: u8) -> Client {
    ConnectOptions::with_nkey(key(number).seed().unwrap())
        .add_root_certificates(nats.folder().join("ca.pem"))
        .require_tls(true)
        .custom_inbox_prefix(format!("_INBOX_{name}"))
        .request_timeout(Some(Duration::from_secs(1)))
        .connect(nats.url())
        .await
        .unwrap()
}

/// A worker that takes no job gives results of jobs with the numbers that they have, under the identifiers that the
/// honest results have in their stream, until it is stopped.
async fn lie(liar: Client, night: String) {
    for number in (1..400).cycle() {
        let job = format!("{night}-{number}");
        let reply = WireReply::Crash("SIGSEGV: a lie".to_owned());
        let items = vec![ItemReply { us: 1, reply }];
        let done = encode(&Done { job: job.clone(), worker: "worker-2".to_owned(), items });
        let mut headers = async_nats::HeaderMap::new();
        headers.insert("Nats-Msg-Id", job.as_str());
        let subject = format!("repfuzz.result.worker-2.{night}");
        let _ = liar.publish_with_headers(subject, headers, done.into()).await;
        if number == 399 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// The identifier of a night, as soon as it has begun.
fn night_of(night: &Night) -> String {
    let begun = Instant::now();
    loop {
        if let Some(id) = night.id() {
            return id;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "no night begins");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns true if a message on this subject is stored.
async fn stored(client: &Client, subject: &'static str) -> bool {
    let stream = jetstream::new(client.clone());
    let sent = stream.publish(subject, "{}".into()).await.unwrap();
    let stored = tokio::time::timeout(Duration::from_secs(2), sent.into_future()).await;
    stored.is_ok_and(|stored| stored.is_ok())
}

#[test]
fn a_worker_with_a_key_works_and_cannot_write_the_results_of_another() {
    if !installed("openssl") {
        return;
    }
    let Some(nats) = Nats::with("tls", configuration) else { return };
    let file = |name: &str| nats.folder().join(name).display().to_string();
    let (ca, url) = (file("ca.pem"), nats.url());
    let night = Night::new(1, "0.1");
    let key_of = |name: &str| file(&format!("{name}.nk"));
    let (server, first) = (key_of("SERVER"), key_of("WORKER_1"));
    let _worker = night.work(&url, "worker-1", &["--tls-ca", &ca, "--nkey", &first]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    // Left from nowhere: the end of the night removes it.
    let foreign = "repfuzz.result.worker-2.night";
    let liar = runtime.block_on(connect(&nats, "worker-2", 3));
    let mut server = night.serve(&url, &["--tls-ca", &ca, "--nkey", &server]);
    let id = night_of(&night);
    assert!(runtime.block_on(stored(&liar, foreign)));
    let lies = runtime.spawn(lie(liar, id));
    assert_eq!(server.wait(Duration::from_secs(300)), 1);
    lies.abort();
    let here = Night::new(1, "0");
    here.run_here();
    assert_eq!(night.results(), here.results());
    // Without a key, or without the authority, nobody is let in.
    for words in [&["--tls-ca", &ca][..], &["--nkey", &first]] {
        let top = [&["top", "--once", "--nats", &url], words].concat();
        let refused = crate::fleet::repfuzz(&top);
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
    }
    runtime.block_on(async {
        let admin = jetstream::new(connect(&nats, "server", 1).await);
        let stream = admin.get_stream("repfuzz-results").await.unwrap();
        let mut left = stream.info_builder().subjects(foreign).fetch().await.unwrap();
        assert!(left.next().await.is_none(), "a foreign result is left");
        let second = connect(&nats, "worker-2", 3).await;
        assert!(stored(&second, "repfuzz.result.worker-2.night").await);
        assert!(!stored(&second, "repfuzz.result.worker-1.night").await);
        assert!(!stored(&second, "repfuzz.job.group.night").await);
    });
}
