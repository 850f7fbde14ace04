//! Measurements: how well workers are used, and how many a server takes. Their figures are in `docs/fleet.md`.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use campaign::Stop;
use clients::{Client, Reply};
use fleet::link::NatsArgs;
use fleet::work::{self, Offered, WorkOptions};
use tiff_harness::Picture;

use crate::fleet::{Night, Process};
use crate::nats::Nats;
use crate::note;

/// A client that sleeps, and shows the same picture of every file.
struct Sleeper {
    name: String,
    time: Duration,
    slept: Arc<AtomicU64>,
}

impl Client for Sleeper {
    fn name(&self) -> &str {
        &self.name
    }
    fn version(&self) -> &str {
        "1"
    }
    fn run(&self, _: &[u8]) -> io::Result<Reply> {
        std::thread::sleep(self.time);
        self.slept.fetch_add(self.time.as_micros() as u64, Ordering::SeqCst);
        Ok(Reply::Picture(Picture::new(1, 1, vec![7; 4])))
    }
}

/// Workers in this process, each with a connection of its own, until they are stopped.
struct Sleepers {
    runtime: tokio::runtime::Runtime,
    stop: Stop,
    slept: Arc<AtomicU64>,
}

impl Sleepers {
    fn start(url: &str, workers: usize, clients: usize, time: Duration) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(2)
            .max_blocking_threads(8 * workers + 64)
            .build()
            .unwrap();
        let (stop, slept) = (Stop::new(), Arc::new(AtomicU64::new(0)));
        for k in 0..workers {
            let options = WorkOptions {
                nats: NatsArgs {
                    nats: url.to_owned(),
                    fleet: "repfuzz".to_owned(),
                    ..NatsArgs::default()
                },
                name: format!("w{k}"),
                slots: 1,
                idle_exit: None,
                metrics: None,
            };
            let client = |k| {
                let (name, slept) = (format!("c{k}"), Arc::clone(&slept));
                let client: Arc<dyn Client> = Arc::new(Sleeper { name, time, slept });
                Offered { client, unusable: Default::default() }
            };
            let (clients, stop) = ((0..clients).map(client).collect(), stop.clone());
            runtime.spawn(async move { work::run(options, clients, &stop).await.unwrap() });
        }
        Self { runtime, stop, slept }
    }

    fn end(self) -> Duration {
        self.stop.request();
        self.runtime.shutdown_timeout(Duration::from_secs(2));
        Duration::from_micros(self.slept.load(Ordering::SeqCst))
    }
}

/// A night of copies of a seed, told apart by a byte behind their end.
fn configure(night: &Night, seeds: usize, clients: usize, variants: usize) {
    let at = night.path();
    let bytes = fs::read(at.join("tiny.tif")).unwrap();
    for k in 0..seeds {
        let mut copy = bytes.clone();
        copy.extend_from_slice(&[k as u8; 2]);
        fs::write(at.join(format!("s{k}.tif")), copy).unwrap();
    }
    let names: Vec<String> = (0..clients).map(|k| format!("'c{k}'")).collect();
    let config = format!(
        "seeds = ['s*.tif']\nclients = [{}]\nvariants = {variants}\nnumber = 1\n",
        names.join(", ")
    );
    fs::write(at.join("nightly.toml"), config).unwrap();
}

/// The maximum amount of memory that a process has used, in MiB.
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// The processor time that a process has used, in seconds.
fn processor(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|n| n.parse::<f64>().ok()).sum::<f64>();
    ticks / 100.0
}

/// The result of a night of sleeping clients.
struct Measured {
    runs: u64,
    wall: Duration,
    slept: Duration,
    /// Of the serving process, in MiB.
    peak: u64,
    /// Of the serving process, in seconds.
    processor: f64,
    /// Those that `nats-server` took and gave.
    messages: u64,
}

