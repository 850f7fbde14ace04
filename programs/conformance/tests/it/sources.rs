//! Programs in C: the paper's examples, and a header that is written and read in different pieces.

use std::path::{Path, PathBuf};

use conformance::automata::Alphabet;
use conformance::check::Mode;
use conformance::infer::infer;
use conformance::lower::{Lowered, lower};
use conformance::model::{Model, Outcome, compare};
use conformance::score::score;
use conformance::settings::{self, Role, Settings};
use conformance::sites;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/c").join(name)
}

fn settings(name: &str) -> Settings {
    settings::read(name, &std::fs::read_to_string(data(name)).unwrap()).unwrap()
}

fn side(file: &str, role: Role, settings: &Settings) -> Lowered {
    side_of(file, role, settings, None)
}

fn side_of(file: &str, role: Role, settings: &Settings, list: Option<&[sites::Listed]>) -> Lowered {
    let arguments = settings.arguments.iter().chain(&settings.program(role).arguments);
    let options = canonical::c::Options {
        arguments: arguments.cloned().collect(),
        calls: settings.kept_macros(),
        ..canonical::c::Options::default()
    };
    let program = canonical::c::read(&[data(file)], &options);
    assert_eq!(program.diagnostics, []);
    lower(&program, role, settings, list).unwrap()
}

fn outcome(producer: &str, consumer: &str, settings: &Settings, mode: Mode) -> Outcome {
    let mut alphabet = Alphabet::default();
    let producer = side(producer, Role::Producer, settings).program;
    let consumer = side(consumer, Role::Consumer, settings).program;
    let producer = Model::program(producer, &mut alphabet).unwrap();
    let consumer = Model::program(consumer, &mut alphabet).unwrap();
    compare(&producer, &consumer, mode, &mut alphabet).unwrap()
}

fn row(producer: &str, consumer: &str, io: &str) -> (usize, usize, bool, bool) {
    let settings = settings(io);
    let vpa = outcome(producer, consumer, &settings, Mode::Vpa);
    let fa = outcome(producer, consumer, &settings, Mode::Fa);
    let conforms = |outcome: &Outcome| outcome.counterexample.is_none();
    (vpa.producer_states, vpa.consumer_states, conforms(&vpa), conforms(&fa))
}

#[test]
fn figure_7_from_sources() {
    assert_eq!(row("producer.c", "consumer.c", "sensor.toml"), (9, 5, true, true));
    assert_eq!(row("producer.c", "buggy.c", "sensor.toml"), (9, 5, false, false));
    assert_eq!(row("producer.c", "consumer.c", "separated.toml"), (10, 5, false, false));
}

#[test]
fn figure_6_from_sources() {
    let (_, _, vpa, fa) = row("figure6-producer.c", "figure6-consumer.c", "figure6.toml");
    assert_eq!((vpa, fa), (true, false));
}

#[test]
fn granularity_formats_comments_and_pointers() {
    let mut settings = settings("header.toml");
    let whole = outcome("header-writer.c", "header-reader.c", &settings, Mode::Vpa);
    assert_eq!(whole.counterexample, None);
    assert!(!whole.vacuous);
    // Without the declaration that a long is four bytes: the paper's false alarm.
    settings.types.clear();
    let apart = outcome("header-writer.c", "header-reader.c", &settings, Mode::Vpa);
    let story = apart.counterexample.unwrap();
    let kinds: Vec<&str> = story.events[..3].iter().map(|event| event.kind.as_str()).collect();
    assert_eq!((kinds, story.read), (vec!["byte=31", "byte=139", "long"], 2));
    let site = story.events[2].site.as_ref().unwrap();
    assert_eq!((site.callee.as_str(), site.place.line), ("put_long", 25));
}

#[test]
fn sites_are_written_edited_and_read() {
    let settings = settings("sensor.toml");
    let producer = side("producer.c", Role::Producer, &settings);
    let text = sites::write(&producer.sites);
    let list = sites::read("sites", &text).unwrap();
    assert_eq!(list, producer.sites);
    assert_eq!(list.len(), 4);
    let again = side_of("producer.c", Role::Producer, &settings, Some(&list));
    assert_eq!(again.program, producer.program);
    // Without the last write, packets have at most two fields.
    let last = list.iter().map(|site| site.line).max().unwrap();
    let short: Vec<_> = list.into_iter().filter(|site| site.line < last).collect();
    let edited = side_of("producer.c", Role::Producer, &settings, Some(&short));
    let states = infer(&edited.program, &mut Alphabet::default()).unwrap().automaton.len();
    assert_eq!(states, 8);
}

#[test]
fn a_list_of_sites_that_are_no_calls_is_an_error() {
    let settings = settings("sensor.toml");
    let list = side("producer.c", Role::Producer, &settings).sites;
    let program = canonical::c::read(&[data("producer.c")], &canonical::c::Options::default());
    for wrong in [
        sites::Listed { line: 1, ..list[0].clone() },
        sites::Listed { callee: "writeBoole".to_owned(), ..list[0].clone() },
        sites::Listed { file: "other.c".to_owned(), ..list[0].clone() },
        sites::Listed { column: Some(77), ..list[0].clone() },
    ] {
        let found = lower(&program, Role::Producer, &settings, Some(&[wrong])).unwrap_err();
        assert!(
            found.to_string().starts_with("--sites: the producer has no call of `writeBool"),
            "{found}"
        );
    }
}

/// Static functions of one name in two files have states of their own.
#[test]
fn names_of_functions_tell_files_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let one = file(
        "one.c",
        "int gb(void); static void rest(void) { gb(); } void other(void);\n\
                             int main(void) { rest(); other(); rest(); other(); return 0; }",
    );
    let two = file(
        "two.c",
        "int gb(void); static void rest(void) { gb(); gb(); } void other(void) { rest(); rest(); }",
    );
    let io = settings::read("io", "function = [{ name = 'gb', direction = 'in' }]").unwrap();
    let program = canonical::c::read(&[one, two], &canonical::c::Options::default());
    let lowered = lower(&program, Role::Consumer, &io, None).unwrap();
    let automaton = infer(&lowered.program, &mut Alphabet::default()).unwrap().automaton;
    let mut names = automaton.names.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), automaton.len());
    assert!(names.contains(&"rest (two.c):0".to_owned()), "{names:?}");
}

#[test]
fn a_score_counts_the_changes_that_are_noticed() {
    let settings = settings("sensor.toml");
    let mut alphabet = Alphabet::default();
    let producer = side("producer.c", Role::Producer, &settings).program;
    let consumer = side("consumer.c", Role::Consumer, &settings).program;
    let consumer = Model::program(consumer, &mut alphabet).unwrap();
    let scored = score(&producer, &consumer, Mode::Vpa, &mut alphabet, 100).unwrap();
    // Each of four writes: left out, doubled, of the other type.
    assert_eq!(scored.len(), 12);
    let quiet: Vec<String> = scored
        .iter()
        .filter(|change| !change.noticed)
        .map(|change| format!("{:?} {}", change.change, change.site.as_ref().unwrap().place.line))
        .collect();
    // Nothing marks where packets end: the consumer takes each `bool` too many, or left over, for a
    // short packet, as section 2.5 says.
    let wanted =
        ["Omitted 5", "Doubled 5", "Doubled 7", "Omitted 8", "Type(\"bool\") 8", "Doubled 9"];
    assert_eq!(quiet, wanted);
}
