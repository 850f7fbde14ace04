//! Workers, tested with small shell scripts: reuse, and replacement after a failure.

use std::path::Path;
use std::thread;

use clients::{Client, CommandClient, Description, GlueFailure, Reply};

/// A client whose worker runs `body` for each file: `$path` is the file, `$n` counts them.
fn worker(body: &str, more: &str) -> CommandClient {
    let limits = if more.contains("[limits]") { "" } else { "[limits]\ntime_s = 30\n" };
    let toml = format!(
        "name = \"worker\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         worker = [\"sh\", \"-c\", '''{PRELUDE}echo ready; n=0; \
         while read -r _ path; do n=$((n+1)); {body}; done''']\n{limits}{more}\n"
    );
    CommandClient::new(Description::parse(&toml, "worker.toml", Path::new("/")).unwrap())
}

/// `gray V` answers with a pixel of that gray, `refuse` with the given message.
const PRELUDE: &str = r#"
gray() { printf "picture 14\nP2 1 1 255\n%3d" $1; }
refuse() { printf "refused %d\n%s" ${#1} "$1"; }
"#;

/// The gray of a picture.
fn gray(reply: &Reply) -> u16 {
    let Reply::Picture(picture) = reply else { panic!("{reply:?}") };
    picture.rgba()[0] / 257
}

#[test]
fn a_worker_stays() {
    let client = worker("gray $n", "");
    let run = || gray(&client.run(b"file").unwrap());
    assert_eq!((run(), run()), (1, 2));
    // It outlives the threads that started and used it.
    let third = thread::scope(|scope| scope.spawn(run).join().unwrap());
    assert_eq!((third, run()), (3, 4));
    // A fresh process has read no other file, and does not affect the workers.
    assert_eq!(gray(&client.run_fresh(b"file").unwrap()), 1);
    assert_eq!(run(), 5);
}

#[test]
fn a_worker_is_given_each_file() {
    let client = worker("gray $(cat $path)", "");
    for value in [7, 200, 0, 31] {
        assert_eq!(gray(&client.run(value.to_string().as_bytes()).unwrap()), value);
    }
}

#[test]
fn a_worker_in_its_own_process_for_a_command_too() {
    let toml = "name = \"both\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
                worker = [\"sh\", \"-c\", 'echo ready; while read -r l; do printf \"picture 14\\nP2 1 1 255\\n  1\"; done']\n\
                command = [\"sh\", \"-c\", 'printf \"P2 1 1 255\\n  2\" > $1', \"{in}\", \"{out}\"]\n";
    let client = CommandClient::new(Description::parse(toml, "b.toml", Path::new("/")).unwrap());
    assert_eq!(gray(&client.run(b"").unwrap()), 1);
    assert_eq!(gray(&client.run_fresh(b"").unwrap()), 2);
}

#[test]
fn refusals_are_in_the_workers_words() {
    let client = worker(r#"refuse "bad tag in $path""#, "");
    let refused = Reply::Refused { message: "bad tag in {in}".to_string() };
    assert_eq!(client.run(b"").unwrap(), refused);
    assert_eq!(client.run(b"").unwrap(), refused);
    let silent = worker("refuse ''", "").run(b"").unwrap();
    assert_eq!(silent, Reply::Refused { message: "no reason given".to_string() });
    // A few bytes do not reach the limit.
    let full = worker("refuse 'MemoryError: 9 bytes'", "").run(b"").unwrap();
    assert_eq!(full, Reply::Refused { message: "MemoryError: 9 bytes".to_string() });
    let damaged = worker(r"printf 'picture 3\nabc'", "").run(b"").unwrap();
    let Reply::Refused { message } = damaged else { panic!("{damaged:?}") };
    assert!(message.starts_with("made a picture file that cannot be read"), "{message}");
}

#[test]
fn a_worker_that_cannot_express_a_picture_does_not_refuse_the_file() {
    let client = worker("grep -q odd $path && refuse 'glue: samples of 5 bytes' || gray $n", "");
    assert_eq!(gray(&client.run(b"plain").unwrap()), 1);
    for error in [client.run(b"odd").unwrap_err(), client.run_fresh(b"odd").unwrap_err()] {
        assert!(GlueFailure::in_error(&error).is_some(), "{error}");
    }
    // It lives on.
    assert_eq!(gray(&client.run(b"plain").unwrap()), 3);
}

#[test]
fn the_file_that_kills_a_worker_is_distinguished_from_the_others() {
    let client = worker("grep -q bad $path && kill -SEGV $$; gray $n", "");
    assert_eq!(gray(&client.run(b"good").unwrap()), 1);
    let crash = client.run(b"bad").unwrap();
    assert_eq!(crash, Reply::Crash { message: "SIGSEGV".to_string() });
    // The next one is another worker.
    assert_eq!(gray(&client.run(b"good").unwrap()), 1);
}

#[test]
fn what_a_worker_suffers_from_files_before_is_not_this_files_fault() {
    let client = worker("[ $n = 3 ] && kill -SEGV $$; gray $n", "");
    let grays: Vec<u16> = (0..4).map(|_| gray(&client.run(b"").unwrap())).collect();
    // The third was read by a fresh process, the fourth by a new worker.
    assert_eq!(grays, [1, 2, 1, 1]);
}

#[test]
fn limits_hold_for_each_file() {
    let hang = worker("grep -q bad $path && sleep 60; gray $n", "[limits]\ntime_s = 2\n");
    assert_eq!(gray(&hang.run(b"good").unwrap()), 1);
    assert_eq!(hang.run(b"bad").unwrap(), Reply::Hang);
    assert_eq!(gray(&hang.run(b"good").unwrap()), 1);

    let full = worker(
        "grep -q bad $path && cat /dev/zero > x; gray $n",
        "[limits]\ndisk_mb = 4\ntime_s = 60\n",
    );
    assert_eq!(gray(&full.run(b"good").unwrap()), 1);
    let Reply::Picture(_) = full.run(b"good").unwrap() else { panic!("no picture") };
    // The shell continues after its child was killed, but the folder is full.
    let _ = full.run(b"bad").unwrap();
    assert_eq!(gray(&full.run(b"good").unwrap()), 1);

    let loud = worker("yes >&2", "[limits]\nmessages_mb = 1\ntime_s = 60\n").run(b"").unwrap();
    assert!(matches!(loud, Reply::Resource { .. }), "{loud:?}");
}

#[test]
fn what_is_not_in_the_protocol_is_a_crash() {
    for (body, why) in [
        ("echo hello world", "starts with `picture LENGTH`"),
        (r"printf 'picture 3\nabcd'", "more bytes than it announced"),
        ("exit 0", "ended without an answer"),
    ] {
        let reply = worker(body, "").run(b"").unwrap();
        let Reply::Crash { message } = &reply else { panic!("{body}: {reply:?}") };
        assert!(message.contains(why), "{body}: {message}");
    }
}

#[test]
fn many_threads_have_many_workers() {
    let client = worker("gray $(cat $path)", "");
    thread::scope(|scope| {
        for thread in 0..8u16 {
            let client = &client;
            scope.spawn(move || {
                for file in 0..5 {
                    let value = 10 * thread + file;
                    assert_eq!(gray(&client.run(value.to_string().as_bytes()).unwrap()), value);
                }
            });
        }
    });
}

#[test]
fn descriptions_of_workers_are_checked() {
    let error = |run: &str| {
        let toml = format!("name = \"a\"\nsummary = \"s\"\ndecoder = \"own\"\n[run]\n{run}");
        Description::parse(&toml, "a.toml", Path::new("/")).unwrap_err().to_string()
    };
    assert!(error("").contains("there is no command, worker or viewer"));
    assert!(
        error("worker = [\"x\", \"{in}\"]\n")
            .starts_with("a.toml, line 5: a worker gets its files")
    );
    assert!(error("worker = [\"x\"]\nviewer = [\"x\", \"{in}\"]\n").contains("not both"));
    assert!(error("viewer = [\"x\"]\n").contains("never mentions {in}"));
    assert!(error("worker = [\"x\"]\nthen = [[\"x\"]]\n").contains("needs a `command`"));
    let area = error("viewer = [\"x\", \"{in}\"]\n[viewer]\narea = \"1x0+0+0\"\n");
    assert!(area.contains("is not a part of the screen"), "{area}");
}

#[test]
fn a_second_answer_is_not_that_to_the_next_file() {
    // Twice at once, and a moment later.
    for (twice, blamed) in [("gray 7; gray 7", true), ("gray 7; sleep 0.3; gray 7", false)] {
        let client = worker(&format!("grep -q bad $path && {{ {twice}; }} || gray 9"), "");
        let first = client.run(b"bad").unwrap();
        match (first, blamed) {
            (Reply::Crash { message }, true) => assert!(message.contains("protocol"), "{message}"),
            (reply, false) => assert_eq!(gray(&reply), 7),
            // The second one came after the first was read.
            (reply, true) => assert_eq!(gray(&reply), 7),
        }
        // A late second answer belongs to no file.
        thread::sleep(std::time::Duration::from_millis(600));
        for _ in 0..3 {
            assert_eq!(gray(&client.run(b"good").unwrap()), 9);
        }
    }
}

/// The maximum amount of memory that this process has used, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}

#[test]
fn a_long_refusal_costs_little_memory() {
    let long =
        "echo 'refused 41943046'; head -c 41943040 /dev/zero | tr '\\0' 'x '; printf '\\nwhy?\\n'";
    let stderr = "head -c 15000000 /dev/zero | tr '\\0' 'x ' >&2; refuse no";
    let before = peak();
    let Reply::Refused { message } = worker(long, "").run(b"").unwrap() else { panic!() };
    assert!(message.starts_with("xxx") && message.chars().count() <= 301, "{message}");
    assert_eq!(worker(stderr, "").run(b"").unwrap(), Reply::Refused { message: "no".to_string() });
    let more = peak() - before;
    assert!(more < 40 << 10, "{more} KiB for a refusal of 40 MB");
}
