//! The command that looks further around a cause: the same run with one client, in which only the
//! dimensions of the cause and a few that occur with it vary.

use glob::Pattern;

use super::clean::{one_line, quote};
use campaign::{Cause, Depth, Run};

/// The number of dimensions in addition to those of the cause.
const BESIDE: usize = 3;

/// The folder of the report that the command writes.
const FOLDER: &str = "repfuzz-around";

/// Options of the run that the command replaces or does not need. Each has a value.
const DROPPED: [&str; 5] = ["--vary", "--without", "--clients", "--shard", "--report"];

/// Returns the command for the cause at `place`, as parts that may be on separate lines: the program with the seed,
/// then each option with its value. `None` for a cause without dimensions, and for a run that `repfuzz fuzz` did not
/// make.
pub fn around(run: &Run, place: usize) -> Option<Vec<String>> {
    let cause = &run.causes[place];
    if cause.depth > Depth::Partly || cause.dimensions.is_empty() {
        return None;
    }
    let mut words = shlex::split(&run.about.command)?.into_iter().peekable();
    let (program, command) = (words.next()?, words.next()?);
    if (program.as_str(), command.as_str()) != ("repfuzz", "fuzz") {
        return None;
    }
    let mut parts = vec![format!("{program} {command}")];
    let client = &run.clients[cause.client].name;
    let mut named = false;
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            parts[0] = format!("{} {}", parts[0], quote(&word));
            continue;
        }
        let value = words.next_if(|next| !next.starts_with('-'));
        let is_other = |value: &String| value.split('=').next() != Some(client.as_str());
        let other = word == "--client" && value.as_ref().is_none_or(is_other);
        if other || DROPPED.contains(&word.as_str()) {
            continue;
        }
        named |= word == "--client";
        let value = value.map(|value| format!(" {}", quote(&value))).unwrap_or_default();
        parts.push(format!("{word}{value}"));
    }
    if !named {
        parts.push(format!("--clients {}", quote(client)));
    }
    let globs: Vec<String> =
        dimensions(run, place).iter().map(|name| Pattern::escape(name)).collect();
    parts.push(format!("--vary {}", quote(&globs.join(","))));
    parts.push(format!("--report {FOLDER}"));
    Some(parts.iter().map(|part| one_line(part)).collect())
}

/// Returns the dimensions of a cause, then a few that occur with it: the dimensions of larger causes (of its own client
/// first), of other causes of its client, and those that its example implies.
fn dimensions(run: &Run, place: usize) -> Vec<&str> {
    let cause = &run.causes[place];
    let mut all: Vec<&str> = names(cause).collect();
    let most = all.len() + BESIDE;
    let of = |own: bool| run.causes.iter().filter(move |c| (c.client == cause.client) == own);
    let larger = |c: &&Cause| cause.dimensions.iter().all(|name| c.dimensions.contains(name));
    let larger = of(true).filter(larger).chain(of(false).filter(larger)).flat_map(names);
    let implied = cause.follows.iter().map(|(name, _)| name);
    for name in larger.chain(of(true).flat_map(names)).chain(implied) {
        let varies = run.dimensions.iter().any(|dimension| dimension == name);
        if all.len() < most && varies && !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

fn names(cause: &Cause) -> impl Iterator<Item = &str> {
    cause.dimensions.iter().map(String::as_str)
}
