//! Running clients within limits, tested with small shell scripts that misbehave.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use clients::{
    Availability, Catalogue, CatalogueError, Client, CommandClient, Decoder, Description,
    GlueFailure, Observed, Process, Reply, Sandbox, Spent, is_ignored, probe,
};

/// A client that is a shell script; `$1` is the file to read, `$2` the one to write.
fn script(text: &str, more: &str) -> CommandClient {
    let limits = if more.contains("[limits]") { "" } else { "[limits]\ntime_s = 30\n" };
    let toml = format!(
        "name = \"script\"\nsummary = \"a test\"\ndecoder = \"own\"\n\
         [run]\ncommand = [\"sh\", \"-c\", '''{text}''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         {limits}{more}\n"
    );
    CommandClient::new(Description::parse(&toml, "script.toml", Path::new("/")).unwrap())
}

fn run(text: &str, more: &str) -> Reply {
    script(text, more).run(b"file").unwrap()
}

#[test]
fn a_dimension_is_ignored_on_every_page() {
    let ignores = ["orientation".to_owned(), "further pages".to_owned()];
    for (dimension, ignored) in [
        ("orientation", true),
        ("page 2: orientation", true),
        ("page 10: orientation", true),
        ("further pages", true),
        ("page 2: type of Orientation", false),
        ("page segment order", false),
        ("bits", false),
    ] {
        assert_eq!(is_ignored(&ignores, dimension), ignored, "{dimension}");
    }
    // One page alone may be ignored.
    let second = ["page 2: orientation".to_owned()];
    assert!(is_ignored(&second, "page 2: orientation") && !is_ignored(&second, "orientation"));
}

/// Returns what a script that shows a picture takes, run in the best sandbox and in any other.
fn spent(deed: &str) -> Vec<Spent> {
    let mut all = Vec::new();
    for sandbox in Sandbox::all().into_iter().chain([Sandbox::off()]) {
        let description = script(&format!("{deed}; {ONE_PIXEL}"), "").description().clone();
        let client = CommandClient::within(description, sandbox);
        let Observed { reply, spent, .. } = client.observe(b"file", Process::Fresh).unwrap();
        assert_picture(&reply);
        all.push(spent.unwrap());
    }
    assert!(all.iter().all(|spent| spent.alone), "{all:?}");
    all
}

#[test]
fn the_time_and_the_memory_of_all_processes_of_a_program_are_measured() {
    let idle = spent(":");
    let loops = spent("sh -c 'i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done'");
    // It keeps all of them.
    let keeps = spent("head -c 314572800 /dev/zero | tail -c 314572800 > /dev/null");
    for (idle, (loops, keeps)) in idle.iter().zip(loops.iter().zip(&keeps)) {
        let mebibytes = |spent: &Spent| spent.peak.unwrap() >> 20;
        assert!(loops.cpu > 5 * idle.cpu, "{idle:?} {loops:?}");
        assert!((280..600).contains(&mebibytes(keeps)), "{keeps:?}");
        assert!(mebibytes(idle) < 100 && mebibytes(loops) < 100, "{idle:?} {loops:?}");
    }
}

const ONE_PIXEL: &str = r"printf 'P6 1 1 255\n\001\002\003' > $2";

fn assert_picture(reply: &Reply) {
    let Reply::Picture(picture) = reply else { panic!("{reply:?}") };
    assert_eq!(picture.rgba(), [257, 514, 771, 65535]);
}

fn assert_resource(reply: &Reply, what: &str) {
    let Reply::Resource { message } = reply else { panic!("{reply:?}") };
    assert!(message.contains(what), "{message}");
}

/// Waits until no process has this word in its command line.
fn assert_gone(word: &str) {
    let end = Instant::now() + Duration::from_secs(10);
    while living(word) {
        assert!(Instant::now() < end, "a process with {word} lives on");
        thread::sleep(Duration::from_millis(20));
    }
}

fn living(word: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|process| {
        fs::read(process.path().join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(word))
    })
}

