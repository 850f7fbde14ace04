//! `repfuzz export`: writes equivalent files that test a decoder without repfuzz.

use std::path::{Path, PathBuf};

use clap::Args;
use inverter::solve::Choices;
use serde::Serialize;

use super::client_selection::{Sandboxing, select_client};
use super::variant_set::{Covering, VariantSet};
use super::{Format, FormatArgs, ProfileName, RestrictionArgs, fail, note, picture_file, say};
use clients::{Client, Reply, digest};
use equivalents::subject::{Class, Subject, Variant};
use reports::files;

const README: &str = include_str!("export_files/README.md");
const CHECK: &str = include_str!("export_files/check.sh");

/// The most variants for a client, unless their number is given: a test suite runs all of them at each change.
const FOR_CLIENT: usize = 100;

/// Length of the canonical hash in file names, in hexadecimal digits.
const NAMED: usize = 16;

/// Write equivalent files with expected results, for a decoder's tests
#[derive(Debug, Clone, Args)]
pub struct ExportArgs {
    /// Seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Folder for the set, which must be empty or not exist
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Number of random variants; with `--cover pairwise` or `triples`, the most variants
    #[arg(short = 'n', long = "variants", value_name = "N")]
    pub count: Option<u64>,
    /// Selection of variants [default: pairwise; with `-n`, random]
    #[arg(long, value_enum)]
    pub cover: Option<Covering>,
    /// Run seed, from which all randomness derives
    #[arg(long = "seed", default_value_t = 1, value_name = "S")]
    pub run_seed: u64,
    /// Range of the values that are drawn
    #[arg(long, value_enum, default_value_t = ProfileName::Strict)]
    pub profile: ProfileName,
    /// Client, by its name or as NAME=COMMAND with {in} and {out}: files that it refuses are left out, and there are at most
    /// 100 unless -n says otherwise
    #[arg(long, value_name = "NAME[=COMMAND]")]
    pub client: Option<String>,
    /// Additional client descriptions: files or folders
    #[arg(long, value_name = "PATH", requires = "client")]
    pub describe: Vec<PathBuf>,
    /// Run the client without a sandbox: it can write files and use the network
    #[arg(long, requires = "client")]
    pub no_sandbox: bool,
    /// Number of threads [default: one per processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Restriction of the dimensions.
    #[command(flatten)]
    pub restriction: RestrictionArgs,
    /// Format of the seed.
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

/// The files to compare the canonical value with.
#[derive(Serialize)]
#[serde(untagged)]
enum References {
    Picture { width: u32, height: u32, pam: &'static str, png: &'static str },
    Value { value: &'static str },
}

/// The expectations for one file.
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

/// Runs the command; returns the exit code.
pub fn run(args: &ExportArgs) -> u8 {
    let format = match args.format.format(&[&args.seed]) {
        Ok(format) => format,
        Err(code) => return code,
    };
    match export(args, &format) {
        Ok((count, code)) => {
            let (seed, folder) = (args.seed.display(), args.output.display());
            say(format!(
                "{count} equivalents of {seed} in {folder}; see {folder}/README.md for their use"
            ));
            code
        }
        Err(why) => fail(why),
    }
}

/// The client that the files are for, and those that it refuses.
struct Reader {
    client: Box<dyn Client>,
    refused: usize,
    /// Its last message.
    last: String,
}

impl Reader {
    /// Selects the client, if one is named.
    fn select(args: &ExportArgs, format: &Format) -> Result<Option<Self>, String> {
        let Some(named) = &args.client else { return Ok(None) };
        let sandboxing = Sandboxing::new(args.no_sandbox);
        let found = select_client(named, &args.describe, sandboxing, (&args.seed, format))?;
        let reader = |client| Self { client, refused: 0, last: String::new() };
        Ok(found.into_iter().next().map(reader))
    }

