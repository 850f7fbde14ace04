//! `repfuzz accept`: marks causes as intended.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::days::{day, today};
use super::{SUCCESS, fail, note, say};
use campaign::Record;
use reports::nightly::{ACCEPTED, Accepted, Effect, FileError, Terms};
use reports::report::{one_line, plural};
use reports::store::{BucketKey, BucketKind};

/// Mark causes as on purpose: runs and nights list them with the reason, and do not fail for them
#[derive(Debug, Clone, Args)]
pub struct AcceptArgs {
    /// Folder of a seed's report, which contains results.jsonl
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,
    /// Numbers of the causes, as in the names of their pages and files; other forms of them are accepted as well
    #[arg(required = true, value_name = "NUMBER")]
    pub causes: Vec<usize>,
    /// Reason for which they are on purpose
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// File to write, which is kept with the client
    #[arg(long, default_value = ACCEPTED, value_name = "FILE")]
    pub accepted: PathBuf,
    /// Last day on which they are accepted, such as 2026-12-31
    #[arg(long, value_name = "DAY", value_parser = day)]
    pub until: Option<toml::value::Datetime>,
    /// Accept them only for the version of the client that was run
    #[arg(long)]
    pub this_version: bool,
    /// Replace the reasons, days and versions of what is accepted already
    #[arg(long)]
    pub renew: bool,
}

#[derive(Debug, thiserror::Error)]
enum AcceptError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0}: {1}")]
    Results(String, String),
    #[error("--reason: say why it is on purpose")]
    NoReason,
    #[error("{report}: no cause {number}; there are {count}")]
    NoCause { report: String, number: usize, count: usize },
    #[error("cause {0} is a limit, which does not count anyway")]
    Limit(usize),
    #[error("cause {0} is a convention of readers, which does not count anyway")]
    Convention(usize),
}

/// A cause in the results of a run.
struct Found {
    key: BucketKey,
    title: String,
    /// The version of the client, if the results name it.
    version: Option<String>,
    limit: bool,
    convention: bool,
    form_of: Option<usize>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &AcceptArgs) -> u8 {
    match accept(args) {
        Ok(()) => SUCCESS,
        Err(why) => fail(why),
    }
}

fn accept(args: &AcceptArgs) -> Result<(), AcceptError> {
    let reason = one_line(&args.reason);
    if reason.is_empty() {
        return Err(AcceptError::NoReason);
    }
    let found = results(&args.report)?;
    let mut accepted = Accepted::read(&args.accepted)?;
    let (until, this_version, renew) = (args.until, args.this_version, args.renew);
    let terms = Terms { reason, until, this_version, renew };
    let (mut new, mut kept) = (0, 0);
    for number in &args.causes {
        let cause = number.checked_sub(1).and_then(|place| found.get(place));
        let Some(cause) = cause else {
            let (report, count) = (args.report.display().to_string(), found.len());
            return Err(AcceptError::NoCause { report, number: *number, count });
        };
        if cause.limit {
            return Err(AcceptError::Limit(*number));
        }
        if cause.convention {
            return Err(AcceptError::Convention(*number));
        }
        let forms = found.iter().filter(|form| form.form_of == Some(*number) && !form.limit);
        for Found { key, title, version, .. } in [cause].into_iter().chain(forms) {
            let version = version.as_deref().filter(|version| !version.is_empty());
            if this_version && version.is_none() {
                note(format!("the version of {} is unknown, so any is accepted", key.client));
            }
            match accepted.accept(key, title, version, &terms, &today()) {
                Effect::Accepted => new += 1,
                Effect::Kept => kept += 1,
            }
        }
    }
    accepted.write(&args.accepted)?;
    if kept > 0 {
        let kept = plural(kept, "cause was", "causes were");
        note(format!("{kept} accepted before, and kept the earlier terms; --renew replaces them"));
    }
    say(format!(
        "{}: {new} accepted, {} in all",
        args.accepted.display(),
        plural(accepted.iter().count(), "finding", "findings")
    ));
    Ok(())
}

/// Reads the causes in a report.
fn results(report: &Path) -> Result<Vec<Found>, AcceptError> {
    let path = report.join("results.jsonl");
    let failed = |why: String| AcceptError::Results(path.display().to_string(), why);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        failed(format!("{error}; REPORT is the folder of a report of one seed"))
    })?;
    let (mut found, mut versions) = (Vec::new(), BTreeMap::new());
    for line in text.lines() {
        match serde_json::from_str(line).map_err(|error| failed(error.to_string()))? {
            Record::Client { client, version, .. } => drop(versions.insert(client, version)),
            Record::Cause {
                client,
                outcome,
                difference,
                mut dimensions,
                seed_format: format,
                flaky,
                reduced,
                limit,
                convention,
                title,
                form_of,
                ..
            } => {
                dimensions.sort_unstable();
                let kind = match (reduced, flaky) {
                    (true, _) => BucketKind::Reduced,
                    (_, true) => BucketKind::Flaky,
                    _ => BucketKind::Unreduced,
                };
                let difference = difference.map(|kind| kind.family());
                let key = BucketKey { client, outcome, difference, kind, dimensions, format };
                let version = versions.get(&key.client).cloned();
                found.push(Found {
                    key,
                    title,
                    version,
                    limit,
                    convention: convention.is_some(),
                    form_of,
                });
            }
            _ => {}
        }
    }
    Ok(found)
}
