//! Interrupted and resumed runs: nothing is lost, nothing is done twice.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::fake::{self};
use crate::fake::{Fake, Puppet, crash, refused, right, wrong};
use campaign::{
    About, Campaign, FileKey, Journal, Log, PriorWork, Record, RecordedReply, Run, Settings, Shard,
    Slice, Stop,
};
use clients::{Client, Reply};
use equivalents::subject::Subject;
use indicatif::ProgressBar;
use reports::report::{self, Rows};
use reports::store::{
    Batch, BatchKind, Bucket, ClientRecord, RunRequest, RunState, Scope, Start, Store,
};
use serde_json::json;

const VARIANTS: usize = 60;

/// Clients with faults that count their runs, and request a stop at run number `last`.
fn clients(
    version: &'static str,
    last: usize,
    stop: &Stop,
) -> (Vec<Box<dyn Client>>, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let counting = |deed: fn(&fake::Seen) -> Reply| {
        let (runs, stop) = (Arc::clone(&runs), stop.clone());
        move |seen: &fake::Seen, _: usize| {
            if runs.fetch_add(1, Ordering::SeqCst) + 1 >= last && stop.requests() == 0 {
                stop.request();
                stop.request();
            }
            Ok(deed(seen))
        }
    };
    let clients = vec![
        Puppet::with(
            "first",
            counting(|s| match (s.int("orientation"), s.is("big", "yes")) {
                (2, _) => wrong(s),
                (_, true) => crash("SIGSEGV"),
                _ => right(),
            }),
        )
        .versioned(version)
        .boxed(),
        Puppet::with(
            "second",
            counting(|s| match s.is("fill", "ones") && s.int("rows") > 9 {
                true => refused("no"),
                false => right(),
            }),
        )
        .boxed(),
    ];
    (clients, runs)
}

fn begin(store: &Path, start: Start) -> Batch {
    Store::open(store).unwrap().begin(BatchKind::Fuzz, &json!("this"), start).unwrap()
}

/// One process's part in the run: returns the run and its notes.
fn part(batch: &Batch, clients: &[Box<dyn Client>], stop: &Stop) -> (Run, Vec<String>) {
    let request = RunRequest {
        place: 0,
        seed_file: "seed.fake".into(),
        seed_sha256: "00".into(),
        whole: json!("this"),
        format: String::new(),
        shard: Shard::WHOLE,
        slice: Slice::WHOLE,
        command: String::new(),
        clients: clients.iter().map(|client| ClientRecord::of(&**client)).collect(),
    };
    let stored = match batch.run(&request).unwrap() {
        RunState::Finished(run) => return (*run, vec!["finished".into()]),
        RunState::Open(stored) => stored,
    };
    let run = Campaign {
        subject: &Fake::new(),
        clients,
        settings: Settings { variants: VARIANTS, jobs: 2, ..Settings::default() },
        about: About::default(),
        log: &Log::to(std::io::sink()).with_journal(stored.recorder()),
        stop,
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap();
    stored.finish(&run).unwrap();
    (run, stored.notes().to_vec())
}

/// The content of a report, without times.
fn content(run: &Run) -> (String, String) {
    let lines: Vec<String> = report::cause_records(run).iter().map(|r| r.line()).collect();
    (lines.join("\n"), report::table(run, Rows::All))
}

#[test]
fn a_run_that_was_stopped_anywhere_goes_on_and_asks_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Stop::new();
    let (zoo, runs) = clients("1", usize::MAX, &stop);
    let (whole, _) = part(&begin(&folder.path().join("whole"), Start::Resume), &zoo, &stop);
    let needed = runs.load(Ordering::SeqCst);
    for last in [1, 7, 40, needed / 2, needed - 1] {
        let store = folder.path().join(format!("{last}"));
        let mut before = 0;
        // Work in progress at a stop is completed.
        for after in [last, last + 30, usize::MAX] {
            let stop = Stop::new();
            let (zoo, runs) = clients("1", after.saturating_sub(before).max(1), &stop);
            let batch = begin(&store, Start::Resume);
            let (run, _) = part(&batch, &zoo, &stop);
            before += runs.load(Ordering::SeqCst);
            if after == usize::MAX {
                assert_eq!(content(&run), content(&whole), "stopped at {last}");
                batch.close().unwrap();
            }
        }
        // Replies during which the user stopped are not stored: one for each thread.
        assert!((needed..=needed + 4).contains(&before), "{before} of {needed}");
    }
}

