//! Workers, the server and NATS are killed at random instants.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fleet::{Night, Process};
use crate::nats::Nats;
use crate::note;

/// Kills `kills` times while a night with `variants` variants of each seed runs on three workers, and starts what
/// was killed again. Returns the number of kills that hit the night.
fn killed(test: &str, seed: u64, kills: usize, variants: usize, sleep: &str) -> Option<usize> {
    let mut nats = Nats::start()?;
    let here = Night::new(variants, "0");
    assert_eq!(here.run_here().status.code(), Some(1));
    let night = Night::new(variants, sleep);
    let url = nats.url();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let work = |k: usize| night.work(&url, &format!("w{k}"), &[]);
    let mut workers: Vec<Process> = (0..3).map(work).collect();
    let mut server = night.serve(&url, &[]);
    let (begun, mut done) = (Instant::now(), 0);
    let mut ended = None;
    while done < kills && ended.is_none() {
        std::thread::sleep(Duration::from_millis(rng.random_range(100..1500)));
        match rng.random_range(0..5) {
            0 | 1 => {
                let k = rng.random_range(0..workers.len());
                workers[k].kill();
                workers[k] = work(k);
            }
            2 | 3 => {
                ended = server.ended();
                if ended.is_none() {
                    server.kill();
                    server = night.serve(&url, &[]);
                }
            }
            _ => {
                nats.kill();
                std::thread::sleep(Duration::from_millis(rng.random_range(0..800)));
                nats.restart();
            }
        }
        done += usize::from(ended.is_none());
        // A server that started while NATS was away has ended with an error.
        if ended.is_none() && server.ended() == Some(2) {
            server = night.serve(&url, &[]);
        }
    }
    let code = ended.unwrap_or_else(|| {
        loop {
            match server.wait(Duration::from_secs(600)) {
                2 => server = night.serve(&url, &[]),
                code => break code,
            }
        }
    });
    note(&format!("{test}: {done} kills, {:.0} s", begun.elapsed().as_secs_f64()));
    assert_eq!(code, 1);
    // Each row once, none missing, none else.
    assert_eq!(night.results(), here.results());
    assert_eq!(night.told(), here.told());
    Some(done)
}

#[test]
fn a_few_kills_change_nothing() {
    if let Some(done) = killed("a_few_kills", 7, 5, 6, "0.02") {
        assert!(done > 0);
    }
}

#[test]
#[ignore = "slow: minutes"]
fn fifty_kills_change_nothing() {
    if let Some(done) = killed("fifty_kills", 50, 50, 60, "0.3") {
        assert_eq!(done, 50, "the night ended before");
    }
}