/// Runs a night on workers that sleep.
fn measure(nats: &Nats, night: &Night, workers: usize, clients: usize, time: Duration) -> Measured {
    let before = nats.messages();
    let sleepers = Sleepers::start(&nats.url(), workers, clients, time);
    let wait = ["--workers", &workers.to_string(), "--lease", "60s"];
    let mut server: Process = night.serve(&nats.url(), &wait);
    let begin = began(night.path(), &mut server);
    let id = server.id();
    let (mut most, mut used) = (0, 0.0);
    let code = loop {
        if let Some(code) = server.ended() {
            break code;
        }
        (most, used) = (most.max(peak(id)), processor(id).max(used));
        assert!(begin.elapsed() < Duration::from_secs(7200), "it does not end");
        std::thread::sleep(Duration::from_millis(50));
    };
    let wall = begin.elapsed();
    let messages = nats.messages() - before;
    assert_eq!(code, 0);
    let slept = sleepers.end();
    let runs = (slept.as_secs_f64() / time.as_secs_f64()).round() as u64;
    Measured { runs, wall, slept, peak: most, processor: used, messages }
}

/// Waits until a night begins; returns that instant.
fn began(folder: &Path, server: &mut Process) -> Instant {
    while !folder.join("nightly.sqlite-fleet").exists() {
        assert_eq!(server.ended(), None, "the night does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    Instant::now()
}

#[test]
fn workers_that_sleep_run_each_file_once() {
    let Some(nats) = Nats::start() else { return };
    let night = Night::new(0, "0");
    configure(&night, 2, 3, 12);
    let Measured { runs, .. } = measure(&nats, &night, 4, 3, Duration::from_millis(5));
    let results = night.results();
    let outcomes = results.iter().filter(|line| line.starts_with("Text(\"outcome\")")).count();
    assert!(outcomes > 2 * 3 * 10, "{outcomes}");
    // For each seed and client: two runs of the file that variants derive from, and one of each variant;
    // also one of the seed, or of the file that is encoded again.
    let few = outcomes as u64 + 2 * 3;
    assert!((few..=few + 2 * 3 * 2).contains(&runs), "{runs} runs for {outcomes} outcomes");
}

#[test]
#[ignore = "slow: half an hour"]
fn twenty_thousand_runs_on_one_two_four_and_eight_workers() {
    let time = Duration::from_millis(environment("FLEET_SLEEP_MS", 50));
    let variants = environment("FLEET_VARIANTS", 200) as usize;
    let Some(nats) = Nats::start() else { return };
    note("workers   runs   wall s  efficiency  server: MiB, processor s");
    for workers in [8, 4, 2, 1] {
        let night = Night::new(0, "0");
        configure(&night, 10, 10, variants);
        let measured = measure(&nats, &night, workers, 10, time);
        let all = measured.wall.as_secs_f64() * workers as f64;
        let efficiency = measured.slept.as_secs_f64() / all;
        note(&format!(
            "{workers:7} {:6} {:8.1} {efficiency:11.3} {:12} {:6.1}",
            measured.runs,
            measured.wall.as_secs_f64(),
            measured.peak,
            measured.processor
        ));
    }
}

#[test]
#[ignore = "slow: minutes"]
fn two_hundred_workers() {
    let time = Duration::from_millis(environment("FLEET_SLEEP_MS", 1000));
    let variants = environment("FLEET_VARIANTS", 200) as usize;
    let workers = environment("FLEET_WORKERS", 200) as usize;
    let Some(nats) = Nats::start() else { return };
    let night = Night::new(0, "0");
    configure(&night, 8, 8, variants);
    let measured = measure(&nats, &night, workers, 8, time);
    let wall = measured.wall.as_secs_f64();
    let efficiency = measured.slept.as_secs_f64() / (wall * workers as f64);
    note(&format!(
        "{workers} workers: {} runs in {wall:.1} s, {:.0} runs a second, efficiency {efficiency:.3}; \
         server: {} MiB, {:.1} s of processor time; nats-server: {:.0} messages a second, {} MiB",
        measured.runs,
        measured.runs as f64 / wall,
        measured.peak,
        measured.processor,
        measured.messages as f64 / wall,
        peak(nats.id())
    ));
    assert!(measured.peak < 2048, "{} MiB", measured.peak);
}

/// A number in an environment variable.
fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
