//! Mutation analysis of the fuzzer: which planted faults it finds, after how many variants, and
//! whether the causes name the right dimensions.

mod mutants;
mod paper;

use std::io::{self, Write};

use indicatif::ProgressBar;
use mutants::{Fault, Mutant, PLANTED, Planted, Source};
use paper::Paper;
use runners::campaign::{
    About, Campaign, Cause, Depth, Guidance, Log, Record, Run, Settings, Stop, Verdict,
};
use runners::client::{Client, Reply};
use runners::oracle::Outcome;
use tiff_harness::Seed;

/// The result of one mutant in one run.
struct Killed {
    planted: &'static Planted,
    /// True if it failed on a variant.
    dead: bool,
    /// The number of causes that are exactly the planted one.
    right: usize,
    /// The number of minimal causes that have more dimensions: the plainest file, which causes are
    /// reduced to, lacks what the fault needs of the seed, such as a second strip.
    completed: usize,
    /// The other causes.
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
    (run, paper.records())
}

/// Counts the variants up to the first on which each client differs.
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

/// Returns true if `cause` is minimal and has all dimensions that the fault was planted in, and others.
fn contains_planted(planted: &Planted, cause: &Cause) -> bool {
    let has = |dimension: &&str| cause.dimensions.iter().any(|d| d == dimension);
    cause.outcome == planted.outcome
        && cause.depth == Depth::Minimal
        && planted.dimensions.iter().any(|set| set.iter().all(has))
}

fn hunt(source: Source, most: usize, settings: Settings) -> Vec<Killed> {
    let planted = of(source, most);
    let mutant = |p: &&Planted| Box::new(Mutant::new(&p.name(), &[p.fault])) as Box<dyn Client>;
    let mut clients: Vec<Box<dyn Client>> = planted.iter().map(mutant).collect();
    clients.push(Box::new(Mutant::correct()));
    let (run, records) = run(source, &clients, settings);
    let first = first_differences(&records, &clients);
    assert_eq!(first.last(), Some(&None), "a false alarm");
    let seed = source.file();
    let killed = |(k, planted): (usize, &'static Planted)| {
        let mine: Vec<&Cause> = run.causes.iter().filter(|c| c.client.index() == k).collect();
        assert_blame(planted, &mine, clients[k].run(&seed).unwrap(), &run);
        let mine = mine.into_iter();
        let (right, wrong): (Vec<&Cause>, Vec<&Cause>) = mine.partition(|c| is_planted(planted, c));
        let (completed, wrong): (Vec<&Cause>, Vec<&Cause>) =
            wrong.into_iter().partition(|c| contains_planted(planted, c));
        let described = |c: &Cause| format!("{} {:?} {:?}", c.signature(), c.depth, c.dimensions);
        let wrong = wrong.into_iter().map(described).collect();
        let (right, completed) = (right.len(), completed.len());
        Killed { planted, dead: first[k].is_some(), right, completed, wrong }
    };
    planted.into_iter().enumerate().map(killed).collect()
}

/// Checks which file the causes of a mutant blame. `on_seed` is what it makes of the seed.
fn assert_blame(planted: &Planted, causes: &[&Cause], on_seed: Reply, run: &Run) {
    let blamed = |verdict: Verdict| causes.iter().any(|c| c.verdict == Some(verdict));
    let context = format!(
        "{}: {:?}",
        planted.name(),
        causes.iter().map(|c| (&c.dimensions, c.verdict)).collect::<Vec<_>>()
    );
    assert!(!blamed(Verdict::ContractUnknown), "{context}");
    let misread = on_seed != Reply::Picture(run.picture.clone());
    let seed_is_blamed = blamed(Verdict::SeedWrong) || blamed(Verdict::BothWrong);
    assert_eq!(misread, seed_is_blamed, "{context}");
}

/// Runs a campaign without reduction. It ends when the last mutant is killed, or after `variants`.
fn kills(source: Source, settings: Settings) -> Vec<(&'static Planted, Option<usize>)> {
    let planted = of(source, 3);
    let mutant = |p: &&Planted| Box::new(Mutant::new(&p.name(), &[p.fault])) as Box<dyn Client>;
    let clients: Vec<Box<dyn Client>> = planted.iter().map(mutant).collect();
    let (stop, variants) = (Stop::new(), settings.variants);
    let watch = Watch {
        stop: stop.clone(),
        alive: planted.iter().map(|p| p.name()).collect(),
        left: variants,
        paper: Paper::default(),
    };
    let paper = watch.paper.clone();
    let subject = source.seed();
    let (log, progress) = (Log::to(watch), ProgressBar::hidden());
    // The last variants are cut off, because runs under way are dropped.
    let settings = Settings { variants: variants + 64, ..settings };
    let about = About::default();
    let (subject, clients, stop, log) = (&subject, &clients[..], &stop, &log);
    Campaign { subject, clients, settings, about, log, stop, progress }.run().unwrap();
    let records = paper.records();
    planted.into_iter().zip(first_differences(&records, clients)).collect()
}

/// Ends a campaign, including its reduction, when no mutant is left alive.
struct Watch {
    stop: Stop,
    alive: Vec<String>,
    left: usize,
    paper: Paper,
}

impl Write for Watch {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match serde_json::from_slice(line) {
            Ok(Record::Variant { variant: 1.., .. }) => self.left = self.left.saturating_sub(1),
            Ok(Record::Result { client, outcome, .. }) if outcome != Outcome::Same => {
                self.alive.retain(|name| *name != client);
            }
            _ => {}
        }
        if (self.left == 0 || self.alive.is_empty()) && !self.stop.ends_reduction() {
            self.stop.request();
            self.stop.request();
        }
        self.paper.write(line)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2
}