#[test]
fn a_picture() {
    assert_picture(&run(ONE_PIXEL, ""));
    assert_picture(&run(&format!("test \"$(cat $1)\" = file && {ONE_PIXEL}"), ""));
    // On standard output.
    let stdout = "[output]\nfrom = \"stdout\"";
    let toml = "printf 'P6 1 1 255\\n\\001\\002\\003'; : $2";
    assert_picture(&run(toml, stdout));
    // Under a name of the client's own.
    let found = "[output]\npath = \"page-*.ppm\"";
    assert_picture(&run(&format!("set -- $1 page-07.ppm; {ONE_PIXEL}"), found));
}

#[test]
fn refusals_are_in_the_clients_own_words() {
    let refused = |text: &str| match run(text, "[[ignores]]\nwhat = \"x\"\nreason = \"y\"") {
        Reply::Refused { message } => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("echo $1: bad tag >&2; exit 3"), "{in}: bad tag");
    assert_eq!(refused("echo bad tag $2; exit 3"), "bad tag {out}");
    assert_eq!(refused("exit 3"), "exit status 3");
    assert_eq!(refused("true"), "made no picture");
    assert_eq!(refused("echo cannot read $PWD/x >&2"), "made no picture: cannot read {dir}/x");
    assert_eq!(refused("printf '\\033[31mred\\a\\033[0m\\r\\n' >&2; exit 1"), "red");
    // A status other than 0 counts, whatever was written.
    assert_eq!(refused(&format!("{ONE_PIXEL}; exit 2")), "exit status 2");
    assert!(refused("printf '\\211PNG\\r\\n\\032\\n garbage' > $2").contains("cannot be read"));
    assert!(refused("mkfifo $2").contains("made no picture"));
    assert!(refused("ln -s /etc/passwd $2").contains("made no picture"));
}

#[test]
fn a_message_can_mean_refusal() {
    let toml = format!(
        "name = \"x\"\nsummary = \"x\"\ndecoder = \"own\"\n[run]\n\
         command = [\"sh\", \"-c\", '''echo fine; echo $1 is damaged >&2; {ONE_PIXEL}''', \
         \"sh\", \"{{in}}\", \"{{out}}\"]\nrefused = ['damaged$']\n"
    );
    let description = Description::parse(&toml, "x.toml", Path::new("/")).unwrap();
    let reply = CommandClient::new(description).run(b"").unwrap();
    assert_eq!(reply, Reply::Refused { message: "{in} is damaged".to_string() });
}

