//! `repfuzz clients`: lists clients, their state on this machine, and how to install them.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use miette::IntoDiagnostic;
use rayon::prelude::*;

use super::{contracts, install, note, wrapped};
use clients::{Availability, Catalogue, CatalogueEntry, Guarantee, Hold, Origin, Sandbox};
use reports::report::one_line;

/// List the clients, which of them work here, and how to install others
#[derive(Debug, Clone, clap::Args)]
pub struct ClientsArgs {
    /// Only these clients
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Additional client descriptions: files or folders; may be repeated
    #[arg(long = "describe", value_name = "PATH")]
    pub descriptions: Vec<PathBuf>,
    /// Additional client: name and command line, with {in} and {out} for the files; may be repeated
    #[arg(long = "client", value_name = "NAME=COMMAND")]
    pub clients: Vec<String>,
    /// Print JSON lines, one per client
    #[arg(long)]
    pub json: bool,
    /// Do not try the clients out: faster, but their state remains unknown
    #[arg(long)]
    pub no_probe: bool,
    /// First install these clients on Debian or a derivative: names, `fast` or `all`
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub install: Vec<String>,
    /// Learn the contracts of these clients from plain files: names, or `all`
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with_all = ["names", "install", "json", "no_probe"])]
    pub probe: Vec<String>,
    /// Write the contracts into the descriptions of the clients (see --describe)
    #[arg(long, requires = "probe")]
    pub write: bool,
    /// Run clients without a sandbox
    #[arg(long)]
    pub no_sandbox: bool,
}

/// Runs the command. The exit code is 0 unless a client requested by name is not ready.
///
/// # Errors
///
/// Returns an error if a description is invalid, a name unknown, or the output cannot be written.
pub fn run(args: ClientsArgs) -> miette::Result<ExitCode> {
    let sandbox = if args.no_sandbox { Sandbox::off() } else { Sandbox::best() };
    if let (false, Some(warning)) = (args.no_sandbox, Sandbox::warning()) {
        note(format!("warning: {warning}"));
    }
    let mut catalogue = Catalogue::load_within(&args.descriptions, sandbox)?;
    for spec in &args.clients {
        catalogue.add_command_line(spec)?;
    }
    if !args.probe.is_empty() {
        return contracts::run(&catalogue, &args.probe, args.write);
    }
    let mut entries: Vec<Arc<CatalogueEntry>> = match args.names.is_empty() {
        true if args.install.is_empty() => catalogue.entries().to_vec(),
        _ => catalogue.select(&args.names)?,
    };
    let mut installed = true;
    if !args.install.is_empty() {
        let wanted = install::chosen(&catalogue, &args.install)?;
        installed = install::install(&wanted);
        // Show the clients that were just installed, and those that were named.
        entries.extend(wanted.into_iter().filter(|w| !args.names.contains(&w.info().name)));
    }
    let rows: Vec<Row> = entries.par_iter().map(|entry| Row::new(entry, !args.no_probe)).collect();
    let mut out = io::stdout().lock();
    let written = if args.json {
        write_json(&mut out, &rows)
    } else {
        let details = !args.names.is_empty();
        write_table(&mut out, &rows, details, catalogue.sandbox())
    };
    match written {
        // The reader has closed the pipe.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {}
        other => other.into_diagnostic()?,
    }
    if !installed {
        return Ok(ExitCode::from(super::FAILURE));
    }
    let all_ready = rows.iter().all(|row| matches!(row.state, Some(Availability::Ready { .. })));
    let named = !args.names.is_empty() || !args.install.is_empty();
    let fine = !named || args.no_probe || all_ready;
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

struct Row {
    entry: Arc<CatalogueEntry>,
    state: Option<Availability>,
    version: String,
}

impl Row {
    fn new(entry: &Arc<CatalogueEntry>, probe: bool) -> Self {
        let state = probe.then(|| entry.state().clone());
        let there = matches!(state, Some(Availability::Ready { .. } | Availability::Broken { .. }));
        let version = if there { entry.client().version().to_string() } else { String::new() };
        Self { entry: entry.clone(), state, version }
    }

    fn state(&self) -> &'static str {
        match self.state {
            None => "unknown",
            Some(Availability::Ready { .. }) => "ready",
            Some(Availability::Missing { .. }) => "missing",
            Some(Availability::Broken { .. }) => "broken",
        }
    }
}

