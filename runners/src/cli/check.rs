//! `repfuzz check`: static and bounded checks of a spec.

mod beyond;
mod findings;
mod report;
mod seed;
mod values;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use checks::{
    Completeness, Loss, Samplers, Soundness, Spread, completeness_until, losses, samplers,
    soundness, spread_into,
};
use clap::Args;
use inverter::check::{Coverage, assigned_once};
use inverter::pipeline::Pipeline;
use inverter::program::SpecError;
use inverter::run::explore::Bounds;
use inverter::run::{Executable, Record};
use inverter::solve::require_z3;

use beyond::{Beyond, beyond};
use findings::Findings;
use seed::Seed;

use super::bounded::{bounded_by, seconds, within};
use super::{FAILURE, FOUND, SUCCESS, SizeArgs, fail, note, say, spec};

/// The fraction of the time limit within which the spec must be read and inverted.
const READ: f64 = 0.5;
/// The fraction of its share of the time that each part of a check always gets.
const GRACE: f64 = 0.02;
/// The fraction of a stage's time until which analyses prove what Z3 does not.
const BEYOND: f64 = 0.28;
/// The part of the time limit for finding values.
const FIND: f64 = 0.15;
/// The fraction of the time limit after which nothing else is tried, so that the report is printed in time.
const SOFT: f64 = 0.92;

/// Check a spec: soundness, completeness and losses of its inverse
///
/// Completeness is measured on small values, which have the numbers that the spec mentions, or on a file's own
/// value; spread and losses also on values of some hundred elements. Samplers are checked for exactness. The exit code is 0 if the
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
    /// Bound on its size.
    #[command(flatten)]
    pub size: SizeArgs,
    /// Number of small canonical values to generate
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub values: usize,
    /// Number of canonical values of moderate size, 16 to 1500 elements, to generate
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub moderate: usize,
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
    /// Time limit of the whole check in seconds; what is known by then is reported
    #[arg(long, default_value_t = 120.0, value_name = "SECONDS", value_parser = seconds)]
    pub time_limit: f64,
}

/// Runs the command; returns the exit code.
pub fn run(args: &CheckArgs) -> u8 {
    if let Err(why) = require_z3() {
        return fail(why);
    }
    let work = args.clone();
    bounded_by(args.time_limit, "--time-limit", String::new, move || all_stages(&work))
}

fn all_stages(args: &CheckArgs) -> u8 {
    let began = Instant::now();
    let at = |part: f64| began + Duration::from_secs_f64(args.time_limit * part);
    let path = args.spec.clone();
    let read = within(at(READ), move |out: &Mutex<Option<Result<Pipeline, u8>>>| {
        put(out, Some(spec::read(&path)));
    });
    let pipeline = match read.0 {
        Some(Ok(pipeline)) => Arc::new(pipeline),
        Some(Err(code)) => return code,
        None => return unread(args),
    };
    let (seed, values) = match values_of(args, &pipeline, &at) {
        Ok(found) => found,
        Err(why) => return fail(why),
    };
    let mut code = SUCCESS;
    let mut open = false;
    let count = pipeline.stages().len();
    for (k, (stage, values)) in pipeline.stages().iter().zip(values).enumerate() {
        if count > 1 {
            say(format!("{}stage {}", if k == 0 { "" } else { "\n" }, stage.name()));
        }
        // Each stage may take its share of the time that is left.
        let left = at(SOFT).saturating_duration_since(Instant::now());
        let share = left / u32::try_from(count - k).unwrap_or(1);
        let check = Check { args, pipeline: &pipeline, stage: k, began: Instant::now(), share };
        match check.report(values) {
            Ok(found) => {
                code = match (found.passes, found.undecided) {
                    (true, _) => code,
                    (false, true) if code == SUCCESS => FAILURE,
                    (false, true) => code,
                    (false, false) => FOUND,
                };
                open |= found.open;
            }
            Err(why) => return fail(why),
        }
    }
    if let Some(why) = seed.and_then(|seed| seed.not_made) {
        say(format!("seed          its own file is not made: {why}"));
        code = FOUND;
    }
    if open {
        note(format_args!(
            "the limit of {} s ended the check; --time-limit sets another limit",
            args.time_limit
        ));
    }
    code
}

