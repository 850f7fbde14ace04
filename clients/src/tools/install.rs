//! Installs the software that a client's `[tools]` requires into its `{tools}` folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{STAMP, filled, recipe};
use crate::description::Description;
use crate::message::Scrubber;

/// A one-line reason why an installation failed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A folder or file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// Its path.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A program failed.
    #[error("{program}: {words}")]
    Failed {
        /// Its name.
        program: String,
        /// Its message.
        words: String,
    },
    /// The user may not install packages.
    #[error("{0}")]
    NotAllowed(String),
}

/// Installs the software in the description's `[tools]`, after removing an earlier
/// installation. Calls `say` with each step. Requires the description's Debian packages.
///
/// # Errors
///
/// Returns the error of the first step that fails.
pub fn install(description: &Description, say: &mut dyn FnMut(&str)) -> Result<(), InstallError> {
    let tools = &description.tools;
    let folder = &description.tools_folder;
    let io = |error| InstallError::Io { path: folder.clone(), error };
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(io(e)),
        _ => fs::create_dir_all(folder).map_err(io)?,
    }
    if !tools.pip.is_empty() {
        say(&format!("pip install {}", tools.pip.join(" ")));
        // Uses Debian's own interpreter, whatever comes first in PATH; and its pip, so that the environment does not
        // need one.
        let python = "/usr/bin/python3";
        let environment = folder.join("python");
        run(folder, &words(&[python, "-m", "venv", "--without-pip"], &[&environment], &[]))?;
        let pip = [python, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check"];
        let pip = words(&pip, &["--python".as_ref(), &environment.join("bin/python")], &[]);
        run(folder, &[pip, words(&["install"], &[], &tools.pip)].concat())?;
    }
    if !tools.npm.is_empty() {
        say(&format!("npm install {}", tools.npm.join(" ")));
        let npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"];
        run(folder, &words(&npm, &[folder], &tools.npm))?;
    }
    for argv in &tools.build {
        let words = filled(description, argv);
        say(&words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "));
        run(folder, &words)?;
    }
    fs::write(folder.join(STAMP), recipe(description)).map_err(io)
}

fn words(first: &[&str], paths: &[&Path], last: &[String]) -> Vec<OsString> {
    let first = first.iter().map(OsString::from);
    let paths = paths.iter().map(|path| path.as_os_str().to_owned());
    first.chain(paths).chain(last.iter().map(OsString::from)).collect()
}

/// Runs a program to its end, without output.
pub(super) fn run(folder: &Path, words: &[OsString]) -> Result<String, InstallError> {
    let program = words[0].to_string_lossy().into_owned();
    let failed = |words: String| InstallError::Failed { program: program.clone(), words };
    let ended = Command::new(&words[0])
        .args(&words[1..])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| failed(e.to_string()))?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let scrub = Scrubber::new();
    let text = |bytes: &[u8]| scrub.last_words(&String::from_utf8_lossy(bytes));
    let words = text(&ended.stderr).or_else(|| text(&ended.stdout));
    Err(failed(words.unwrap_or_else(|| ended.status.to_string())))
}
