//! Campaigns on clients with planted faults: the causes found are the planted ones.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use crate::fake::{self};
use crate::fake::{Fake, Puppet, crash, refused, right, spoilt, wrong, zoo};
use crate::pages;
use crate::paper::Paper;
use campaign::oracle::Outcome;
use campaign::{
    About, Campaign, CampaignError, Cause, ClientState, Depth, Guidance, Log, Purpose, Record, Run,
    Settings, Stop, WholeFile,
};
use clients::{Client, GlueFailure, Reply};
use equivalents::subject::{Class, Subject};
use indicatif::ProgressBar;
use inverter::solve::Choice;
use reports::report::{self, Rows};
use tiff_harness::Picture;

fn campaign(
    subject: &dyn Subject,
    clients: &[Box<dyn Client>],
    settings: Settings,
    stop: &Stop,
) -> (Result<Run, CampaignError>, Vec<Record>) {
    let paper = Paper::default();
    let run = Campaign {
        subject,
        clients,
        settings,
        about: About {
            command: "repfuzz fuzz seed.fake".into(),
            seed_file: "seed.fake".into(),
            ..About::default()
        },
        log: &Log::to(paper.clone()),
        stop,
        progress: ProgressBar::hidden(),
    }
    .run();
    let mut records = paper.records();
    if let Ok(run) = &run {
        records.extend(report::cause_records(run));
    }
    (run, records)
}

pub(crate) fn run(clients: &[Box<dyn Client>], variants: usize, jobs: usize) -> (Run, Vec<Record>) {
    let settings = Settings { variants, jobs, ..Settings::default() };
    let (run, records) = campaign(&Fake::new(), clients, settings, &Stop::new());
    (run.unwrap(), records)
}

/// Returns the client, outcome, depth, dimensions and kind of difference of every cause.
pub(crate) fn found(run: &Run) -> Vec<String> {
    let line = |c: &Cause| {
        let name = &run.clients[c.client].name;
        let kind = c.difference.map(|kind| format!(" {}", kind.word())).unwrap_or_default();
        format!("{name}: {} {:?} {}{kind}", c.outcome, c.depth, c.dimensions.join("+"))
    };
    run.causes.iter().map(line).collect()
}

#[test]
fn what_is_found_is_what_was_planted() {
    let (run, _) = run(&zoo(), 600, 2);
    assert_eq!(
        found(&run),
        [
            "order-1: wrong Minimal orientation size",
            "order-1: wrong Minimal orientation part",
            "order-1: wrong Minimal orientation turned",
            "order-2: crash Minimal orientation+order",
            "hidden: crash Minimal orientation+big",
            "flaky: crash Flaky ",
            "hanging: hang Minimal order",
            "unsteady: hang Flaky ",
            "ignorant: resource Minimal fill",
            "hidden: refused Minimal fill",
            "order-3: refused Minimal rows+fill+big",
            "blind: refused Minimal ",
        ]
    );
    let of = |name: &str| run.causes.iter().find(|c| run.clients[c.client].name == name).unwrap();
    let values: Vec<_> = run.causes[..3].iter().map(|c| c.values.join(", ")).collect();
    assert_eq!(values, ["5, 6, 7, 8", "2", "3, 4"]);
    assert_eq!(of("order-2").values, ["orientation = 3 with order = reversed"]);
    assert_eq!(of("ignorant").values, ["ones"]);
    let combined = |c: &&Cause| run.clients[c.client].name == "hidden" && c.dimensions.len() == 2;
    let hidden = run.causes.iter().find(combined).unwrap();
    assert_eq!(hidden.values, ["orientation = 5, 6, 7, 8 with big = yes"]);
    assert_eq!(of("order-1").class, Class::Baseline);
    assert_eq!(of("order-3").class, Class::Extension);
}

