//! The generators that repfuzz is measured next to, as programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The seconds for which a generator makes files, once it is ready.
pub const SECONDS: u32 = 10;
/// The time limit of a generator, which ends after a whole batch of files, on a machine that does other things as well.
pub const LIMIT: Duration = Duration::from_secs(100);

/// The result of one generator.
pub struct Made {
    /// The processor time until it was ready, in seconds.
    pub start: f64,
    /// The number of files.
    pub files: usize,
    /// The processor time of these files.
    pub seconds: f64,
}

/// The task of a generator.
pub struct Task<'a> {
    /// The name of the format, in lower case.
    pub format: &'a str,
    /// The file to make equivalent files of.
    pub seed: &'a Path,
    /// Its picture, for generators that do not begin with a file: PPM for BMP files, else the seed.
    pub picture: &'a Path,
    /// The maximum number of files.
    pub most: usize,
}

/// A generator. Commands are compared with the command of repfuzz, libraries with its library.
pub struct Peer {
    /// Its name.
    pub name: &'static str,
    /// Makes files in a folder. `None` if it made no file in time; an error if it cannot run, with the reason.
    pub run: Run,
    /// True if it is a library, which makes its files in memory.
    pub library: bool,
    /// How many times as many files as this one repfuzz should make.
    pub goal: Option<u32>,
}

/// The way to run a generator.
type Run = fn(&Task, &Path) -> Result<Option<Made>, String>;

impl Peer {
    const fn command(name: &'static str, run: Run) -> Self {
        Self { name, run, library: false, goal: None }
    }

    const fn library(name: &'static str, run: Run) -> Self {
        Self { name, run, library: true, goal: None }
    }
}

const COMMAND: Peer = Peer::command("repfuzz variants", repfuzz);
const LIBRARY: Peer = Peer::library("repfuzz as a library", library);
const LIBAFL: Peer = Peer::library("LibAFL's havoc", libafl);
const AFL: Peer = Peer::command("AFL++'s havoc", afl);

/// The generators of BMP files.
pub const BMP: [Peer; 8] = [
    COMMAND,
    LIBRARY,
    Peer { goal: Some(5), ..Peer::library("FANDANGO-RS", fandango_rs) },
    Peer::command("Fandango", |task, to| python("fandango", "fandango-fuzzer", task, to)),
    Peer::command("ISLa", |task, to| python("isla", "isla-solver", task, to)),
    Peer::command("FormatFuzzer's template", formatfuzzer),
    LIBAFL,
    AFL,
];

/// The generators of TIFF files.
pub const TIFF: [Peer; 6] = [
    COMMAND,
    LIBRARY,
    Peer::command("tiffcp in a shell loop", tiffcp),
    Peer::command("tifffile", |task, to| python("tifffile", "tifffile", task, to)),
    LIBAFL,
    AFL,
];

/// Returns a path of the repository.
pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Returns a path of the folder that `scripts/bench-generators.sh` fills, beside that of this program.
fn installed(path: &str) -> PathBuf {
    let me = std::env::current_exe().unwrap_or_default();
    me.parent().and_then(Path::parent).unwrap_or(Path::new("")).join("generators").join(path)
}

/// Returns the packages of Python that are installed, one a line.
fn packages() -> String {
    std::fs::read_to_string(installed("installed.txt")).unwrap_or_default()
}

