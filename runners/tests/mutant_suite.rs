//! How good the fuzzer is, measured on readers with planted faults: whether it finds them, how
//! soon, and whether it names what they take.

mod mutants;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;
use mutants::{Mutant, PLANTED, Planted, Source};
use runners::campaign::{About, Campaign, Cause, Log, Record, Run, Settings, Stop};
use runners::client::Client;
use runners::oracle::Outcome;

/// What a campaign wrote.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One mutant in one run.
struct Killed {
    planted: &'static Planted,
    /// How many variants were made until the first that it fails on.
    after: Option<usize>,
    /// Causes that are just what was planted, and the others.
    right: usize,
    wrong: Vec<String>,
}

fn of(source: Source, most: usize) -> Vec<&'static Planted> {
    PLANTED.iter().filter(|p| p.source == source && p.order() <= most).collect()
}

fn run(source: Source, clients: &[Box<dyn Client>], settings: Settings) -> (Run, Vec<Record>) {
    let paper = Paper::default();
    let run = Campaign {
        subject: &source.seed(),
        clients,
        settings,
        about: About::default(),
        log: &Log::to(paper.clone()),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap();
    let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    (run, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The variants, counted, up to the first on which each client differs.
fn first_differences(records: &[Record], clients: &[Box<dyn Client>]) -> Vec<Option<usize>> {
    let step =
        |r: &Record| if let Record::Variant { variant, .. } = r { Some(*variant) } else { None };
    let steps: Vec<u64> = records.iter().filter_map(step).collect();
    let first = |client: &dyn Client| {
        let differs = |r: &Record| match r {
            Record::Result { variant, client: name, outcome, .. } => {
                (name == client.name() && *outcome != Outcome::Same).then_some(*variant)
            }
            _ => None,
        };
        let first = records.iter().filter_map(differs).min()?;
        Some(steps.iter().filter(|step| (1..=first).contains(*step)).count())
    };
    clients.iter().map(|client| first(&**client)).collect()
}

fn is_planted(planted: &Planted, cause: &Cause) -> bool {
    let mut found: Vec<&str> = cause.dimensions.iter().map(String::as_str).collect();
    found.sort_unstable();
    let same = |set: &&[&str]| {
        let mut set = set.to_vec();
        set.sort_unstable();
        set == found
    };
    cause.outcome == planted.outcome && planted.dimensions.iter().any(same)
}

fn hunt(source: Source, most: usize, settings: Settings) -> Vec<Killed> {
    let planted = of(source, most);
    let mutant = |p: &&Planted| Box::new(Mutant::new(&p.name(), &[p.fault])) as Box<dyn Client>;
    let mut clients: Vec<Box<dyn Client>> = planted.iter().map(mutant).collect();
    clients.push(Box::new(Mutant::correct()));
    let (run, records) = run(source, &clients, settings);
    let first = first_differences(&records, &clients);
    assert_eq!(first.last(), Some(&None), "a false alarm");
    let killed = |(k, planted): (usize, &'static Planted)| {
        let mine = run.causes.iter().filter(|c| c.client == k);
        let (right, wrong): (Vec<&Cause>, Vec<&Cause>) = mine.partition(|c| is_planted(planted, c));
        let told = |c: &Cause| format!("{} {:?} {:?}", c.outcome, c.depth, c.dimensions);
        let wrong = wrong.into_iter().map(told).collect();
        Killed { planted, after: first[k], right: right.len(), wrong }
    };
    planted.into_iter().enumerate().map(killed).collect()
}

#[test]
#[ignore = "slow: a look at all mutants"]
fn probe() {
    let variants: usize = std::env::var("N").map_or(300, |n| n.parse().unwrap());
    let seed: u64 = std::env::var("SEED").map_or(1, |n| n.parse().unwrap());
    let (mut right, mut wrong) = (0, 0);
    for source in Source::ALL {
        let settings = Settings { variants, seed, jobs: 2, ..Settings::default() };
        let begun = std::time::Instant::now();
        for k in hunt(source, 3, settings) {
            right += k.right;
            wrong += k.wrong.len();
            if k.after.is_none() || !k.wrong.is_empty() {
                let p = k.planted;
                println!(
                    "{source:?} {} {} {:?}: {:?} {} {:?}",
                    p.name(),
                    p.outcome,
                    p.dimensions,
                    k.after,
                    k.right,
                    k.wrong
                );
            }
        }
        println!("{source:?} {:?}", begun.elapsed());
    }
    println!("{right} right, {wrong} wrong");
}
