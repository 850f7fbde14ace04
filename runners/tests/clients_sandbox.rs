//! The restrictions of each sandbox that works here, tested with small shell scripts.

use std::path::Path;
use std::sync::Arc;

use runners::client::{Client, CommandClient, Description, Reply, Sandbox};

fn run(sandbox: &Arc<Sandbox>, script: &str, more: &str) -> Reply {
    let toml = format!(
        "name = \"script\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         command = [\"sh\", \"-c\", '''{script}''', \"{{in}}\", \"{{out}}\"]\n{more}\n"
    );
    let description = Description::parse(&toml, "script.toml", Path::new("/")).unwrap();
    CommandClient::within(description, sandbox.clone()).run(b"file").unwrap()
}

const ONE_PIXEL: &str = r"printf 'P6 1 1 255\n\001\002\003' > $1";

/// Every sandbox that works on this machine; missing ones are reported.
fn sandboxes() -> Vec<Arc<Sandbox>> {
    let all = Sandbox::all();
    let names: Vec<&str> = all.iter().map(|sandbox| sandbox.name()).collect();
    eprintln!("sandboxes here: {names:?}");
    all
}

#[test]
fn only_the_scratch_folder_can_be_written() {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("file");
    let kept = outside.path().join("kept");
    std::fs::write(&kept, "kept").unwrap();
    let script = format!(
        "echo x > {file}; rm -f {kept}; mv {kept} {file}; echo x >> {kept}; {ONE_PIXEL}",
        file = file.display(),
        kept = kept.display()
    );
    for sandbox in sandboxes() {
        let reply = run(&sandbox, &script, "");
        assert!(matches!(reply, Reply::Picture(_)), "{sandbox:?}: {reply:?}");
        assert!(!file.exists(), "{sandbox:?}");
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "kept", "{sandbox:?}");
    }
    // Without a sandbox it succeeds, so the test is able to fail.
    run(&Sandbox::off(), &script, "");
    assert!(file.exists());
}

#[test]
fn a_client_that_cannot_do_without_is_heard() {
    let script = "echo x > /usr/x || { echo cannot write /usr/x >&2; exit 1; }";
    for sandbox in sandboxes() {
        let reply = run(&sandbox, script, "");
        let Reply::Refused { message } = &reply else { panic!("{sandbox:?}: {reply:?}") };
        assert!(message.contains("cannot write /usr/x"), "{message}");
    }
}

#[test]
fn there_is_no_network() {
    // One line per interface after two header lines; the loopback may exist.
    let script = format!("test $(tail -n +3 /proc/net/dev | grep -vc ' lo:') = 0 && {ONE_PIXEL}");
    for sandbox in sandboxes().iter().filter(|s| s.name() != "Landlock") {
        let reply = run(sandbox, &script, "");
        assert!(matches!(reply, Reply::Picture(_)), "{sandbox:?}: {reply:?}");
    }
}

#[test]
fn the_status_of_a_program_comes_through() {
    for sandbox in sandboxes() {
        let crash = run(&sandbox, "kill -SEGV $$", "");
        assert_eq!(crash, Reply::Crash { message: "SIGSEGV".to_string() }, "{sandbox:?}");
        let refused = run(&sandbox, "echo no >&2; exit 3", "");
        assert_eq!(refused, Reply::Refused { message: "no".to_string() }, "{sandbox:?}");
        let hang = run(&sandbox, "sleep 60", "[limits]\ntime_s = 1\n");
        assert_eq!(hang, Reply::Hang, "{sandbox:?}");
    }
}

#[test]
fn processes_and_open_files_are_limited() {
    let many = "for i in 1 2 3 4 5 6 7 8; do sleep 60 & sleep 60 & sleep 60 & done; wait";
    let files = format!("ulimit -n > n; test $(cat n) = 64 && {ONE_PIXEL}");
    let mut all = sandboxes();
    all.push(Sandbox::off());
    for sandbox in all {
        let reply = run(&sandbox, many, "[limits]\nprocesses = 12\ntime_s = 60\n");
        let Reply::Resource { message } = &reply else { panic!("{sandbox:?}: {reply:?}") };
        assert_eq!(message, "more than 12 processes and threads");
        let reply = run(&sandbox, &files, "[limits]\nopen_files = 64\n");
        assert!(matches!(reply, Reply::Picture(_)), "{sandbox:?}: {reply:?}");
    }
}

#[test]
fn a_daemon_ends_with_its_client() {
    // In a session of its own, with a cleared environment, forked twice; it records that it lives.
    let daemon = "(env -i setsid sh -c 'while :; do date +%N > $0/alive; sleep 0.1; done' $PWD &) ; \
                  while ! test -e alive; do sleep 0.05; done";
    // Without a process namespace, it is found only when no other client runs.
    for sandbox in sandboxes().into_iter().filter(|s| s.name() == "bubblewrap") {
        let reply = run(&sandbox, &format!("{daemon}; {ONE_PIXEL}"), "");
        assert!(matches!(reply, Reply::Picture(_)), "{sandbox:?}: {reply:?}");
    }
    let living = std::fs::read_dir("/proc").unwrap().flatten().any(|process| {
        std::fs::read(process.path().join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains("%N > $0/alive"))
    });
    assert!(!living, "a daemon lives on");
}

#[test]
fn confinement_has_a_name() {
    for sandbox in sandboxes() {
        assert!(!sandbox.name().is_empty() && sandbox.name() != Sandbox::off().name());
    }
    assert_eq!(Sandbox::off().name(), "limits only");
}