#[test]
fn a_signal_is_a_crash() {
    let crash = |text: &str| match run(text, "") {
        Reply::Crash { message } => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(crash("kill -SEGV $$"), "SIGSEGV");
    assert_eq!(crash("echo oh no >&2; kill -ABRT $$"), "SIGABRT: oh no");
    // A shell passes its child's signal on as a status.
    assert!(crash("sh -c 'kill -SEGV $$'; exit $?").starts_with("SIGSEGV"));
}

#[test]
fn a_hang_is_ended_with_all_its_children() {
    let limits = "[limits]\ntime_s = 1\n";
    assert_eq!(run("sleep 98761 & sleep 98761", limits), Reply::Hang);
    assert_gone("98761");
    // It ignores signals and keeps its pipes open.
    assert_eq!(run("trap '' TERM INT HUP; while :; do sleep 98762; done", limits), Reply::Hang);
    assert_gone("98762");
}

#[test]
fn children_do_not_outlive_their_client() {
    // In the background, with the pipes open; in a session of its own; twice forked.
    assert_picture(&run(&format!("sleep 98763 & {ONE_PIXEL}"), ""));
    assert_gone("98763");
    assert_picture(&run(&format!("setsid sleep 98764 & sleep 0.2; {ONE_PIXEL}"), ""));
    assert_gone("98764");
    let daemon = "(setsid sh -c 'setsid sleep 98765 & setsid sleep 98765 & wait' &) ; sleep 0.3";
    assert_picture(&run(&format!("{daemon}; {ONE_PIXEL}"), ""));
    assert_gone("98765");
}

#[test]
fn disk_is_limited() {
    let limits = "[limits]\ndisk_mb = 4\ntime_s = 60\n";
    assert_resource(&run("dd if=/dev/zero of=$2 bs=65536 2>&1", limits), "disk limit of 4 MB");
    assert_resource(&run("exec cat /dev/zero > $2", limits), "disk limit of 4 MB");
    // Many files of less than the limit.
    let many = "n=0; while :; do n=$((n+1)); head -c 1000000 /dev/zero > f$n; done";
    assert_resource(&run(many, limits), "disk limit of 4 MB");
}

#[test]
fn a_picture_on_stdout_is_limited_too() {
    let more = "[output]\nfrom = \"stdout\"\n[limits]\ndisk_mb = 4\ntime_s = 60\n";
    assert_resource(&run("exec cat /dev/zero", more), "disk limit of 4 MB");
}

#[test]
fn megabytes_of_messages_do_no_harm() {
    let chatter = "head -c 3000000 /dev/zero | tr '\\0' x; head -c 3000000 /dev/zero >&2";
    assert_picture(&run(&format!("{chatter}; {ONE_PIXEL}"), ""));
    let limits = "[limits]\nmessages_mb = 2\ntime_s = 60\n";
    assert_resource(&run("yes", limits), "printed more than 2 MB");
    assert_resource(&run("yes >&2", limits), "printed more than 2 MB");
}

#[test]
fn memory_is_limited() {
    // `tail` keeps the last line. It stays near the limit for as long as it takes to see that.
    let hog = "{ head -c 175000000 /dev/zero; sleep 1; head -c 900000000 /dev/zero; } | tail -n 1";
    let space = "[limits]\nmemory_mb = 200\ntime_s = 60\n";
    assert_resource(&run(hog, space), "memory limit of 200 MB");
    let hog = "head -c 900000000 /dev/zero | tail -n 1 | sleep 30";
    let resident = "[limits]\nmemory_mb = 100\nmemory = \"resident\"\ntime_s = 60\n";
    assert_resource(&run(hog, resident), "memory limit of 100 MB");
}

#[test]
fn words_about_memory_are_no_limit() {
    for words in [
        "MemoryError: 9 bytes",
        "in.tif: Not enough memory for 99999999 strips",
        "std::bad_alloc",
        "java.lang.OutOfMemoryError: Requested array size exceeds VM limit",
        "cannot allocate memory; out of memory",
    ] {
        let reply = run(&format!("echo '{words}' >&2; exit 1"), "");
        assert_eq!(reply, Reply::Refused { message: words.to_string() });
    }
}

#[test]
fn a_failure_of_glue_is_no_refusal() {
    let glue = |text: &str| script(text, "").run(b"file");
    let error = glue("echo a warning >&2; echo glue: 5 samples a pixel >&2; exit 1").unwrap_err();
    let failure = GlueFailure::in_error(&error).expect("a failure of glue");
    assert_eq!(failure.to_string(), "its glue cannot express the output: 5 samples a pixel");
    assert!(GlueFailure::in_error(&std::io::Error::other("glue: x")).is_none());
    // Only at the start of a line, and only if it failed.
    let message = "in.tif: glue: no".to_string();
    let refused = glue("echo in.tif: glue: no >&2; exit 1").unwrap();
    assert_eq!(refused, Reply::Refused { message });
    assert_picture(&glue(&format!("echo glue: dry >&2; {ONE_PIXEL}")).unwrap());
}

#[test]
fn clients_have_nothing_of_ours() {
    let look = "test -z \"$(cat)\" || exit 4; test \"$HOME\" = \"$PWD\" || exit 5; \
                test \"$TMPDIR\" = \"$PWD\" || exit 6; test $LC_ALL = C.UTF-8 || exit 7; \
                test -z \"$CARGO_MANIFEST_DIR\" || exit 8; test $(ls | wc -l) = 1 || exit 9";
    assert_picture(&run(&format!("{look}; {ONE_PIXEL}"), ""));
}

#[test]
fn the_scratch_folder_goes_even_if_it_is_locked() {
    let Reply::Refused { message } = run("mkdir -p a/b; chmod 0 a/b a; printf $PWD | tr / : ", "")
    else {
        panic!("a picture?")
    };
    let name = message.rsplit(':').next().unwrap();
    assert!(name.starts_with("repfuzz-"), "{message}");
    assert!(!std::env::temp_dir().join(name).exists());
}

#[test]
fn misbehaving_clients_do_not_disturb_others() {
    let texts = ["kill -SEGV $$", "exit 3", "setsid sleep 5 & yes", "sleep 60", ONE_PIXEL];
    thread::scope(|scope| {
        for text in texts.iter().cycle().take(20) {
            scope.spawn(move || {
                let limits = "[limits]\ntime_s = 3\nmessages_mb = 1\n";
                let reply = run(text, limits);
                match *text {
                    "exit 3" => assert!(matches!(reply, Reply::Refused { .. }), "{reply:?}"),
                    "sleep 60" => assert_eq!(reply, Reply::Hang),
                    ONE_PIXEL => assert_picture(&reply),
                    t if t.starts_with("kill") => {
                        assert!(matches!(reply, Reply::Crash { .. }), "{reply:?}");
                    }
                    _ => assert!(matches!(reply, Reply::Resource { .. }), "{reply:?}"),
                }
            });
        }
    });
}

#[test]
fn a_program_that_is_not_there_is_our_trouble() {
    let mut catalogue = Catalogue::load(&[]).unwrap();
    catalogue.add_command_line("mine=no-such-program-1 {in} {out}").unwrap();
    let entry = catalogue.get("mine").unwrap();
    let error = entry.client().run(b"").unwrap_err().to_string();
    assert!(error.contains("cannot start no-such-program-1"), "{error}");
    assert_eq!(*entry.state(), Availability::Missing { what: "no-such-program-1".to_string() });
}

#[test]
fn a_program_that_a_script_calls_is_missed() {
    let text = "name = \"mine\"\nsummary = \"x\"\ndecoder = \"own\"\n[run]\n\
                command = [\"sh\", \"-c\", \"no-such-program-2 $0\", \"{in}\"]\n\
                calls = [\"sh\", \"no-such-program-2\"]\n[output]\nfrom = \"stdout\"\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    let catalogue = Catalogue::load(&[folder.path().to_path_buf()]).unwrap();
    let missing = Availability::Missing { what: "no-such-program-2".to_string() };
    assert_eq!(*catalogue.get("mine").unwrap().state(), missing);
}

#[test]
fn clients_from_the_command_line() {
    let mut catalogue = Catalogue::load(&[]).unwrap();
    let add = |catalogue: &mut Catalogue, spec: &str| catalogue.add_command_line(spec);
    add(&mut catalogue, r#"mine=sh -c 'printf "P6 1 1 255\n\001\002\003" > $1' {in} {out}"#)
        .unwrap();
    assert_picture(&catalogue.get("mine").unwrap().client().run(b"").unwrap());
    // Another extension; the picture on stdout.
    add(&mut catalogue, "copy=cp {in} {out}.ppm").unwrap();
    add(&mut catalogue, "cat=cat {in}").unwrap();
    for name in ["copy", "cat"] {
        let client = catalogue.get(name).unwrap().client();
        assert_picture(&client.run(b"P6 1 1 255\n\x01\x02\x03").unwrap());
    }
    let error = |catalogue: &mut Catalogue, spec| add(catalogue, spec).unwrap_err().to_string();
    assert!(error(&mut catalogue, "just words").contains("should look like"));
    assert!(error(&mut catalogue, "a=").contains("at least the program"));
    assert!(error(&mut catalogue, "a=b 'c").contains("quote is not closed"));
    assert!(error(&mut catalogue, "a=b {out}").contains("never mentions {in}"));
    assert!(error(&mut catalogue, "a=b {inn} {out}").contains("unknown placeholder {inn}"));
    assert!(error(&mut catalogue, "A b=c {in}").contains("is made of"));
    assert!(error(&mut catalogue, "mine=cat {in}").contains("described twice"));
}

#[test]
fn a_client_that_decodes_wrongly_is_broken() {
    let mut catalogue = Catalogue::load(&[]).unwrap();
    catalogue.add_command_line(r#"w=sh -c 'printf "P6 1 1 255\nabc"' {in}"#).unwrap();
    let Availability::Broken { why, .. } = catalogue.get("w").unwrap().state() else {
        panic!("ready?")
    };
    assert!(why.contains("wrongly"), "{why}");
    let error = catalogue.select_ready(&["w"]).err().unwrap().to_string();
    assert!(error.starts_with("client w cannot be used here: decodes"), "{error}");
}

#[test]
fn selection() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let names = |names: &[&str]| {
        let selected = catalogue.select(names).unwrap();
        selected.iter().map(|e| e.info().name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["vips", "ffmpeg", "vips"]), ["vips", "ffmpeg"]);
    let error = |name: &str| catalogue.select(&[name]).err().unwrap().to_string();
    assert_eq!(error("fmpeg"), "no client is called \"fmpeg\": did you mean ffmpeg?");
    let near = "no client is called \"imagemagic\": did you mean imagemagick?";
    assert_eq!(error("imagemagic"), near);
    assert_eq!(error("tiff2rgb"), "no client is called \"tiff2rgb\": did you mean tiff2rgba?");
    assert_eq!(error("qqqq"), "no client is called \"qqqq\"");
}

#[test]
fn users_descriptions_replace_shipped_ones() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"vips\"\nsummary = \"mine\"\ndecoder = \"own\"\n[run]\n\
                command = [\"sh\", \"{here}/v.sh\", \"{in}\"]\n[output]\nfrom = \"stdout\"\n";
    fs::write(folder.path().join("v.toml"), text).unwrap();
    fs::write(folder.path().join("v.sh"), "printf 'P6 1 1 255\\n\\001\\002\\003'").unwrap();
    let catalogue = Catalogue::load(&[folder.path().to_path_buf()]).unwrap();
    let entry = catalogue.get("vips").unwrap();
    assert_eq!(entry.info().summary, "mine");
    assert_picture(&entry.client().run(b"").unwrap());
    // Two of the user's own descriptions with one name are an error.
    fs::write(folder.path().join("w.toml"), text).unwrap();
    let error = Catalogue::load(&[folder.path().to_path_buf()]).err().unwrap();
    assert!(matches!(error, CatalogueError::Twice { .. }), "{error}");
    let missing = Catalogue::load(&[folder.path().join("none")]).err().unwrap().to_string();
    assert!(missing.contains("none"), "{missing}");
}

#[test]
fn description_errors_name_file_and_line() {
    let good = "name = \"a\"\nsummary = \"s\"\ndecoder = \"own\"\n\n[run]\n\
                command = [\"x\", \"{in}\", \"{out}\"]\n";
    let error =
        |text: &str| Description::parse(text, "a.toml", Path::new("/")).unwrap_err().to_string();
    assert!(Description::parse(good, "a.toml", Path::new("/")).is_ok());
    let with = |more: &str| error(&format!("{good}{more}"));
    assert!(with("colour = 1\n").starts_with("a.toml, line 7: unknown field `colour`"));
    assert!(with("[limits]\ntime = 1\n").starts_with("a.toml, line 8: unknown field `time`"));
    assert!(with("[limits]\ntime_s = 0\n").starts_with("a.toml, line 7: time_s, disk_mb"));
    assert!(with("[output]\nformat = \"jpeg\"\n").starts_with("a.toml, line 8: unknown variant"));
    assert!(with("[output]\npath = \"a/b\"\n").starts_with("a.toml, line 8: \"a/b\" is not"));
    let pattern = with("refused = ['(']\n");
    assert!(pattern.starts_with("a.toml, line 7: not a regular expression: unclosed"), "{pattern}");
    let bad = |from: &str, to: &str| error(&good.replace(from, to));
    assert!(bad("{in}", "{input}").starts_with("a.toml, line 6: unknown placeholder {input}"));
    assert!(bad("{in}", "in").starts_with("a.toml, line 6: the command never mentions {in}"));
    assert!(bad("{out}", "out").starts_with("a.toml, line 6: no command mentions {out}"));
    assert!(bad("\"x\", \"{in}\", \"{out}\"", "").starts_with("a.toml, line 6: a command needs"));
    assert!(bad("\"a\"", "\"A b\"").starts_with("a.toml, line 1: a client's name"));
    assert!(bad("name = \"a\"\n", "").contains("missing field `name`"));
    assert!(bad("[run]", "[run").starts_with("a.toml, line 5: "));
    assert!(!bad("[run]", "[run").contains('\n'));
}

#[test]
fn braces_that_are_no_placeholders_stay() {
    let toml = "name = \"a\"\nsummary = \"s\"\ndecoder = \"own\"\n[run]\n\
                command = [\"printf\", \"P2 1 1 255 %d #{print $1} {} {In} { %s\", \"7\", \"{in}\"]\n\
                [output]\nfrom = \"stdout\"\n";
    let description = Description::parse(toml, "a.toml", Path::new("/")).unwrap();
    let Reply::Picture(picture) = CommandClient::new(description).run(b"").unwrap() else {
        panic!("no picture")
    };
    assert_eq!(picture.rgba()[0], 7 * 257);
}

#[test]
fn command_lines_are_as_one_would_type_them() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let line = |name: &str| catalogue.get(name).unwrap().client().command();
    assert_eq!(line("tiff2rgba").unwrap(), "tiff2rgba -c none {in} {out}");
    assert_eq!(
        line("openjpeg").unwrap(),
        "opj_compress -n 1 -i {in} -o {dir}/out.jp2 && opj_decompress -i {dir}/out.jp2 -o {out}"
    );
    assert!(line("imagemagick").unwrap().contains(" '*' "));
    assert_eq!(line("rust-tiff"), None);
    assert_eq!(catalogue.get("rust-tiff").unwrap().client().ignores(), ["orientation"]);
}

