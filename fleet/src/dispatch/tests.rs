use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use super::state::{Answer, Key, MOST_GROUPS, State, Waiting};
use super::workers::Heard;
use super::{Dispatch, Limits, Replied, Request};
use crate::token::Tokens;
use crate::wire::{Beat, ClientFacts, FileSource, Hello, Item, Job};
use campaign::Stop;
use clients::Reply;
use clients::digest;
use reports::nightly::Ends;

/// A client for TIFF files.
fn tif(facts: ClientFacts) -> (ClientFacts, String) {
    (facts, "tif".to_owned())
}

fn facts(name: &str, version: &str) -> ClientFacts {
    ClientFacts {
        name: name.to_owned(),
        version: version.to_owned(),
        summary: String::new(),
        command: None,
        files: Default::default(),
        formats: None,
        unusable: Default::default(),
        applies: Vec::new(),
        ignores: Vec::new(),
        contract: None,
        facts: Default::default(),
        confinement: None,
    }
}

fn worker(state: &mut State, name: &str, slots: usize, clients: &[ClientFacts]) {
    let group = crate::wire::group(clients);
    let worker = name.to_owned();
    state.hello(Hello {
        protocol: 2,
        worker: worker.clone(),
        group: group.clone(),
        clients: clients.to_vec(),
    });
    state.beat(Beat {
        worker,
        group,
        process: String::new(),
        slots,
        busy: 0,
        runs: 0,
        jobs: 0,
        load: 0.0,
    });
}

fn item(file: &str) -> Item {
    let sha256 = digest::hex(file);
    Item {
        sha256,
        fresh: false,
        full: false,
        not_by: None,
        file: FileSource::Inline(String::new()),
    }
}

fn ask(state: &mut State, client: usize, file: &str) -> Receiver<Answer> {
    let (sender, receiver) = sync_channel(1);
    let key = Key { client, file: digest::key(file), fresh: false };
    let (bytes, since) = (file.as_bytes().into(), Instant::now());
    state.ask(Waiting { key, bytes, seed: None, item: item(file), sender, since, in_vain: 0 });
    receiver
}

fn reply(text: &str) -> Answer {
    let message = text.to_owned();
    let (reply, took) = (Reply::Refused { message }, Duration::from_millis(50));
    Answer::Reply(Replied { reply, took, worker: "w".into() })
}

fn begun() -> State {
    let mut state = State::new(Arc::new(Tokens::of([7; 32])));
    state.begin("n", vec![tif(facts("a", "1")), tif(facts("b", "1"))], 1);
    state
}