#[test]
fn a_finished_run_is_returned_again_and_a_fresh_one_runs_clients_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s");
    let stop = Stop::new();
    let (zoo, runs) = clients("1", usize::MAX, &stop);
    let (first, notes) = part(&begin(&store, Start::Resume), &zoo, &stop);
    assert!(notes.is_empty(), "{notes:?}");
    let needed = runs.swap(0, Ordering::SeqCst);
    let (again, notes) = part(&begin(&store, Start::Resume), &zoo, &stop);
    assert_eq!((notes, runs.load(Ordering::SeqCst)), (vec!["finished".into()], 0));
    assert_eq!(content(&again), content(&first));
    let (zoo, runs) = clients("1", usize::MAX, &stop);
    let (_, notes) = part(&begin(&store, Start::Fresh), &zoo, &stop);
    assert_eq!((notes.len(), runs.load(Ordering::SeqCst)), (0, needed));
}

#[test]
fn a_client_that_is_upgraded_or_gone_meanwhile_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s");
    let stop = Stop::new();
    let (zoo, _) = clients("1", 30, &stop);
    part(&begin(&store, Start::Resume), &zoo, &stop);
    let rows = |client: &str| -> i64 {
        let conn = rusqlite::Connection::open(&store).unwrap();
        let count = "SELECT count(*) FROM reply, client WHERE client = id AND name || version = ?";
        conn.query_row(count, [client], |row| row.get(0)).unwrap()
    };
    let old = rows("first1");
    assert!(old > 5, "{old}");
    let stop = Stop::new();
    let (mut zoo, runs) = clients("2", usize::MAX, &stop);
    zoo.remove(1);
    let (run, notes) = part(&begin(&store, Start::Resume), &zoo, &stop);
    assert!(notes[0].starts_with("seed.fake: resuming the run of "), "{notes:?}");
    assert!(notes[1].contains(r#"first was "1" before and is "2" now: its"#), "{notes:?}");
    assert!(notes[2].contains("second 1.0 is no longer among the clients"), "{notes:?}");
    // The new version starts over, and the results of the client that is gone are still there.
    assert_eq!(run.clients[0].version, "2");
    assert!(runs.load(Ordering::SeqCst) > 30, "more than before it was stopped");
    assert_eq!((rows("first1"), rows("first2")), (0, 0));
    assert!(rows("second1.0") > 5);
}

#[test]
fn two_processes_do_not_work_on_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let batch = begin(&path, Start::Resume);
    let other = Store::open(&path).unwrap().begin(BatchKind::Fuzz, &json!("other"), Start::Resume);
    let error = other.unwrap_err().to_string();
    assert!(error.ends_with("wait until it has ended, or name another store"), "{error}");
    drop(batch);
    begin(&path, Start::Resume);
}

#[test]
fn what_is_no_store_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    std::fs::write(&path, "a text of some length, which is no database at all").unwrap();
    let error = Store::open(&path).unwrap_err().to_string();
    assert!(error.contains("not a repfuzz store"), "{error}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("a text"));
    let error = Store::existing(&folder.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("No such file") && !error.contains('\n'), "{error}");
}

/// A whole run in its own batch; the first client has this version.
fn finished(store: &Path, key: &str, version: &'static str) -> Run {
    let stop = Stop::new();
    let batch =
        Store::open(store).unwrap().begin(BatchKind::Fuzz, &json!(key), Start::Resume).unwrap();
    let (run, _) = part(&batch, &clients(version, usize::MAX, &stop).0, &stop);
    batch.close().unwrap();
    run
}