#[test]
fn shipped_descriptions_are_whole() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let own = catalogue.entries().iter().filter(|e| e.info().decoder == Decoder::Own).count();
    assert!(catalogue.entries().len() >= 60 && own >= 28, "{own}");
    for entry in catalogue.entries() {
        let info = entry.info();
        let said = !entry.reads("tif")
            || info.applies("orientation")
            || info.ignores.iter().any(|i| i.what == "orientation" && i.reason.len() > 10);
        assert!(said, "{}: nothing is said about the orientation", info.name);
        assert!(info.summary.len() <= 72, "{}: the summary is long", info.name);
        let Some(description) = entry.description() else { continue };
        assert!(!info.install.is_empty(), "{}: no package", info.name);
        assert!(description.version.is_some(), "{}: no version command", info.name);
        let shell = description.run.programs().any(|argv| argv.program() == Some("sh"));
        assert!(!shell || !description.run.calls.is_empty(), "{}: a script of what?", info.name);
        assert!(!description.run.inherit_env, "{}: runs must be repeatable", info.name);
        let tools = &description.tools;
        let packages = tools.pip.iter().filter(|package| !package.starts_with("--"));
        for package in packages {
            assert!(package.contains("=="), "{}: {package} has no version", info.name);
        }
        for package in &tools.npm {
            let version = package.rsplit('@').next().unwrap_or_default();
            let pinned = version.starts_with(|c: char| c.is_ascii_digit());
            assert!(pinned, "{}: {package} has no version", info.name);
        }
    }
}

#[test]
fn the_fast_clients_are_known() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let names: Vec<&str> = Catalogue::fast().collect();
    assert!(names.len() > 10);
    catalogue.select(&names).unwrap();
}

#[test]
fn the_probe_files_are_what_they_seem() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let client = catalogue.get("rust-image").unwrap().client();
    for orientation in 1..=8 {
        let reply = client.run(&probe::file(orientation)).unwrap();
        assert_eq!(reply, Reply::Picture(probe::displayed(orientation)), "{orientation}");
    }
}
