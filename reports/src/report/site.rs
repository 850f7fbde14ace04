//! The file names of a report.

use std::path::Path;

use super::clean::{one_line, quote, slug};
use super::exported::offered;
use campaign::oracle::Outcome;
use campaign::{Cause, ClientId, Run};
use equivalents::max_size::MaxSize;

/// The names of one cause's files, relative to the report's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The file that shows it.
    pub file: String,
    /// The equivalent seed: the seed of the run, one of a smaller picture, or one that the client reads.
    pub seed: String,
    /// The choices, for `repfuzz replay`.
    pub choices: String,
    /// Its page.
    pub page: String,
    /// The test in the framework of its client, if there is one.
    pub test: Option<String>,
}

/// The names of the files of an example without a cause, relative to the report's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleNames {
    /// Its client.
    pub client: ClientId,
    /// Its outcome.
    pub outcome: Outcome,
    /// The file.
    pub file: String,
    /// Its choices, for `repfuzz replay`.
    pub choices: String,
}

/// A run with the names of all its files: the input of pages.
pub struct Site<'r> {
    /// The run.
    pub run: &'r Run,
    /// The names of each cause's files.
    pub causes: Vec<Names>,
    /// Each client's page.
    pub clients: Vec<String>,
    /// The copy of the run's seed file.
    pub seed: String,
    /// The names of the files of each example without a cause.
    pub examples: Vec<ExampleNames>,
}

impl<'r> Site<'r> {
    /// Names the files of `run`.
    pub fn of(run: &'r Run) -> Self {
        let client = |(k, name): (usize, &str)| format!("clients/{:02}-{}.html", k + 1, slug(name));
        let names = run.clients.iter().map(|c| c.name.as_str());
        Self {
            run,
            causes: names_of(run),
            clients: names.enumerate().map(client).collect(),
            seed: seed_name(run),
            examples: examples_of(run),
        }
    }

    /// The command lines that run the client on the seed and on the file of the cause at `place`,
    /// from inside the report's folder. Empty for a client without a command line.
    pub fn commands(&self, place: usize) -> Vec<String> {
        let cause = &self.run.causes[place];
        let Some(command) = &self.run.clients[cause.client].command else { return Vec::new() };
        let with = |file: &str, out: &str| {
            let filled = command.replace("{in}", &quote(file)).replace("{out}", out);
            one_line(&filled.replace("{dir}", "."))
        };
        let names = &self.causes[place];
        vec![with(&names.seed, "expected"), with(&names.file, "got")]
    }

    /// Returns the command line that recreates the file of the cause at `place`.
    pub fn replay(&self, place: usize) -> String {
        let names = &self.causes[place];
        self.replay_of(&names.seed, &names.choices, &names.file)
    }

    /// Returns the command line that recreates `file` from a seed and choices.
    pub fn replay_of(&self, seed: &str, choices: &str, file: &str) -> String {
        let size = self.run.settings.max_size;
        let size = match size == MaxSize::default() {
            true => String::new(),
            false => format!(" --max-size {size}"),
        };
        let spec = spec(&self.run.about.command);
        let spec = spec.map(|spec| format!(" --spec {}", quote(&spec))).unwrap_or_default();
        format!("repfuzz replay {seed} --choices {choices} -o {}{spec}{size}", base_name(file))
    }
}

/// Returns the spec of the format for a command line, as the user named it.
fn spec(command: &str) -> Option<String> {
    let mut words = shlex::split(command)?.into_iter();
    words.find(|word| word == "--spec").and_then(|_| words.next())
}

/// Names the files of each cause of `run`.
pub fn names_of(run: &Run) -> Vec<Names> {
    let extension = extension(&run.about.seed_file);
    let is_own = |cause: &Cause| cause.small.is_some() || run.base_of(cause.client).0 != run.seed;
    let names = |(k, cause): (usize, &Cause)| {
        let stem = stem(k, &run.clients[cause.client].name, cause.outcome);
        Names {
            seed: match is_own(cause) {
                true => format!("files/{stem}.seed.{extension}"),
                false => seed_name(run),
            },
            file: format!("files/{stem}.{extension}"),
            choices: format!("files/{stem}.json"),
            page: format!("causes/{stem}.html"),
            test: offered::path(run, k),
        }
    };
    run.causes.iter().enumerate().map(names).collect()
}

/// Names the files of the examples without a cause, after those of the causes.
fn examples_of(run: &Run) -> Vec<ExampleNames> {
    let without = run.without_cause();
    let shown = without.into_iter().filter(|(client, outcome, _)| {
        run.clients[*client].examples.iter().any(|example| example.outcome == *outcome)
    });
    let names = |(k, (client, outcome, _)): (usize, (ClientId, Outcome, usize))| {
        let stem = stem(run.causes.len() + k, &run.clients[client].name, outcome);
        ExampleNames {
            client,
            outcome,
            file: format!("files/{stem}.{}", extension(&run.about.seed_file)),
            choices: format!("files/{stem}.json"),
        }
    };
    shown.enumerate().map(names).collect()
}

/// Returns the file name, without its extension, of the finding at `place` in a list.
pub fn stem(place: usize, client: &str, outcome: Outcome) -> String {
    format!("{:02}-{}-{outcome}", place + 1, slug(client))
}

fn seed_name(run: &Run) -> String {
    format!("files/00-seed.{}", extension(&run.about.seed_file))
}

/// The part after the last slash.
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The file name extension for variants of this seed.
pub fn extension(seed: &str) -> String {
    let extension = Path::new(seed).extension().and_then(|e| e.to_str()).unwrap_or("bin");
    let fit = extension.len() <= 8 && extension.chars().all(|c| c.is_ascii_alphanumeric());
    // A file must not have the same name as a page or a file of choices.
    if fit && !extension.eq_ignore_ascii_case("json") {
        extension.to_owned()
    } else {
        "bin".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spec_is_that_of_the_run() {
        assert_eq!(
            spec("repfuzz fuzz a.zip --spec 'my zip.rs' -n 3"),
            Some("my zip.rs".to_owned())
        );
        assert_eq!(spec("repfuzz fuzz a.tif -n 3"), None);
    }

    #[test]
    fn extensions_are_plain() {
        assert_eq!(extension("a/b.TIF"), "TIF");
        assert_eq!(extension("a.t\"f"), "bin");
        assert_eq!(extension("a.json"), "bin");
        assert_eq!(extension("a"), "bin");
    }
}
