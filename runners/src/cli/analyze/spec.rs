//! `repfuzz analyze SPEC`: which obligations of a spec hold for all inputs?

use std::path::Path;

use analyses::protocol::Formula;
use analyses::readable::Readable;
use analyses::run::Options;
use analyses::spec::lower::Kind;
use analyses::spec::{Checked, Judged, SpecAnalysis, analyse_spec};
use canonical::Place;
use inverter::program::{Program, SpecText, parse_all};
use serde::Serialize;

use super::common::{JsonClient, JsonInvariant, Wanted, clients, ends, invariants, note_crashes};
use crate::cli::{FAILURE, FOUND, INCOMPLETE, SUCCESS, fail, say, spec};

#[derive(Serialize)]
struct Json {
    verdict: &'static str,
    stages: Vec<JsonStage>,
}

#[derive(Serialize)]
struct JsonStage {
    name: String,
    verdict: &'static str,
    obligations: Vec<JsonObligation>,
    clients: Vec<JsonClient>,
    queries: u64,
    steps: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<JsonInvariant>,
}

#[derive(Serialize)]
struct JsonObligation {
    file: String,
    line: u32,
    column: u32,
    kind: Kind,
    what: String,
    #[serde(flatten)]
    judged: Judged,
}

/// Returns true if a file is a spec or a pipeline, by its name.
pub fn is_spec(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs" || extension == "toml")
}

/// Analyses the stages of a spec; returns the exit code.
pub fn run(wanted: &Wanted<'_>, path: &Path, options: &Options) -> u8 {
    let stages = match stages(wanted, path) {
        Ok(stages) => stages,
        Err(code) => return code,
    };
    if wanted.svg.is_some() && stages.len() > 1 {
        return fail("--svg draws one stage: --entry NAME chooses it");
    }
    let share = options.run.time / u32::try_from(stages.len().max(1)).unwrap_or(u32::MAX);
    let mut options = options.clone();
    options.run.time = share;
    let mut found = Vec::new();
    for stage in &stages {
        match analyse_spec(stage, &options) {
            Ok(analysis) => found.push((stage, analysis)),
            Err(why) => return fail(why),
        }
    }
    if let (Some(out), [(_, only)]) = (wanted.svg, found.as_slice())
        && let Err(why) = std::fs::write(out, analyses::picture::svg(&only.analysis))
    {
        return fail(format!("{}: {why}", out.display()));
    }
    if wanted.json {
        let json = Json {
            verdict: verdict(found.iter().map(|(_, analysis)| analysis)),
            stages: found.iter().map(|(stage, of)| json(stage, of, wanted.invariants)).collect(),
        };
        match serde_json::to_string(&json) {
            Ok(text) => say(text),
            Err(why) => return fail(format!("cannot write the result as JSON: {why}")),
        }
    } else {
        for (k, (stage, analysis)) in found.iter().enumerate() {
            if found.len() > 1 {
                say(format!("{}stage {}", if k == 0 { "" } else { "\n" }, stage.name));
            }
            print(stage, analysis, wanted.invariants);
        }
    }
    match verdict(found.iter().map(|(_, analysis)| analysis)) {
        "refuted" => FOUND,
        "proved" => SUCCESS,
        _ => INCOMPLETE,
    }
}

/// Reads the stages to analyse. A spec need not be invertible.
fn stages(wanted: &Wanted<'_>, path: &Path) -> Result<Vec<Program>, u8> {
    let all = if path.extension().is_some_and(|extension| extension == "toml") {
        let pipeline = spec::read(path)?;
        pipeline.stages().iter().map(|stage| stage.inverse().program.clone()).collect()
    } else {
        let name = path.to_string_lossy();
        let text = std::fs::read_to_string(path).map_err(|why| fail(format!("{name}: {why}")))?;
        parse_all(&SpecText::on_disk(&name, &text), &normalizers::primitives()).map_err(
            |error| {
                spec::refused(&error);
                FAILURE
            },
        )?
    };
    let Some(entry) = wanted.entry else { return Ok(all) };
    let chosen: Vec<Program> = all.into_iter().filter(|stage| stage.name == entry).collect();
    if chosen.is_empty() {
        return Err(fail(format!("{}: there is no stage `{entry}`", path.display())));
    }
    Ok(chosen)
}

fn verdict<'a>(all: impl Iterator<Item = &'a SpecAnalysis> + Clone) -> &'static str {
    let mut every = all.clone();
    match (all.clone().any(SpecAnalysis::refuted), every.all(SpecAnalysis::proved)) {
        (true, _) => "refuted",
        (_, true) => "proved",
        _ => "unknown",
    }
}

fn json(stage: &Program, of: &SpecAnalysis, with_invariants: bool) -> JsonStage {
    let program = &of.analysis.unfolding.program;
    let obligation = |checked: &Checked| JsonObligation {
        file: program.files[checked.place.file.index()].display().to_string(),
        line: checked.place.line,
        column: checked.place.column,
        kind: checked.kind,
        what: checked.what.clone(),
        judged: checked.judged.clone(),
    };
    JsonStage {
        name: stage.name.clone(),
        verdict: verdict(std::iter::once(of)),
        obligations: of.obligations.iter().map(obligation).collect(),
        clients: clients(&of.analysis),
        queries: of.analysis.outcome.queries,
        steps: of.analysis.outcome.steps,
        invariants: if with_invariants { invariants(&of.analysis) } else { Vec::new() },
    }
}

fn print(stage: &Program, of: &SpecAnalysis, with_invariants: bool) {
    note_crashes(&of.analysis);
    let program = &of.analysis.unfolding.program;
    for checked in &of.obligations {
        let place = program.at(checked.place);
        let judged = match &checked.judged {
            Judged::Proved { by } => format!("proved ({})", by.join(", ")),
            Judged::Refuted { by, input } => format!("refuted ({by}) by {input}"),
            Judged::Open => "open".to_owned(),
        };
        say(format!("{place}: {}: {judged}", checked.what));
    }
    if with_invariants {
        beside_the_source(stage, of);
    }
    say(format!("{} ({})", verdict(std::iter::once(of)), ends(&of.analysis)));
}

/// Prints the line of each loop, and below it what each analysis knows there.
fn beside_the_source(stage: &Program, of: &SpecAnalysis) {
    let program = &of.analysis.unfolding.program;
    let readable = Readable { program, segments: &of.analysis.segments };
    let mut last: Option<Place> = None;
    for (place, client, formula) in of.analysis.loops() {
        let Some(place) = place else { continue };
        if last != Some(place) {
            let file = stage.source.files().get(place.file.index());
            let line = file.and_then(|file| file.text.lines().nth(place.line as usize - 1));
            say(format!("{}: {}", program.at(place), line.unwrap_or_default().trim()));
            last = Some(place);
        }
        let known: &Formula = formula;
        say(format!("    {client}: {}", readable.formula(known)));
    }
}