/// Runs a client that is wrong where `fails` is true: it mirrors the picture of few rows, and inverts that of many.
fn two_looks(fails: fn(i128) -> bool) -> Run {
    let behaviour = move |s: &fake::Seen, _| {
        let Reply::Picture(picture) = right() else { unreachable!() };
        let (rows, row) = (s.int("rows"), 4 * picture.width() as usize);
        let rgba = picture.rgba();
        let rgba: Vec<u16> = match (fails(rows), rows < 16) {
            (false, _) => rgba.to_vec(),
            (true, true) => rgba.chunks(row).rev().flatten().copied().collect(),
            (true, false) => {
                let inverted =
                    |p: &[u16]| [u16::MAX - p[0], u16::MAX - p[1], u16::MAX - p[2], p[3]];
                rgba.chunks(4).flat_map(inverted).collect()
            }
        };
        Ok(Reply::Picture(Picture::new(picture.width(), picture.height(), rgba)))
    };
    run(&[Puppet::with("two", behaviour).boxed()], 200, 2).0
}

#[test]
fn a_fault_that_looks_otherwise_with_other_values_is_one() {
    let run = two_looks(|rows| rows > 8);
    assert_eq!(found(&run).len(), 2, "{:?}", found(&run));
    let [(head, forms)] = &run.folded()[..] else { panic!("{:?}", found(&run)) };
    assert_eq!(forms.len(), 1);
    let other = run.causes[forms[0]].difference.unwrap();
    assert_eq!(run.causes[*head].appearances, [other]);
    let table = report::table(&run, Rows::All);
    let line = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(line.contains("also with rows = "), "{table}");
    assert!(line.contains(&format!("({})", other.phrase())), "{table}");
}

/// Few rows and many rows fail, and a number of rows between them does not.
#[test]
fn two_faults_of_one_dimension_are_two() {
    let run = two_looks(|rows| rows == 3 || rows >= 50);
    assert_eq!(found(&run).len(), 2, "{:?}", found(&run));
    assert_eq!(run.folded().len(), 2);
    assert!(run.causes.iter().all(|cause| cause.appearances.is_empty()));
}

/// A client that ends at once has no result: what it did before does not count.
#[test]
fn differences_of_a_client_that_is_dropped_do_not_count() {
    let gone = Puppet::with("gone", |s, _| match s.int("rows") {
        4 if !s.is("big", "yes") => Ok(right()),
        4 => Ok(wrong(s)),
        _ => Err(io::Error::other("gone")),
    });
    let (run, _) = run(&[gone.boxed()], 40, 1);
    assert!(run.clients[0].dropped.is_some());
    assert_eq!(run.findings(), 0);
    let text = report::closing(&run, "report");
    assert!(text.contains("No client was tested to the end. 1 client was dropped"), "{text}");
}

#[test]
fn files_that_glue_cannot_express_are_skipped() {
    let mute = |jobs: usize| {
        let client = Puppet::with("mute", |s, _| match (s.int("rows"), s.is("big", "yes")) {
            (50.., _) => Err(GlueFailure::error("rows")),
            (_, true) if s.int("orientation") > 5 => Err(GlueFailure::error("orientation")),
            (_, big) => Ok(if big { wrong(s) } else { right() }),
        });
        run(&[client.boxed()], 200, jobs).0
    };
    let run = mute(2);
    assert_eq!(found(&run), ["mute: wrong Minimal big part"]);
    let client = &run.clients[0];
    assert_eq!(client.dropped, None);
    let why = |why: &str| format!("its glue cannot express the output: {why}");
    let [(first, few), (second, many)] = &client.skipped[..] else { panic!("{client:?}") };
    assert_eq!((first, second), (&why("orientation"), &why("rows")));
    assert!(*few > 0 && *many > 0 && client.outcomes[Outcome::Same.rank()] > 0, "{client:?}");
    assert_eq!(mute(1).clients[0].skipped, client.skipped);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let sorted = |jobs: usize| {
        let (run, records) = run(&steady_zoo(), 150, jobs);
        let mut lines: Vec<String> = records.into_iter().map(|r| timeless(r).line()).collect();
        lines.sort();
        (lines, found(&run))
    };
    let (lines, causes) = sorted(1);
    for jobs in [2, 4, 4] {
        let (others, found) = sorted(jobs);
        assert_eq!(causes, found);
        let lost: Vec<_> = lines.iter().filter(|l| !others.contains(l)).collect();
        let new: Vec<_> = others.iter().filter(|l| !lines.contains(l)).collect();
        assert!(lost.is_empty() && new.is_empty(), "{lost:#?}\n{new:#?}");
        assert_eq!(lines.len(), others.len());
    }
}

