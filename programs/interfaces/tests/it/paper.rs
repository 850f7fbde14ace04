//! The paper's examples and tables.

use std::time::{Duration, Instant};

use interfaces::graph::{Call, Graph};
use interfaces::library::{Library, parse};
use interfaces::synthesis::{Mode, synthesize};

const STACK: &str = include_str!("../libraries/stack.gu");
const DATA_STREAM: &str = include_str!("../libraries/data_stream.gu");
const BIT_ARRAY: &str = include_str!("../libraries/bit_array.gu");

/// A library with other constants.
fn with(text: &str, constants: &[(&str, i64)]) -> Library {
    let mut out = String::new();
    for line in text.lines() {
        let constant = constants
            .iter()
            .find(|(name, _)| line.trim_start().starts_with(&format!("const {name} =")));
        match constant {
            Some((name, value)) => out += &format!("const {name} = {value};\n"),
            None => out += &format!("{line}\n"),
        }
    }
    parse(&out).unwrap()
}

fn regions(library: &Library, mode: Mode) -> (usize, Duration) {
    let start = Instant::now();
    let graph = synthesize(library.clone(), mode, None).unwrap();
    (graph.regions(), start.elapsed())
}

/// A sequence of calls without arguments that matter.
fn calls(graph: &Graph, names: &[&str]) -> Vec<Call> {
    let function = |name: &&str| graph.functions.iter().position(|f| f == name).unwrap();
    let call = |name| {
        let function = function(name);
        Call { function, arguments: vec![0; graph.parameters[function].len()] }
    };
    names.iter().map(call).collect()
}

/// Figure 4: regions of the paper's algorithm, direct, learning, and refinement by Boolean variables.
/// The first row is printed as d = 12; 1028 and 257 are the figures of d = 10. Bit Array with k = 8 is
/// printed as 68; the formula of the other rows gives 66.
#[test]
fn figure_4() {
    let rows = [
        ("data stream h=2 d=10", with(DATA_STREAM, &[("H", 2), ("D", 10)]), [2, 2, 1028, 2, 257]),
        ("data stream h=2 d=12", with(DATA_STREAM, &[("H", 2), ("D", 12)]), [2, 2, 4100, 2, 1025]),
        ("data stream h=4 d=12", with(DATA_STREAM, &[("H", 4), ("D", 12)]), [2, 2, 4112, 2, 257]),
        ("data stream h=13 d=13", with(DATA_STREAM, &[("H", 13), ("D", 13)]), [2, 2, 16384, 2, 2]),
        ("bit array k=8", with(BIT_ARRAY, &[("K", 8)]), [2, 2, 66, 2, 2]),
        ("bit array k=9", with(BIT_ARRAY, &[("K", 9)]), [2, 2, 130, 2, 2]),
        ("bit array k=16", with(BIT_ARRAY, &[("K", 16)]), [2, 2, 16386, 2, 2]),
    ];
    for (name, library, expected) in rows {
        let found = Mode::ALL.map(|mode| regions(&library, mode));
        println!("{name}: {found:.1?}");
        assert_eq!(found.map(|(n, _)| n), expected, "{name}");
    }
}

/// Libraries with 20 bits of state: no algorithm here lists them.
#[test]
fn twenty_bits_of_state() {
    let streams = [2, 10, 19].map(|h| with(DATA_STREAM, &[("H", h), ("D", 19)]));
    let bits = with(BIT_ARRAY, &[("K", 22)]);
    for library in streams.iter().chain([&bits]) {
        for mode in [Mode::Paper, Mode::Stable] {
            assert_eq!(regions(library, mode).0, 2, "{} {mode:?}", library.name);
        }
    }
}

#[test]
fn the_stack_of_figure_1_has_three_nodes() {
    let two = with(STACK, &[("MAX", 2)]);
    for mode in [Mode::Paper, Mode::Stable, Mode::Learning] {
        assert_eq!(regions(&two, mode).0, 3, "{mode:?}");
    }
}

#[test]
fn the_paper_takes_pop_of_an_empty_stack_for_legal() {
    let three = with(STACK, &[]);
    let stable = synthesize(three.clone(), Mode::Stable, None).unwrap();
    assert_eq!(stable.regions(), 4);
    let sequence = calls(&stable, &["push", "pop", "pop"]);
    assert_eq!(stable.legal_prefix(&sequence), 2);
    let paper = synthesize(three, Mode::Paper, None).unwrap();
    assert_eq!(paper.legal_prefix(&sequence), 3);
}
