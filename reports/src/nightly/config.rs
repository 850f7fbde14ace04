//! The configuration of a night, `nightly.toml`.

use std::path::{Path, PathBuf};

use equivalents::Restriction;
use serde::Deserialize;

use super::accepted::ACCEPTED;
use super::error::{FileError, read_toml};
use super::gate::{Gate, check};
use campaign::HANG_LIMIT;
use equivalents::max_size::MaxSize;

/// The configuration of a night. Paths are relative to the file's folder.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The seed files: paths or globs. The format of each is recognized.
    #[serde(default)]
    pub seeds: Vec<String>,
    /// Seed files whose format is named.
    #[serde(default)]
    pub format: Vec<FormatTable>,
    /// The clients by name; all that work here if empty.
    #[serde(default)]
    pub clients: Vec<String>,
    /// Additional clients, `NAME=COMMAND`.
    #[serde(default)]
    pub client: Vec<String>,
    /// Additional client descriptions: files or folders.
    #[serde(default)]
    pub describe: Vec<PathBuf>,
    /// Time limit of the night in seconds, divided among the seeds.
    #[serde(default)]
    pub time_s: Option<u64>,
    /// Time limit of the reduction of findings in seconds, for each seed.
    #[serde(default)]
    pub reduce_time_s: Option<u64>,
    /// The maximum number of variants of each seed.
    #[serde(default)]
    pub variants: Option<usize>,
    /// The run seed.
    #[serde(default)]
    pub number: RunNumber,
    /// True if questionable values are drawn as well.
    #[serde(default)]
    pub wide: bool,
    /// Globs of the dimensions that vary; all of them if empty.
    #[serde(default)]
    pub vary: Vec<String>,
    /// Globs of the dimensions that do not vary.
    #[serde(default)]
    pub without: Vec<String>,
    /// Values of dimensions, `NAME=VALUE`.
    #[serde(default)]
    pub fix: Vec<String>,
    /// The maximum size of a decoded seed, such as `"1GiB"`.
    #[serde(default)]
    pub max_size: MaxSize,
    /// The number of threads; one per processor by default.
    #[serde(default)]
    pub jobs: Option<usize>,
    /// Similar files are skipped after a client has hung this number of times for one reason.
    #[serde(default = "hang_limit")]
    pub hang_limit: usize,
    /// The store of all nights.
    #[serde(default = "store")]
    pub store: PathBuf,
    /// The folder for reports.
    #[serde(default = "report")]
    pub report: PathBuf,
    /// The results for which the night fails.
    #[serde(default = "fail_on")]
    pub fail_on: Vec<Gate>,
    /// The file of accepted findings. By default it is [`ACCEPTED`], or `accepted.toml` if only that exists.
    #[serde(default)]
    pub accepted: PathBuf,
}

/// Seed files whose format is named.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormatTable {
    /// The seed files: paths or globs.
    pub seeds: Vec<String>,
    /// The file of a spec or of a pipeline of specs.
    #[serde(default)]
    pub spec: Option<PathBuf>,
    /// The name of a format that ships.
    #[serde(default)]
    pub name: Option<String>,
}

impl FormatTable {
    /// The format in the form that the option `--format` accepts: the path of its spec, or its name.
    pub fn named(&self) -> &Path {
        let name = self.name.as_deref().unwrap_or_default();
        self.spec.as_deref().unwrap_or(Path::new(name))
    }

    fn check(&self) -> Result<(), &'static str> {
        match (&self.spec, &self.name) {
            _ if self.seeds.is_empty() => Err("seeds: there must be at least one"),
            (Some(_), Some(_)) => Err("it has both `spec` and `name`"),
            (None, None) => Err("it has neither `spec`, a file, nor `name`, a format that ships"),
            _ => Ok(()),
        }
    }
}

