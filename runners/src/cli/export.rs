//! `repfuzz export`: a set of equivalent files that checks a decoder without repfuzz.

use std::path::{Path, PathBuf};

use clap::Args;
use inverter::solve::Choices;
use serde::Serialize;

use super::made::{Covering, Made};
use super::{FINE, Format, FormatArgs, ProfileName, picture_file, say, trouble};
use crate::subject::{Class, Subject, Variant};
use crate::{digest, files};

const README: &str = include_str!("export_files/README.md");
const CHECK: &str = include_str!("export_files/check.sh");

/// How much of the canonical hash the files' names have, in hexadecimal digits.
const NAMED: usize = 16;

/// Write equivalent files with what is to be expected of them, to be kept with a decoder's tests.
#[derive(Debug, Clone, Args)]
pub struct ExportArgs {
    /// The seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Where the set goes: a folder that is empty, or not there yet
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// So many random ones; with `--cover pairwise` and `triples`, at most so many of these
    #[arg(short = 'n', long = "variants", value_name = "N")]
    pub count: Option<u64>,
    /// Which are made [default: pairwise; with `-n`, random]
    #[arg(long, value_enum)]
    pub cover: Option<Covering>,
    /// The run's number: all randomness comes from it
    #[arg(long = "seed", default_value_t = 1, value_name = "S")]
    pub run_seed: u64,
    /// Which values are drawn
    #[arg(long, value_enum, default_value_t = ProfileName::Strict)]
    pub profile: ProfileName,
    /// How many threads to use [default: one a processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Which format it is of
    #[command(flatten)]
    pub format: FormatArgs,
}

/// `expectations.json`
#[derive(Serialize)]
struct Expectations {
    seed: String,
    canonical: String,
    #[serde(flatten)]
    references: References,
    files: Vec<Expected>,
}

/// What the canonical value is compared with.
#[derive(Serialize)]
#[serde(untagged)]
enum References {
    Picture { width: u32, height: u32, pam: &'static str, png: &'static str },
    Value { value: &'static str },
}

/// What is to be expected of one file.
#[derive(Serialize)]
struct Expected {
    file: String,
    class: Class,
    choices: Choices,
    canonical: String,
    size: usize,
    sha256: String,
    #[serde(flatten)]
    picture: Option<Size>,
}

#[derive(Clone, Copy, Serialize)]
struct Size {
    width: u32,
    height: u32,
}

/// Runs the command; gives the exit code.
pub fn run(args: &ExportArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    match export(args, &format) {
        Ok(count) => {
            let (seed, folder) = (args.seed.display(), args.output.display());
            say(format!(
                "{count} equivalents of {seed} in {folder}; {folder}/README.md says how to use them"
            ));
            FINE
        }
        Err(why) => trouble(why),
    }
}

/// A set that is being written.
struct Set<'a> {
    seed: &'a dyn Subject,
    folder: &'a Path,
    extension: String,
    canonical: String,
    picture: Option<Size>,
    files: Vec<Expected>,
}

impl Set<'_> {
    /// Writes a file and notes what is expected of it; `number` is the last part of its name.
    fn add(
        &mut self,
        number: &str,
        class: Class,
        choices: Choices,
        bytes: &[u8],
    ) -> Result<(), String> {
        let file = format!("files/{}-{number}.{}", &self.canonical[..NAMED], self.extension);
        put(self.folder, &file, bytes)?;
        let (canonical, sha256) = (self.canonical.clone(), digest::hex(bytes));
        let (size, picture) = (bytes.len(), self.picture);
        self.files.push(Expected { file, class, choices, canonical, size, sha256, picture });
        Ok(())
    }

    fn variant(&mut self, index: u64, variant: &Variant) -> Result<(), String> {
        let choices = variant.differing_from(self.seed.own_choices());
        self.add(&format!("{index:06}"), variant.class, choices, &variant.bytes)
    }
}

/// Writes the set; gives the number of variants.
fn export(args: &ExportArgs, format: &Format) -> Result<usize, String> {
    let seed = format.open(&args.seed, args.profile)?;
    let folder = &args.output;
    files::make(&folder.join("files")).map_err(|e| e.to_string())?;
    if std::fs::read_dir(folder).is_ok_and(|entries| entries.count() > 1)
        || std::fs::read_dir(folder.join("files")).is_ok_and(|entries| entries.count() > 0)
    {
        return Err(format!("{}: it is not empty", folder.display()));
    }
    let value = seed.value();
    let (picture, canonical) = (seed.picture(), seed.picture().digest());
    let (width, height) = (picture.width(), picture.height());
    let mut set = Set {
        seed: &*seed,
        folder,
        extension: args.format.extension(&args.seed),
        canonical: canonical.clone(),
        picture: value.is_none().then_some(Size { width, height }),
        files: Vec::new(),
    };
    // What the seed does it does by its own choices: they are as they are.
    let own = seed.replay(&Choices::new()).map_or(Class::Baseline, |variant| variant.class);
    set.add("seed", own, Choices::new(), seed.seed_bytes())?;
    let cover = args.cover.unwrap_or(match args.count {
        None => Covering::Pairwise,
        Some(_) => Covering::Random,
    });
    let made =
        Made { seed: &*seed, run_seed: args.run_seed, cover, count: args.count, jobs: args.jobs };
    made.each(&mut |index, variant| set.variant(index, &variant))?;
    let Set { files, .. } = set;

    let references = match value {
        None => {
            put(folder, "reference.pam", picture_file::pam(picture))?;
            put(folder, "reference.png", picture_file::png(picture).map_err(|e| e.to_string())?)?;
            References::Picture { width, height, pam: "reference.pam", png: "reference.png" }
        }
        Some(value) => {
            put(folder, "reference.json", value + "\n")?;
            References::Value { value: "reference.json" }
        }
    };
    let sums: String = files.iter().map(|f| format!("{}  {}\n", f.sha256, f.file)).collect();
    put(folder, "SHA256SUMS", sums)?;
    let name = args.seed.file_name().unwrap_or_default().to_string_lossy().into_owned();
    put(folder, "README.md", readme(&name, &references, &files))?;
    put(folder, "check.sh", CHECK)?;
    executable(&folder.join("check.sh"))?;
    let count = files.len() - 1;
    let expectations = Expectations { seed: name, canonical, references, files };
    let json = serde_json::to_string_pretty(&expectations).map_err(|e| e.to_string())?;
    put(folder, "expectations.json", json + "\n")?;
    Ok(count)
}

fn readme(seed: &str, references: &References, files: &[Expected]) -> String {
    let references = match references {
        References::Picture { .. } => {
            "| `reference.pam`, `reference.png` | the picture that all of them show, upright: red, green, blue, alpha |"
        }
        References::Value { .. } => "| `reference.json`    | what all of them mean |",
    };
    let first = files.first().map_or("", |f| &f.file);
    let seed = crate::report::clean(seed);
    README
        .replace("COUNT", &(files.len() - 1).to_string())
        .replace("FIRST", first)
        .replace("REFERENCES", references)
        .replace("SEED", &seed)
}

fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    files::put(&folder.join(name), bytes).map_err(|e| e.to_string())
}

fn executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).map_err(|e| format!("{}: {e}", path.display()))
}