#[test]
fn jobs_are_for_workers_that_have_the_client_and_room() {
    let mut state = begun();
    let waiting: Vec<_> = (0..30).map(|k| ask(&mut state, 0, &k.to_string())).collect();
    let other = ask(&mut state, 1, "x");
    assert!(state.outgoing().is_empty(), "there is no worker");
    worker(&mut state, "w", 1, &[facts("a", "1"), facts("b", "2")]);
    let jobs = state.outgoing();
    assert_eq!(jobs.iter().map(|out| out.job.items.len()).collect::<Vec<_>>(), [10, 10, 10]);
    // The numbers can be guessed, what follows them cannot.
    for (number, out) in (1..).zip(&jobs) {
        let word = out.job.id.strip_prefix(&format!("n-{number}-")).unwrap();
        assert_eq!(word.len(), 32);
    }
    let second = jobs[1].job.id.clone();
    let lie = |k: u64| reply(&k.to_string());
    state.complete("n-2", (0..10).map(lie).collect());
    assert!(waiting.iter().all(|answer| answer.try_recv().is_err()), "a guess is no result");
    let answers = (10..20).map(|k| reply(&k.to_string())).collect();
    state.complete(&second, answers);
    assert_eq!(waiting[13].try_recv(), Ok(reply("13")));
    assert!(waiting[3].try_recv().is_err() && other.try_recv().is_err());
    // A result that arrives again has no effect.
    state.complete(&second, Vec::new());
    assert_eq!(state.progress().runs, 10);
    worker(&mut state, "v", 1, &[facts("b", "1")]);
    let jobs = state.outgoing();
    assert_eq!(jobs.iter().map(|out| &*out.job.client).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn a_job_is_about_a_second_of_work() {
    let mut state = begun();
    worker(&mut state, "w", 1, &[facts("a", "1")]);
    let waiting: Vec<_> = (0..500).map(|k| ask(&mut state, 0, &k.to_string())).collect();
    let jobs = state.outgoing();
    assert_eq!(jobs.iter().map(|out| out.job.items.len()).collect::<Vec<_>>(), [20, 20, 20]);
    assert_eq!(state.progress().waiting, 440);
    drop(waiting);
}

#[test]
fn jobs_of_an_earlier_process_are_adopted() {
    let mut state = begun();
    let job = |id: &str, files: &[&str]| Job {
        id: id.to_owned(),
        protocol: 2,
        extension: "tif".to_owned(),
        night: "n".to_owned(),
        client: "a".to_owned(),
        version: "1".to_owned(),
        program: String::new(),
        seed: None,
        items: files.iter().map(|file| item(file)).collect(),
    };
    let mut used = true;
    let answers = vec![reply("used"), reply("kept")];
    state.resume(&job("n-1-a", &["x", "x"]), Some(answers), |_| std::mem::take(&mut used));
    state.resume(&job("n-2-b", &["y", "z"]), None, |_| false);
    assert_eq!(ask(&mut state, 0, "x").try_recv(), Ok(reply("kept")));
    let late = ask(&mut state, 0, "y");
    worker(&mut state, "w", 4, &[facts("a", "1")]);
    assert!(state.outgoing().is_empty(), "it is under way");
    state.complete("n-2-b", vec![reply("y"), reply("z")]);
    assert_eq!(late.try_recv(), Ok(reply("y")));
    assert_eq!(ask(&mut state, 0, "z").try_recv(), Ok(reply("z")));
    assert!(state.outgoing().is_empty());
}

#[test]
fn a_job_is_split_and_published_again() {
    let mut state = begun();
    let job = Job {
        id: "n-7-c".to_owned(),
        protocol: 2,
        extension: "tif".to_owned(),
        night: "n".to_owned(),
        client: "a".to_owned(),
        version: "1".to_owned(),
        program: String::new(),
        seed: None,
        items: vec![item("x"), item("y")],
    };
    state.resume(&job, None, |_| false);
    worker(&mut state, "w", 4, &[facts("a", "1")]);
    let parts = state.split("n-7-c").unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(state.split("n-7-c"), None);
    assert_eq!(state.split(&parts[0].job.id), None);
    let waiting = ask(&mut state, 0, "y");
    assert!(!state.is_stalled(Duration::from_secs(60)) && state.is_stalled(Duration::ZERO));
    let again = state.again(true);
    assert_eq!(state.again(false), again, "a loss of all is no attempt");
    assert!(again.iter().all(|out| out.again == 1 && !out.group.is_empty()), "{again:?}");
    state.complete(&parts[1].job.id, vec![reply("y")]);
    assert_eq!(waiting.try_recv(), Ok(reply("y")));
}

#[test]
fn a_file_that_a_worker_cannot_make_is_sent_with_its_bytes() {
    let mut state = begun();
    worker(&mut state, "w", 1, &[facts("a", "1")]);
    let waiting = ask(&mut state, 0, "x");
    for _ in 0..2 {
        let jobs = state.outgoing();
        state.complete(&jobs[0].job.id, vec![Answer::Again]);
    }
    // After too many failures, it is not tried again.
    assert_eq!(waiting.try_recv(), Ok(Answer::Again));
    assert!(state.outgoing().is_empty());
}

#[test]
fn the_version_of_most_slots_is_used() {
    let mut state = State::new(Arc::new(Tokens::of([7; 32])));
    worker(&mut state, "w", 2, &[facts("a", "1"), facts("b", "1")]);
    worker(&mut state, "v", 3, &[facts("a", "2")]);
    let (used, others) = state.offered();
    assert_eq!(used, [facts("a", "2"), facts("b", "1")]);
    assert_eq!(others, [(facts("a", "1"), 2)]);
    assert_eq!(state.workers(), (2, 5));
}

#[test]
fn two_processes_of_one_name_are_told_from_one_that_was_started_again() {
    let mut state = begun();
    let clients = [facts("a", "1")];
    worker(&mut state, "w", 1, &clients);
    let group = crate::wire::group(&clients);
    let mut beat = |process: &str| {
        let (worker, process) = ("w".to_owned(), process.to_owned());
        let group = group.clone();
        state.beat(Beat { worker, group, process, slots: 1, busy: 0, runs: 0, jobs: 0, load: 0.0 })
    };
    assert_eq!(["1", "1", "2", "2"].map(&mut beat), [Heard::Known; 4]);
    assert_eq!(["1", "2"].map(beat), [Heard::Double; 2]);
}

#[test]
fn another_sandbox_of_the_same_client_is_told_and_noted() {
    let mut state = begun();
    let confined = |sandbox: &str| {
        let confinement = Some(sandbox.to_owned());
        vec![ClientFacts { confinement, ..facts("a", "1") }]
    };
    let hello = |clients: Vec<ClientFacts>| Hello {
        protocol: 2,
        worker: "v".to_owned(),
        group: crate::wire::group(&clients),
        clients,
    };
    worker(&mut state, "w", 1, &confined("bubblewrap"));
    assert!(state.otherwise_confined(&hello(confined("bubblewrap"))).is_empty());
    let other = hello(confined("Landlock"));
    let told = state.otherwise_confined(&other);
    assert_eq!(told, [("Landlock".to_owned(), "bubblewrap".to_owned())].into());
    worker(&mut state, "v", 1, &confined("Landlock"));
    assert!(state.otherwise_confined(&other).is_empty(), "it is told once");
    let (used, others) = state.offered();
    assert_eq!(used[0].confinement.as_deref(), Some("bubblewrap or Landlock"));
    assert!(others.is_empty() && state.is_served(0) && !state.is_served(1));
    assert_eq!(state.groups.len(), 1, "they are equal workers");
}

#[test]
fn jobs_of_a_group_without_workers_go_to_another_one() {
    let mut state = begun();
    let both = [facts("a", "1"), facts("b", "1")];
    let waiting = ask(&mut state, 0, "x");
    worker(&mut state, "w", 1, &both);
    let first = state.outgoing().remove(0);
    worker(&mut state, "v", 1, &both[..1]);
    assert!(state.moved().is_empty(), "it has a worker");
    worker(&mut state, "w", 0, &both);
    let moved = state.moved();
    assert_eq!(moved.len(), 1);
    assert_eq!(moved[0].job, first.job);
    assert_ne!(moved[0].group, first.group);
    assert!(state.moved().is_empty());
    state.complete(&first.job.id, vec![reply("x")]);
    assert_eq!(waiting.try_recv(), Ok(reply("x")));
}

/// A run of the first client, which no worker has.
fn run_without_workers(dispatch: &Dispatch) -> std::io::Result<Replied> {
    dispatch.run(Request { client: 0, bytes: b"x", seed: None, item: item("x") })
}

#[test]
fn a_run_without_workers_ends_with_the_time_or_with_the_requests_of_the_user() {
    let begun = |stop: &Stop, time| {
        let dispatch = Dispatch::new(Arc::new(Tokens::of([7; 32])));
        dispatch.begin("n", vec![tif(facts("a", "1"))], 1, Limits { stop: stop.clone(), time });
        dispatch
    };
    let (stop, now) = (Stop::new(), Instant::now());
    let dispatch = begun(&stop, Some(Ends { work: now, night: now + Duration::from_secs(9999) }));
    let error = run_without_workers(&dispatch).unwrap_err().to_string();
    assert!(error.contains("no worker was there"), "{error}");
    let dispatch = begun(&stop, Some(Ends { work: now, night: now }));
    let error = run_without_workers(&dispatch).unwrap_err().to_string();
    assert!(error.contains("time was used up") && dispatch.is_over(), "{error}");
    // The first request came before this run: it is interrupted by a second one, and its reply not used.
    let dispatch = begun(&stop, None);
    stop.request();
    assert_eq!(run_without_workers(&dispatch).unwrap().reply, Reply::Hang);
    assert!(stop.ends_reduction());
}

/// The answer of a worker.
fn by(worker: &str) -> Answer {
    let reply = Reply::Refused { message: String::new() };
    Answer::Reply(Replied { reply, took: Duration::ZERO, worker: worker.into() })
}

fn ask_again(state: &mut State, file: &str) -> Receiver<Answer> {
    let (sender, receiver) = sync_channel(1);
    let key = Key { client: 0, file: digest::key(file), fresh: true };
    let (bytes, since) = (file.as_bytes().into(), Instant::now());
    let item = Item { fresh: true, ..item(file) };
    state.ask(Waiting { key, bytes, seed: None, item, sender, since, in_vain: 0 });
    receiver
}

/// Returns the only job to publish, and the worker that it is not for.
fn only(state: &mut State) -> (String, Option<String>) {
    let jobs = state.outgoing();
    let [out] = &jobs[..] else { panic!("{jobs:?}") };
    (out.job.id.clone(), out.job.items[0].not_by.clone())
}

#[test]
fn a_result_is_confirmed_by_another_worker_where_there_is_one() {
    let mut state = begun();
    worker(&mut state, "v", 1, &[facts("a", "1")]);
    let first = ask(&mut state, 0, "x");
    let (job, _) = only(&mut state);
    state.complete(&job, vec![by("v")]);
    assert_eq!(first.try_recv(), Ok(by("v")));
    // Nobody else is there.
    let alone = ask_again(&mut state, "x");
    let (job, not_by) = only(&mut state);
    assert_eq!(not_by, None);
    state.complete(&job, vec![by("v")]);
    assert_eq!(alone.try_recv(), Ok(by("v")));
    worker(&mut state, "w", 1, &[facts("a", "1")]);
    let second = ask_again(&mut state, "x");
    let (job, not_by) = only(&mut state);
    assert_eq!(not_by.as_deref(), Some("v"));
    // The same worker ran it nevertheless, so it is requested again.
    state.complete(&job, vec![by("v")]);
    assert!(second.try_recv().is_err());
    let (job, not_by) = only(&mut state);
    assert_eq!(not_by.as_deref(), Some("v"));
    state.complete(&job, vec![by("w")]);
    assert_eq!(second.try_recv(), Ok(by("w")));
    // The next confirmation is for the first one again, but not for ever.
    let third = ask_again(&mut state, "x");
    for _ in 0..3 {
        assert!(third.try_recv().is_err());
        let (job, not_by) = only(&mut state);
        assert_eq!(not_by.as_deref(), Some("w"));
        state.complete(&job, vec![by("w")]);
    }
    assert_eq!(third.try_recv(), Ok(by("w")));
}

#[test]
fn strangers_cannot_fill_the_memory() {
    let mut state = begun();
    for k in 0..2 * MOST_GROUPS {
        worker(&mut state, &format!("w{k}"), 1, &[facts(&format!("c{k}"), "1")]);
    }
    assert_eq!(state.groups.len(), MOST_GROUPS);
}
