//! Viewers on a virtual display. Requires Xvfb.

use std::path::Path;

use runners::client::{Availability, Catalogue, Client, CommandClient, Description, Reply, probe};

/// A viewer that is a shell script; without Xvfb, prints a note and returns `None`.
fn viewer(script: &str) -> Option<CommandClient> {
    let toml = format!(
        "name = \"v\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         viewer = [\"sh\", \"-c\", '''{script}''', \"{{in}}\"]\n[limits]\ntime_s = 4\n"
    );
    let description = Description::parse(&toml, "v.toml", Path::new("/")).unwrap();
    let client = CommandClient::new(description);
    if let Some(what) = client.missing() {
        eprintln!("SKIPPED: no {what}");
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
        eprintln!("SKIPPED feh: no {what}");
        return;
    }
    let client = entry.client();
    assert_eq!(client.run(&probe::file(1)).unwrap(), Reply::Picture(probe::picture()));
    let refused = client.run(b"no picture").unwrap();
    assert!(matches!(refused, Reply::Refused { .. }), "{refused:?}");
}
