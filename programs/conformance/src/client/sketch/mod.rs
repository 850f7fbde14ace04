//! Creates a canonical program from sources without their headers.
//!
//! Types and macros are unknown, so the graph is only a sketch. Every value is a 64-bit number. A struct member is a
//! single global variable for all objects. A macro is an undefined function. One branch of each preprocessor condition
//! is selected. C++ is read as far as it resembles C. Calls through pointers have the targets that
//! [`canonical::points_to`] finds.

mod body;
mod branches;
mod lower;
mod tables;
mod top;
mod tree;
mod words;

use std::collections::BTreeMap;

use canonical::{FileId, Program};

use body::Body;
use tables::Lowering;

/// Constants of libtiff's header `tiff.h`.
const TIFF: &str = include_str!("tiff.txt");

/// The maximum number of tokens of one function. Larger ones are tables.
const TOKENS: usize = 200_000;

/// The constants that libtiff's header defines, by name.
pub fn constants() -> BTreeMap<String, i128> {
    let pairs = TIFF.lines().filter_map(|line| line.split_once(' '));
    pairs.filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?))).collect()
}

/// The program of the files, each with its name and its text.
pub fn program(files: &[(String, String)]) -> Program {
    let mut constants = constants();
    for (name, value) in [("TRUE", 1), ("FALSE", 0), ("NULL", 0), ("true", 1), ("false", 0)] {
        constants.insert(name.to_owned(), value);
    }
    constants.insert("nullptr".to_owned(), 0);
    let branches: Vec<_> = files.iter().map(|(_, text)| branches::one_branch(text)).collect();
    for (_, defined) in &branches {
        for (name, value) in defined {
            let value = value.split_whitespace().next().unwrap_or_default();
            let value = value.trim_matches(['(', ')']);
            let known = tree::integer(value).or_else(|| constants.get(value).copied());
            constants.extend(known.map(|value| ((*name).to_owned(), value)));
        }
    }
    let words: Vec<_> = branches.iter().map(|(text, _)| words::words(text)).collect();
    let tops: Vec<_> = words.iter().map(|words| top::definitions(words, &mut constants)).collect();
    let mut program = Program::default();
    program.files.extend(files.iter().map(|(name, _)| name.into()));
    let mut lowering = Lowering::new(&mut program, constants);
    // All names are added first, so that calls find functions that are defined later.
    for (file, (words, tops)) in (0..).zip(words.iter().zip(&tops)) {
        lowering.file = file;
        for top in tops {
            lowering.define(words[top.name].text);
        }
    }
    for (file, (words, tops)) in (0..).zip(words.iter().zip(&tops)) {
        lowering.file = file;
        let (name, _) = &files[file as usize];
        lowering.methods = ![".c", ".h"].iter().any(|end| name.ends_with(end));
        for top in tops.iter().filter(|top| top.body.len() < TOKENS) {
            let id = lowering.define(words[top.name].text);
            if lowering.program.function(id).body.is_some() {
                continue;
            }
            let parameters: Vec<_> =
                top.parameters.iter().map(|name| lowering.parameter(name)).collect();
            let names = top.parameters.iter().cloned().zip(parameters.iter().copied()).collect();
            let graph = Body::graph(words, top.body.clone(), FileId(file), &mut lowering, names);
            let function = &mut lowering.program.functions[id.index()];
            function.parameters = parameters;
            function.body = Some(graph);
        }
    }
    canonical::points_to::resolve(&mut program);
    program
}
