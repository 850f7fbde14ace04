//! The restrictions of each sandbox that works here, tested with small shell scripts.

use std::path::Path;
use std::sync::Arc;

use clients::{Client, CommandClient, Description, Hold, Reply, Sandbox};

fn run(sandbox: &Arc<Sandbox>, script: &str, more: &str) -> Reply {
    let toml = format!(
        "name = \"script\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         command = [\"sh\", \"-c\", '''{script}''', \"{{in}}\", \"{{out}}\"]\n{more}\n"
    );
    let description = Description::parse(&toml, "script.toml", Path::new("/")).unwrap();
    CommandClient::within(description, sandbox.clone()).run(b"file").unwrap()
}

const ONE_PIXEL: &str = r"printf 'P6 1 1 255\n\001\002\003' > $1";

/// Every sandbox that works on this machine; the test is reported as skipped if there is none.
fn sandboxes() -> Vec<Arc<Sandbox>> {
    let all = Sandbox::all();
    if all.is_empty() {
        test_support::skipped("no sandbox works here");
    }
    all
}

/// Runs a script of Python in every sandbox, and without one; its limits are exceeded with this message.
fn exceeds(script: &str, limits: &str, expected: &str) {
    if !test_support::installed("python3") {
        return;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    // It stays for longer than the time between two samples.
    let script = format!("import os, mmap, time\n{script}\ntime.sleep(30)\n");
    std::fs::write(folder.path().join("evade.py"), script).unwrap();
    let toml = format!(
        "name = \"evade\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         command = [\"python3\", \"{{here}}/evade.py\", \"{{in}}\", \"{{out}}\"]\n\
         [limits]\ntime_s = 60\n{limits}\n"
    );
    for sandbox in Sandbox::all().into_iter().chain([Sandbox::off()]) {
        let description = Description::parse(&toml, "evade.toml", folder.path()).unwrap();
        let reply = CommandClient::within(description, sandbox.clone()).run(b"file").unwrap();
        let Reply::Resource { message } = &reply else { panic!("{sandbox:?}: {reply:?}") };
        assert!(message.starts_with(expected), "{sandbox:?}: {message}");
    }
}

#[test]
fn files_that_are_deleted_while_open_count() {
    let script = "files = []\nfor i in range(6):\n f = open(str(i), 'wb', buffering=0)\n \
                  os.unlink(str(i))\n f.write(bytes(4 << 20))\n files.append(f)";
    exceeds(script, "disk_mb = 16", "disk limit of 16 MB");
}

#[test]
fn files_that_are_deleted_while_mapped_count() {
    let script = "maps = []\nfor i in range(6):\n f = open(str(i), 'w+b', buffering=0)\n \
                  f.write(bytes(4 << 20))\n maps.append(mmap.mmap(f.fileno(), 4 << 20))\n \
                  os.unlink(str(i))\n f.close()";
    // Python keeps a file of its own open for a mapping.
    exceeds(script, "disk_mb = 16", "disk limit of 16 MB");
}

#[test]
fn files_in_deep_folders_count() {
    let script = "for i in range(100):\n os.mkdir('d' * 200)\n os.chdir('d' * 200)\n \
                  open('f', 'wb').write(bytes(1 << 20))";
    exceeds(script, "disk_mb = 16", "disk limit");
}

#[test]
fn files_in_memory_count() {
    let script = "for i in range(4):\n fd = os.memfd_create('m')\n os.write(fd, bytes(16 << 20))";
    exceeds(script, "memory_mb = 48\nmemory = \"resident\"", "memory limit of 48 MB");
}

#[test]
fn the_memory_of_all_processes_counts_together() {
    let script = "for i in range(4):\n if os.fork() == 0:\n  b = b'x' * (100 << 20)\n  break";
    exceeds(script, "memory_mb = 256", "memory limit of 256 MB");
}

#[test]
fn memory_that_processes_share_counts_once() {
    let script = "b = b'x' * (60 << 20)\nfor i in range(4):\n if os.fork() == 0:\n  time.sleep(1)\n  os._exit(0)\n\
                  for i in range(4): os.wait()\nopen(sys.argv[2], 'wb').write(b'P6 1 1 255\\n\\1\\2\\3')";
    if !test_support::installed("python3") {
        return;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::write(folder.path().join("share.py"), format!("import os, sys, time\n{script}\n"))
        .unwrap();
    let toml = "name = \"share\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
                command = [\"python3\", \"{here}/share.py\", \"{in}\", \"{out}\"]\n\
                [limits]\ntime_s = 60\nmemory_mb = 200\n";
    for sandbox in Sandbox::all() {
        let description = Description::parse(toml, "share.toml", folder.path()).unwrap();
        let reply = CommandClient::within(description, sandbox.clone()).run(b"file").unwrap();
        assert!(matches!(reply, Reply::Picture(_)), "{sandbox:?}: {reply:?}");
    }
}

#[test]
fn processes_whose_parents_have_ended_count() {
    let script =
        "for i in range(30):\n if os.fork() == 0:\n  if os.fork() == 0: break\n  os._exit(0)";
    exceeds(script, "processes = 12", "more than 12 processes and threads");
}

#[test]
fn processes_in_a_long_line_of_descent_count() {
    let script = "for i in range(30):\n if os.fork() != 0: break";
    exceeds(script, "processes = 20", "more than 20 processes and threads");
}

#[test]
fn the_kernel_limits_all_processes_together() {
    let guarantees = Sandbox::off().guarantees();
    let memory = guarantees.iter().find(|g| g.subject == "memory").unwrap();
    if memory.hold != Hold::Held {
        return test_support::skipped(&memory.detail);
    }
    if !test_support::installed("python3") {
        return;
    }
    // Over before anybody looks.
    let script =
        "python3 -c \"import os; pid = os.fork(); b = bytes([1]) * (60 << 20); pid and os.wait()\"";
    for sandbox in Sandbox::all().into_iter().chain([Sandbox::off()]) {
        let reply = run(
            &sandbox,
            script,
            "[limits]\ntime_s = 120\nmemory_mb = 90\nmemory = \"resident\"\n",
        );
        let Reply::Resource { message } = &reply else { panic!("{sandbox:?}: {reply:?}") };
        assert!(message.starts_with("memory limit of 90 MB"), "{message}");
    }
}

#[test]
fn the_packages_of_a_program_in_the_temporary_folder_are_found() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
    std::fs::create_dir_all(at("venv/bin")).unwrap();
    std::fs::create_dir_all(at("venv/lib")).unwrap();
    let tool = at("venv/bin/tool");
    let script = format!("#!/bin/sh\n. {}\n", at("venv/lib/package").display());
    std::fs::write(&tool, script).unwrap();
    std::fs::write(at("venv/lib/package"), ONE_PIXEL.replace("$1", "$2")).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let toml = format!(
        "name = \"tool\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         command = [\"{}\", \"{{in}}\", \"{{out}}\"]\n",
        tool.display()
    );
    for sandbox in sandboxes() {
        let description = Description::parse(&toml, "tool.toml", Path::new("/")).unwrap();
        let reply = CommandClient::within(description, sandbox.clone()).run(b"file").unwrap();
        assert!(matches!(reply, Reply::Picture(_)), "{sandbox:?}: {reply:?}");
    }
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
