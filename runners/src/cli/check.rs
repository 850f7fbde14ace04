//! `repfuzz check`: static and bounded checks of a spec.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use inverter::check::{
    self, Completeness, Samplers, Soundness, Spread, Stopped, assigned_once, completeness,
    samplers, soundness, spread,
};
use inverter::program::{Side, Span};
use inverter::run::explore::Bounds;
use inverter::run::{Executable, Record, to_json};

use super::{FOUND, SUCCESS, fail, say, spec};

/// Width of a line. Reasons are printed in full.
const COLUMNS: usize = 80;

/// Check a spec: soundness, completeness and spread of its inverse
///
/// Completeness and spread are measured on small values. Samplers are checked for exactness.
/// The exit code is 0 if the spec can be used, and 1 if its inverse is unsound or misses more than
/// one representation in a hundred.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// Normalization program, or a pipeline.toml
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Canonical value to check with, as JSON [default: small values generated from the spec]
    #[arg(short, long = "input", value_name = "Y.json")]
    pub inputs: Vec<PathBuf>,
    /// Number of canonical values to generate
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub values: usize,
    /// Number of representations to draw of each value
    #[arg(short = 'n', long, default_value_t = 100, value_name = "N")]
    pub samples: u64,
    /// Largest value of an unknown when all representations are enumerated
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub window: u16,
    /// Number of iterations of each loop for which soundness is proved
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub iterations: u8,
    /// Time limit of a proof in seconds
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    pub time: u64,
}

/// Runs the command; returns the exit code.
pub fn run(args: &CheckArgs) -> u8 {
    let pipeline = match spec::read(&args.spec) {
        Ok(pipeline) => pipeline,
        Err(code) => return code,
    };
    let several = pipeline.stages().len() > 1;
    let mut code = SUCCESS;
    for (k, stage) in pipeline.stages().iter().enumerate() {
        if several {
            say(format!("{}stage {}", if k == 0 { "" } else { "\n" }, stage.name()));
        }
        match one(args, stage.inverse(), several) {
            Ok(true) => {}
            Ok(false) => code = FOUND,
            Err(why) => return fail(why),
        }
    }
    code
}

/// Checks one spec; returns true if it passes.
fn one(args: &CheckArgs, inverse: &Executable, staged: bool) -> Result<bool, String> {
    let program = &inverse.program;
    let line = |span: Span| program.source.line(span);
    match assigned_once(program) {
        Ok(coverage) => say(format!("exactly once  {coverage}")),
        Err(e) => return Err(e.to_string()),
    }
    for loss in &inverse.losses {
        say(format!("not reached   line {}: {}", line(loss.span), loss.message));
    }
    let sound = soundness(inverse, args.iterations.into(), Duration::from_secs(args.time));
    say(format!("soundness     {}", verdict(&sound)));

    let mut values: Vec<Record> = Vec::new();
    for path in args.inputs.iter().filter(|_| !staged) {
        values.push(spec::record(path, program, Side::Output)?);
    }
    if values.is_empty() {
        values = check::small_values(program, args.values, 1);
    }
    if values.is_empty() {
        say("values        no small canonical value found: provide one with --input");
        return Ok(sound_enough(&sound));
    }
    let proved = samplers(inverse, &values, args.samples, Duration::from_secs(args.time));
    report_samplers(&proved);
    let mut all = Completeness { whole: true, ..Completeness::default() };
    for y in &values {
        let bounds = Bounds { runs: 4000, steps: 400_000 };
        let found = completeness(inverse, y, args.window.into(), bounds);
        all.all += found.all;
        all.reached += found.reached;
        all.whole &= found.whole;
        all.window = all.window.max(found.window);
        for (why, (n, example)) in found.missed {
            all.missed.entry(why).or_insert((0, example)).0 += n;
        }
    }
    let complete = report_completeness(inverse, &values, &all);
    report_spread(&spread(inverse, &values, args.samples));
    for (text, span) in check::implied(inverse) {
        say(format!(
            "implied       line {}: {text}: follows from the other conditions",
            line(span)
        ));
    }
    for (text, span) in check::unreachable(program) {
        say(format!("unreachable   line {}: {text}", line(span)));
    }
    Ok(sound_enough(&sound) && proved.wrong.is_empty() && complete)
}

