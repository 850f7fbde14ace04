//! `repfuzz top`, and metrics.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::fleet::{Night, repfuzz};
use crate::nats::{Nats, free_port};

/// The text of `/metrics` at this port, as soon as there is one.
fn metrics(port: u16) -> String {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(60), "no metrics");
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
            stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            if text.contains("repfuzz_workers 1\n") && text.contains("repfuzz_runs_total") {
                return text;
            }
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_fleet_is_shown_and_measured() {
    let Some(nats) = Nats::start() else { return };
    let night = Night::new(200, "0.05");
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    let _worker = night.work(&nats.url(), "w-1", &[]);
    let _server = night.serve(&nats.url(), &["--metrics", &address]);
    let text = metrics(port);
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("# EOF\n"), "{text}");
    let shown = repfuzz(&["top", "--nats", &nats.url(), "--once"]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("workers: 1, slots: "), "{shown}");
    assert!(shown.contains("w-1") && shown.contains("dead letters: 0"), "{shown}");
    let wrong = repfuzz(&["top", "--nats", "nats://127.0.0.1:1", "--once"]);
    let error = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        error.starts_with("error: nats://127.0.0.1:1: ") && error.lines().count() == 1,
        "{error}"
    );
    assert_eq!(wrong.status.code(), Some(2));
}