/// Client, outcome, dimensions, count and runs of every bucket.
fn bucket_lines(store: &Path) -> Vec<String> {
    let buckets = Store::existing(store).unwrap().buckets(Scope::All).unwrap();
    let line = |b: &Bucket| {
        let versions = format!("{} to {}", b.first.version, b.last.version);
        let name = format!("{} {} {}", b.key.client, b.key.outcome, b.key.dimensions.join("+"));
        format!("{name}: {} in {}, {versions}, {} bytes", b.count, b.runs, b.example.file.len())
    };
    buckets.iter().map(line).collect()
}

#[test]
fn a_bucket_is_over_all_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s");
    let run = finished(&store, "one", "1");
    let once = bucket_lines(&store);
    assert_eq!(once.len(), run.causes.len());
    assert!(once[0].starts_with("first wrong orientation: "), "{once:?}");
    finished(&store, "two", "2");
    let twice = bucket_lines(&store);
    assert_eq!(twice.len(), once.len());
    let cause = run.causes.iter().find(|c| c.dimensions == ["big"]).unwrap();
    let expected =
        format!("first crash big: {} in 2, 1 to 2, {} bytes", 2 * cause.count, cause.file.len());
    assert!(twice.contains(&expected), "{expected}: {twice:?}");
    // The choices of an example reproduce its file.
    let buckets = Store::existing(&store).unwrap().buckets(Scope::All).unwrap();
    for bucket in buckets {
        let again = Fake::new().replay(&bucket.example.choices).unwrap();
        assert_eq!(again.bytes, bucket.example.file);
    }
}

#[test]
fn stores_merge_in_any_order_any_number_of_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    finished(&path("a"), "one", "1");
    finished(&path("b"), "two", "2");
    // One of `a`'s runs, unfinished.
    let stop = Stop::new();
    let (zoo, _) = clients("1", 40, &stop);
    drop(part(&begin(&path("a"), Start::Resume), &zoo, &stop));
    std::fs::copy(path("a"), path("early")).unwrap();
    let (zoo, runs) = clients("1", usize::MAX, &Stop::new());
    let (run, _) = part(&begin(&path("a"), Start::Resume), &zoo, &Stop::new());
    let left = runs.swap(0, Ordering::SeqCst);
    let merge = |into: &str, stores: &[&str]| {
        let store = Store::open(&path(into)).unwrap();
        stores.iter().for_each(|name| store.merge(&path(name)).unwrap());
    };
    merge("x", &["early", "b", "a"]);
    merge("y", &["a", "early", "a", "b", "b"]);
    merge("x", &["y"]);
    let rows = |name: &str| -> Vec<i64> {
        let conn = rusqlite::Connection::open(path(name)).unwrap();
        let count = |table: &&str| {
            conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        ["batch", "run", "client", "variant", "outcome", "cause", "reply", "picture"]
            .iter()
            .map(count)
            .collect()
    };
    assert_eq!(bucket_lines(&path("x")), bucket_lines(&path("y")));
    assert_eq!(rows("x"), rows("y"));
    assert_eq!(rows("x")[..2], [3, 3]);
    assert_eq!(rows("x")[6..], [0, 0], "nothing goes on");
    // An unfinished run can be resumed in the store that it was merged into.
    merge("z", &["b", "early"]);
    let (again, notes) = part(&begin(&path("z"), Start::Resume), &zoo, &Stop::new());
    assert!(notes[0].contains("resuming the run of"), "{notes:?}");
    assert_eq!((content(&again), runs.load(Ordering::SeqCst)), (content(&run), left));
    assert_eq!(bucket_lines(&path("z")), bucket_lines(&path("x")));
}

/// A run as stored by the first version of stores.
const KEPT: &str = include_str!("data/run-1.json");

#[test]
fn runs_of_older_stores_are_still_read() {
    let run: Run = serde_json::from_str(KEPT).unwrap();
    insta::assert_snapshot!(report::table(&run, Rows::All));
}

