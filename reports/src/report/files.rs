//! Writes the files of a report: its pages, and for each cause the smallest file that shows it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use inverter::solve::Choices;

use super::cause::cause_page;
use super::clean::one_line;
use super::client::client_page;
use super::example::{Example, replayed_choices};
use super::exported::exported;
use super::front::front_page;
use super::sentence::{line, plural, title};
use super::shell::Page;
use super::site::{Site, base_name, names_of};
use crate::files::{about, make, put};
use campaign::{Depth, Record, Run};

/// The folders of a report. Numbered files in them belong to it.
const FOLDERS: [&str; 3] = ["files", "causes", "clients"];

/// Renders all pages of `run`: the front page, one for each cause, one for each client.
pub fn pages(run: &Run) -> Vec<Page> {
    let site = Site::of(run);
    let front = Page { path: "index.html".to_owned(), html: front_page(&site) };
    let causes = site
        .causes
        .iter()
        .enumerate()
        .map(|(place, names)| Page { path: names.page.clone(), html: cause_page(&site, place) });
    let clients = site
        .clients
        .iter()
        .enumerate()
        .map(|(place, path)| Page { path: path.clone(), html: client_page(&site, place) });
    [front].into_iter().chain(causes).chain(clients).collect()
}

/// Writes the pages and the files into `dir`; returns the front page's path.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write(dir: &Path, run: &Run) -> io::Result<PathBuf> {
    let site = Site::of(run);
    for folder in FOLDERS {
        let folder = dir.join(folder);
        make(&folder)?;
        clear(&folder)?;
    }
    put(&dir.join(&site.seed), &run.seed)?;
    for (place, (cause, names)) in run.causes.iter().zip(&site.causes).enumerate() {
        let example = Example::of(run, cause);
        if names.seed != site.seed {
            put(&dir.join(&names.seed), example.seed)?;
        }
        put(&dir.join(&names.file), example.file)?;
        put_choices(&dir.join(&names.choices), &replayed_choices(run, cause))?;
        if let (Some(path), Some(test)) = (&names.test, exported(run, place, names)) {
            put(&dir.join(path), test.text)?;
        }
    }
    for names in &site.examples {
        let examples = &run.clients[names.client].examples;
        if let Some(example) = examples.iter().find(|e| e.outcome == names.outcome) {
            put(&dir.join(&names.file), &example.file)?;
            put_choices(&dir.join(&names.choices), &example.choices)?;
        }
    }
    for page in pages(run) {
        put(&dir.join(&page.path), page.html)?;
    }
    Ok(dir.join("index.html"))
}

/// Writes the choices that make a file again.
fn put_choices(path: &Path, choices: &Choices) -> io::Result<()> {
    put(path, serde_json::to_string_pretty(choices).unwrap_or_default() + "\n")
}

/// Writes the files that show the causes of `run` into `dir`, without pages: for each cause the file, the equivalent
/// seed file, and the choices. Returns a sentence on each cause and a sentence on its files.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_files(dir: &Path, run: &Run) -> io::Result<Vec<[String; 2]>> {
    make(dir)?;
    let place = |name: &str| dir.join(base_name(name));
    let mut lines = Vec::new();
    for (cause, names) in run.causes.iter().zip(names_of(run)) {
        let (example, shown) = (Example::of(run, cause), |name| place(name).display().to_string());
        put(&place(&names.seed), example.seed)?;
        put(&place(&names.file), example.file)?;
        put_choices(&place(&names.choices), &replayed_choices(run, cause))?;
        let files = format!(
            "{} ({}) shows it; {} ({}) is equivalent and does not. Choices: {}",
            shown(&names.file),
            plural(example.file.len(), "byte", "bytes"),
            shown(&names.seed),
            plural(example.seed.len(), "byte", "bytes"),
            shown(&names.choices),
        );
        lines.push([line(run, cause), files].map(|text| one_line(&text)));
    }
    Ok(lines)
}

/// Removes the files of an earlier report.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder).map_err(|error| about(folder, &error))? {
        let path = entry.map_err(|error| about(folder, &error))?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let test = name.strip_prefix("test_").or_else(|| name.strip_prefix("Test_"));
        let numbered = test.unwrap_or(&name).split_once(['-', '_']).is_some_and(|(number, _)| {
            number.len() >= 2 && number.bytes().all(|b| b.is_ascii_digit())
        });
        if numbered {
            fs::remove_file(&path).map_err(|error| about(&path, &error))?;
        }
    }
    Ok(())
}

/// Returns the causes as records.
pub fn cause_records(run: &Run) -> Vec<Record> {
    let folded = run.folded();
    let form_of = |place: usize| {
        folded.iter().find(|(_, forms)| forms.contains(&place)).map(|(head, _)| head + 1)
    };
    let causes = run.causes.iter().zip(names_of(run)).enumerate();
    let records = causes.map(|(place, (cause, names))| Record::Cause {
        client: run.clients[cause.client].name.clone(),
        outcome: cause.outcome,
        difference: cause.difference,
        dimensions: cause.dimensions.clone(),
        seed_format: run.about.format.clone(),
        values: cause.values.clone(),
        fine: cause.fine.clone(),
        class: cause.class,
        count: cause.count,
        flaky: cause.depth == Depth::Flaky,
        runs: cause.runs.clone(),
        varies: cause.varies,
        workers: cause.workers.clone(),
        minimal: cause.depth == Depth::Minimal,
        verdict: cause.verdict,
        limit: cause.limit,
        unexplained: cause.unexplained,
        convention: cause.convention.clone(),
        choices: replayed_choices(run, cause).into_owned(),
        message: cause.message.clone(),
        file: Some(names.file),
        seed: Some(names.seed),
        title: title(cause),
        reduced: cause.depth <= Depth::Partly,
        form_of: form_of(place),
        accepted: run.accepted.get(&place).cloned(),
        test: names.test,
    });
    records.collect()
}
