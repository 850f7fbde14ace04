//! Compilation in build scripts.

use std::collections::BTreeSet;
use std::path::Path;

use super::checked::Checked;
use super::{module_of, unproved};
use crate::check::assigned_once;
use crate::invert::invert;
use crate::primitive::Primitives;
use crate::program::{Diagnostic, Disk, Files, Program, Span, SpecError, SpecText, parse_all};
use crate::run::Executable;
use crate::solve::require_z3;

/// For build scripts: compiles the spec at `path` to `OUT_DIR/NAME.rs`, whose items are those of
/// [`module`](super::module()); `NAME` is the name of the spec's file. Cargo builds again when the spec changes.
/// Without Z3 the record beside the spec ([`record`]) stands for the proof.
///
/// # Panics
///
/// With one line that gives the reason, if the spec cannot be read or inverted, or the file cannot
/// be written: a panic ends the build.
pub fn build(path: impl AsRef<Path>) {
    compile(path.as_ref(), &Primitives::shipped(), single);
}

/// As [`build`], for a spec of several functions that calls `primitives`. Only their names and
/// numbers of arguments are needed ([`Primitives::declare`]). Emits a module for each function,
/// with its name, and `pub static ALL`, the list of their `COMPILED`.
///
/// # Panics
///
/// As [`build`].
pub fn build_all(path: impl AsRef<Path>, primitives: &Primitives) {
    compile(path.as_ref(), primitives, modules);
}

/// Returns the items of the only program's module.
fn single(all: &[Loaded]) -> Result<String, String> {
    match all {
        [only] => Ok(only.module()),
        _ => Err("it has several functions: use `build_all`".to_owned()),
    }
}

/// Returns a module for each program, and the list of them.
fn modules(all: &[Loaded]) -> Result<String, String> {
    let (mut modules, mut names) = (String::new(), Vec::new());
    for loaded in all {
        let function = &loaded.inverse.program.name;
        modules += &format!(
            "/// The function `{function}`.\n#[allow(clippy::module_inception)]\npub mod {function} {{\n{}}}\n\n",
            loaded.module()
        );
        names.push(format!("&{function}::COMPILED"));
    }
    let list = names.join(", ");
    modules += &format!(
        "/// All of them.\npub static ALL: &[&::inverter::run::compiled::Compiled] = &[{list}];\n"
    );
    Ok(modules)
}

/// Emits the text of a file.
type Print = fn(&[Loaded]) -> Result<String, String>;

/// A program that was checked and inverted.
struct Loaded {
    inverse: Executable,
    /// The outputs of which it is not proved that each element is assigned once.
    unproved: BTreeSet<String>,
}

impl Loaded {
    /// Checks and inverts a program. Without Z3 here, a record of the same text stands for the check.
    fn new(
        program: &Program,
        primitives: &Primitives,
        record: Option<&Checked>,
    ) -> Result<Self, SpecError> {
        let recorded = record.filter(|_| require_z3().is_err());
        let unproved = match recorded.and_then(|record| record.unproved(program)) {
            Some(unproved) => unproved.clone(),
            None => {
                assigned_once(program)?;
                unproved(program)
            }
        };
        let inverse = Executable::with_primitives(invert(program)?, primitives);
        Ok(Self { inverse, unproved })
    }

    fn module(&self) -> String {
        module_of(&self.inverse, &self.unproved)
    }
}

/// Compiles the spec at `path`, or panics with one line that gives the reason.
fn compile(path: &Path, primitives: &Primitives, print: Print) {
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rerun-if-changed={}", Checked::path(path).display());
    if let Err(why) = write(path, primitives, print) {
        panic!("{}: {why}", path.display());
    }
}

/// Reads, checks and inverts the spec at `path`.
///
/// # Errors
///
/// One line: the first problem, with its place unless that is the start of the spec.
fn load(
    path: &Path,
    primitives: &Primitives,
    record: Option<&Checked>,
) -> Result<Vec<Loaded>, String> {
    let text = Disk.read(path)?;
    let shown = path.display().to_string();
    let programs =
        parse_all(&SpecText::on_disk(&shown, &text), primitives).map_err(|e| located(&e))?;
    let loaded = programs.iter().map(|program| Loaded::new(program, primitives, record));
    loaded.collect::<Result<_, _>>().map_err(|e| located(&e))
}

fn write(path: &Path, primitives: &Primitives, print: Print) -> Result<(), String> {
    let name = path.file_name().ok_or("it has no name")?;
    let all = load(path, primitives, Checked::of(path).as_ref())?;
    let used = all.iter().flat_map(|loaded| &loaded.inverse.program.source.files()[1..]);
    let used: BTreeSet<&str> = used.map(|file| file.name.as_str()).collect();
    used.iter().for_each(|file| println!("cargo::rerun-if-changed={file}"));
    let made = print(&all)?;
    let out = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: this is for build.rs")?;
    let out = Path::new(&out).join(name).with_extension("rs");
    std::fs::write(&out, made).map_err(|e| format!("{}: {e}", out.display()))
}

/// Returns the first finding, with its place unless that is the start of the spec.
fn located(error: &SpecError) -> String {
    let place = |d: &Diagnostic| match d.span == Span::default() {
        true => d.message.clone(),
        false => format!("{}: {}", error.spec().place(d.span), d.message),
    };
    error.diagnostics.first().map(place).unwrap_or_default()
}

/// Checks the spec at `path` with Z3 and returns its record, to be stored at `NAME.checked.toml` beside it.
///
/// # Errors
///
/// One line: the reason why the spec cannot be read or inverted, or that there is no Z3.
pub fn record(path: impl AsRef<Path>, primitives: &Primitives) -> Result<String, String> {
    require_z3()?;
    let all = load(path.as_ref(), primitives, None)?;
    let of = |loaded: &'_ Loaded| unproved(&loaded.inverse.program);
    Checked::new(all.iter().map(|loaded| (&loaded.inverse.program, of(loaded)))).to_text()
}