#[test]
fn time_that_was_used_up_before_counts_but_nothing_that_was_done_is_left_out() {
    struct Before;
    impl Journal for Before {
        fn recall(&self, _: &str, _: &FileKey, _: u32) -> std::io::Result<Option<RecordedReply>> {
            Ok(None)
        }
        fn keep(&self, _: &str, _: &FileKey, _: u32, _: &RecordedReply) -> std::io::Result<()> {
            Ok(())
        }
        fn note(&self, _: &Record) {}
        fn prior_work(&self) -> PriorWork {
            PriorWork { started: None, spent: Duration::from_secs(3600), reached: 11 }
        }
    }
    let run = Campaign {
        subject: &Fake::new(),
        clients: &clients("1", usize::MAX, &Stop::new()).0,
        settings: Settings {
            variants: 1000,
            time: Some(Duration::from_secs(3600)),
            ..Settings::default()
        },
        about: About::default(),
        log: &Log::to(std::io::sink()).with_journal(Before),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap();
    // Some of the steps before the eleventh repeat others.
    assert!(run.time_up && (8..30).contains(&run.variants), "{}", run.variants);
    assert!(run.took >= Duration::from_secs(3600));
}

/// Everything that the finished runs in a store have, or `None` if it cannot be read.
fn rows(store: &Path) -> Option<Vec<String>> {
    let conn = rusqlite::Connection::open(store).ok()?;
    let mut all = Vec::new();
    for query in [
        "SELECT place, whole, shard, seed_file, seed_sha256, repfuzz, command, clients, started, \
         spent_ms, state, hex(body) FROM run",
        "SELECT variant, vary, class, bytes, hex(choices) FROM variant ORDER BY variant",
        "SELECT o.variant, l.name, l.version, o.outcome, o.picture, o.message, o.ms FROM outcome o \
         JOIN client l ON l.id = o.client ORDER BY o.variant, l.name",
        "SELECT place, outcome, kind, dimensions, class, count, title, message, choices, size, \
         hex(file), hex(seed), difference, hex(forms) FROM cause ORDER BY place",
    ] {
        let mut find = conn.prepare(query).ok()?;
        let columns = find.column_count();
        let mut rows = find.query([]).ok()?;
        while let Some(row) = rows.next().ok()? {
            let cell = |k| row.get_ref(k).map(|value| format!("{value:?}"));
            all.push((0..columns).map(cell).collect::<Result<Vec<_>, _>>().ok()?.join("|"));
        }
    }
    Some(all)
}

#[test]
fn sixteen_flipped_bytes_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let stop = Stop::new();
    let (zoo, _) = clients("1", usize::MAX, &stop);
    let batch = begin(&whole, Start::Resume);
    part(&batch, &zoo, &stop);
    batch.close().unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    let right = rows(&whole).unwrap();
    assert!(right.len() > VARIANTS && bytes.len() > 60_000, "{} {}", right.len(), bytes.len());
    Store::existing(&whole).unwrap().verify().unwrap();
    let damaged = folder.path().join("damaged");
    let (mut noticed, mut harmless) = (0, 0);
    for place in (100..bytes.len() - 16).step_by(499) {
        let mut flipped = bytes.clone();
        flipped[place..place + 16].iter_mut().for_each(|byte| *byte ^= 0xff);
        std::fs::write(&damaged, &flipped).unwrap();
        match Store::existing(&damaged).and_then(|store| store.verify()) {
            Err(error) => {
                let line = error.to_string();
                assert!(!line.contains('\n') && line.contains("damaged"), "{place}: {line}");
                noticed += 1;
            }
            // Some bytes belong to nothing.
            Ok(()) => {
                assert_eq!(rows(&damaged).as_ref(), Some(&right), "unnoticed at {place}");
                harmless += 1;
            }
        }
        let _ = std::fs::remove_file(folder.path().join("damaged-wal"));
        let _ = std::fs::remove_file(folder.path().join("damaged-shm"));
    }
    // Much is free: the replies of a finished run are deleted.
    assert!(noticed > 20, "{noticed} noticed, {harmless} harmless");
}
