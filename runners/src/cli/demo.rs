//! `repfuzz demo`: a first run that needs no files, other programs, network, or special rights.

use std::path::{Path, PathBuf};

use clap::{Args, Parser};

use super::fuzz::{FuzzArgs, run_shown};
use super::shown::Shown;
use super::{FOUND, Format, ProfileName, SUCCESS, fail, say, wrapped};
use campaign::oracle::Outcome;
use campaign::{Cause, Run, Stop};
use clients::{Client, library};
use reports::files::{make, put};
use reports::report::{explained, names, plural, title};

/// The seed: a picture in the public domain.
const SEED: &[u8] = include_bytes!("../../demo.tif");

/// The number of causes that are described in words.
const DESCRIBED: usize = 3;

/// The width of the text.
const WIDTH: usize = 78;

/// Fuzz the two readers that are linked into repfuzz on a picture that it brings along
#[derive(Debug, Clone, Args)]
pub struct DemoArgs {
    /// Folder for the picture and the report
    #[arg(long, default_value = "repfuzz-demo", value_name = "DIR")]
    pub report: PathBuf,
}

/// The command line of the run, which the report repeats.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    fuzz: FuzzArgs,
}

/// Runs the command; returns the exit code.
pub fn run(args: &DemoArgs) -> u8 {
    let seed = args.report.join("rgb.tif");
    if let Err(error) = make(&args.report).and_then(|()| put(&seed, SEED)) {
        return fail(error);
    }
    let clients: Vec<Box<dyn Client>> =
        library::all("tif").into_iter().map(|client| Box::new(client) as _).collect();
    let names: Vec<&str> = clients.iter().map(|client| client.name()).collect();
    let words = ["fuzz", "-n", "100", "--clients", &names.join(",")].map(PathBuf::from);
    let places = [PathBuf::from("--report"), args.report.clone(), seed];
    let line = match Line::try_parse_from(words.into_iter().chain(places)) {
        Ok(line) => line,
        Err(error) => return fail(error),
    };
    let versions: Vec<String> =
        clients.iter().map(|client| format!("{} {}", client.name(), client.version())).collect();
    paragraph(
        "",
        &format!(
            "One picture, 100 files that contain exactly these pixels and store them differently, and two \
             readers that are linked into repfuzz: {}. Each should show the same picture 100 times.",
            versions.join(" and ")
        ),
    );
    let format = Format::default();
    let open = |path: &Path| format.open(path, ProfileName::default());
    let code =
        run_shown(&line.fuzz, &clients, (format.name(), open), &Stop::on_ctrl_c(), &mut |shown| {
            if let Shown::Seed { run, index, .. } = shown {
                show(run, index, &args.report);
            }
        });
    if code == FOUND { SUCCESS } else { code }
}

/// Describes the causes of a run in words.
fn show(run: &Run, index: &Path, folder: &Path) {
    let names = names(run);
    let described = distinct(&run.causes);
    say(format_args!(
        "\n{} found. {} of them in words:",
        plural(run.causes.len(), "cause", "causes"),
        described.len()
    ));
    let sentences: Vec<String> =
        described.iter().map(|place| sentence(run, &run.causes[*place])).collect();
    for (number, (place, sentence)) in described.iter().zip(&sentences).enumerate() {
        say("");
        paragraph(&format!("{}. ", number + 1), sentence);
        say(format_args!("   {}", folder.join(&names[*place].file).display()));
    }
    let words = explained(&sentences.concat());
    if !words.is_empty() {
        say("");
        paragraph("", &words);
    }
    say(format_args!(
        "\nEach cause with both pictures and the smallest file, in a browser:\n  {}",
        index.display()
    ));
    say(
        "\nYour own program and file:\n  repfuzz fuzz photo.tif --client 'mine={here}/view {in} {out}'",
    );
}

/// Returns the indices of the first causes that differ in their dimensions or their outcome, because two readers may
/// share a fault.
fn distinct(causes: &[Cause]) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for (place, cause) in causes.iter().enumerate() {
        let is_same = |other: &&usize| {
            let other = &causes[**other];
            other.outcome == cause.outcome && other.dimensions == cause.dimensions
        };
        if places.len() < DESCRIBED && !places.iter().any(|other| is_same(&other)) {
            places.push(place);
        }
    }
    places
}

/// Describes a cause: `rust-tiff crashes if the file has tiled = 1 with planar = 2.`
fn sentence(run: &Run, cause: &Cause) -> String {
    let client = &run.clients[cause.client].name;
    let does = match cause.outcome {
        Outcome::Wrong => match cause.signature().phrase().split_once(": ") {
            Some((_, kind)) => format!("shows other pixels ({kind})"),
            None => "shows other pixels".to_owned(),
        },
        Outcome::Crash => "crashes".to_owned(),
        Outcome::Hang => "does not finish".to_owned(),
        Outcome::Resource => "takes more than it may".to_owned(),
        Outcome::Extra(read) => format!("reads the picture {}", read.words().does),
        Outcome::Memory => "needs far more memory".to_owned(),
        Outcome::Slow => "needs far more time".to_owned(),
        Outcome::Refused => "reports an error".to_owned(),
        Outcome::Same => "shows the same picture".to_owned(),
    };
    format!("{client} {does} if the file has {}.", title(cause))
}

/// Prints wrapped text whose first line begins with `mark` and whose further lines are indented alike.
fn paragraph(mark: &str, text: &str) {
    let indent = " ".repeat(mark.len());
    for (number, line) in wrapped(text, WIDTH - mark.len()).iter().enumerate() {
        say(format_args!("{}{line}", if number == 0 { mark } else { &indent }));
    }
}