/// Returns the versions of the other generators.
pub fn versions() -> String {
    let mut versions: Vec<String> =
        packages().split_whitespace().map(|line| line.replace("==", " ")).collect();
    for (name, package) in [("fandango-rs", "fandango"), ("libafl", "libafl")] {
        let lock = here(&format!("benches/generators/{name}/Cargo.lock"));
        let lock = std::fs::read_to_string(lock).unwrap_or_default();
        let entry = format!("name = \"{package}\"\nversion = \"");
        let version = lock.split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
        versions.extend(version.map(|version| format!("{name} {version}")));
    }
    let afl = Command::new("afl-fuzz").arg("-h").output();
    let afl = afl.map(|o| String::from_utf8_lossy(&[o.stdout, o.stderr].concat()).into_owned());
    let version = afl.ok().and_then(|text| {
        let rest = text.split_once("afl-fuzz++")?.1;
        Some(rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').next()?.to_owned())
    });
    versions.push(version.map_or("no AFL++".to_owned(), |version| format!("AFL++ {version}")));
    versions.join(", ")
}

/// Returns the processor time of all child processes that have ended, in seconds. Other load of the
/// machine does not count.
fn used() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may have anything in it; `cutime` and `cstime`, in hundredths.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(13).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Runs `repfuzz variants` as a process of one thread, first for one file, which gives its start time.
fn repfuzz(task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    let run = |count: usize, to: &Path| {
        let mut command = Command::new(me.with_file_name("repfuzz"));
        let count = count.to_string();
        command.arg("variants").arg(task.seed).args(["-j", "1", "-n", &count, "-o"]).arg(to);
        if task.format != "tiff" {
            let spec = format!("normalizers/specs/{0}/{0}.rs", task.format);
            command.arg("--spec").arg(here(&spec));
        }
        let began = used();
        let output = command.output().map_err(|e| format!("repfuzz: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        std::fs::remove_file(to.join("variants.jsonl")).map_err(|e| e.to_string())?;
        Ok(used() - began)
    };
    let one = tempfile::tempdir().map_err(|e| e.to_string())?;
    let start = run(1, &one.path().join("made"))?;
    let all = run(task.most + 1, folder)?;
    Ok(Some(Made { start, files: task.most, seconds: all - start }))
}

/// Runs a program that prints, in its last line, the processor seconds until it was ready, the number of files, and
/// the processor seconds of these.
fn program(command: &mut Command) -> Result<Option<Made>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{name}: {e}"))?;
    let began = Instant::now();
    let errors = child.stderr.take().map(|mut pipe| {
        std::thread::spawn(move || {
            let mut text = String::new();
            // The text only explains a failure, so a part of it suffices.
            let _ = std::io::Read::read_to_string(&mut pipe, &mut text);
            text
        })
    });
    while began.elapsed() < LIMIT && child.try_wait().map_err(|e| e.to_string())?.is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    // It may have ended.
    let _ = child.kill();
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some(line) = text.lines().last() else {
        let errors = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
        return match output.status.code() {
            Some(_) => Err(errors.lines().last().unwrap_or("it wrote nothing").to_owned()),
            None => Ok(None),
        };
    };
    let numbers: Vec<f64> = line.split(' ').filter_map(|n| n.parse().ok()).collect();
    match numbers[..] {
        [start, files, seconds] => Ok(Some(Made { start, files: files as usize, seconds })),
        _ => Err(format!("{name}: {line}")),
    }
}

/// Returns a program that `scripts/bench-generators.sh` builds.
fn built(name: &str) -> Result<Command, String> {
    let path = installed(name);
    match path.is_file() {
        true => Ok(Command::new(path)),
        false => Err("it could not be built".to_owned()),
    }
}

/// Adds the folder, the seconds and the most files to a command, and runs it.
fn timed(command: &mut Command, task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    program(command.arg(folder).args([SECONDS.to_string(), task.most.to_string()]))
}

fn library(task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    let me = std::env::current_exe().map_err(|e| e.to_string())?;
    timed(Command::new(me).arg("library").arg(task.format).arg(task.seed), task, folder)
}

fn fandango_rs(task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    timed(built("fandango-rs")?.env("PICTURE", task.picture), task, folder)
}

fn libafl(task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    timed(built("libafl")?.arg(task.seed), task, folder)
}

/// Runs one of the generators of Python.
fn python(name: &str, package: &str, task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    if !packages().lines().any(|line| line.split("==").next() == Some(package)) {
        return Err("it could not be installed".to_owned());
    }
    let mut command = Command::new(installed("venv/bin/python"));
    command.arg(here("benches/generators/generate.py")).arg(name);
    command.env("PICTURE", task.picture).env("PYTHONDONTWRITEBYTECODE", "1");
    timed(&mut command, task, folder)
}

/// Runs FormatFuzzer with its own template of BMP, a process for a thousand files.
fn formatfuzzer(task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    let began = used();
    let names: Vec<PathBuf> = (0..task.most).map(|k| folder.join(format!("{k:07}"))).collect();
    for names in names.chunks(1000) {
        // It fails at some files, and says so of each.
        let mut command = built("formatfuzzer")?;
        let output = command.arg("fuzz").args(names).stderr(Stdio::null()).output();
        output.map_err(|e| format!("FormatFuzzer: {e}"))?;
    }
    let files = names.iter().filter(|name| name.is_file()).count();
    Ok(Some(Made { start: 0.0, files, seconds: used() - began }))
}

fn afl(task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    for name in ["afl-fuzz", "afl-clang-fast"] {
        if Command::new(name).arg("-h").output().is_err() {
            return Err(format!("{name} is not installed"));
        }
    }
    let script = here("benches/generators/afl/havoc.sh");
    program(Command::new(script).arg(task.seed).arg(folder).arg(task.most.to_string()))
}

/// Runs `tiffcp` in a shell loop.
fn tiffcp(task: &Task, folder: &Path) -> Result<Option<Made>, String> {
    let files = task.most / 3;
    let began = used();
    let script = here("benches/generators/tiffcp.sh");
    let output = Command::new(script).arg(task.seed).arg(folder).arg(files.to_string()).output();
    let output = output.map_err(|e| format!("tiffcp.sh: {e}"))?;
    let seconds = used() - began;
    match output.status.success() {
        true => Ok(Some(Made { start: 0.0, files, seconds })),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}
