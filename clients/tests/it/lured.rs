//! Clients that lure repfuzz itself out of their scratch folder, or keep it waiting, by what they put into the places of
//! files that it opens. Repfuzz has all rights of its user, whatever the sandbox.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use clients::{Client, CommandClient, Description, Reply, Sandbox};

/// Far more than any case takes. It ends a test that waits for ever, and is no measurement.
const FOR_EVER: Duration = Duration::from_secs(300);

/// A picture on standard output, and its first sample.
const PICTURE: &str = r"printf 'P5 1 1 255\n\007'";
const GRAY: u16 = 7 * 257;

/// A folder with the file `kept`, which no client may change.
struct Outside(tempfile::TempDir);

impl Outside {
    fn new() -> Self {
        // Below a folder that no sandbox hides.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        fs::write(folder.path().join("kept"), "kept").unwrap();
        Self(folder)
    }

    fn path(&self) -> String {
        self.0.path().display().to_string()
    }

    fn check(&self, case: &str) {
        assert_eq!(fs::read_to_string(self.0.path().join("kept")).unwrap(), "kept", "{case}");
        assert_eq!(fs::read_dir(self.0.path()).unwrap().count(), 1, "{case}");
    }
}

/// All sandboxes that work here, and none.
fn sandboxes() -> Vec<Arc<Sandbox>> {
    Sandbox::all().into_iter().chain([Sandbox::off()]).collect()
}

fn client(run: &str, more: &str, sandbox: &Arc<Sandbox>) -> CommandClient {
    let toml = format!(
        "name = \"lure\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n{run}\n[limits]\ntime_s = 60\n{more}"
    );
    let description = Description::parse(&toml, "lure.toml", Path::new("/")).unwrap();
    CommandClient::within(description, sandbox.clone())
}

/// Does something that must not take for ever.
fn in_time<T: Send + 'static>(case: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(work()));
    receive.recv_timeout(FOR_EVER).unwrap_or_else(|_| panic!("{case}: no end"))
}

fn run(client: CommandClient, case: &str) -> Reply {
    in_time(case, move || client.run(b"file").unwrap())
}

fn gray(reply: &Reply, case: &str) -> u16 {
    let Reply::Picture(picture) = reply else { panic!("{case}: {reply:?}") };
    picture.rgba()[0]
}

/// Shell code that puts something else into the place `$at`, with the folder outside in `$out`; its kind with an article.
const THINGS: &[(&str, &str)] = &[
    ("ln -sf $out/kept $at", "a link"),
    ("ln -sf $out/new $at", "a link"),
    ("ln -sf /dev/full $at", "a link"),
    ("mkfifo $at", "a pipe"),
    ("mkdir $at; : > $at/file", "a folder"),
    ("mkdir -p deep/$at; ln -s $out/kept deep/$at/x; ln -s deep/$at/x $at", "a link"),
];

/// A worker that answers with a picture, while its threads put a link in the place of its input file all the time.
const PLANTER: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *target;
static char path[4096];

static void *plant(void *unused) {
    (void)unused;
    for (;;) (void)!symlink(target, path);
}

int main(int count, char **words) {
    static const char picture[] = "picture 12\nP5 1 1 255\n\7";
    static char line[4096];
    if (count < 2) return 1;
    target = words[1];
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (path[0] == 0) {
            line[strcspn(line, "\n")] = 0;
            strcpy(path, line + strlen("decode "));
            for (int k = 0; k < 2; k++) {
                pthread_t thread;
                if (pthread_create(&thread, NULL, plant, NULL) != 0) return 1;
            }
        }
        fwrite(picture, 1, sizeof picture - 1, stdout);
        fflush(stdout);
    }
    return 0;
}
"#;

#[test]
fn no_file_is_overwritten() {
    // Below a folder that no sandbox hides.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("planter.c"), PLANTER).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-pthread", "-o"]).args([at("planter"), at("planter.c")]);
    match compiler.status() {
        Ok(status) => assert!(status.success()),
        Err(_) => {
            test_support::skipped("no cc");
            return;
        }
    }
    for sandbox in sandboxes() {
        let outside = Outside::new();
        let worker = format!("worker = [{:?}, {:?}]", at("planter"), outside.path() + "/kept");
        let client = client(&worker, "", &sandbox);
        in_time(sandbox.name(), move || {
            for _ in 0..500 {
                assert_eq!(gray(&client.run(b"input").unwrap(), "a planter of links"), GRAY);
            }
        });
        outside.check(sandbox.name());
    }
}

#[test]
fn a_worker_is_given_its_file_whatever_it_put_there() {
    for sandbox in sandboxes() {
        for (thing, _) in THINGS {
            let case = format!("{}: {thing}", sandbox.name());
            let outside = Outside::new();
            let script = format!(
                "out={}; echo ready; while read -r _ path; do at=${{path##*/}}; \
                 got=$(cat $path); rm -rf $at deep; {thing}; \
                 test \"$got\" = file && echo \"picture 12\" && {PICTURE}; done",
                outside.path()
            );
            let client =
                client(&format!("worker = [\"sh\", \"-c\", '''{script}''']"), "", &sandbox);
            let (first, second) = in_time(&case, move || {
                (client.run(b"file").unwrap(), client.run(b"file").unwrap())
            });
            // A folder cannot be replaced: a new worker decides then.
            assert_eq!((gray(&first, &case), gray(&second, &case)), (GRAY, GRAY));
            outside.check(&case);
        }
    }
}