/// Measures the variants until all mutants of an order are killed: the median of ten runs for each
/// seed file, and the worst of all seed files except the bilevel one.
#[test]
#[ignore = "slow: 80 campaigns"]
fn all_mutants_die_and_sooner_if_guided() {
    let runs: u64 = std::env::var("RUNS").map_or(10, |n| n.parse().unwrap());
    println!("{:<9}{:<9}{:>9}{:>9}", "seed", "order", "guided", "random");
    let mut worst = [[0; 2]; 4];
    for source in Source::ALL {
        let mut medians = [[None; 2]; 4];
        for (way, guidance) in [Guidance::Guided, Guidance::Random].into_iter().enumerate() {
            let mut last: [Vec<usize>; 4] = Default::default();
            for seed in 1..=runs {
                let settings =
                    Settings { variants: 1500, seed, jobs: 2, guidance, ..Settings::default() };
                let kills = kills(source, settings);
                for (order, last) in last.iter_mut().enumerate().skip(1) {
                    let mine = kills.iter().filter(|(p, _)| p.order() == order);
                    last.extend(mine.clone().map(|(_, k)| k.unwrap_or(1500)).max());
                    if guidance == Guidance::Guided {
                        let most = if order == 3 { 1500 } else { 300 };
                        let late = |after: &Option<usize>| after.is_none_or(|k| k > most);
                        let late: Vec<String> = mine
                            .filter(|(_, k)| late(k))
                            .map(|(p, k)| format!("{}: {k:?}", p.name()))
                            .collect();
                        if !late.is_empty() {
                            println!("  run {seed}, late: {late:?}");
                        }
                    }
                }
            }
            for (order, last) in last.into_iter().enumerate().filter(|(_, last)| !last.is_empty()) {
                medians[order][way] = Some(median(last));
            }
        }
        for (order, [guided, random]) in medians.into_iter().enumerate() {
            if let (Some(guided), Some(random)) = (guided, random) {
                println!("{:<9}{order:<9}{guided:>9}{random:>9}", format!("{source:?}"));
                // CCITT needs one bit, one sample and no palette together, so its faults are found
                // later than the others.
                if matches!(source, Source::Bilevel) {
                    assert!(guided <= 1500);
                    continue;
                }
                worst[order] = [worst[order][0].max(guided), worst[order][1].max(random)];
            }
        }
    }
    for (order, [guided, random]) in worst.into_iter().enumerate().skip(1) {
        println!("{:<9}{order:<9}{guided:>9}{random:>9}", "worst");
        assert!(guided <= if order == 3 { 1500 } else { 300 });
        assert!(guided <= random);
    }
}

/// Counts the causes of all mutants of up to `most` dimensions that are the planted ones, alone or
/// with others that they need on the plainest file, and all others. Prints the others.
fn naming(sources: &[Source], most: usize, settings: &Settings) -> (usize, usize) {
    let (mut right, mut completed, mut wrong) = (0, 0, 0);
    for source in sources {
        for killed in hunt(*source, most, settings.clone()) {
            right += killed.right;
            completed += killed.completed;
            wrong += killed.wrong.len();
            if !killed.dead {
                println!("{} lives on", killed.planted.name());
            }
            if !killed.wrong.is_empty() {
                let Planted { dimensions, outcome, .. } = killed.planted;
                let name = killed.planted.name();
                println!("{name}, {outcome} {dimensions:?}: {:?}", killed.wrong);
            }
        }
    }
    println!(
        "{right} causes as planted, {completed} with more that the fault needs, {wrong} others"
    );
    (right + completed, wrong)
}

#[test]
fn causes_are_named_and_have_small_files() {
    let settings = Settings { variants: 90, jobs: 2, ..Settings::default() };
    let (right, wrong) = naming(&[Source::Deep], 1, &settings);
    assert!(right >= 2 && wrong == 0, "{right} and {wrong}");
    let planted = [Fault::TilesRefused, Fault::OrientationIgnored, Fault::PredictorOneSample];
    let mutant = |fault: &Fault| Box::new(Mutant::new(&format!("{fault:?}"), &[*fault])) as _;
    let clients: Vec<Box<dyn Client>> = planted.iter().map(mutant).collect();
    let (run, _) = run(Source::Rgb, &clients, Settings { variants: 110, jobs: 2, ..settings });
    assert_eq!(run.causes.len(), 3);
    for cause in &run.causes {
        let Some(small) = &cause.small else { panic!("{:?}", cause.dimensions) };
        println!(
            "{:?}: {} x {}, {} and {} bytes",
            cause.dimensions,
            small.picture.width(),
            small.picture.height(),
            small.seed.len(),
            small.file.len()
        );
        assert!(small.picture.rgba().len() < run.picture.rgba().len());
        assert!(small.file.len() < 1200, "{}", small.file.len());
        // The client has the same outcome as on the large one.
        let client = &clients[cause.client.index()];
        assert_eq!(client.run(&small.seed).unwrap(), Reply::Picture(small.picture.clone()));
        let reply = client.run(&small.file).unwrap();
        assert_eq!(runners::oracle::judge(&small.picture, &reply), cause.outcome);
        // And it is equivalent.
        assert_eq!(Seed::open(small.file.clone()).unwrap().picture(), &small.picture);
    }
}

#[test]
#[ignore = "slow: all causes of all mutants"]
fn nearly_all_causes_are_named_as_planted() {
    let settings = Settings { variants: 300, jobs: 2, ..Settings::default() };
    let (right, wrong) = naming(&Source::ALL, 3, &settings);
    assert!(right * 100 >= (right + wrong) * 90, "{right} as planted, {wrong} others");
}
