use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use super::state::{Answer, Key, State, Waiting};
use crate::client::Reply;
use crate::digest;
use crate::fleet::wire::{Beat, ClientFacts, FileSource, Hello, Item, Job};

fn facts(name: &str, version: &str) -> ClientFacts {
    ClientFacts {
        name: name.to_owned(),
        version: version.to_owned(),
        summary: String::new(),
        command: None,
        applies: Vec::new(),
        ignores: Vec::new(),
        contract: None,
        facts: Default::default(),
        confinement: None,
    }
}

fn worker(state: &mut State, name: &str, slots: usize, clients: &[ClientFacts]) {
    let group = crate::fleet::wire::group(clients);
    let worker = name.to_owned();
    state.hello(Hello { worker: worker.clone(), group: group.clone(), clients: clients.to_vec() });
    state.beat(Beat { worker, group, slots, busy: 0, runs: 0, jobs: 0, load: 0.0 });
}

fn item(file: &str) -> Item {
    let sha256 = digest::hex(file);
    Item { sha256, fresh: false, full: false, file: FileSource::Inline(String::new()) }
}

fn ask(state: &mut State, client: usize, file: &str) -> Receiver<Answer> {
    let (sender, receiver) = sync_channel(1);
    let key = Key { client, file: digest::key(file), fresh: false };
    let (bytes, since) = (file.as_bytes().into(), Instant::now());
    state.ask(Waiting { key, bytes, seed: None, item: item(file), sender, since });
    receiver
}

fn reply(text: &str) -> Answer {
    let message = text.to_owned();
    Answer::Reply(Reply::Refused { message }, Duration::from_millis(50))
}

fn begun() -> State {
    let mut state = State::default();
    state.begin("n", vec![facts("a", "1"), facts("b", "1")], 1);
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
    assert_eq!(jobs.iter().map(|out| &*out.job.id).collect::<Vec<_>>(), ["n-1", "n-2", "n-3"]);
    let answers = (10..20).map(|k| reply(&k.to_string())).collect();
    state.complete("n-2", answers);
    assert_eq!(waiting[13].try_recv(), Ok(reply("13")));
    assert!(waiting[3].try_recv().is_err() && other.try_recv().is_err());
    // A result that arrives again has no effect.
    state.complete("n-2", Vec::new());
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
        night: "n".to_owned(),
        client: "a".to_owned(),
        version: "1".to_owned(),
        seed: None,
        items: files.iter().map(|file| item(file)).collect(),
    };
    let mut used = true;
    let answers = vec![reply("used"), reply("kept")];
    state.resume(&job("n-1", &["x", "x"]), Some(answers), |_| std::mem::take(&mut used));
    state.resume(&job("n-2", &["y", "z"]), None, |_| false);
    assert_eq!(ask(&mut state, 0, "x").try_recv(), Ok(reply("kept")));
    let late = ask(&mut state, 0, "y");
    worker(&mut state, "w", 4, &[facts("a", "1")]);
    assert!(state.outgoing().is_empty(), "it is under way");
    state.complete("n-2", vec![reply("y"), reply("z")]);
    assert_eq!(late.try_recv(), Ok(reply("y")));
    assert_eq!(ask(&mut state, 0, "z").try_recv(), Ok(reply("z")));
    assert!(state.outgoing().is_empty());
}

#[test]
fn a_job_is_split_and_published_again() {
    let mut state = begun();
    let job = Job {
        id: "n-7".to_owned(),
        night: "n".to_owned(),
        client: "a".to_owned(),
        version: "1".to_owned(),
        seed: None,
        items: vec![item("x"), item("y")],
    };
    state.resume(&job, None, |_| false);
    worker(&mut state, "w", 4, &[facts("a", "1")]);
    let parts = state.split("n-7").unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(state.split("n-7"), None);
    assert_eq!(state.split(&parts[0].job.id), None);
    let waiting = ask(&mut state, 0, "y");
    assert!(!state.is_stalled(Duration::from_secs(60)) && state.is_stalled(Duration::ZERO));
    let again = state.again();
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
    // In vain: it is not tried for ever.
    assert_eq!(waiting.try_recv(), Ok(Answer::Again));
    assert!(state.outgoing().is_empty());
}

#[test]
fn the_version_of_most_slots_is_used() {
    let mut state = State::default();
    worker(&mut state, "w", 2, &[facts("a", "1"), facts("b", "1")]);
    worker(&mut state, "v", 3, &[facts("a", "2")]);
    let (used, others) = state.offered();
    assert_eq!(used, [facts("a", "2"), facts("b", "1")]);
    assert_eq!(others, [(facts("a", "1"), 2)]);
    assert_eq!(state.workers(), (2, 5));
}