/// The clients without the one that fails during the run: the runs under way at that time depend
/// on the number of threads.
fn steady_zoo() -> Vec<Box<dyn Client>> {
    zoo().into_iter().filter(|c| c.name() != "going").collect()
}

fn timeless(mut record: Record) -> Record {
    match &mut record {
        Record::Run { started, repfuzz, .. } => {
            *started = "then".into();
            *repfuzz = "this".into();
        }
        Record::Result { ms, .. } | Record::Probe { ms, .. } | Record::End { ms, .. } => *ms = 0,
        _ => {}
    }
    record
}

#[test]
fn the_results_have_this_shape() {
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("shaky", |s, times| {
            Ok(match (s.int("orientation"), s.is("big", "yes")) {
                (2, _) => wrong(s),
                (3, _) => refused("no such orientation"),
                (_, true) if times % 2 == 1 => crash("SIGSEGV"),
                _ => right(),
            })
        })
        .boxed(),
        Puppet::with("blind", |_, _| Ok(refused("not my kind of file"))).boxed(),
        Puppet::with("stubborn", |s, _| {
            Ok(if s.int("orientation") == 1 { right() } else { wrong(s) })
        })
        .ignoring("orientation")
        .boxed(),
    ];
    let (_, records) = run(&clients, 12, 1);
    let lines: Vec<String> = records.into_iter().map(|r| timeless(r).line()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_table_reads_well() {
    let (run, _) = run(&zoo(), 600, 2);
    let text =
        format!("{}\n{}", report::table(&run, Rows::All), report::closing(&run, "out/index.html"));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text);
    let short = report::table(&run, Rows::First);
    assert!(short.lines().all(|line| line.chars().count() <= 80), "{short}");
    let (rows, rest) = short.split_once("\nand 6 more: see the report").unwrap();
    let begins = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let first: Vec<String> = rows.lines().map(begins).collect();
    assert_eq!(first, text.lines().take(6).map(begins).collect::<Vec<_>>());
    assert!(text.contains(" flaky ") && !rest.contains("flaky "), "{short}");
}

#[test]
fn a_client_that_hangs_does_not_eat_the_run() {
    let (run, records) = run(&zoo(), 300, 2);
    let hanging = run.clients.iter().find(|c| c.name == "hanging").unwrap();
    let left: usize = hanging.skipped.iter().map(|(_, count)| count).sum();
    // As many hangs as the window is long may be under way when the limit is reached.
    assert!(hanging.outcomes[Outcome::Hang.rank()] <= 5 + 16, "{:?}", hanging.outcomes);
    assert!(left > 0 && hanging.outcomes[Outcome::Same.rank()] > 0);
    let skipped = |r: &&Record| match r {
        Record::Skipped { client: Some(c), why, .. } => c == "hanging" && why.contains("hung"),
        _ => false,
    };
    assert_eq!(records.iter().filter(skipped).count(), left, "none is left out silently");
}

#[test]
fn hangs_that_do_not_come_again_are_shown_with_a_file() {
    // Of the files whose runs disagree, the cause shows the simplest: it crashes and never hangs.
    let clients = [Puppet::with("slow", |s, times| {
        Ok(match (s.int("orientation"), s.is("big", "yes"), times) {
            (2, false, 1) => crash("SIGBUS"),
            (3.., true, 1) => Reply::Hang,
            (3.., true, _) => crash("SIGBUS"),
            _ => right(),
        })
    })
    .boxed()];
    let (run, _) = run(&clients, 100, 2);
    let [(client, Outcome::Hang, count)] = run.without_cause()[..] else { panic!("{run:?}") };
    let all = run.clients[client].outcomes[Outcome::Hang.rank()];
    assert!(count == all && count > 0);
    let [example] = &run.clients[client].examples[..] else { panic!("one example") };
    let again = Fake::new().replay(&example.choices).unwrap();
    assert!(again.bytes == example.file && !example.choices.is_empty());
    let dir = pages::folder("hangs");
    report::write(&dir, &run).unwrap();
    std::fs::write(dir.join("results.jsonl"), "").unwrap();
    assert!(pages::follow_links(&dir) > 10);
    let page = std::fs::read_to_string(dir.join("index.html")).unwrap();
    let place = run.causes.len() + 1;
    let command = format!("--choices files/{place:02}-slow-hang.json -o {place:02}-slow-hang.fake");
    assert!(page.contains(&command) && page.contains("Without a cause"), "{page}");
    let file = std::fs::read(dir.join(format!("files/{place:02}-slow-hang.fake"))).unwrap();
    assert_eq!(file, example.file);
    let line = format!(
        "slow: hang on {}, and no cause was found",
        report::plural(count, "variant", "variants")
    );
    assert!(report::table(&run, Rows::First).contains(&line));
}