/// The run seed of a night.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a number, or \"date\" to derive it from the day")]
pub enum RunNumber {
    /// A fixed number: the same files every night.
    Fixed(u64),
    /// `"date"`: the day as a number, such as 20261122. With it, each night tries different files.
    Word(Word),
}

impl Default for RunNumber {
    fn default() -> Self {
        Self::Word(Word::Date)
    }
}

/// The words from which a run seed may be derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// The day.
    Date,
}

fn hang_limit() -> usize {
    HANG_LIMIT
}

fn store() -> PathBuf {
    "nightly.sqlite".into()
}

fn report() -> PathBuf {
    "nightly-report".into()
}

fn fail_on() -> Vec<Gate> {
    Gate::DEFAULT.to_vec()
}

/// The seed files of a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeedFiles {
    /// The seeds that can be run, without duplicates.
    pub files: Vec<SeedFile>,
    /// The files that match a pattern but have names that are not UTF-8.
    pub unnamed: Vec<PathBuf>,
}

/// A seed file of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedFile {
    /// Its path.
    pub path: PathBuf,
    /// The index of the [`FormatTable`] that names its format; `None` if the format is to be recognized.
    pub table: Option<usize>,
}

/// Returns the files that match a path or glob from the file `path`, and those with names that are not UTF-8.
///
/// # Errors
///
/// Returns a one-line message if the glob is invalid or nothing matches.
pub fn matching(pattern: &str, path: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), FileError> {
    let wrong = |why: String| FileError::wrong(path, why);
    let found = glob::glob(pattern).map_err(|e| wrong(format!("seeds: {pattern}: {e}")))?;
    let found: Vec<PathBuf> = found.flatten().filter(|file| file.is_file()).collect();
    let without_name = not_utf8(pattern);
    if found.is_empty() && without_name.is_empty() {
        return Err(wrong(format!("seeds: no file matches {pattern}")));
    }
    Ok((found, without_name))
}

/// The file of accepted findings for a configuration that does not name one; it is in the folder of the configuration.
fn accepted(folder: &Path) -> PathBuf {
    let [name, earlier] = [ACCEPTED, "accepted.toml"];
    let is_earlier = !folder.join(name).exists() && folder.join(earlier).exists();
    (if is_earlier { earlier } else { name }).into()
}

impl Config {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// Returns one line: the file, the line, and the error.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let wrong = |why: String| FileError::wrong(path, why);
        let mut config: Config = read_toml(path)?;
        if config.jobs == Some(0) {
            return Err(wrong("jobs must be 1 or more".to_owned()));
        }
        if config.variants == Some(0) {
            return Err(wrong("variants must be 1 or more".to_owned()));
        }
        if config.time_s == Some(0) {
            return Err(wrong("time_s must be 1 or more".to_owned()));
        }
        check(&config.fail_on).map_err(|why| wrong(format!("fail_on: {why}")))?;
        for (place, table) in config.format.iter().enumerate() {
            let number = place + 1;
            table.check().map_err(|why| wrong(format!("[[format]] {number}: {why}")))?;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        if config.accepted.as_os_str().is_empty() {
            config.accepted = accepted(folder);
        }
        for place in [&mut config.store, &mut config.report, &mut config.accepted] {
            *place = folder.join(&place);
        }
        config.describe.iter_mut().for_each(|place| *place = folder.join(&place));
        let specs = config.format.iter_mut().filter_map(|table| table.spec.as_mut());
        specs.for_each(|spec| *spec = folder.join(&spec));
        let tables = config.format.iter_mut().flat_map(|table| &mut table.seeds);
        for seed in config.seeds.iter_mut().chain(tables) {
            *seed = folder.join(&seed).display().to_string();
        }
        Ok(config)
    }

