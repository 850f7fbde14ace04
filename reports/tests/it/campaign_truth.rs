//! Causes state facts, both for clients with a known contract, which are compared with the truth, and for clients that
//! refuse some files and fail on others.

use std::io;

use crate::fake;
use crate::fake::summed::Summed;
use crate::fake::{Fake, Puppet, Seen, crash, refused, right, spoilt, wrong, zoo};
use crate::paper::Paper;
use crate::reader::{Reader, campaign, seed};
use campaign::{
    About, Campaign, Cause, Guidance, Log, Record, Run, Settings, Standing, Stop, uncovered,
};
use clients::contract::Contract;
use clients::{Client, Reply};
use equivalents::subject::Subject;
use indicatif::ProgressBar;
use inverter::solve::{Choice, Choices};
use reports::report::{self, Rows};
use tiff_harness::{ImageFile, Picture, Seed};

/// A client that shows every picture inverted, turns tiles upside down as well, and refuses planes.
fn inverting(file: &[u8]) -> io::Result<Reply> {
    let image = ImageFile::read(file).map_err(io::Error::other)?;
    if image.planar == 2 {
        return Ok(Reply::Refused { message: "planes are not supported".to_owned() });
    }
    let seed = Seed::open(file.to_vec()).map_err(io::Error::other)?;
    let (width, height) = (seed.picture().width(), seed.picture().height());
    let inverted = |p: &[u16]| [!p[0], !p[1], !p[2], p[3]];
    let rgba: Vec<u16> = seed.picture().rgba().chunks(4).flat_map(inverted).collect();
    let rows = rgba.chunks(4 * width as usize);
    let tiled = matches!(image.layout, tiff_harness::image::Layout::Tiles { .. });
    let rgba = if tiled { rows.rev().flatten().copied().collect() } else { rgba };
    Ok(Reply::Picture(Picture::new(width, height, rgba)))
}

/// Returns what a campaign of `variants` variants of a seed finds in one client, whose contract is known.
fn found(
    seed: &Seed,
    read: impl Fn(&[u8]) -> io::Result<Reply> + Send + Sync + 'static,
    variants: usize,
) -> Run {
    let client = Reader { contract: Some(Contract::exact()), read };
    campaign(seed, client, Settings { variants, ..Settings::default() })
}

#[test]
fn no_contract_determines_the_picture_of_samples_without_colors() {
    let seed = seed("producers/gdal/gray32-float");
    assert!(seed.value().is_some());
    // It shows the same gray of 1 x 1 for every file.
    let constant = |_: &[u8]| Ok(Reply::Picture(Picture::new(1, 1, vec![7, 7, 7, u16::MAX])));
    let run = found(&seed, constant, 20);
    assert_eq!((run.judged(), run.findings(), run.causes.len()), (1, 0, 0));
}

#[test]
fn a_fault_of_the_plainest_file_needs_no_dimension() {
    let run = found(&seed("seeds/rgb"), inverting, 150);
    let mut causes: Vec<String> = run
        .causes
        .iter()
        .map(|c| format!("{} {}", c.dimensions.join(" with "), c.signature()))
        .collect();
    causes.sort();
    insta::assert_snapshot!(causes.join("\n"));
}

/// Returns a campaign's run and records.
fn on(
    subject: &dyn Subject,
    clients: &[Box<dyn Client>],
    settings: Settings,
) -> (Run, Vec<Record>) {
    let paper = Paper::default();
    let about = About { seed_file: "seed.fake".into(), ..About::default() };
    let (log, stop, progress) = (Log::to(paper.clone()), Stop::new(), ProgressBar::hidden());
    let (log, stop) = (&log, &stop);
    let run = Campaign { subject, clients, settings, about, log, stop, progress }.run().unwrap();
    let mut records = paper.records();
    records.extend(report::cause_records(&run));
    (run, records)
}

/// A fake seed whose dimensions select features, except for `rows` and `order`.
fn featured() -> Fake {
    let mut subject = Fake::new();
    subject.features = &["big", "orientation", "fill"];
    subject
}

/// Returns the outcome and the dimensions of every cause of a client.
fn causes_of(run: &Run, name: &str) -> Vec<String> {
    let mine = run.causes.iter().filter(|cause| run.clients[cause.client].name == name);
    mine.map(|cause| format!("{} {}", cause.outcome, cause.dimensions.join("+"))).collect()
}