#[test]
fn an_internal_error_costs_its_variants_only_and_blames_nobody() {
    let mut subject = Fake::new();
    subject.internal_error_from = Some(40);
    let (run, records) = campaign(
        &subject,
        &zoo(),
        Settings { variants: 300, jobs: 2, ..Settings::default() },
        &Stop::new(),
    );
    let run = run.unwrap();
    let right = run.clients.iter().find(|c| c.name == "order-1").unwrap();
    assert_eq!(right.within_limits(), (300, 300));
    assert!(!run.refused.is_empty());
    for refused in &run.refused {
        assert!(refused.what.starts_with("the file has another picture"), "{refused:?}");
        let rows = refused.choices.get("rows");
        assert!(matches!(rows, Some(Choice::Int(40..))), "{refused:?}");
    }
    let logged = |r: &&Record| matches!(r, Record::Refused { .. });
    assert_eq!(records.iter().filter(logged).count(), run.refused.len());
    // Other variants are tested, and no cause needs one that was refused.
    assert!(!run.causes.is_empty());
    assert!(run.causes.iter().all(|c| !matches!(c.choices.get("rows"), Some(Choice::Int(40..)))));
}

#[test]
fn clients_that_cannot_be_judged_are_noted() {
    let (run, _) = run(&zoo(), 60, 2);
    let of = |name: &str| run.clients.iter().find(|c| c.name == name).unwrap();
    assert_eq!(
        of("blind").state,
        ClientState::CannotRead {
            outcome: Outcome::Refused,
            message: "not my kind of file".into()
        }
    );
    let hung = ClientState::FailedOnce { outcome: Outcome::Hang, message: String::new() };
    assert_eq!(of("unsteady").state, hung);
    assert_eq!(of("missing").state, ClientState::CannotRun("no such program".into()));
    assert_eq!(of("going").dropped.as_deref(), Some("it is gone"));
    assert!(of("pale").state.baseline().is_some());
    let without = ["missing", "pale", "going"];
    assert!(run.causes.iter().all(|c| !without.contains(&run.clients[c.client].name.as_str())));
    // A failure on the seed itself is a finding. Refusing a picture as such is a limit.
    let on_seed = |name: &str| {
        let of = |c: &&Cause| run.clients[c.client].name == name;
        let causes: Vec<&Cause> = run.causes.iter().filter(of).collect();
        assert!(causes.iter().all(|c| c.dimensions.is_empty() && c.whole == WholeFile::SeedItself));
        causes.iter().map(|c| (c.outcome, c.depth, c.limit)).collect::<Vec<_>>()
    };
    assert_eq!(on_seed("blind"), [(Outcome::Refused, Depth::Minimal, true)]);
    assert_eq!(on_seed("unsteady"), [(Outcome::Hang, Depth::Flaky, false)]);
}

#[test]
fn a_seed_written_anew_is_the_measure_if_it_is_another_picture() {
    let mut subject = Fake::new();
    subject.rewrites = true;
    let clients: Vec<Box<dyn Client>> = vec![
        // Its colors are wrong on every re-encoded file, whatever the choices, except with `big`.
        Puppet::with("picky", |s, _| {
            Ok(match (s.rewritten(), s.is("big", "yes")) {
                (false, _) => right(),
                (true, false) => wrong_colours(),
                (true, true) => right(),
            })
        })
        .boxed(),
        Puppet::with("strict", |s, _| Ok(if s.rewritten() { refused("no date") } else { right() }))
            .boxed(),
        Puppet::with("good", |_, _| Ok(right())).boxed(),
    ];
    let guidance = Guidance::Random;
    let settings = Settings { variants: 100, guidance, ..Settings::default() };
    let (run, _) = campaign(&subject, &clients, settings, &Stop::new());
    let run = run.unwrap();
    assert_eq!(
        found(&run),
        [
            "picky: wrong Minimal  garbage",
            "picky: wrong Minimal big garbage",
            "strict: refused Minimal "
        ]
    );
    assert_eq!(run.causes[2].count, 101, "all variants, and the seed written anew");
    assert!(!run.causes[2].limit, "it reads the seed, and does not say what it lacks");
    let page = &report::pages(&run)[0].html;
    assert!(page.contains("the seed re-encoded without changes"));
}