#[test]
fn a_worker_that_keeps_its_file_from_being_written_has_failed() {
    let script = "mkdir in.tif; echo ready; while read -r _ path; do :; done";
    for sandbox in sandboxes() {
        let client = client(&format!("worker = [\"sh\", \"-c\", '''{script}''']"), "", &sandbox);
        let reply = run(client, sandbox.name());
        let Reply::Crash { message } = &reply else { panic!("{reply:?}") };
        assert!(message.contains("keeps its input file from being written"), "{message}");
    }
}

#[test]
fn standard_output_goes_to_no_file_that_an_earlier_command_prepared() {
    for sandbox in sandboxes() {
        for (thing, _) in THINGS {
            let case = format!("{}: {thing}", sandbox.name());
            let outside = Outside::new();
            let first = format!("at=${{1##*/}}; out={}; {thing}", outside.path());
            let description = format!(
                "command = [\"sh\", \"-c\", '''{first}''', \"sh\", \"{{out}}\", \"{{in}}\"]\n\
                 then = [[\"sh\", \"-c\", '''{PICTURE}''']]"
            );
            let client = client(&description, "[output]\nfrom = \"stdout\"\n", &sandbox);
            assert_eq!(gray(&run(client, &case), &case), GRAY);
            outside.check(&case);
        }
    }
}

#[test]
fn standard_output_can_be_opened_by_its_name() {
    let description = format!(
        "command = [\"sh\", \"-c\", '''{PICTURE} > picture; cat picture > /dev/stdout''', \"sh\", \"{{in}}\"]"
    );
    for sandbox in sandboxes() {
        let client = client(&description, "[output]\nfrom = \"stdout\"\n", &sandbox);
        assert_eq!(gray(&run(client, sandbox.name()), sandbox.name()), GRAY);
    }
}

#[test]
fn a_picture_is_read_from_a_regular_file_only() {
    for sandbox in sandboxes() {
        for (thing, kind) in THINGS {
            let case = format!("{}: {thing}", sandbox.name());
            let outside = Outside::new();
            let script = format!("at=${{2##*/}}; out={}; {thing}", outside.path());
            let description = format!(
                "command = [\"sh\", \"-c\", '''{script}''', \"sh\", \"{{in}}\", \"{{out}}\"]"
            );
            let reply = run(client(&description, "", &sandbox), &case);
            let message = format!("made no picture, but {kind}");
            assert_eq!(reply, Reply::Refused { message }, "{case}");
            outside.check(&case);
        }
        // A second name of one of its files is a file.
        let script = format!("{PICTURE} > picture; ln picture $2");
        let description =
            format!("command = [\"sh\", \"-c\", '''{script}''', \"sh\", \"{{in}}\", \"{{out}}\"]");
        let case = format!("{}: hard link", sandbox.name());
        assert_eq!(gray(&run(client(&description, "", &sandbox), &case), &case), GRAY);
    }
}

#[test]
fn pipes_everywhere_keep_nobody_waiting() {
    let script = "for at in a out.png edges.questions d/x deep/er/in.tif; do \
                  mkdir -p $(dirname ./$at); mkfifo ./$at; done; rm in.tif; mkfifo in.tif; exit 3";
    for sandbox in sandboxes() {
        let description =
            format!("command = [\"sh\", \"-c\", '''{script}''', \"{{in}}\", \"{{out}}\"]");
        let reply = run(client(&description, "", &sandbox), sandbox.name());
        assert_eq!(reply, Reply::Refused { message: "exit status 3".to_owned() });
    }
}

#[test]
fn questions_about_edges_are_written_and_answered_inside() {
    for sandbox in sandboxes() {
        for (thing, kind) in THINGS {
            let case = format!("{}: {thing}", sandbox.name());
            let outside = Outside::new();
            let script = format!(
                "echo /bin/true 0x10 > edges.places; out={}; \
                 for at in edges.questions out.png; do {thing}; done; \
                 echo ready; while read -r _ path; do echo \"picture 12\"; {PICTURE}; done",
                outside.path()
            );
            let description = format!("worker = [\"sh\", \"-c\", '''{script}''']\nedges = true");
            let client = client(&description, "", &sandbox);
            let places = in_time(&case, move || client.places(&[0]));
            // Without llvm-symbolizer, and in the place of a folder, there is no name.
            assert!(places.len() == 1 || *kind == "a folder", "{case}: {places:?}");
            outside.check(&case);
        }
    }
}

#[test]
fn a_link_does_not_show_the_next_command_what_is_hidden() {
    let hidden = tempfile::tempdir_in("/tmp").unwrap();
    fs::write(hidden.path().join("secret"), b"P5 1 1 255\n\x07").unwrap();
    for sandbox in Sandbox::all().iter().filter(|sandbox| sandbox.name() == "bubblewrap") {
        // The command line itself does not name the file.
        let script = format!("ln -s {}/$(printf secret) x", hidden.path().display());
        let description = format!(
            "command = [\"sh\", \"-c\", '''{script}''', \"sh\", \"{{in}}\"]\n\
             then = [[\"cat\", \"{{dir}}/x\"]]"
        );
        let client = client(&description, "[output]\nfrom = \"stdout\"\n", sandbox);
        let reply = run(client, sandbox.name());
        assert!(matches!(reply, Reply::Refused { .. }), "{reply:?}");
    }
}
