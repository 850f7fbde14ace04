//! Workers and servers end on a signal, wherever NATS is.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::fleet::{Night, Process, repfuzz};
use crate::installed;
use crate::nats::{Nats, free_port};

/// Far more than it takes: a process that waits for NATS never ends.
const LIMIT: Duration = Duration::from_secs(60);

/// Waits until `done`.
fn until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(300), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks processes to end, and waits for these exit codes.
fn end(mut processes: Vec<Process>, expected: &[i32]) {
    processes.iter().for_each(Process::terminate);
    for (process, code) in processes.iter_mut().zip(expected) {
        assert_eq!(process.wait(LIMIT), *code);
    }
}

#[test]
fn a_worker_that_never_reached_nats_ends() {
    let night = Night::new(1, "0");
    let url = format!("nats://127.0.0.1:{}", free_port());
    let mut worker = night.work_logged(&url, "w-1");
    let log = BufReader::new(worker.take_log());
    // It has begun to wait.
    assert!(log.lines().any(|line| line.unwrap().contains("trying again")));
    end(vec![worker], &[0]);
    // Without a job for its time, it ends by itself.
    let mut idle = night.work(&url, "w-2", &["--idle-exit", "1s"]);
    assert_eq!(idle.wait(LIMIT), 2);
}

#[test]
fn workers_and_a_server_that_lost_nats_end() {
    let Some(mut nats) = Nats::start() else { return };
    let night = Night::new(100_000, "0.2");
    let worker = night.work(&nats.url(), "w-1", &[]);
    let server = night.serve(&nats.url(), &[]);
    until("no result arrives", || night.arrived() > 0);
    nats.kill();
    // The night can be resumed.
    end(vec![worker, server], &[0, 2]);
    assert!(night.path().join("nightly.sqlite-fleet").exists());
}

#[test]
fn a_worker_ends_during_a_job() {
    let Some(mut nats) = Nats::start() else { return };
    let night = Night::new(100_000, "3");
    let workers = vec![night.work(&nats.url(), "w-1", &[]), night.work(&nats.url(), "w-2", &[])];
    let mut server = night.serve(&nats.url(), &["--workers", "2"]);
    until("no job is published", || night.id().is_some());
    nats.kill();
    end(workers, &[0, 0]);
    server.kill();
}

#[test]
fn a_nats_server_without_jetstream_has_a_remedy() {
    if !installed("nats-server") {
        return;
    }
    let port = free_port();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut plain = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", &port.to_string()])
        .env("PATH", format!("{path}:/usr/sbin:/usr/local/sbin"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("no nats-server", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    let url = format!("nats://127.0.0.1:{port}");
    let night = Night::new(1, "0");
    let config = night.path().join("nightly.toml").display().to_string();
    for words in [&["top", "--once", "--nats", &url][..], &["serve", &config, "--nats", &url]] {
        let ran = repfuzz(words);
        let error = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{error}");
        assert!(error.contains("`nats-server -js`"), "{words:?}: {error}");
    }
    let mut worker = night.work_logged(&url, "w-1");
    let log = BufReader::new(worker.take_log());
    assert!(log.lines().any(|line| line.unwrap().contains("`nats-server -js`")));
    end(vec![worker], &[0]);
    plain.kill().unwrap();
    plain.wait().unwrap();
}
