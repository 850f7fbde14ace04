//! Mutation analysis of the fuzzer: which planted faults it finds, after how many variants, and
//! whether the causes name the right dimensions.

#[path = "mutants/limited_tests.rs"]
mod limited_tests;
use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::mutants::{Fault, Mutant, PLANTED, Planted, Source};
use crate::paper::Paper;
use campaign::oracle::Outcome;
use campaign::{
    About, Campaign, Cause, Depth, Guidance, Log, Record, Run, Settings, Stop, Verdict, heads,
};
use clients::{Client, Reply};
use equivalents::subject::Subject;
use indicatif::ProgressBar;
use inverter::solve::{Choice, Choices};
use tiff_harness::Seed;

/// The result of one mutant in one run.
struct Killed {
    planted: &'static Planted,
    /// True if it failed on a variant.
    dead: bool,
    /// The number of causes that are exactly the planted one.
    right: usize,
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

/// Counts the variants that each client was given up to the first on which it differs.
fn first_differences(records: &[Record], clients: &[Box<dyn Client>]) -> Vec<Option<usize>> {
    let first = |client: &dyn Client| {
        let of = |r: &Record| match r {
            Record::Result { variant, client: name, outcome, .. } => {
                (name == client.name()).then_some((*variant, *outcome != Outcome::Same))
            }
            _ => None,
        };
        let results: Vec<(u64, bool)> = records.iter().filter_map(of).collect();
        let first =
            results.iter().filter(|(_, differs)| *differs).map(|(variant, _)| *variant).min()?;
        Some(results.iter().filter(|(variant, _)| (1..=first).contains(variant)).count())
    };
    clients.iter().map(|client| first(&**client)).collect()
}

/// Returns true if `cause` names exactly the dimensions that the fault is planted in.
fn is_planted(planted: &Planted, cause: &Cause) -> bool {
    let found: Vec<&str> = cause.dimensions.iter().map(String::as_str).collect();
    cause.outcome == planted.outcome && planted.is_revealed_by(&found)
}

/// Tries every smaller set of the choices of a minimal cause on `plainest`: none has its outcome.
fn assert_minimal(cause: &Cause, client: &dyn Client, plainest: &dyn Subject) {
    if cause.depth != Depth::Minimal {
        return;
    }
    let choices: Vec<(&str, &Choice)> = cause.choices.iter().collect();
    for kept in 0..(1u32 << choices.len()) - 1 {
        let subset = choices.iter().enumerate().filter(|(k, _)| kept >> k & 1 == 1);
        let subset: Choices =
            subset.map(|(_, (name, value))| ((*name).to_owned(), (*value).clone())).collect();
        let Ok(variant) = plainest.replay(&subset) else { continue };
        let reply = client.run(&variant.bytes).unwrap();
        let outcome = campaign::oracle::judge(plainest.picture(), &reply);
        assert_ne!(outcome, cause.outcome, "{subset:?} suffices for {:?}", cause.choices);
    }
}

fn hunt(source: Source, most: usize, settings: Settings) -> Vec<Killed> {
    let planted = of(source, most);
    let mutant = |p: &&Planted| Box::new(Mutant::new(&p.name(), &[p.fault])) as Box<dyn Client>;
    let mut clients: Vec<Box<dyn Client>> = planted.iter().map(mutant).collect();
    clients.push(Box::new(Mutant::correct()));
    let (run, records) = run(source, &clients, settings);
    let first = first_differences(&records, &clients);
    assert_eq!(first.last(), Some(&None), "a false alarm");
    let seed = source.seed();
    let plainest = Subject::plainest(&seed).unwrap();
    let heads: Vec<&Cause> = heads(&run.causes).into_iter().map(|k| &run.causes[k]).collect();
    let killed = |(k, planted): (usize, &'static Planted)| {
        let (client, mine) = (&*clients[k], run.causes.iter().filter(|c| c.client.index() == k));
        let mine: Vec<&Cause> = mine.collect();
        assert_blame(&mine, client, &seed);
        mine.iter().for_each(|cause| assert_minimal(cause, client, &*plainest));
        // Other forms of a fault are listed under its cause.
        let stands = |c: &&Cause| heads.iter().any(|head| std::ptr::eq(*head, *c));
        let (right, wrong): (Vec<&Cause>, Vec<&Cause>) =
            mine.into_iter().filter(stands).partition(|c| is_planted(planted, c));
        let described = |c: &Cause| format!("{} {:?} {:?}", c.signature(), c.depth, c.dimensions);
        let wrong = wrong.into_iter().map(described).collect();
        Killed { planted, dead: first[k].is_some(), right: right.len(), wrong }
    };
    planted.into_iter().enumerate().map(killed).collect()
}

/// Checks which file each cause of a mutant blames, and that the seed is blamed if it is misread.
fn assert_blame(causes: &[&Cause], client: &dyn Client, seed: &Seed) {
    let misreads =
        |file: &[u8]| client.run(file).unwrap() != Reply::Picture(seed.picture().clone());
    let seed_is_misread = misreads(seed.bytes());
    for cause in causes {
        let context = format!("{}: {:?} {:?}", client.name(), cause.dimensions, cause.verdict);
        assert!(misreads(&cause.file), "{context}");
        match cause.verdict {
            Some(Verdict::FileWrong) => {}
            Some(Verdict::SeedWrong) => assert!(seed_is_misread, "{context}"),
            Some(Verdict::BothWrong) => {
                assert!(seed_is_misread && cause.dimensions.is_empty(), "{context}");
            }
            _ => panic!("{context}"),
        }
    }
    let blames_seed = |c: &&&Cause| c.verdict != Some(Verdict::FileWrong);
    let blaming = causes.iter().filter(blames_seed).count();
    assert_eq!(seed_is_misread, blaming > 0, "{}", client.name());
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
        most: variants,
        given: BTreeMap::new(),
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
    /// The number of variants after which the campaign ends.
    most: usize,
    /// The number of variants that each client was given.
    given: BTreeMap<String, usize>,
    paper: Paper,
}

impl Write for Watch {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Ok(Record::Result { variant, client, outcome, .. }) = serde_json::from_slice(line) {
            if outcome != Outcome::Same {
                self.alive.retain(|name| *name != client);
            }
            *self.given.entry(client).or_default() += usize::from(variant > 0);
        }
        let over = self.given.values().any(|given| *given >= self.most);
        if (over || self.alive.is_empty()) && !self.stop.ends_reduction() {
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
/// seed file, and the worst of all seed files.
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
                worst[order] = [worst[order][0].max(guided), worst[order][1].max(random)];
            }
        }
    }
    for (order, [guided, random]) in worst.into_iter().enumerate().skip(1) {
        println!("{:<9}{order:<9}{guided:>9}{random:>9}", "worst");
        assert!(guided <= if order == 3 { 1500 } else { 300 });
        // A single dimension varies in every random variant, but has its turn in guided ones: those that
        // are possible on one seed only, like CCITT, come later.
        assert!(order == 1 || guided <= random);
    }
}

/// Counts the causes of all mutants of up to `most` dimensions that name exactly the planted ones, and
/// all others. Prints the others.
fn naming(sources: &[Source], most: usize, settings: &Settings) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for source in sources {
        for killed in hunt(*source, most, settings.clone()) {
            right += killed.right;
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
    println!("{right} causes as planted, {wrong} others");
    (right, wrong)
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
        assert_eq!(campaign::oracle::judge(&small.picture, &reply), cause.outcome);
        // And it is equivalent.
        assert_eq!(Seed::open(small.file.clone()).unwrap().picture(), &small.picture);
    }
}

#[test]
#[ignore = "slow: all causes of all mutants"]
fn nearly_all_causes_are_named_as_planted() {
    let settings = Settings { variants: 300, jobs: 2, ..Settings::default() };
    let (right, wrong) = naming(&Source::ALL, 3, &settings);
    assert!(right * 100 >= (right + wrong) * 96, "{right} as planted, {wrong} others");
}