fn wrong_colours() -> Reply {
    let Reply::Picture(picture) = right() else { unreachable!() };
    let samples = picture.rgba().iter().map(|v| !v).collect();
    Reply::Picture(tiff_harness::Picture::new(picture.width(), picture.height(), samples))
}

fn changed(change: impl Fn(&[u16], u32) -> Vec<u16>) -> Reply {
    let Reply::Picture(picture) = right() else { unreachable!() };
    let (w, h) = (picture.width(), picture.height());
    Reply::Picture(tiff_harness::Picture::new(w, h, change(picture.rgba(), w)))
}

fn inverted() -> Reply {
    let pixel = |p: &[u16]| [!p[0], !p[1], !p[2], p[3]];
    changed(|samples, _| samples.chunks(4).flat_map(pixel).collect())
}

fn rows_mirrored() -> Reply {
    changed(|samples, w| samples.chunks(4 * w as usize).rev().flatten().copied().collect())
}

fn columns_mirrored() -> Reply {
    changed(|samples, w| {
        let row = |row: &[u16]| row.chunks(4).rev().flatten().copied().collect::<Vec<u16>>();
        samples.chunks(4 * w as usize).flat_map(row).collect()
    })
}

fn both_mirrored() -> Reply {
    changed(|samples, _| samples.chunks(4).rev().flatten().copied().collect())
}

fn noise() -> Reply {
    changed(|samples, _| (0..samples.len()).map(|k| (k * k * 7919 % 65_521) as u16).collect())
}

fn causes_of(behaviour: fn(&fake::Seen) -> Reply) -> Vec<String> {
    let clients = [Puppet::with("x", move |s, _| Ok(behaviour(s))).boxed()];
    let (run, _) = run(&clients, 600, 2);
    for cause in &run.causes {
        let small = cause.small.as_ref().map(|small| (&small.expected, small.got.as_ref()));
        if let Some((expected, Some(got))) = small {
            let family = campaign::oracle::classify(expected, got).family();
            assert_eq!(Some(family), cause.difference.map(|kind| kind.family()));
        }
    }
    let line = |c: &Cause| format!("{} {}", report::title(c), c.signature());
    run.causes.iter().map(line).collect()
}

#[test]
fn values_of_one_dimension_that_differ_in_kind_are_two_causes() {
    let causes = causes_of(|s| match s.int("orientation") {
        2 => rows_mirrored(),
        3 | 5 => inverted(),
        _ => right(),
    });
    assert_eq!(
        causes,
        [
            "orientation = 3, 5 wrong (colours inverted)",
            "orientation = 2 wrong (rows mirrored, top to bottom)",
        ]
    );
}

#[test]
fn faults_that_add_up_are_causes_of_their_own() {
    // Together they look like garbage.
    let causes = causes_of(|s| match (s.is("big", "yes"), s.is("fill", "ones")) {
        (true, true) => noise(),
        (true, false) => inverted(),
        (false, true) => rows_mirrored(),
        _ => right(),
    });
    assert_eq!(
        causes,
        ["fill = ones wrong (rows mirrored, top to bottom)", "big = yes wrong (colours inverted)",]
    );
    // Together they have a kind of their own.
    let causes = causes_of(|s| match (s.is("big", "yes"), s.is("fill", "ones")) {
        (true, true) => both_mirrored(),
        (true, false) => columns_mirrored(),
        (false, true) => rows_mirrored(),
        _ => right(),
    });
    assert_eq!(
        causes,
        [
            "fill = ones wrong (rows mirrored, top to bottom)",
            "big = yes wrong (columns mirrored, left to right)",
        ]
    );
}

