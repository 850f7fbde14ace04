//! The files of a report: the page, and for each cause the least file that shows it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::clean::{one_line, quote};
use super::page::page;
use crate::campaign::{Cause, Depth, Record, Run};

/// The names of one cause's files, below the report's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The file that shows it.
    pub file: String,
    /// Its choices, for `repfuzz replay`.
    pub choices: String,
}

/// The names of the files of each cause of `run`.
pub fn names(run: &Run) -> Vec<Names> {
    let extension = extension(&run.about.seed_file);
    let stem = |(k, cause): (usize, &Cause)| {
        let client = slug(&run.clients[cause.client].name);
        let stem = format!("files/{:02}-{client}-{}", k + 1, cause.outcome);
        Names { file: format!("{stem}.{extension}"), choices: format!("{stem}.json") }
    };
    run.causes.iter().enumerate().map(stem).collect()
}

/// Writes the page and the files into `dir`; gives the page's path.
///
/// # Errors
///
/// What cannot be written, and why.
pub fn write(dir: &Path, run: &Run) -> io::Result<PathBuf> {
    let names = names(run);
    let files = dir.join("files");
    if !names.is_empty() {
        make(&files)?;
    }
    if files.is_dir() {
        clear(&files)?;
    }
    for (cause, names) in run.causes.iter().zip(&names) {
        put(&dir.join(&names.file), &cause.file)?;
        let mut choices = serde_json::to_string_pretty(&cause.choices).unwrap_or_default();
        choices.push('\n');
        put(&dir.join(&names.choices), choices.as_bytes())?;
    }
    let index = dir.join("index.html");
    put(&index, page(run, &names).as_bytes())?;
    Ok(index)
}

/// Removes the files of an earlier report, and nothing else.
fn clear(files: &Path) -> io::Result<()> {
    for entry in fs::read_dir(files).map_err(|error| about(files, &error))? {
        let path = entry.map_err(|error| about(files, &error))?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let numbered = name.split_once('-').is_some_and(|(number, _)| {
            number.len() >= 2 && number.bytes().all(|b| b.is_ascii_digit())
        });
        if numbered {
            fs::remove_file(&path).map_err(|error| about(&path, &error))?;
        }
    }
    Ok(())
}

/// The causes as lines of the results.
pub fn cause_records(run: &Run) -> Vec<Record> {
    let record = |(cause, names): (&Cause, Names)| Record::Cause {
        client: run.clients[cause.client].name.clone(),
        outcome: cause.outcome,
        dimensions: cause.dimensions.clone(),
        values: cause.values.clone(),
        fine: cause.fine.clone(),
        class: cause.class,
        count: cause.count,
        flaky: cause.depth == Depth::Flaky,
        minimal: cause.depth == Depth::Minimal,
        choices: cause.choices.clone(),
        message: cause.message.clone(),
        file: Some(names.file),
    };
    run.causes.iter().zip(names(run)).map(record).collect()
}

/// The command lines that show a cause again, from inside the report's folder.
pub fn commands(run: &Run, cause: &Cause, names: &Names) -> Vec<String> {
    let out = names.file.rsplit('/').next().unwrap_or(&names.file);
    let replay = format!(
        "repfuzz replay {} --choices {} -o {}",
        quote(&run.about.seed_file),
        quote(&names.choices),
        quote(out)
    );
    let client = run.clients[cause.client].command.as_ref();
    let client = client.map(|c| c.replace("{in}", &quote(out)).replace("{out}", "out"));
    [replay].into_iter().chain(client).map(|line| one_line(&line)).collect()
}

pub(super) fn make(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir).map_err(|error| about(dir, &error))
}

pub(super) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes).map_err(|error| about(path, &error))
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// `text` as part of a file name anywhere.
pub fn slug(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let text: String = text.chars().map(plain).take(40).collect();
    let text = text.trim_matches('-');
    if text.is_empty() { "client".to_owned() } else { text.to_owned() }
}

/// The extension of files like this seed.
pub fn extension(seed: &str) -> String {
    let extension = Path::new(seed).extension().and_then(|e| e.to_str()).unwrap_or("bin");
    let fit = extension.len() <= 8 && extension.chars().all(|c| c.is_ascii_alphanumeric());
    if fit { extension.to_owned() } else { "bin".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_whatever_the_client_is_called() {
        assert_eq!(slug("../Gimp 3 <b>"), "gimp-3--b");
        assert_eq!(slug("***"), "client");
        assert_eq!(extension("a/b.TIF"), "TIF");
        assert_eq!(extension("a.t\"f"), "bin");
        assert_eq!(extension("a"), "bin");
    }
}
