//! `repfuzz check`: static and bounded checks of a spec.

mod findings;
mod report;
mod values;

use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use clap::Args;
use inverter::check::{
    self, Completeness, assigned_once, completeness_until, losses, samplers, soundness,
    spread_until,
};
use inverter::pipeline::Pipeline;
use inverter::program::StmtKind;
use inverter::program::fold::statements;
use inverter::run::explore::Bounds;
use inverter::run::{Executable, Limits, Record};
use inverter::solve::ChoiceSource;

use findings::Findings;

use super::bounded::{bounded_by, seconds};
use super::format::read_seed;
use super::{FOUND, SUCCESS, fail, note, say, spec};

/// The part of the time limit after which nothing more is tried, so that the report is printed in
/// time.
const SOFT: f64 = 0.75;

/// Check a spec: soundness, completeness and losses of its inverse
///
/// Completeness, spread and losses are measured on small values, which have the numbers that the spec
/// mentions, or on a file's own value. Samplers are checked for exactness. The exit code is 0 if the
/// spec can be used, and 1 if its assumptions contradict one another, its inverse is unsound, or
/// something is lost that the spec does not mark as meant by a comment: `// loss: the reason`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// Normalization program, or a pipeline.toml
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Canonical value to check with, as JSON; of several stages, that of the last [default: small
    /// values generated from the spec]
    #[arg(short, long = "input", value_name = "Y.json")]
    pub inputs: Vec<PathBuf>,
    /// File of the format, with whose canonical value the check begins [default: that which a line
    /// `// seed: FILE` of the spec names]
    #[arg(long, value_name = "FILE")]
    pub seed: Option<PathBuf>,
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
    /// Time limit of the whole check in seconds
    #[arg(long, default_value_t = 120.0, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: f64,
}

impl CheckArgs {
    fn wanted(&self) -> values::Wanted<'_> {
        let Self { inputs, values: count, time_limit, .. } = self;
        values::Wanted { inputs, count: *count, time_limit: *time_limit }
    }
}

/// Runs the command; returns the exit code.
pub fn run(args: &CheckArgs) -> u8 {
    let work = args.clone();
    bounded_by(args.time_limit, "--time-limit", move || all_stages(&work))
}

fn all_stages(args: &CheckArgs) -> u8 {
    let until = Instant::now() + Duration::from_secs_f64(args.time_limit * SOFT);
    let pipeline = match spec::read(&args.spec) {
        Ok(pipeline) => pipeline,
        Err(code) => return code,
    };
    let path = args.seed.clone().or_else(|| own_seed(args));
    let seed = match path.map(|path| Seed::read(&pipeline, &path)).transpose() {
        Ok(seed) => seed,
        Err(why) => return fail(why),
    };
    let stages = pipeline.stages();
    let values =
        match values::of_stages(args.wanted(), &pipeline, seed.as_ref().map(|s| &s.values[..])) {
            Ok(values) => values,
            Err(why) => return fail(why),
        };
    let mut code = SUCCESS;
    for (k, (stage, values)) in stages.iter().zip(values).enumerate() {
        if stages.len() > 1 {
            say(format!("{}stage {}", if k == 0 { "" } else { "\n" }, stage.name()));
        }
        // Each stage may take its share of the time that is left.
        let left = until.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(stages.len() - k).unwrap_or(1);
        let check = Check { args, inverse: stage.inverse(), began: Instant::now(), share };
        match check.report(values) {
            Ok(true) => {}
            Ok(false) => code = FOUND,
            Err(why) => return fail(why),
        }
    }
    if let Some(why) = seed.and_then(|seed| seed.not_made) {
        say(format!("seed          its own file is not made: {why}"));
        code = FOUND;
    }
    code
}

/// Returns the file of its format that a spec names in a line `// seed: FILE`, relative to its own folder,
/// unless there are values to check with.
fn own_seed(args: &CheckArgs) -> Option<PathBuf> {
    let text = std::fs::read_to_string(&args.spec).ok().filter(|_| args.inputs.is_empty())?;
    let named = text.lines().find_map(|line| line.strip_prefix("// seed:"))?;
    let path = args.spec.parent()?.join(named.trim());
    if path.is_file() {
        return Some(path);
    }
    note(format_args!("{}: the file that the spec names is not there", path.display()));
    None
}