    /// The seed files without duplicates, in the order of the patterns, then by name. The files of `seeds` come first.
    /// A seed that is also in a table has the format of the table.
    ///
    /// # Errors
    ///
    /// Returns an error if a pattern is invalid or matches no file, or if two tables have the same file.
    pub fn seed_files(&self, path: &Path) -> Result<SeedFiles, FileError> {
        let wrong = |why: String| FileError::wrong(path, why);
        let SeedFiles { mut files, mut unnamed } = SeedFiles::default();
        let recognized = self.seeds.iter().map(|pattern| (pattern, None));
        let tables = self.format.iter().enumerate();
        let named =
            tables.flat_map(|(k, table)| table.seeds.iter().map(move |seed| (seed, Some(k))));
        for (pattern, table) in recognized.chain(named) {
            let (found, without_name) = matching(pattern, path)?;
            for path in found {
                match files.iter_mut().find(|known| known.path == path) {
                    None => files.push(SeedFile { path, table }),
                    Some(known) if known.table.is_none() => known.table = table,
                    Some(known) if known.table == table => {}
                    Some(_) => {
                        let path = path.display();
                        return Err(wrong(format!("{path} is a seed of two tables [[format]]")));
                    }
                }
            }
            for file in without_name {
                if !unnamed.contains(&file) {
                    unnamed.push(file);
                }
            }
        }
        if files.is_empty() {
            return Err(wrong("seeds: there must be at least one".to_owned()));
        }
        Ok(SeedFiles { files, unnamed })
    }

    /// The restriction of the dimensions.
    pub fn restriction(&self) -> Restriction {
        Restriction::new().vary(&self.vary).without(&self.without).fix_texts(&self.fix)
    }

    /// The run seed for this day.
    pub fn run_number(&self, day: &str) -> u64 {
        match self.number {
            RunNumber::Fixed(number) => number,
            RunNumber::Word(Word::Date) => day.replace('-', "").parse().unwrap_or(1),
        }
    }
}

