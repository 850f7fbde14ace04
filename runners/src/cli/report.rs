//! `repfuzz report`: writes reports from a store.

use std::path::{Path, PathBuf};

use clap::Args;

use super::acceptances::Acceptances;
use super::bucket_files::write_buckets;
use super::fuzz::folder;
use super::seed_run::records;
use super::shown::printed;
use super::{FOUND, SUCCESS, fail, note, say};
use campaign::{Predicted, Record};
use clients::{Catalogue, Facts, Sandbox};
use reports::files::{make, put};
use reports::nightly::{ACCEPTED, FileError};
use reports::report::{self, Entry, Rows};
use reports::store::{JoinedRun, Scope, Store, StoreError};

/// Write the reports of the runs in a store again
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// Store: `repfuzz.sqlite` in a report's folder, or the output of `repfuzz merge`
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// Folder for the report
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// File of causes that are on purpose, which `repfuzz accept` writes; they do not count
    #[arg(long, default_value = ACCEPTED, value_name = "FILE")]
    pub accepted: PathBuf,
    /// Predictions for the pages of clients: output of `repfuzz conform --client-source DIR --client
    /// NAME --json`
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub predictions: Vec<PathBuf>,
    /// Print all causes, not only the first five of each run
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ReportError {
    #[error("cannot use the store: {0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    Accepted(FileError),
    #[error("{}: no finished run", .0.display())]
    Empty(PathBuf),
    #[error("{}: {why}", .path.display())]
    Predictions { path: PathBuf, why: String },
    #[error("cannot write the report: {0}")]
    Write(#[from] std::io::Error),
}

/// Runs the command; returns the exit code, which is 1 if the runs have findings.
pub fn run(args: &ReportArgs) -> u8 {
    match rewrite(args) {
        Ok(code) => code,
        Err(why) => fail(why),
    }
}

fn rewrite(args: &ReportArgs) -> Result<u8, ReportError> {
    let store = Store::reading(&args.store)?;
    store.verify()?;
    let predicted: Vec<ClientPredictions> =
        args.predictions.iter().map(|path| predictions(path)).collect::<Result<_, _>>()?;
    let accepted = Acceptances::read(&args.accepted).map_err(ReportError::Accepted)?;
    let printing = Printing::Summary(Rows::of(args.all));
    let code = reports_with(&store, &args.output, printing, &predicted, &accepted)?;
    accepted.name_unused();
    write_buckets(&args.output, &store.buckets(Scope::All)?)?;
    Ok(code)
}

/// The output on the terminal while reports are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Printing {
    /// A summary of each run, with these rows of its table.
    Summary(Rows),
    /// Nothing.
    Nothing,
}

/// Writes the reports of the last runs in `store`, and prints summaries if requested; returns
/// the exit code.
pub(super) fn reports(
    store: &Store,
    output: &Path,
    printing: Printing,
    accepted: &Acceptances,
) -> Result<u8, ReportError> {
    reports_with(store, output, printing, &[], accepted)
}

/// The predictions for one client.
#[derive(serde::Deserialize)]
struct ClientPredictions {
    client: String,
    predictions: Vec<Predicted>,
    #[serde(skip)]
    path: PathBuf,
}

/// Reads the output of `repfuzz conform`.
fn predictions(path: &Path) -> Result<ClientPredictions, ReportError> {
    let failed = |why: String| ReportError::Predictions { path: path.to_owned(), why };
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    let why = "no predictions for a client: `repfuzz conform --client-source DIR --client NAME --json` makes them";
    let found: ClientPredictions =
        serde_json::from_str(&text).map_err(|_| failed(why.to_owned()))?;
    Ok(ClientPredictions { path: path.to_owned(), ..found })
}

/// Adds predictions to the clients of all runs.
fn add_predictions(
    runs: &mut [JoinedRun],
    predicted: &[ClientPredictions],
) -> Result<(), ReportError> {
    for ClientPredictions { client: name, predictions, path } in predicted {
        let clients = runs.iter_mut().flat_map(|joined| &mut joined.run.clients);
        let mut known = false;
        for client in clients.filter(|client| client.name == *name) {
            client.predictions.clone_from(predictions);
            known = true;
        }
        if !known {
            let why = format!("the store has no client `{name}`");
            return Err(ReportError::Predictions { path: path.clone(), why });
        }
    }
    Ok(())
}

fn reports_with(
    store: &Store,
    output: &Path,
    printing: Printing,
    predicted: &[ClientPredictions],
    accepted: &Acceptances,
) -> Result<u8, ReportError> {
    let mut runs = store.last_runs()?;
    runs.iter_mut().for_each(|joined| accepted.apply(&mut joined.run));
    add_facts(&mut runs);
    add_predictions(&mut runs, predicted)?;
    if runs.is_empty() {
        return Err(ReportError::Empty(store.path().into()));
    }
    let (mut code, mut entries) = (SUCCESS, Vec::new());
    for (place, JoinedRun { run, notes }) in runs.iter().enumerate() {
        notes.iter().for_each(note);
        let seed = run.about.seed_file.as_ref();
        let folder = if runs.len() > 1 { folder(place, seed) } else { String::new() };
        let dir = output.join(&folder);
        make(&dir)?;
        let lines: String = records(run).iter().map(|r| Record::line(r) + "\n").collect();
        put(&dir.join("results.jsonl"), lines)?;
        let index = report::write(&dir, run)?;
        if let Printing::Summary(rows) = printing {
            say(printed(run, &index.display().to_string(), rows).trim_end());
        }
        if run.faults() > 0 {
            code = FOUND;
        }
        entries.push(Entry::of(&folder, run));
    }
    if runs.len() > 1 {
        let index = report::write_index(output, &entries)?;
        if printing != Printing::Nothing {
            say(format!("\nAll reports: {}", report::clean(&index.display().to_string())));
        }
    }
    Ok(code)
}

/// Adds the facts about clients that older stores lack, from the shipped descriptions.
fn add_facts(runs: &mut [JoinedRun]) {
    let clients = runs.iter_mut().flat_map(|joined| &mut joined.run.clients);
    let mut lacking = clients.filter(|client| client.facts == Facts::default()).peekable();
    if lacking.peek().is_none() {
        return;
    }
    // Reports do without facts.
    let Ok(catalogue) = Catalogue::load_within(&[], Sandbox::off()) else { return };
    for client in lacking {
        if let Ok(entry) = catalogue.get(&client.name) {
            client.facts = entry.client().facts();
        }
    }
}