    /// Returns true unless the client refuses the file. One that it shows wrongly, or does not survive, is what tests are for.
    fn accepts(&mut self, file: &[u8]) -> Result<bool, String> {
        let name = self.client.name();
        match self.client.run(file).map_err(|why| format!("{name}: {why}"))? {
            Reply::Refused { message } => {
                self.refused += 1;
                self.last = message;
                Ok(false)
            }
            Reply::Picture(_)
            | Reply::Empty { .. }
            | Reply::Crash { .. }
            | Reply::Hang
            | Reply::Resource { .. } => Ok(true),
        }
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
    /// Writes a file and records its expectations; `number` is the last part of its name.
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

/// Writes the set; returns the number of variants.
fn export(args: &ExportArgs, format: &Format) -> Result<(usize, u8), String> {
    let restriction = args.restriction.restriction();
    let seed = format.open_restricted(&args.seed, args.profile, &restriction)?;
    let folder = &args.output;
    files::make(&folder.join("files")).map_err(|e| e.to_string())?;
    if std::fs::read_dir(folder).is_ok_and(|entries| entries.count() > 1)
        || std::fs::read_dir(folder.join("files")).is_ok_and(|entries| entries.count() > 0)
    {
        return Err(format!("{}: not empty", folder.display()));
    }
    let value = seed.value();
    let (picture, canonical) = (seed.picture(), seed.picture().digest());
    let (width, height) = (picture.width(), picture.height());
    let mut set = Set {
        seed: &*seed,
        folder,
        extension: format.extension(&args.seed),
        canonical: canonical.clone(),
        picture: value.is_none().then_some(Size { width, height }),
        files: Vec::new(),
    };
    // The seed's class is that of its own encoding, regardless of the restriction of the variants.
    let own = format
        .open(&args.seed, args.profile)?
        .replay(&Choices::new())
        .map_or(Class::Baseline, |variant| variant.class);
    set.add("seed", own, Choices::new(), seed.seed_bytes())?;
    let cover = args.cover.unwrap_or(match args.count {
        None => Covering::Pairwise,
        Some(_) => Covering::Random,
    });
    let made = VariantSet {
        seed: &*seed,
        run_seed: args.run_seed,
        cover,
        count: args.count,
        jobs: args.jobs,
    };
    let code = variants(args, format, &made, &mut set)?;
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
    Ok((count, code))
}

/// Adds the variants to a set, those that the client accepts if there is one. Returns the exit code.
fn variants(
    args: &ExportArgs,
    format: &Format,
    made: &VariantSet<'_>,
    set: &mut Set<'_>,
) -> Result<u8, String> {
    let mut reader = Reader::select(args, format)?;
    if let Some(reader) = &mut reader
        && !reader.accepts(set.seed.seed_bytes())?
    {
        let (name, seed) = (reader.client.name(), args.seed.display());
        return Err(format!("{name} refuses {seed}, so that no file is for it: {}", reader.last));
    }
    let most = args.count.map_or(FOR_CLIENT, |_| usize::MAX);
    let result = made.each(&mut |index, variant| {
        // The seed is one of the files.
        let accepted = match &mut reader {
            Some(reader) => set.files.len() <= most && reader.accepts(&variant.bytes)?,
            None => true,
        };
        if !accepted {
            return Ok(());
        }
        set.variant(index, &variant)
    })?;
    if let Some(Reader { client, refused, last }) = &reader
        && *refused > 0
    {
        note(format_args!(
            "{} refuses {refused} files, which are left out; the last one with: {last}",
            client.name()
        ));
    }
    Ok(result.code())
}

fn readme(seed: &str, references: &References, files: &[Expected]) -> String {
    let references = match references {
        References::Picture { .. } => {
            "| `reference.pam`, `reference.png` | the picture that all of them show, in display orientation: red, green, blue, alpha |"
        }
        References::Value { .. } => "| `reference.json`    | the value that all of them encode |",
    };
    let first = files.first().map_or("", |f| &f.file);
    let seed = reports::report::clean(seed);
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