/// Reports that not even the inverse could be computed.
fn unread(args: &CheckArgs) -> u8 {
    say(format!(
        "exactly once  open: the spec was not proved and inverted within {:.1} s\nsoundness     open\n\
         completeness  open\nlosses        open",
        args.time_limit * READ
    ));
    fail(format_args!(
        "the limit of {} s ended the check before anything was measured; --time-limit sets another limit",
        args.time_limit
    ))
}

/// Stores a result for [`within`].
fn put<T>(out: &Mutex<T>, result: T) {
    *out.lock().unwrap_or_else(PoisonError::into_inner) = result;
}

/// Returns the file with which the check begins, if there is one, and the values for each stage that are found in time.
fn values_of(
    args: &CheckArgs,
    pipeline: &Arc<Pipeline>,
    at: &dyn Fn(f64) -> Instant,
) -> Result<(Option<Seed>, Vec<values::Values>), String> {
    let mut seed = None;
    // Values from the user replace those of the file that the spec names.
    let own = args.inputs.is_empty() && args.seed.is_none();
    let own = own.then(|| seed::own_seed(&args.spec)).flatten();
    let is_value = |path: &PathBuf| path.extension().is_some_and(|e| e == "json");
    let (value, file) = match own {
        Some(path) if is_value(&path) => (Some(path), None),
        file => (None, file),
    };
    if let Some(path) = args.seed.clone().or(file) {
        let (own, named, size) = (Arc::clone(pipeline), path.clone(), args.size.max_size);
        let read = within(at(READ + 0.15), move |out: &Mutex<Option<Result<Seed, String>>>| {
            put(out, Some(Seed::read(&own, &named, size)));
        });
        if read.0.is_none() {
            note(format_args!("{}: not read and made again in time", path.display()));
        }
        seed = read.0.transpose()?;
    }
    let own = Arc::clone(pipeline);
    let wanted = values::Wanted {
        inputs: args.inputs.clone(),
        own: value,
        small: args.values,
        moderate: args.moderate,
    };
    let of_seed = seed.as_ref().map(|seed| seed.values.clone());
    let until = Instant::now() + Duration::from_secs_f64(args.time_limit * FIND);
    // The generation ends in time by itself unless a single value takes too long.
    let soon = until - Duration::from_secs_f64(args.time_limit * FIND / 4.0);
    let (found, _) = within(until, move |out: &Mutex<values::Found>| {
        values::of_stages(&wanted, &own, of_seed.as_deref(), soon, out);
    });
    let mut values = found.values;
    if let Some(why) = found.error {
        return Err(why);
    }
    // The stages before the one that took too long get no values.
    while values.len() < pipeline.stages().len() {
        values.push(values::Values::default());
    }
    values.reverse();
    Ok((seed, values))
}

/// The check of one spec.
struct Check<'a> {
    args: &'a CheckArgs,
    pipeline: &'a Arc<Pipeline>,
    stage: usize,
    began: Instant,
    /// The time that the check may take.
    share: Duration,
}

/// The result of the check of one spec.
struct Checked {
    passes: bool,
    /// True if the only reason why it does not pass is that the search for losses did not finish in time.
    undecided: bool,
    /// True if the time limit left something undecided.
    open: bool,
}

