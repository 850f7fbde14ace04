//! `repfuzz normalize`: computes the canonical picture of a file.

use std::path::{Path, PathBuf};

use clap::Args;
use inverter::run::AsJson;
use tiff_harness::Picture;

use super::format::Format;
use super::{FormatArgs, ProfileName, SUCCESS, fail, picture_file, say, write_json};

/// Print a digest of a file's canonical picture, or write its canonical value
///
/// A canonical value that is no picture is printed as JSON. Each further page has a line of its own.
#[derive(Debug, Clone, Args)]
pub struct NormalizeArgs {
    /// File to read
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write the picture to this file, as 16-bit PNG; of a format other than TIFF, a name that ends in `.json` writes
    /// the canonical value, which `repfuzz sample` and `repfuzz check` take as `--input`
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Format of the file.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; returns the exit code.
pub fn run(args: &NormalizeArgs) -> u8 {
    let format = match args.format.format(&[&args.file]) {
        Ok(format) => format,
        Err(code) => return code,
    };
    if let Some(path) = args.output.as_ref().filter(|path| is_json(path)) {
        return match save_json(args, &format, path) {
            Ok(()) => SUCCESS,
            Err(why) => fail(why),
        };
    }
    let seed = match format.open(&args.file, ProfileName::default()) {
        Ok(seed) => seed,
        Err(why) => return fail(why),
    };
    let picture = seed.picture();
    let pages = if args.output.is_none() { seed.further_pages() } else { Vec::new() };
    match (&args.output, seed.value()) {
        (None, Some(value)) => say(value),
        (Some(_), Some(_)) => {
            let file = args.file.display();
            return fail(format!(
                "{file}: its canonical value is no picture; write it with -o x.json"
            ));
        }
        (None, None) => {
            say(format!("{}x{} {}", picture.width(), picture.height(), picture.digest()))
        }
        (Some(path), None) => {
            if let Err(e) = save(picture, path) {
                return fail(format!("{}: {e}", path.display()));
            }
        }
    }
    for (number, page) in (2..).zip(pages) {
        say(format!("page {number}: {page}"));
    }
    SUCCESS
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
}

/// Writes the canonical value of a file of a spec.
fn save_json(args: &NormalizeArgs, format: &Format, path: &Path) -> Result<(), String> {
    let name = args.file.display();
    let Some(pipeline) = format.pipeline() else {
        return Err(format!("{name}: a TIFF has no JSON form; name a spec with --spec"));
    };
    let bytes = format.bytes(&args.file)?.into_vec();
    let x = pipeline.open(bytes).map_err(|e| format!("{name}: {e}"))?;
    let y = pipeline.normalize(&x).map_err(|e| format!("{name}: {e}"))?;
    let json = AsJson { record: pipeline.output(), value: &y };
    let file = std::fs::File::create(path);
    file.and_then(|file| write_json(file, &json)).map_err(|e| format!("{}: {e}", path.display()))
}

fn save(picture: &Picture, path: &Path) -> Result<(), String> {
    let png = picture_file::png(picture).map_err(|e| e.to_string())?;
    std::fs::write(path, png).map_err(|e| e.to_string())
}