/// Returns the files that `pattern` would match if their names were UTF-8. [`glob`] skips them.
fn not_utf8(pattern: &str) -> Vec<PathBuf> {
    let path = Path::new(pattern);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|n| n.to_str()))
    else {
        return Vec::new();
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(name), Ok(folders)) = (glob::Pattern::new(name), glob::glob(&folder.to_string_lossy()))
    else {
        return Vec::new();
    };
    let inside = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = folders.flatten().flat_map(inside).map(|entry| entry.path());
    let meant = |path: &PathBuf| {
        let file = path.file_name().filter(|file| file.to_str().is_none());
        file.is_some_and(|file| name.matches(&file.to_string_lossy()))
    };
    let mut found: Vec<PathBuf> = paths.filter(meant).filter(|path| path.is_file()).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n.toml");
        std::fs::write(&path, text).unwrap();
        let shown = format!("{}/", folder.path().display());
        Config::read(&path).map_err(|error| error.to_string().replace(&shown, ""))
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let config = read("seeds = ['*.tif']").unwrap();
        assert!(config.seeds[0].ends_with("/*.tif") && config.store.ends_with("nightly.sqlite"));
        assert_eq!((config.run_number("2026-11-22"), config.hang_limit), (20_261_122, 5));
        let config = read("seeds = []\nnumber = 7\nstore = '/x/s'").unwrap();
        assert_eq!((config.run_number("2026-11-22"), config.store.to_str()), (7, Some("/x/s")));
        assert_eq!(
            read("seeds = []\nnumber = 'date'").unwrap().run_number("2026-01-02"),
            20_260_102
        );
    }

    #[test]
    fn errors_are_reported_in_one_line() {
        for (text, line) in [
            ("seeds = ['a']\nsed = 3", "n.toml: line 2: unknown field `sed`"),
            ("x", "n.toml: line 1: "),
            ("seeds = []\nnumber = 'x'", "n.toml: line 2: expected a number, or"),
            (
                "[[format]]\nseeds = ['a']\nspec = 'a.rs'\nextension = 'a'",
                "n.toml: line 4: unknown field `extension`",
            ),
            ("[[format]]\nspec = 'a.rs'", "n.toml: line 1: missing field `seeds`"),
            ("[[format]]\nseeds = []\nname = 'bmp'", "n.toml: [[format]] 1: seeds: there must"),
            ("[[format]]\nseeds = ['a']", "n.toml: [[format]] 1: it has neither `spec`, a"),
            (
                "[[format]]\nseeds = ['a']\nname = 'bmp'\nspec = 'a.rs'",
                "n.toml: [[format]] 1: it has both `spec` and `name`",
            ),
            ("seeds = []\njobs = 0", "n.toml: jobs must be 1 or more"),
            ("seeds = []\nvariants = 0", "n.toml: variants must be 1 or more"),
            ("seeds = []\ntime_s = 0", "n.toml: time_s must be 1 or more"),
            ("seeds = []\nfail_on = []", "n.toml: fail_on: names no result"),
            (
                "seeds = []\nfail_on = ['nothing', 'new']",
                "n.toml: fail_on: `nothing` must be alone",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(line) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn names_that_are_not_utf8_are_told() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let strange = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.tif"));
        for file in [&folder.path().join("a.tif"), &strange] {
            std::fs::write(file, "").unwrap();
        }
        let path = folder.path().join("n.toml");
        for (seeds, files) in [("'*.tif', '**/*.tif'", 1), ("'?.tif'", 1), ("'\u{fffd}*'", 0)] {
            std::fs::write(&path, format!("seeds = [{seeds}]")).unwrap();
            let config = Config::read(&path).unwrap();
            match config.seed_files(&path) {
                Ok(seeds) => {
                    assert_eq!((seeds.files.len(), seeds.unnamed), (files, vec![strange.clone()]));
                }
                Err(error) => assert!(files == 0 && error.to_string().ends_with("at least one")),
            }
        }
    }

    #[test]
    fn globs_name_each_file_once() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.tif", "a.tif", "c.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let path = folder.path().join("n.toml");
        let files = |seeds: &str| -> Result<Vec<String>, String> {
            std::fs::write(&path, format!("seeds = {seeds}")).unwrap();
            let files =
                Config::read(&path).unwrap().seed_files(&path).map_err(|e| e.to_string())?;
            Ok(files
                .files
                .iter()
                .map(|f| f.path.file_name().unwrap().to_str().unwrap().to_owned())
                .collect())
        };
        assert_eq!(files("['b.tif', '*.tif']").unwrap(), ["b.tif", "a.tif"]);
        assert!(files("['*.png']").unwrap_err().contains("no file matches"));
        assert!(files("[]").unwrap_err().ends_with("seeds: there must be at least one"));
    }

    #[test]
    fn a_seed_has_the_format_of_its_table() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.tif", "b.x", "c.x"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let path = folder.path().join("n.toml");
        let files = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let config = Config::read(&path).unwrap();
            let files = config.seed_files(&path).map_err(|error| error.to_string())?.files;
            let name =
                |file: SeedFile| (file.path.strip_prefix(&folder).unwrap().into(), file.table);
            Ok::<Vec<(PathBuf, _)>, String>(files.into_iter().map(name).collect())
        };
        let x = "[[format]]\nseeds = ['*.x', 'b.*']\nspec = 'x.rs'\n";
        let [a, b, c] = ["a.tif", "b.x", "c.x"].map(PathBuf::from);
        let expected = [(a, None), (b.clone(), Some(0)), (c.clone(), Some(0))];
        assert_eq!(files(&format!("seeds = ['*.*[!l]']\n{x}")).unwrap(), expected);
        // No other key is needed.
        assert_eq!(files(x).unwrap(), expected[1..]);
        let why = files(&format!("{x}[[format]]\nseeds = ['c.x']\nname = 'bmp'")).unwrap_err();
        assert!(why.ends_with("c.x is a seed of two tables [[format]]"), "{why}");
    }
}