impl Check<'_> {
    /// The moment at which a given part of the time is over.
    fn until(&self, part: f64) -> Instant {
        self.began + self.share.mul_f64(part)
    }

    /// Runs `work` until this part of the time is over; adds `name` to `open` if the work is not finished.
    fn step<T: Default + Send + 'static>(
        &self,
        part: f64,
        name: &'static str,
        open: &mut Vec<&'static str>,
        work: impl FnOnce(&Executable, &Mutex<T>) + Send + 'static,
    ) -> T {
        let (own, stage) = (Arc::clone(self.pipeline), self.stage);
        // Facts that follow from the inverse alone are found at once, even if other parts have used up the time.
        let until = self.until(part).max(Instant::now() + self.share.mul_f64(GRACE));
        let (result, ended) = within(until, move |out: &Mutex<T>| {
            work(own.stages()[stage].inverse(), out);
        });
        open.extend((!ended).then_some(name));
        result
    }

    /// Checks one spec and prints the report.
    fn report(&self, values: values::Values) -> Result<Checked, String> {
        let mut open = Vec::new();
        let vacuous: Option<SpecError> =
            self.step(0.1, "contradictions", &mut open, |inverse, out| {
                put(out, checks::vacuous(&inverse.program));
            });
        if let Some(vacuous) = vacuous {
            spec::refused(&vacuous);
            return Ok(Checked { passes: false, undecided: false, open: false });
        }
        let coverage: Option<Result<Coverage, SpecError>> =
            self.step(0.2, "exactly once", &mut open, |inverse, out| {
                put(out, Some(assigned_once(&inverse.program)));
            });
        let coverage = coverage.transpose().map_err(|e| e.to_string())?;
        let asked = coverage.clone();
        let time = self.until(BEYOND).saturating_duration_since(Instant::now());
        let beyond: Option<Beyond> =
            self.step(BEYOND + GRACE, "analyses", &mut open, move |inverse, out| {
                put(out, asked.and_then(|asked| beyond(&inverse.program, &asked, time)));
            });
        let once = report::Once { coverage: coverage.as_ref(), beyond: beyond.as_ref() };
        let findings = self.findings(values, open);
        report::print(self.pipeline.stages()[self.stage].inverse(), &once, &findings);
        Ok(Checked {
            passes: findings.passes(),
            undecided: findings.losses.is_none() && !findings.is_wrong(),
            open: findings.is_open(),
        })
    }

    fn findings(&self, values: values::Values, mut open: Vec<&'static str>) -> Findings {
        let args = self.args;
        let (samples, window, iterations) = (args.samples, args.window, args.iterations.into());
        let all: Vec<Record> = values.all().cloned().collect();
        // Draws come first because a proof is of little value without them.
        let (own, until) = (all.clone(), self.until(0.45));
        // A draw that takes too long is given up; the others end in time.
        let spread: Spread = self.step(0.5, "draws", &mut open, move |inverse, out| {
            spread_into(inverse, &own, samples, Some(until), out);
        });
        // The time limit of a proof that must end at that moment.
        let proof = |part: f64| {
            let left = self.until(part).saturating_duration_since(Instant::now());
            left.min(Duration::from_secs(args.time))
        };
        let budget = proof(0.58);
        let sound: Option<Soundness> =
            self.step(0.6, "soundness", &mut open, move |inverse, out| {
                put(out, Some(soundness(inverse, iterations, budget)));
            });
        let (own, budget) = (all.clone(), proof(0.68));
        let samplers: Samplers = self.step(0.7, "samplers", &mut open, move |inverse, out| {
            put(out, samplers(inverse, &own, samples, budget));
        });
        let (small, until) = (values.small.clone(), self.until(0.88));
        let complete: Completeness =
            self.step(0.9, "completeness", &mut open, move |inverse, out| {
                put(out, Completeness { whole: true, ..Completeness::default() });
                for y in &small {
                    let bounds = Bounds { runs: 4000, steps: 400_000 };
                    let of = completeness_until(inverse, y, window.into(), bounds, Some(until));
                    out.lock().unwrap_or_else(PoisonError::into_inner).add(of);
                }
            });
        // Confirming a result may take until after that moment.
        let (own, until) = (all, self.until(0.91));
        let (measured, drawn) = (complete.clone(), spread.clone());
        let losses: Option<Vec<Loss>> =
            self.step(0.96, "losses", &mut open, move |inverse, out| {
                put(out, Some(losses(inverse, &own, &measured, &drawn, until)));
            });
        let until = self.until(0.97);
        let implied = self.step(0.98, "implied", &mut open, move |inverse, out| {
            put(out, checks::implied(inverse, until));
        });
        let until = self.until(0.99);
        let unreachable = self.step(1.0, "unreachable", &mut open, move |inverse, out| {
            put(out, checks::unreachable(&inverse.program, until));
        });
        Findings { sound, values, samplers, complete, spread, losses, implied, unreachable, open }
    }
}
