//! The examples of the paper: section 2, section 2.5, figure 6, and trees without Enrich.

use crate::sketch::{Text, call, choice, io, maybe, program, repeat, seq};
use conformance::automata::Alphabet;
use conformance::check::{Mode, explicit, split_values};
use conformance::model::{Model, Outcome, compare};
use conformance::program::Program;

/// Figure 1, with a separator in its loop if it is wanted.
fn producer(separator: bool) -> Program {
    let begin = if separator { io("sep", 9) } else { seq([]) };
    program(&[
        ("main", call("loop", 15)),
        ("loop", seq([begin, call("send", 10), maybe(call("loop", 12))])),
        ("send", choice([io("bool", 3), seq([io("bool", 5), io("double", 6), io("bool", 7)])])),
    ])
}

/// Figure 2.
fn consumer() -> Program {
    let body = seq([io("bool", 8), maybe(call("update", 9))]);
    let update = seq([io("double", 2), io("bool", 3)]);
    program(&[("main", repeat(body)), ("update", update)])
}

/// Figure 3.
fn buggy() -> Program {
    let body = seq([io("bool", 3), call("update", 4)]);
    let update = seq([io("double", 2), io("bool", 3)]);
    program(&[("main", repeat(body)), ("update", update)])
}

/// The consumer of section 2.5, which does not read the last `bool`.
fn forgetful(separator: bool) -> Program {
    let end = if separator { io("sep", 9) } else { seq([]) };
    let body = seq([end, io("bool", 8), maybe(call("update", 9))]);
    program(&[("main", repeat(body)), ("update", io("double", 2))])
}

fn outcome(producer: Program, consumer: Program, mode: Mode) -> Outcome {
    let mut alphabet = Alphabet::default();
    let producer = Model::program(producer, &mut alphabet).unwrap();
    let consumer = Model::program(consumer, &mut alphabet).unwrap();
    let outcome = compare(&producer, &consumer, mode, &mut alphabet).unwrap();
    let (mut own, mut other) = (producer.automaton, consumer.automaton);
    split_values(&mut own, &mut other, &mut alphabet);
    let slow = explicit(&own, &other, mode, &mut alphabet, 10_000).unwrap();
    assert_eq!(slow.is_some(), outcome.counterexample.is_some(), "the paper's way agrees");
    outcome
}

/// The states of both, and the verdicts by VPA and by FA.
fn row(producer: &Program, consumer: &Program) -> (usize, usize, bool, bool) {
    let [vpa, fa] =
        [Mode::Vpa, Mode::Fa].map(|mode| outcome(producer.clone(), consumer.clone(), mode));
    let conforms = |outcome: &Outcome| outcome.counterexample.is_none();
    (vpa.producer_states, vpa.consumer_states, conforms(&vpa), conforms(&fa))
}

#[test]
fn rows_of_figure_7_without_sources() {
    assert_eq!(row(&producer(false), &consumer()), (9, 5, true, true));
    assert_eq!(row(&producer(false), &buggy()), (9, 5, false, false));
    assert_eq!(row(&producer(true), &forgetful(true)), (10, 5, false, false));
    // Without the separator, the missing field is not noticed.
    assert_eq!(row(&producer(false), &forgetful(false)), (9, 4, true, true));
}

#[test]
fn figure_6_needs_a_stack() {
    let producer = program(&[
        ("main", choice([call("out", 5), seq([io("char", 7), call("out", 7), io("char", 7)])])),
        ("out", io("int", 2)),
    ]);
    let consumer = program(&[
        ("main", choice([call("one", 14), seq([io("char", 16), call("two", 16), io("char", 16)])])),
        ("one", io("int", 9)),
        ("two", io("int", 11)),
    ]);
    let (_, _, vpa, fa) = row(&producer, &consumer);
    assert_eq!((vpa, fa), (true, false));
    let story = outcome(producer, consumer, Mode::Fa).counterexample.unwrap();
    let word: Vec<&str> = story.events.iter().map(|event| event.kind.as_str()).collect();
    assert!(word == ["int", "char"] || word == ["char", "int"], "{word:?}");
}

#[test]
fn a_story_has_the_lines_of_both() {
    let story = outcome(producer(false), buggy(), Mode::Vpa).counterexample.unwrap();
    let line = |site: &Option<conformance::program::Site>| site.as_ref().unwrap().place.line;
    let lines: Vec<u32> = story.events.iter().map(|event| line(&event.site)).collect();
    // Two short packets would be refused at the second; one is refused because it ends.
    assert_eq!((lines, story.read, story.may_end), (vec![3], 1, false));
    let expected: Vec<(&str, u32)> =
        story.expected.iter().map(|e| (e.kind.as_str(), line(&e.site))).collect();
    assert_eq!(expected, [("double", 2)]);

    let story = outcome(producer(true), forgetful(true), Mode::Vpa).counterexample.unwrap();
    let lines: Vec<u32> = story.events.iter().map(|event| line(&event.site)).collect();
    assert_eq!(lines, [9, 5, 6, 7]);
    assert_eq!((story.read, story.may_end), (3, true));
    assert_eq!(story.expected.iter().map(|e| &*e.kind).collect::<Vec<_>>(), ["sep"]);
}

/// Reads or writes a tree of `leaf` and `node`: the node before its subtrees, or between them in
/// brackets.
fn tree(infix: bool) -> Program {
    let (left, right) = (call("tree", 3), call("tree", 4));
    let node = if infix {
        seq([io("open", 5), left, io("node", 2), right, io("close", 6)])
    } else {
        seq([io("node", 2), left, right])
    };
    program(&[("main", call("tree", 9)), ("tree", choice([io("leaf", 1), node]))])
}

#[test]
fn trees_conform_to_their_own_notation_without_enrich() {
    for mode in [Mode::Vpa, Mode::NoEnrich] {
        for (own, other) in [(true, true), (false, false), (true, false), (false, true)] {
            let outcome = outcome(tree(own), tree(other), mode);
            assert_eq!(outcome.counterexample.is_none(), own == other, "{mode:?} {own} {other}");
        }
    }
}

#[test]
fn without_enrich_calls_must_agree() {
    let outcome = outcome(producer(false), consumer(), Mode::NoEnrich);
    assert!(outcome.counterexample.is_some_and(|story| story.by_structure));
}

#[test]
fn a_consumer_of_everything_is_vacuous() {
    let all = program(&[("main", repeat(choice([io("bool", 1), io("double", 2)])))]);
    assert!(outcome(producer(false), all, Mode::Vpa).vacuous);
    assert!(!outcome(producer(false), consumer(), Mode::Vpa).vacuous);
}

#[test]
fn values_count_where_there_are_constants() {
    let both = |own: &str, other: &str| {
        let main = |text: &str| program(&[("main", Text::parse(text))]);
        outcome(main(own), main(other), Mode::Vpa).counterexample.is_none()
    };
    assert!(both("byte=31 byte=139", "byte byte"));
    assert!(both("byte=31", "byte=31|139"));
    assert!(!both("byte=32", "byte=31|139"));
    assert!(!both("byte", "byte=31"), "a writer of any value may write others");
    assert!(both("byte=31 byte", "byte byte"));
}