/// A file of the format.
struct Seed {
    /// The canonical value of each stage.
    values: Vec<Record>,
    /// The reason why the inverses do not make the file itself.
    not_made: Option<String>,
}

impl Seed {
    fn read(pipeline: &Pipeline, path: &std::path::Path) -> Result<Self, String> {
        let bytes = read_seed(path)?;
        let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let x = pipeline.open(bytes.clone()).map_err(|e| failed(&e))?;
        let values = pipeline.stage_values(&x).map_err(|e| failed(&e))?;
        let limits = Limits::default();
        let made = pipeline.own_choices(&x, &limits).and_then(|own| {
            let y = pipeline.normalize(&x)?;
            pipeline.invert(&y, &mut ChoiceSource::replaying(own), &limits)
        });
        let not_made = match made.and_then(|x| pipeline.file(x)) {
            Ok(file) if file == bytes => None,
            // Choices of a primitive record the kind of a stream, not all of it.
            Ok(_) if pipeline.stages().iter().any(|s| calls_primitive(s.inverse())) => None,
            Ok(_) => Some("its choices make another file".to_owned()),
            Err(e) => Some(e.to_string()),
        };
        Ok(Self { values, not_made })
    }
}

fn calls_primitive(inverse: &Executable) -> bool {
    let mut found = false;
    statements(&inverse.program.body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Decode { .. });
    });
    found
}

/// The check of one spec.
struct Check<'a> {
    args: &'a CheckArgs,
    inverse: &'a Executable,
    began: Instant,
    /// The time that it may take.
    share: Duration,
}

impl Check<'_> {
    /// The moment at which this part of the time is over.
    fn until(&self, part: f64) -> Instant {
        self.began + self.share.mul_f64(part)
    }

    /// The time of a proof that has to end by then.
    fn proof(&self, part: f64) -> Duration {
        let left = self.until(part).saturating_duration_since(Instant::now());
        left.min(Duration::from_secs(self.args.time))
    }

    /// Checks one spec and prints the report; returns true if it passes.
    fn report(&self, values: Vec<Record>) -> Result<bool, String> {
        let program = &self.inverse.program;
        if let Some(vacuous) = check::vacuous(program) {
            spec::refused(&vacuous);
            return Ok(false);
        }
        let coverage = assigned_once(program).map_err(|e| e.to_string())?;
        let findings = self.findings(values);
        report::print(self.inverse, &coverage, &findings);
        Ok(findings.passes())
    }

    fn findings(&self, values: Vec<Record>) -> Findings {
        let (inverse, args) = (self.inverse, self.args);
        // Draws come first: without them, no proof says much.
        let spread = spread_until(inverse, &values, args.samples, Some(self.until(0.4)));
        let sound = soundness(inverse, args.iterations.into(), self.proof(0.55));
        let samplers = samplers(inverse, &values, args.samples, self.proof(0.7));
        let mut complete = Completeness { whole: true, ..Completeness::default() };
        for y in &values {
            let bounds = Bounds { runs: 4000, steps: 400_000 };
            let until = Some(self.until(0.95));
            let window = args.window.into();
            complete.add(completeness_until(inverse, y, window, bounds, until));
        }
        // They take the rest of the time, if they need it.
        let losses = losses(inverse, &complete, &spread, self.until(0.97));
        let (until, own) = (self.until(0.99), inverse.clone());
        let implied = unless_late(until, move || check::implied(&own, until));
        let (until, own) = (self.until(1.0), inverse.clone());
        let unreachable = unless_late(until, move || check::unreachable(&own.program, until));
        Findings { sound, values, samplers, complete, spread, losses, implied, unreachable }
    }
}

/// Returns what `work` finds; nothing if it takes longer. Z3 may go on beyond any limit; then its thread
/// is left behind, and ends with the process.
fn unless_late<T: Send + 'static>(
    until: Instant,
    work: impl FnOnce() -> Vec<T> + Send + 'static,
) -> Vec<T> {
    let (done, waits) = channel();
    let spawned = std::thread::Builder::new().spawn(move || {
        // The receiver is gone after the time limit.
        let _ = done.send(work());
    });
    let left = until.saturating_duration_since(Instant::now());
    spawned.ok().and_then(|_| waits.recv_timeout(left).ok()).unwrap_or_default()
}
