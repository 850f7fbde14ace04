//! The places of edges in a client's source, found with the table that its worker writes and with llvm-symbolizer.

use std::io;
use std::sync::Arc;

use super::super::context::{ProgramContext, Workspace};
use super::protocol::Worker;
use crate::description::{Arg, Argv};
use crate::executable;
use crate::process::{Found, Stdout, content};

/// The table, in the scratch folder: a line for each edge, with its module and the offset in it.
const TABLE: &str = "edges.places";
/// The maximum number of bytes of a table that is read.
const LONGEST: u64 = 1 << 28;
/// The program that finds functions and lines; the next constant is its input, in the scratch folder.
const SYMBOLIZER: &str = "llvm-symbolizer";
const QUESTIONS: &str = "edges.questions";

/// Returns the places of `edges`, each once: `function at file:line`, or `module+offset` without llvm-symbolizer. Empty if
/// the worker was built without a table.
pub(crate) fn places(context: &Arc<ProgramContext>, edges: &[usize]) -> io::Result<Vec<String>> {
    let Ok(worker) = Worker::start(context)? else { return Ok(Vec::new()) };
    // The worker wrote the table before it was ready.
    let workspace = worker.into_workspace();
    let Found::File(table) = workspace.scratch.read(|name| name == TABLE, LONGEST)? else {
        return Ok(Vec::new());
    };
    let table = String::from_utf8_lossy(&table);
    let lines: Vec<&str> = table.lines().collect();
    let asked = edges.iter().filter_map(|edge| lines.get(*edge)?.rsplit_once(' '));
    let asked: Vec<(&str, &str)> = asked.collect();
    let named = match executable::exists(SYMBOLIZER) && !asked.is_empty() {
        true => symbolized(context, &workspace, &asked)?,
        false => Vec::new(),
    };
    let mut places = match named.is_empty() {
        true => asked.iter().map(|(module, offset)| plain(module, offset)).collect(),
        false => named,
    };
    let mut seen = std::collections::HashSet::new();
    places.retain(|place| seen.insert(place.clone()));
    Ok(places)
}

/// The place without names.
fn plain(module: &str, offset: &str) -> String {
    format!("{}+{offset}", module.rsplit('/').next().unwrap_or(module))
}

/// Makes llvm-symbolizer name the places, in the sandbox, because it reads the client's files. Empty if it cannot.
fn symbolized(
    context: &ProgramContext,
    workspace: &Workspace,
    asked: &[(&str, &str)],
) -> io::Result<Vec<String>> {
    let questions: String =
        asked.iter().map(|(module, offset)| format!("CODE \"{module}\" {offset}\n")).collect();
    workspace.scratch.put(QUESTIONS, questions.as_bytes())?;
    let script = format!("exec {SYMBOLIZER} < {QUESTIONS}");
    let words = ["sh".to_owned(), "-c".to_owned(), script];
    let words = words.into_iter().map(Arg::try_from).collect::<Result<Vec<_>, _>>();
    let Ok(argv) = words.and_then(Argv::try_from) else { return Ok(Vec::new()) };
    let answers = workspace.scratch.nameless()?;
    let ended = context.run(workspace, &argv, Stdout::File(&answers), context.deadline())?;
    if ended.stopped.is_some() || !ended.status.success() {
        return Ok(Vec::new());
    }
    Ok(names(&String::from_utf8_lossy(&content(&answers, LONGEST)?)))
}

/// The places in the output of llvm-symbolizer: for each query a function and a place, the places into which it is
/// inlined, and an empty line.
fn names(answers: &str) -> Vec<String> {
    let name = |answer: &str| {
        let mut lines = answer.trim_start().lines();
        let (function, place) = (lines.next()?, lines.next()?);
        let (line, _column) = place.rsplit_once(':')?;
        let file = line.rsplit('/').next().unwrap_or(line);
        Some(format!("{function} at {file}"))
    };
    answers.split("\n\n").filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_become_places() {
        let answers = "swap\n/a/b/tif_swab.c:34:0\nread\n/a/b/tif_read.c:7:2\n\nmain\n??:0:0\n\n";
        assert_eq!(names(answers), ["swap at tif_swab.c:34", "main at ??:0"]);
        assert_eq!(names(""), Vec::<String>::new());
        assert_eq!(plain("/a/view", "0x10"), "view+0x10");
    }
}