/// Clients that refuse a feature, and fail in another way on some of the files that have it; and one whose
/// refusal needs what it also misreads.
fn masked() -> Vec<Box<dyn Client>> {
    let big = |s: &Seen| s.is("big", "yes");
    let limit = || refused("big files are not supported");
    vec![
        Puppet::with("wrong", move |s, _| {
            Ok(match (big(s), s.int("orientation")) {
                (true, 2..) => spoilt(),
                (true, _) => limit(),
                _ => right(),
            })
        })
        .boxed(),
        Puppet::with("crash", move |s, _| {
            Ok(match (big(s), s.order()[0] != 0) {
                (true, true) => crash("SIGSEGV"),
                (true, false) => limit(),
                _ => right(),
            })
        })
        .boxed(),
        Puppet::with("resource", move |s, _| {
            Ok(match (big(s), s.int("rows") > 9) {
                (true, true) => Reply::Resource { message: "more than 1 GiB of memory".into() },
                (true, false) => limit(),
                _ => right(),
            })
        })
        .boxed(),
        Puppet::with("refused", move |s, _| {
            Ok(match (s.int("orientation") == 6, s.is("fill", "ones")) {
                (true, true) => refused("no such fill"),
                (true, false) => wrong(s),
                _ => right(),
            })
        })
        .boxed(),
    ]
}

#[test]
fn a_cause_of_another_outcome_explains_nothing() {
    for seed in 1..=4 {
        // Guidance would avoid what is refused. One file in 250 has the orientation and the fill of `refused`.
        let guidance = Guidance::Random;
        let settings = Settings { variants: 1000, seed, jobs: 2, guidance, ..Settings::default() };
        let (run, records) = on(&featured(), &masked(), settings);
        assert_eq!(uncovered(&records), [], "run {seed}");
        let of = |name| causes_of(&run, name);
        assert_eq!(of("wrong"), ["wrong orientation+big", "refused big"], "run {seed}");
        assert_eq!(of("crash"), ["crash order+big", "refused big"], "run {seed}");
        assert_eq!(of("resource"), ["resource rows+big", "refused big"], "run {seed}");
        assert_eq!(of("refused"), ["wrong orientation", "refused orientation+fill"], "run {seed}");
    }
}

#[test]
fn every_difference_of_the_zoo_has_a_cause_of_its_outcome() {
    let (_, records) = on(&Fake::new(), &zoo(), Settings { variants: 300, ..Settings::default() });
    assert_eq!(uncovered(&records), []);
    // The check sees what is lost.
    let is_crash = |r: &Record| matches!(r, Record::Cause { client, outcome, .. } if client == "order-2" && *outcome == campaign::oracle::Outcome::Crash);
    let without: Vec<Record> = records.iter().filter(|r| !is_crash(r)).cloned().collect();
    assert!(uncovered(&without).iter().all(|(client, _)| client == "order-2"));
    assert!(without.len() < records.len() && !uncovered(&without).is_empty());
}

#[test]
fn what_a_reduction_meets_is_a_finding() {
    // Without `big` it crashes, with other rows as well it shows wrong pixels, and the file itself is refused.
    let behaviour = |s: &Seen, _| {
        Ok(match (s.int("rows") > 9, s.is("fill", "ones"), s.is("big", "yes")) {
            (true, true, true) => refused("IndexError"),
            (true, true, false) => crash("SIGSEGV"),
            (false, true, true) => wrong(s),
            _ => right(),
        })
    };
    let choices: Choices =
        [("rows", Choice::Int(20)), ("fill", "ones".into()), ("big", "yes".into())]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for jobs in [1, 2, 4] {
        // Files that are run ahead add nothing.
        let puppet = Puppet::with("met", behaviour);
        let clients = [if jobs == 2 { puppet.waiting() } else { puppet }.boxed()];
        let run = Campaign {
            subject: &featured(),
            clients: &clients,
            settings: Settings { variants: 1, jobs, ..Settings::default() },
            about: About::default(),
            log: &Log::to(io::sink()),
            stop: &Stop::new(),
            progress: ProgressBar::hidden(),
        }
        .reduce(&choices)
        .unwrap();
        found.push(causes_of(&run, "met"));
    }
    let expected = ["wrong fill+big", "crash rows+fill", "refused rows+fill+big"];
    assert!(found.iter().all(|causes| *causes == expected), "{found:?}");
}

/// Returns the rank of each cause of a client with its dimensions.
fn standings(run: &Run, name: &str) -> Vec<(Standing, String)> {
    let mine = run.causes.iter().filter(|cause| run.clients[cause.client].name == name);
    mine.map(|cause: &Cause| (cause.standing(), cause.dimensions.join("+"))).collect()
}

