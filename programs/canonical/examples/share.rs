//! Measures the share of functions of C files that the front end understands, and lists the others with
//! the reason: `cargo run -p repfuzz-canonical --release --example share -- [--list] [-I..] [-D..] FILE…`.
//!
//! Each file is read separately. Functions that system headers define do not count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use canonical::c::{Options, read};
use canonical::{Callee, Effect, FunctionId, Program};

/// Counts over all files.
#[derive(Default)]
struct Tally {
    files: usize,
    left_out: usize,
    functions: usize,
    exact: usize,
    over: usize,
    unsound: usize,
    none: usize,
    calls: usize,
    resolved: usize,
    reasons: BTreeMap<String, usize>,
}

fn main() {
    let mut options = Options::default();
    let (mut files, mut list) = (Vec::new(), false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--list" => list = true,
            option if option.starts_with('-') => options.arguments.push(argument),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    let started = Instant::now();
    let mut tally = Tally::default();
    for file in &files {
        count(&read(std::slice::from_ref(file), &options), file, list, &mut tally);
    }
    let Tally { files, left_out, functions, exact, over, unsound, none, calls, resolved, .. } =
        tally;
    println!(
        "files {files} left-out {left_out} functions {functions} exact {exact} over {over} \
         unsound {unsound} no-body {none} pointer-calls {calls} complete {resolved} seconds {:.1}",
        started.elapsed().as_secs_f64()
    );
    let mut reasons: Vec<_> = tally.reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (reason, count) in reasons {
        println!("  {count:>5}  {reason}");
    }
}

fn count(program: &Program, file: &Path, list: bool, tally: &mut Tally) {
    tally.files += 1;
    // The least certain fact about each function.
    let mut effects: BTreeMap<FunctionId, Effect> = BTreeMap::new();
    for diagnostic in &program.diagnostics {
        match diagnostic.function {
            Some(id) => {
                let effect = effects.entry(id).or_insert(diagnostic.effect);
                *effect = (*effect).max(diagnostic.effect);
            }
            None if diagnostic.effect == Effect::LeftOut => tally.left_out += 1,
            None => {}
        }
        *tally.reasons.entry(reason(&diagnostic.message)).or_default() += 1;
        if list {
            let place = diagnostic.place.map_or(file.display().to_string(), |p| program.at(p));
            let function = diagnostic.function.map(|id| program.function(id).name.as_str());
            println!("{place}: {} ({})", diagnostic.message, function.unwrap_or("-"));
        }
    }
    for (k, function) in program.functions.iter().enumerate() {
        let system = function
            .place
            .is_some_and(|place| program.files[place.file.index()].starts_with("/usr"));
        let effect = effects.get(&FunctionId::new(k));
        if system || function.body.is_none() && effect != Some(&Effect::NoBody) {
            continue;
        }
        tally.functions += 1;
        match effect {
            None => tally.exact += 1,
            Some(Effect::OverApproximated) => tally.over += 1,
            Some(Effect::Unsound) => tally.unsound += 1,
            Some(Effect::NoBody | Effect::LeftOut) => tally.none += 1,
        }
        for (_, call) in function.body.iter().flat_map(canonical::Graph::calls) {
            if let Callee::Pointer { complete, .. } = call.callee {
                tally.calls += 1;
                tally.resolved += usize::from(complete);
            }
        }
    }
}

/// A message without the names in it.
fn reason(message: &str) -> String {
    let mut parts = message.split('`');
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let (Some(_), rest) = (parts.next(), parts.next()) {
        out.push('…');
        out.push_str(rest.unwrap_or_default());
    }
    out
}
