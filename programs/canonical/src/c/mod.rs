//! The front end for C.
//!
//! [`read`] preprocesses files with the system's compiler, parses each external declaration separately, lowers it, and
//! links the files. It never fails. Everything that it does not understand becomes a [`Diagnostic`] with its place, and
//! costs at most the function that contains it. Time and memory are bounded by [`Limits`].

mod chunk;
mod lex;
mod lower;
mod options;
mod overlay;
mod parse;
mod preprocess;
mod taken;
mod tidy;
mod unit;

use std::path::PathBuf;
use std::thread;

use crate::model::{Diagnostic, Effect, Program};
use crate::points_to;

pub use options::{Limits, Options};
pub use taken::{is_about_attribute, runs_outside};

/// Reads C files as one program. Functions and variables with equal names are the same unless they are static. The
/// targets of calls through pointers are computed.
pub fn read(files: &[PathBuf], options: &Options) -> Program {
    let sources = files.iter().map(|file| unit::Source::File(file.clone())).collect();
    on_large_stack(sources, options)
}

/// Reads C text as a program of one file, which places call `name`.
pub fn read_text(name: &str, text: &str, options: &Options) -> Program {
    let source = unit::Source::Text(name.to_owned(), text.to_owned());
    on_large_stack(vec![source], options)
}

/// The parser and the lowering recurse as deeply as the program nests.
fn on_large_stack(sources: Vec<unit::Source>, options: &Options) -> Program {
    let inner = options.clone();
    let builder = thread::Builder::new().name("c".to_owned()).stack_size(options.limits.stack);
    let thread = builder.spawn(move || {
        let mut program = unit::link(&sources, &inner);
        points_to::resolve(&mut program);
        program
    });
    let failed = |message: String| Program {
        diagnostics: vec![Diagnostic {
            message,
            place: None,
            function: None,
            effect: Effect::LeftOut,
        }],
        ..Program::default()
    };
    match thread.map(thread::JoinHandle::join) {
        Ok(Ok(program)) => program,
        Ok(Err(_)) => failed("internal error: the front end panicked".to_owned()),
        Err(why) => failed(format!("cannot start a thread: {why}")),
    }
}