/// A client that refuses three features, each in the words of `says`.
fn refusing(name: &str, says: [&'static str; 3]) -> Puppet {
    Puppet::with(name, move |s, _| {
        Ok(match (s.is("big", "yes"), s.int("orientation") > 4, s.is("fill", "ones")) {
            (true, ..) => refused(says[0]),
            (_, true, _) => refused(says[1]),
            (.., true) => refused(says[2]),
            _ => right(),
        })
    })
}

#[test]
fn a_limit_needs_the_clients_words() {
    let assertion = "> Internal imread issue:; > 'original_ptr == real_mat.data' must be 'true'";
    let clients = [
        refusing("honest", ["BigTIFF is not supported", "unsupported orientation: 6", "no"])
            .boxed(),
        refusing("failing", ["IndexError: index 3", assertion, "imread returned nothing"]).boxed(),
        refusing("silent", ["exit status 1", "exit status 1", "exit status 1"]).boxed(),
        refusing("documented", ["", assertion, "IndexError"]).without("big").boxed(),
    ];
    let settings = Settings { variants: 200, jobs: 2, ..Settings::default() };
    let (run, _) = on(&featured(), &clients, settings);
    let of = |name: &str| {
        let mut all = standings(&run, name);
        all.sort();
        all.into_iter().map(|(standing, dimension)| format!("{standing:?} {dimension}")).collect()
    };
    let of = |name: &str| -> Vec<String> { of(name) };
    assert_eq!(of("honest"), ["Unexplained fill", "Limit big", "Limit orientation"]);
    assert_eq!(of("failing"), ["Fault big", "Fault fill", "Fault orientation"]);
    assert_eq!(of("silent"), ["Unexplained big", "Unexplained fill", "Unexplained orientation"]);
    assert_eq!(of("documented"), ["Fault fill", "Fault orientation", "Limit big"]);
    // What gives no reason is one line of each client, after the faults.
    let table = report::table(&run, Rows::All);
    let lines: Vec<&str> = table.lines().collect();
    let at = |text: &str| lines.iter().position(|line| line.contains(text)).expect(text);
    assert_eq!(table.matches("without a reason: ").count(), 2, "{table}");
    assert!(at("without a reason: ") > at("failing"), "{table}");
    assert!(at("honest does not support: ") > at("without a reason: "), "{table}");
    assert_eq!(lines.iter().filter(|line| line.contains(" silent ")).count(), 1, "{table}");
    assert_eq!(run.faults(), run.causes.len() - 3);
    let front = &report::pages(&run)[0].html;
    assert_eq!(front.matches("refused without a reason").count(), 2, "{front}");
    assert!(front.contains("3 limits of 2 clients"), "{front}");
}

#[test]
fn values_that_are_not_supported_and_values_that_fail_are_two_causes() {
    let clients = [Puppet::with("both", |s, _| {
        Ok(match s.int("orientation") {
            3 => refused("Unsupported orientation: 3"),
            5.. => refused("Invalid vertical pixel index 57"),
            _ => right(),
        })
    })
    .boxed()];
    let (run, _) = on(&featured(), &clients, Settings { variants: 100, ..Settings::default() });
    assert_eq!(
        standings(&run, "both"),
        [(Standing::Fault, "orientation".to_owned()), (Standing::Limit, "orientation".to_owned())]
    );
    assert_eq!(run.causes[0].values, ["5", "6", "7", "8"]);
    assert_eq!(run.causes[1].values, ["3"]);
}

/// A client that crashes on files of kind 10 and above, whatever their checksum.
struct OfKind;

impl Client for OfKind {
    fn name(&self) -> &str {
        "of-kind"
    }
    fn version(&self) -> &str {
        "1.0"
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(if fake::summed::kind(file) >= 10 { crash("SIGSEGV") } else { right_sum() })
    }
}

fn right_sum() -> Reply {
    Reply::Picture(Summed::new().picture().clone())
}

#[test]
fn a_checksum_is_no_cause() {
    for seed in 1..=5 {
        let settings = Settings { variants: 60, seed, ..Settings::default() };
        let (run, _) = on(&Summed::new(), &[Box::new(OfKind)], settings);
        assert_eq!(causes_of(&run, "of-kind"), ["crash kind"], "run {seed}");
    }
}

/// Prints, of the reports of a run, the results that no cause of their outcome explains. `REPORTS` are
/// their folders, with spaces between them.
#[test]
#[ignore = "needs the reports of a run: REPORTS"]
fn results_of_a_run_are_covered() {
    let mut lost = 0;
    for folder in std::env::var("REPORTS").unwrap().split_whitespace() {
        let text = std::fs::read_to_string(format!("{folder}/results.jsonl")).unwrap();
        let records: Vec<Record> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let found = uncovered(&records);
        lost += found.len();
        println!("{folder}: {} {found:?}", found.len());
    }
    println!("{lost} results are explained by no cause of their outcome");
}