fn write_json(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    for row in rows {
        let info = row.entry.info();
        let (why, took) = match &row.state {
            Some(Availability::Missing { what }) => {
                (Some(format!("{what} is not installed")), None)
            }
            Some(Availability::Broken { why, .. }) => (Some(why.clone()), None),
            Some(Availability::Ready { took }) => (None, Some(took.as_millis() as u64)),
            None => (None, None),
        };
        let origin = match row.entry.origin() {
            Origin::Library => "library".to_string(),
            Origin::Shipped => "shipped".to_string(),
            Origin::CommandLine => "command line".to_string(),
            Origin::File(path) => path.display().to_string(),
        };
        let line = serde_json::json!({
            "name": info.name,
            "state": row.state(),
            "why": why,
            "probe_ms": took,
            "version": row.version,
            "kind": info.kind,
            "decoder": info.decoder,
            "confinement": row.entry.client().confinement(),
            "summary": info.summary,
            "install": info.install,
            "applies": info.applies,
            "ignores": info.ignores,
            "contract": row.entry.client().contract(),
            "origin": origin,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Width of the table.
const WIDTH: usize = 80;

fn write_table(
    out: &mut impl Write,
    rows: &[Row],
    details: bool,
    sandbox: &Sandbox,
) -> io::Result<()> {
    let longest = |text: fn(&Row) -> &str, least: usize, most: usize| {
        rows.iter().map(|r| text(r).chars().count()).max().unwrap_or(0).clamp(least, most)
    };
    let name = longest(|r| &r.entry.info().name, 4, 24);
    let version = longest(|r| &r.version, 7, 12);
    let bold = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let (on, off) = if bold { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    writeln!(
        out,
        "{on}{:name$}  {:7}  {:version$}  {:10}  {:7}  DESCRIPTION{off}",
        "NAME", "STATE", "VERSION", "KIND", "DECODER"
    )?;
    for row in rows {
        let info = row.entry.info();
        let version_text = cut(&one_line(&row.version), version);
        let start = format!(
            "{:name$}  {:7}  {version_text:version$}  {:10}  {:7}  ",
            one_line(&info.name),
            row.state(),
            info.kind,
            info.decoder
        );
        let room = WIDTH.saturating_sub(start.chars().count()).max(20);
        let mut lines = wrapped(&one_line(&info.summary), room).into_iter();
        let first = lines.next().unwrap_or_default();
        writeln!(out, "{}", format!("{start}{first}").trim_end())?;
        let indent = " ".repeat(start.chars().count());
        for line in lines {
            writeln!(out, "{indent}{line}")?;
        }
        if let Some(Availability::Broken { why, .. }) = &row.state {
            for line in wrapped(&one_line(&format!("broken: {why}")), WIDTH - 4) {
                writeln!(out, "    {line}")?;
            }
        }
    }
    if details {
        write_contracts(out, rows)?;
    }
    write_summary(out, rows)?;
    writeln!(out)?;
    write_confinement(out, sandbox)
}

fn write_contracts(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    for row in rows {
        if let Some(contract) = row.entry.client().contract() {
            writeln!(out, "\nContract of {}:", row.entry.info().name)?;
            for line in contracts::lines(contract) {
                writeln!(out, "    {line}")?;
            }
        }
    }
    Ok(())
}

/// Writes the sandbox of programs and what it prevents.
fn write_confinement(out: &mut impl Write, sandbox: &Sandbox) -> io::Result<()> {
    match sandbox {
        Sandbox::Off => {
            writeln!(out, "Programs run with resource limits only, without a sandbox:")?
        }
        other => writeln!(out, "Programs run in a sandbox, {}:", other.name())?,
    }
    let guarantees = sandbox.guarantees();
    let width = guarantees.iter().map(|g| g.subject.len()).max().unwrap_or(0);
    let states = Hold::Sampled.word().len();
    let indent = width + states + 8;
    for Guarantee { subject, hold, detail } in guarantees {
        let state = hold.word();
        let mut lines = wrapped(&detail, WIDTH - indent).into_iter();
        let first = lines.next().unwrap_or_default();
        writeln!(out, "    {subject:width$}  {state:states$}  {first}")?;
        for line in lines {
            writeln!(out, "{:indent$}{line}", "")?;
        }
    }
    Ok(())
}

fn write_summary(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let count = |state: &str| rows.iter().filter(|r| r.state() == state).count();
    let (ready, missing, broken) = (count("ready"), count("missing"), count("broken"));
    if rows.iter().all(|r| r.state.is_none()) {
        return writeln!(out, "\n{} clients", rows.len());
    }
    writeln!(out, "\n{ready} ready, {missing} missing, {broken} broken")?;
    let names: Vec<&str> = rows
        .iter()
        .filter(|r| r.state() == "missing" && r.entry.origin() == &Origin::Shipped)
        .map(|r| r.entry.info().name.as_str())
        .collect();
    if !names.is_empty() {
        writeln!(out, "\nTo install the missing ones on Debian or a derivative (`all` for all):")?;
        // With a backslash after each comma, the list remains a single argument.
        let lines = wrapped(&names.join(", "), WIDTH - 6);
        let list = lines.join("\\\n").replace(", ", ",");
        writeln!(out, "    repfuzz clients --install \\\n{list}")?;
    }
    Ok(())
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping() {
        assert_eq!(wrapped("a bb ccc dddd", 4), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrapped("longer-than-that a", 4), ["longer-than-that", "a"]);
        assert!(wrapped(" ", 4).is_empty());
        assert_eq!(cut("12345", 4), "123…");
    }
}
