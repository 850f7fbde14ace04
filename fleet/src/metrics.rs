//! Metrics for Prometheus, in the OpenMetrics text format, over HTTP.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::wire::{Beat, Progress};

/// The time for one request.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers requests for `/metrics` with the text of `metrics` until the program ends.
pub async fn serve(listener: TcpListener, metrics: impl Fn() -> String) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let text = metrics();
                tokio::spawn(async move {
                    let _ = tokio::time::timeout(PATIENCE, answer(stream, &text)).await;
                });
            }
            Err(error) => {
                tracing::debug!("metrics: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Answers one request; then the connection is closed.
async fn answer(mut stream: TcpStream, metrics: &str) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut part = [0; 1024];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < 8 << 10 {
        match stream.read(&mut part).await? {
            0 => break,
            n => request.extend_from_slice(&part[..n]),
        }
    }
    let known = request.starts_with(b"GET /metrics ") || request.starts_with(b"GET /metrics?");
    let (status, kind, body) = match known {
        true => ("200 OK", "application/openmetrics-text; version=1.0.0; charset=utf-8", metrics),
        false => ("404 Not Found", "text/plain", "see /metrics\n"),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

/// Returns the metrics of a server.
pub fn of_server(progress: &Progress, workers: &[Beat]) -> String {
    let mut registry = Registry::with_prefix("repfuzz");
    let Progress { jobs, runs, repeated, dead, .. } = *progress;
    for (name, help, value) in [
        ("jobs", "Jobs whose results arrived", jobs),
        ("runs", "Runs of clients whose results arrived", runs),
        ("repeated_results", "Results that arrived again, without effect", repeated),
        ("dead_jobs", "Jobs that were given up", dead),
    ] {
        registry.register(name, help, ConstCounter::new(value));
    }
    for (name, help, value) in [
        ("waiting_runs", "Runs that wait for room in a job", progress.waiting),
        ("outstanding_jobs", "Jobs that are under way", progress.outstanding),
        ("workers", "Live workers", progress.workers),
        ("slots", "Slots of live workers", progress.slots),
    ] {
        registry.register(name, help, ConstGauge::new(value as i64));
    }
    let load = Family::<Vec<(String, String)>, Gauge<f64, AtomicU64>>::default();
    for beat in workers {
        load.get_or_create(&vec![("worker".to_owned(), beat.worker.clone())]).set(beat.load);
    }
    registry.register(
        "worker_load",
        "Part of the time in which a worker's slots run clients",
        load,
    );
    text(&registry)
}

/// Returns the metrics of a worker.
pub fn of_worker(beat: &Beat) -> String {
    let mut registry = Registry::with_prefix("repfuzz_worker");
    registry.register("jobs", "Jobs that were done", ConstCounter::new(beat.jobs));
    registry.register("runs", "Runs of clients", ConstCounter::new(beat.runs));
    registry.register("slots", "Jobs that it does at once", ConstGauge::new(beat.slots as i64));
    registry.register("busy", "Jobs that it is doing", ConstGauge::new(beat.busy as i64));
    text(&registry)
}

fn text(registry: &Registry) -> String {
    let mut text = String::new();
    // This fails only if memory runs out.
    let _ = encode(&mut text, registry);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_names_values_and_an_end() {
        let progress = Progress { jobs: 7, runs: 70, waiting: 3, ..Progress::default() };
        let beat = Beat {
            worker: "a".to_owned(),
            group: String::new(),
            process: String::new(),
            slots: 2,
            busy: 1,
            runs: 5,
            jobs: 4,
            load: 0.5,
        };
        let text = of_server(&progress, std::slice::from_ref(&beat));
        for line in [
            "repfuzz_jobs_total 7",
            "repfuzz_runs_total 70",
            "repfuzz_waiting_runs 3",
            "repfuzz_worker_load{worker=\"a\"} 0.5",
            "# EOF",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
        assert!(of_worker(&beat).contains("repfuzz_worker_busy 1\n"));
    }
}
