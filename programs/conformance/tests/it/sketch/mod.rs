//! Programs for tests, from statements.

#![allow(dead_code, reason = "each test program uses a part")]

use conformance::program::{Action, Edge, Function, Part, Place, Program, Site};

/// A statement.
#[derive(Clone)]
pub enum Text {
    /// A call that writes or reads elements, and its line.
    Io(Vec<Part>, u32),
    /// A call of a function, and its line.
    Call(String),
    Sequence(Vec<Text>),
    /// One of these.
    Choice(Vec<Text>),
    /// Any number of times.
    Repeat(Box<Text>),
}

impl Text {
    /// A call for each word.
    pub fn parse(text: &str) -> Self {
        seq(text.split_whitespace().zip(1..).map(|(word, line)| io(word, line)))
    }
}

pub fn io(kind: &str, line: u32) -> Text {
    Text::Io(Part::sequence(kind), line)
}

pub fn call(name: &str, _line: u32) -> Text {
    Text::Call(name.to_owned())
}

pub fn seq(parts: impl IntoIterator<Item = Text>) -> Text {
    Text::Sequence(parts.into_iter().collect())
}

pub fn choice(parts: impl IntoIterator<Item = Text>) -> Text {
    Text::Choice(parts.into_iter().collect())
}

pub fn maybe(part: Text) -> Text {
    choice([part, seq([])])
}

pub fn repeat(part: Text) -> Text {
    Text::Repeat(Box::new(part))
}

/// A program of functions; the first runs.
pub fn program(functions: &[(&str, Text)]) -> Program {
    let mut program = Program::default();
    for (name, body) in functions {
        let mut function = Function::new(*name);
        build(&mut program, functions, &mut function, body, 0, 1);
        program.functions.push(function);
    }
    program
}

fn build(
    program: &mut Program,
    functions: &[(&str, Text)],
    function: &mut Function,
    text: &Text,
    from: usize,
    to: usize,
) {
    let nothing = |from, to| Edge { from, to, action: Action::Nothing, site: None };
    match text {
        Text::Io(parts, line) => {
            let place = Place { file: "test.c".to_owned(), line: *line, column: 1 };
            let caller = function.name.clone();
            program.sites.push(Site { place, callee: "io".to_owned(), caller, whole: None });
            function.add_sequence(from, to, parts, Some(program.sites.len() - 1));
        }
        Text::Call(name) => {
            let callee = functions.iter().position(|(own, _)| own == name).unwrap();
            let action = Action::Call(vec![callee]);
            function.edges.push(Edge { from, to, action, site: None });
        }
        Text::Sequence(parts) => {
            let mut at = from;
            for part in parts {
                let next = function.add_node();
                build(program, functions, function, part, at, next);
                at = next;
            }
            function.edges.push(nothing(at, to));
        }
        Text::Choice(parts) => {
            for part in parts {
                let inner = function.add_node();
                function.edges.push(nothing(from, inner));
                build(program, functions, function, part, inner, to);
            }
        }
        Text::Repeat(part) => {
            let around = function.add_node();
            function.edges.push(nothing(from, around));
            build(program, functions, function, part, around, around);
            function.edges.push(nothing(around, to));
        }
    }
}