#[test]
fn a_combination_that_only_changes_the_effect_is_no_cause() {
    let causes = causes_of(|s| match (s.is("big", "yes"), s.int("orientation")) {
        (true, 4) => columns_mirrored(),
        (_, 4) => inverted(),
        _ => right(),
    });
    assert_eq!(causes, ["orientation = 4 wrong (colours inverted)"]);
}

#[test]
fn wrong_low_bits_do_not_hide_other_faults() {
    let causes = causes_of(|s| match (s.is("big", "yes"), s.int("orientation")) {
        (true, 4) => noise(),
        (_, 4) => changed(|samples, _| samples.iter().map(|v| v & 0xFFF0).collect()),
        _ => right(),
    });
    assert_eq!(
        causes,
        [
            "orientation = 4 with big = yes wrong (no pattern)",
            "orientation = 4 wrong (low bits only)",
        ]
    );
}

#[test]
fn other_wrong_pixels_in_each_run_have_a_cause() {
    let garbage = |times: usize| {
        let Reply::Picture(picture) = right() else { unreachable!() };
        let mut samples = picture.rgba().to_vec();
        samples[400..800].fill(1000 + times as u16);
        Reply::Picture(Picture::new(picture.width(), picture.height(), samples))
    };
    let clients = [Puppet::with("memory", move |s, times| {
        Ok(if s.int("orientation") == 3 { garbage(times) } else { right() })
    })
    .boxed()];
    let (run, records) = run(&clients, 60, 2);
    assert_eq!(found(&run), ["memory: wrong Minimal orientation part"]);
    assert_eq!(report::title(&run.causes[0]), "orientation = 3 (other pixels in each run)");
    assert!(records.iter().any(|r| matches!(r, Record::Cause { varies: true, minimal: true, .. })));
}

#[test]
fn an_unsteady_client_is_run_five_times() {
    let clients = [Puppet::with("flaky", |s, times| {
        Ok(if s.is("big", "yes") && times % 2 == 1 { inverted() } else { right() })
    })
    .boxed()];
    let (run, records) = run(&clients, 60, 2);
    assert_eq!(found(&run), ["flaky: wrong Flaky "]);
    let cause = &run.causes[0];
    assert_eq!(
        report::title(cause),
        "not reproducible: wrong pixels: colours inverted in 3 of 5 runs, same picture in 2"
    );
    let Some(Record::Cause { runs, flaky: true, .. }) = records.last() else { panic!() };
    assert_eq!(runs, &cause.runs);
}

#[test]
fn a_crash_in_one_of_the_two_runs_on_the_seed_is_one_with_its_message() {
    let said = "SIGABRT: free(): invalid pointer";
    let twice = |name, again: fn(&str) -> Reply| {
        Puppet::with(name, move |_, times| Ok(if times == 1 { right() } else { again(said) }))
            .boxed()
    };
    let clients = [
        twice("crashing", |said| Reply::Crash { message: said.to_owned() }),
        twice("painting", |_| inverted()),
    ];
    let (run, records) = run(&clients, 12, 2);
    assert_eq!(found(&run), ["painting: wrong Flaky ", "crashing: crash Flaky "]);
    assert_eq!(run.causes[1].message, said);
    assert_eq!(run.clients[1].state, ClientState::Unsteady);
    let told = |r: &Record| matches!(r, Record::Client { state, message, .. } if state == "unsteady" && message == said);
    assert!(records.iter().any(told));
}

#[test]
fn crashes_that_are_not_reproducible_are_told_apart_by_their_messages() {
    let clients = [Puppet::with("flaky", |s, times| {
        let message = if s.int("orientation") > 4 { "SIGABRT: free(): invalid" } else { "SIGSEGV" };
        let crashes = s.is("big", "yes") && times % 2 == 1;
        Ok(if crashes { Reply::Crash { message: message.to_owned() } } else { right() })
    })
    .boxed()];
    let (run, _) = run(&clients, 200, 2);
    let mut messages: Vec<&str> = run.causes.iter().map(|cause| &*cause.message).collect();
    messages.sort_unstable();
    assert_eq!(messages, ["SIGABRT: free(): invalid", "SIGSEGV"]);
    assert!(run.causes.iter().all(|cause| cause.depth == Depth::Flaky && cause.count > 1));
}

