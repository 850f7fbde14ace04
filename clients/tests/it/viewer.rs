//! Viewers on a virtual display. Requires Xvfb.

use crate::fake_viewer as fake;
use std::path::Path;

use clients::{Availability, Catalogue, Client, CommandClient, Description, Reply, probe};
use tiff_harness::Picture;

/// A viewer that is a shell script; without Xvfb, prints a note and returns `None`.
fn viewer(script: &str) -> Option<CommandClient> {
    described(script, "[limits]\ntime_s = 4\n")
}

fn described(script: &str, more: &str) -> Option<CommandClient> {
    let toml = format!(
        "name = \"v\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         viewer = [\"sh\", \"-c\", '''{script}''', \"{{in}}\"]\n{more}"
    );
    let description = Description::parse(&toml, "v.toml", Path::new("/")).unwrap();
    let client = CommandClient::new(description);
    if let Some(what) = client.missing() {
        test_support::skipped(format_args!("no {what}"));
        return None;
    }
    Some(client)
}

fn refusal(script: &str) -> Option<String> {
    match viewer(script)?.run(b"file").unwrap() {
        Reply::Refused { message } => Some(message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_viewer_that_shows_nothing_has_refused() {
    let Some(message) = refusal("test -n \"$DISPLAY\" && exec sleep 60") else { return };
    assert_eq!(message, "shows no picture");
    assert_eq!(refusal("true").unwrap(), "ended without showing a picture");
    assert_eq!(refusal("echo cannot load $0 >&2; exit 1").unwrap(), "cannot load {in}");
}

#[test]
fn a_viewer_that_dies_has_crashed() {
    let Some(client) = viewer("kill -SEGV $$") else { return };
    let crash = Reply::Crash { message: "SIGSEGV".to_string() };
    assert_eq!(client.run(b"file").unwrap(), crash);
    // On the same display.
    assert_eq!(client.run(b"file").unwrap(), crash);
}

#[test]
fn feh_shows_what_is_in_the_file_and_only_that() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let entry = catalogue.get("feh").unwrap();
    if let Availability::Missing { what } = entry.state() {
        return test_support::skipped(format_args!("no {what}"));
    }
    let client = entry.client();
    assert_eq!(client.run(&probe::file(1)).unwrap(), Reply::Picture(probe::picture()));
    let refused = client.run(b"no picture").unwrap();
    assert!(matches!(refused, Reply::Refused { .. }), "{refused:?}");
}

/// This program as a viewer, which does the steps in the file.
fn fake(more: &str, time_s: u32) -> Option<CommandClient> {
    let program = std::env::current_exe().unwrap();
    let script = format!(
        "FAKE_VIEWER=\"$0\" exec {} --exact viewer::the_fake_viewer --ignored --nocapture",
        program.display()
    );
    described(&script, &format!("{more}[limits]\ntime_s = {time_s}\n"))
}

#[test]
#[ignore = "a program that other tests start"]
fn the_fake_viewer() {
    if let Some(file) = std::env::var_os("FAKE_VIEWER") {
        fake::run(Path::new(&file));
    }
}

fn shown(reply: Reply) -> Picture {
    match reply {
        Reply::Picture(picture) => picture,
        other => panic!("{other:?}"),
    }
}

const P: &[u8] = b"draw ff0000 00ff00";
const Q: &[u8] = b"draw 0000ff ffff00";

#[test]
fn a_picture_counts_when_the_screen_has_settled() {
    let Some(client) = fake("", 20) else { return };
    let (p, q) = (shown(client.run(P).unwrap()), shown(client.run(Q).unwrap()));
    assert_ne!(p, q);
    // It pauses, works, or works in a child before the second picture.
    for between in
        ["sleep 300", "timer 300", "work 700", "sleep 200\nwork 400\nsleep 200", "child 700"]
    {
        let late = format!("draw 123456 654321\n{between}\ndraw ff0000 00ff00");
        for _ in 0..2 {
            assert_eq!(shown(client.run(late.as_bytes()).unwrap()), p, "{between}");
        }
    }
    // A picture that is known counts early, but not in a fresh process.
    let changes = b"draw ff0000 00ff00\nsleep 300\ndraw 0000ff ffff00";
    assert_eq!(shown(client.run_fresh(changes).unwrap()), q);
    assert_eq!(shown(client.run_fresh(P).unwrap()), p);
}

#[test]
fn a_screen_is_empty_when_no_timer_can_change_it() {
    let Some(client) = fake("", 20) else { return };
    let p = shown(client.run(P).unwrap());
    assert_eq!(shown(client.run(b"timer 1500\ndraw ff0000 00ff00").unwrap()), p);
    let empty = client.run(b"rest").unwrap();
    assert_eq!(empty, Reply::Refused { message: "shows no picture".to_owned() });
    assert_eq!(shown(client.run(b"draw ff0000 00ff00\nrest").unwrap()), p);
}

#[test]
fn a_screen_that_never_rests_is_no_picture() {
    let Some(client) = fake("", 3) else { return };
    assert_eq!(client.run(b"forever").unwrap(), Reply::Hang);
}

const OPEN: &str = "[viewer.open]\nsocket = \"socket\"\nsay = [\"{in};\"]\nanswer = \"ok\"\n";

#[test]
fn a_viewer_that_can_open_another_file_stays() {
    let Some(client) = fake(OPEN, 20) else { return };
    let p = shown(client.run(P).unwrap());
    // Its colours are of the number of its process.
    let first = shown(client.run(b"draw pid ffffff").unwrap());
    assert_eq!(shown(client.run(P).unwrap()), p);
    assert_eq!(shown(client.run(b"draw pid ffffff").unwrap()), first);
    assert_ne!(shown(client.run_fresh(b"draw pid ffffff").unwrap()), first);
    // The picture of one file is not taken for that of the next, however late it comes.
    let late = b"sleep 400\ndraw 0000ff ffff00";
    assert_eq!(shown(client.run(late).unwrap()), shown(client.run_fresh(Q).unwrap()));
}

#[test]
fn a_fresh_viewer_decides_where_one_that_stays_shows_nothing() {
    let Some(client) = fake(OPEN, 20) else { return };
    let p = shown(client.run(P).unwrap());
    // Only the second process of a file shows it.
    let reply = client.run(b"unless-told\ndraw ff0000 00ff00").unwrap();
    assert_eq!(shown(reply), p);
    assert_eq!(client.run(b"exit").unwrap(), client.run_fresh(b"exit").unwrap());
    assert_eq!(shown(client.run(P).unwrap()), p);
}

#[test]
fn a_viewer_that_shows_files_differently_once_it_stays_does_not_stay() {
    let Some(client) = fake(OPEN, 20) else { return };
    let file = b"draw told ffffff";
    let fresh = shown(client.run(file).unwrap());
    assert_eq!(shown(client.run(file).unwrap()), fresh);
}

#[test]
fn a_description_says_how_a_viewer_opens_a_file() {
    for wrong in [
        "[viewer.open]\nsocket = \"s\"\nsay = [\"x\"]\nanswer = \"ok\"\n",
        "[viewer.open]\nsocket = \"s\"\nsay = [\"{in}\"]\nanswer = \"\"\n",
    ] {
        let toml = format!(
            "name = \"v\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\nviewer = [\"v\", \"{{in}}\"]\n{wrong}"
        );
        let error = Description::parse(&toml, "v.toml", Path::new("/")).unwrap_err().to_string();
        assert!(error.contains("is told to open {in}"), "{error}");
    }
}