/// Prints which closed forms that choices are drawn from are proved correct.
fn report_samplers(proved: &Samplers) {
    let Samplers { all, sound, whole, steps, kept, wrong } = proved;
    if *all > 0 {
        let forms = if *all == 1 { "form" } else { "forms" };
        say(format!(
            "samplers      {all} closed {forms}: {sound} proved sound, {whole} proved complete"
        ));
    }
    if *steps > 0 {
        say(format!("samplers      {steps} backtracking steps: {kept} proved to lose no solution"));
    }
    for condition in wrong {
        say(format!("              WRONG for {condition}"));
    }
}

fn sound_enough(sound: &Soundness) -> bool {
    !matches!(sound.stopped, Stopped::Refuted(_))
}

fn verdict(sound: &Soundness) -> String {
    let proved = match sound.proved {
        None => "not proved".to_owned(),
        Some(1) => "proved for loops of one iteration".to_owned(),
        Some(n) => format!("proved for loops of up to {n} iterations"),
    };
    match sound.stopped {
        Stopped::Enough => proved,
        Stopped::Time => format!("{proved}; more takes Z3 too long"),
        Stopped::Refuted(line) => {
            format!("WRONG: line {line} can fail for a generated representation")
        }
        Stopped::Primitive => format!("{proved}: a primitive is tested, not proved"),
    }
}

/// Prints the completeness; returns true if it is sufficient.
fn report_completeness(inverse: &Executable, values: &[Record], all: &Completeness) -> bool {
    /// The number of reasons that are printed.
    const REASONS: usize = 5;
    let record = &inverse.program.output;
    let json = |y: &Record| shorten(&to_json(record, y).to_string(), COLUMNS - 14);
    let values: Vec<String> = values.iter().map(json).collect();
    say(format!("values        {}", values.join("\n              ")));
    let some = if all.whole { "" } else { ", enumeration incomplete" };
    say(format!(
        "completeness  {} of {} representations can be generated ({}),\n              \
         unknowns from 0 to {}{some}",
        all.reached,
        all.all,
        percent(all.share()),
        all.window
    ));
    let mut missed: Vec<_> = all.missed.iter().collect();
    missed.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
    for (why, (n, example)) in missed.iter().take(REASONS) {
        say(format!("not generated {n}: {why}\n              for example {example}"));
    }
    if missed.len() > REASONS {
        say(format!("              and {} more reasons", missed.len() - REASONS));
    }
    all.share() >= 0.99
}

fn report_spread(found: &Spread) {
    say(format!(
        "spread        {} samples, {} different; {} pairs of classes of {}",
        found.samples, found.different, found.pairs.0, found.pairs.1
    ));
    if found.none > 0 {
        say(format!("              {} draws failed", found.none));
    }
    let width = found.dimensions.keys().map(|d| d.chars().count()).max().unwrap_or(0).min(40);
    for (name, d) in &found.dimensions {
        let mut classes: Vec<_> = d.classes.iter().collect();
        classes.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        let classes: Vec<String> = classes.iter().map(|(c, n)| format!("{c} {n}")).collect();
        let dead = match d.matters {
            Some(false) => "; has no effect",
            _ => "",
        };
        let start =
            format!("  {name:width$}  {} values, even {:.2}: ", d.values.len(), d.evenness());
        let room = COLUMNS.saturating_sub(start.chars().count() + dead.len());
        say(format!("{start}{}{dead}", shorten(&classes.join(", "), room)));
    }
}

/// Formats a share. Rounds down, so that 100 % means that nothing is missing.
fn percent(share: f64) -> String {
    let rounded = (share * 1000.0).floor() / 10.0;
    format!("{rounded} %")
}

/// Truncates `text` to `columns` columns.
fn shorten(text: &str, columns: usize) -> String {
    match text.char_indices().nth(columns) {
        None => text.to_owned(),
        Some(_) => text.chars().take(columns.saturating_sub(1)).chain(['…']).collect(),
    }
}
