//! A canonical program of sources whose headers are not there.
//!
//! Nothing is known of types and of macros, so that the graph is a sketch: every value is a number of
//! 64 bits, a member of a struct is one variable of the program whichever object it is of, a macro
//! is a function that is not defined, and of the branches of a preprocessor condition one is taken.
//! C++ is read as far as it is like C. Calls through pointers have the targets that
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

/// Tokens of one function, at most: those of larger ones are tables.
const TOKENS: usize = 200_000;

/// The constants that libtiff's header defines, by their names.
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
    // All names first, so that calls of later ones find them.
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
