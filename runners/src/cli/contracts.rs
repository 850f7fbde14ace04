//! `repfuzz clients --probe`: learns the contracts of clients, and writes them into descriptions.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use miette::{IntoDiagnostic, miette};

use super::wrapped;
use clients::contract::Contract;
use clients::contract::probe::{self, Learned};
use clients::{Availability, Catalogue, CatalogueEntry, Kind, Origin};

/// Probes the clients with these names (`all` for all that are ready), and prints the results. The exit code is 1 if a
/// client is not ready or fails on the plainest files.
///
/// # Errors
///
/// Returns an error if a name is unknown, a client cannot be started, or a description cannot be
/// written.
pub(super) fn run(
    catalogue: &Catalogue,
    names: &[String],
    write: bool,
) -> miette::Result<ExitCode> {
    let mut entries = match names {
        [all] if all == "all" => catalogue.ready(),
        names => catalogue.select(names)?,
    };
    if write && names == ["all"] {
        entries.retain(|entry| matches!(entry.origin(), Origin::File(_)));
    }
    // Probes take a while, so refuse clients whose descriptions cannot be written before that.
    if write && let Some(entry) = entries.iter().find(|e| file_of(e).is_none()) {
        return Err(miette!(
            help = "in a checkout: --describe corpus/clients",
            "{} has no description file to write to",
            entry.info().name
        ));
    }
    let mut fine = true;
    for entry in &entries {
        let learned = match obstacle(entry) {
            Some(why) => Err(why),
            None => Ok(probe::learn(entry.client().as_ref()).into_diagnostic()?),
        };
        fine &= learned.as_ref().is_ok_and(|learned| learned.fault.is_none());
        show(&mut io::stdout().lock(), &entry.info().name, &learned).into_diagnostic()?;
        if let Ok(Learned { contract, fault: None, .. }) = &learned
            && let Some(file) = file_of(entry).filter(|_| write)
        {
            record(file, contract).map_err(|e| miette!("{}: {e}", file.display()))?;
        }
    }
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Returns the reason why a client has no contract.
fn obstacle(entry: &Arc<CatalogueEntry>) -> Option<String> {
    if entry.info().kind == Kind::Viewer {
        return Some("a viewer is compared with itself".to_owned());
    }
    if !entry.reads("tif") {
        return Some("it does not read TIFF files".to_owned());
    }
    if entry.returns_bytes() {
        return Some("a client of bytes is compared with itself".to_owned());
    }
    match entry.state() {
        Availability::Ready { .. } => None,
        Availability::Missing { what } => Some(format!("{what} is not installed")),
        Availability::Broken { why, .. } => Some(format!("it is broken: {why}")),
    }
}

fn show(out: &mut impl Write, name: &str, learned: &Result<Learned, String>) -> io::Result<()> {
    let learned = match learned {
        Ok(learned) => learned,
        Err(why) => return writeln!(out, "{name}: no contract: {why}\n"),
    };
    if let Some(fault) = &learned.fault {
        return writeln!(out, "{name}: fails on a plain file; its glue is at fault: {fault}\n");
    }
    writeln!(out, "{name}")?;
    for line in lines(&learned.contract) {
        writeln!(out, "  {line}")?;
    }
    for remark in &learned.remarks {
        let text = format!("not so on {}: {}", remark.probe, remark.seen);
        for line in wrapped(&text, 76) {
            writeln!(out, "  {line}")?;
        }
    }
    writeln!(out)
}

/// Returns a line for each property: its name, its convention, and how certain it is.
pub(super) fn lines(contract: &Contract) -> Vec<String> {
    let known = contract.properties().into_iter().map(|(name, convention)| {
        let several = contract.undistinguished.iter().any(|other| other == name);
        let sure = if several { "  (others fit, too)" } else { "" };
        format!("{name:14} {}{sure}", convention.name)
    });
    let unknown = contract.unknown.iter().map(|(name, seen)| format!("{name:14} unknown: {seen}"));
    known.chain(unknown).collect()
}

/// Returns the description file of a client, if it has a separate one.
fn file_of(entry: &CatalogueEntry) -> Option<&Path> {
    match entry.origin() {
        Origin::File(path) => Some(path),
        _ => None,
    }
}

/// Writes a contract into a description.
fn record(file: &Path, contract: &Contract) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    let written = contract.written_into(&text);
    if written == text { Ok(()) } else { fs::write(file, written) }
}