/// A client that refuses orientation 5 and shows a wrong picture above.
fn half() -> Box<dyn Client> {
    Puppet::with("half", |s, _| {
        Ok(match s.int("orientation") {
            5 => refused("no"),
            n if n > 4 => wrong(s),
            _ => right(),
        })
    })
    .boxed()
}

#[test]
fn all_values_of_a_code_are_known_whatever_was_drawn() {
    let clients = [half()];
    let (run, records) = run(&clients, 12, 2);
    let [wrong, refused] = &run.causes[..] else { panic!("{:?}", found(&run)) };
    assert_eq!(
        (&wrong.values[..], &wrong.fine[..1]),
        (&["6", "7", "8"].map(String::from)[..], &["2".to_owned()][..])
    );
    assert_eq!(refused.values, ["5"]);
    let completing = |r: &&Record| matches!(r, Record::Probe { why: Purpose::Complete, .. });
    assert!((1..=7).contains(&records.iter().filter(completing).count()));
}

#[test]
fn a_cause_met_beyond_the_plan_counts_what_shows_it() {
    // Few variants contain only some of the causes.
    let clients = [half()];
    let mut met = 0;
    for seed in 1..=8 {
        let settings = Settings { variants: 4, seed, ..Settings::default() };
        let (run, records) = campaign(&Fake::new(), &clients, settings, &Stop::new());
        let run = run.unwrap();
        for cause in &run.causes {
            let shows = |r: &&Record| matches!(r, Record::Result { outcome, .. } if *outcome == cause.outcome);
            let variants = records.iter().filter(shows).count();
            assert_eq!(cause.count, variants.max(1), "run {seed}: {:?}", cause.values);
            met += usize::from(variants == 0);
        }
    }
    assert!(met > 0, "no cause was met beyond a plan");
}

#[test]
fn values_are_made_simple() {
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("rows", |s, _| Ok(if s.int("rows") > 9 { wrong(s) } else { right() })).boxed(),
        Puppet::with("few", |s, _| Ok(if s.int("rows") < 3 { wrong(s) } else { right() })).boxed(),
        // Fails from 20 on, but not for all values.
        Puppet::with("odd", |s, _| {
            Ok(if s.int("rows") > 19 && s.int("rows") % 7 != 0 { wrong(s) } else { right() })
        })
        .boxed(),
        Puppet::with("last", |s, _| Ok(if s.order()[4] != 4 { wrong(s) } else { right() })).boxed(),
        Puppet::with("back", |s, _| Ok(if s.reversed() { wrong(s) } else { right() })).boxed(),
        Puppet::with("both", |s, _| {
            Ok(if s.int("rows") > 30 && s.order()[0] != 0 { wrong(s) } else { right() })
        })
        .boxed(),
    ];
    let (run, _) = run(&clients, 200, 2);
    let of = |name: &str| {
        let cause = run.causes.iter().find(|c| run.clients[c.client].name == name);
        cause.map(report::title).unwrap_or_default()
    };
    assert_eq!(of("rows"), "rows = 10 (from there on)");
    assert_eq!(of("few"), "rows = 2 (up to there)");
    assert!(!of("odd").contains("from there on"), "{}", of("odd"));
    assert_eq!(of("last"), "order = [0, 1, 2, 4, 3]");
    assert_eq!(of("back"), "order = reversed");
    assert!(
        of("both").starts_with("rows = 31 (from there on) with order = [1, 0, 2, 3, 4]"),
        "{}",
        of("both")
    );
    assert!(run.causes.iter().all(|c| c.depth == Depth::Minimal));
}

#[test]
fn no_file_is_run_twice_but_to_confirm() {
    let ran = Arc::new(Mutex::new(0));
    let count = Arc::clone(&ran);
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("counting", move |s, times| {
            *count.lock().unwrap() += 1;
            // The seed is run twice, and a file that shows a cause is confirmed.
            assert!(times <= 3, "{times} times");
            Ok(if s.int("orientation") == 3 || s.is("fill", "ones") { spoilt() } else { right() })
        })
        .boxed(),
    ];
    let (run, records) = run(&clients, 300, 4);
    assert_eq!(run.causes.len(), 2);
    let known =
        records.iter().filter(|r| matches!(r, Record::Result { .. } | Record::Probe { .. }));
    assert!(*ran.lock().unwrap() <= known.count() + 2);
    let confirms = |r: &&Record| matches!(r, Record::Probe { why: Purpose::Confirm, .. });
    let differences = run.findings();
    let confirmed = records.iter().filter(confirms).count();
    assert!((2..differences / 4).contains(&confirmed), "{confirmed} of {differences}");
}

