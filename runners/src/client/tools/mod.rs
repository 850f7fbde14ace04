//! What is installed for one client alone, in its `{tools}` folder, and how it gets there.

pub mod apt;
mod install;

use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::description::{Argv, Description, Places};

pub use install::{InstallError, install};

/// The file in a folder of tools that says what is installed there.
const STAMP: &str = "installed.txt";

/// The folder of a client's tools, whether it is there or not:
/// `$XDG_DATA_HOME/repfuzz/clients/NAME`.
pub fn folder(name: &str) -> PathBuf {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let data = data.unwrap_or_else(|| {
        std::env::home_dir().unwrap_or_else(|| PathBuf::from("/var/lib")).join(".local/share")
    });
    data.join("repfuzz/clients").join(name)
}

/// What of a client's tools is not installed, or is not what the description says by now.
pub fn missing(description: &Description) -> Option<String> {
    let tools = &description.tools;
    if tools.is_empty() {
        return None;
    }
    let stamp = fs::read_to_string(description.tools_folder.join(STAMP)).unwrap_or_default();
    (stamp != recipe(description)).then(|| {
        let package = tools.pip.first().or(tools.npm.first());
        package.cloned().unwrap_or_else(|| "built glue".to_string())
    })
}

/// What an installation must be of: the packages, and what is built of which sources.
fn recipe(description: &Description) -> String {
    let tools = &description.tools;
    let mut lines: Vec<String> = Vec::new();
    lines.extend(tools.pip.iter().map(|package| format!("pip {package}")));
    lines.extend(tools.npm.iter().map(|package| format!("npm {package}")));
    for argv in &tools.build {
        // The sources are in another folder at each run: their content counts.
        let words = filled(description, argv).into_iter().map(|word| {
            let file = PathBuf::from(&word);
            match fs::read(&file) {
                Ok(bytes) if file.starts_with(&description.here) => {
                    let digest: [u8; 32] = Sha256::digest(&bytes).into();
                    digest.iter().map(|byte| format!("{byte:02x}")).collect()
                }
                _ => word.to_string_lossy().into_owned(),
            }
        });
        lines.push(format!("build {}", words.collect::<Vec<String>>().join(" ")));
    }
    lines.join("\n") + "\n"
}

/// The words of a command that is run in the folder of tools.
fn filled(description: &Description, argv: &Argv) -> Vec<std::ffi::OsString> {
    let folder = description.tools_folder.as_path();
    let here = description.here.as_path();
    argv.fill(&Places { input: folder, output: folder, dir: folder, here, tools: folder })
}