#[test]
fn without_time_there_is_still_a_report() {
    let settings = Settings { time: Some(std::time::Duration::ZERO), ..Settings::default() };
    let (run, _) = campaign(&Fake::new(), &zoo(), settings, &Stop::new());
    let run = run.unwrap();
    assert!(run.time_up && !run.stopped && run.variants == 0);
    assert!(run.judged() > 5);
    assert!(report::summary(&run).contains("reached after 0 of 200 variants"));
}

#[test]
fn a_stopped_run_reports_what_was_done() {
    let stop = Stop::new();
    let seen = stop.clone();
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("stopper", move |s, _| {
            if s.is("big", "yes") && s.int("orientation") != 1 && seen.requests() == 0 {
                seen.request();
            }
            Ok(if s.int("orientation") != 1 { spoilt() } else { right() })
        })
        .boxed(),
    ];
    let settings = Settings { variants: 5000, ..Settings::default() };
    let (run, records) = campaign(&Fake::new(), &clients, settings, &stop);
    let run = run.unwrap();
    assert!(run.stopped && run.variants < 5000);
    assert_eq!(found(&run), ["stopper: wrong Minimal orientation part"]);
    assert!(records.iter().any(|r| matches!(r, Record::Result { .. })));
}

#[test]
fn stopped_twice_it_reduces_no_more() {
    let stop = Stop::new();
    let seen = stop.clone();
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("stopper", move |s, times| {
            // The second run belongs to the reduction.
            if times == 2 && s.int("orientation") != 1 {
                seen.request();
                seen.request();
            }
            Ok(if s.int("orientation") != 1 { wrong(s) } else { right() })
        })
        .boxed(),
    ];
    let settings = Settings { variants: 40, ..Settings::default() };
    let (run, _) = campaign(&Fake::new(), &clients, settings, &stop);
    let run = run.unwrap();
    assert!(run.causes.iter().any(|c| c.depth == Depth::Not));
    assert!(run.causes.iter().all(|c| !c.file.is_empty()));
}

#[test]
fn a_panic_in_a_client_drops_it() {
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("panicky", |s, _| {
            assert!(s.int("rows") < 10, "too many rows");
            Ok(right())
        })
        .boxed(),
        Puppet::with("good", |_, _| Ok(right())).boxed(),
    ];
    let (run, _) = run(&clients, 50, 2);
    assert_eq!(run.clients[0].dropped.as_deref(), Some("panicked: too many rows"));
    assert_eq!(run.clients[1].outcomes[Outcome::Same.rank()], 50);
}

#[test]
fn every_cause_can_be_replayed() {
    let subject = Fake::new();
    let (run, _) = run(&zoo(), 600, 2);
    for cause in run.causes.iter().filter(|c| c.depth == Depth::Minimal) {
        assert_eq!(subject.replay(&cause.choices).unwrap().bytes, cause.file);
    }
}

#[test]
fn a_result_that_cannot_be_written_ends_the_run() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("disk full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let result = Campaign {
        subject: &Fake::new(),
        clients: &zoo(),
        settings: Settings::default(),
        about: About::default(),
        log: &Log::to(Full),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run();
    assert_eq!(result.unwrap_err().to_string(), "cannot write the results: disk full");
}

#[test]
fn without_variants_or_clients_only_the_seed_can_be_found() {
    assert!(run(&zoo(), 0, 2).0.causes.iter().all(|c| c.whole == WholeFile::SeedItself));
    assert!(run(&[], 10, 2).0.causes.is_empty());
    let hung: Vec<Box<dyn Client>> = vec![Puppet::with("stuck", |_, _| Ok(Reply::Hang)).boxed()];
    let causes = run(&hung, 10, 2).0.causes;
    assert_eq!(causes.iter().map(|c| c.outcome).collect::<Vec<_>>(), [Outcome::Hang]);
}
