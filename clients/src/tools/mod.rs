//! Software installed for only one client, in its `{tools}` folder.

pub mod apt;
mod install;

use std::fs;
use std::path::PathBuf;

use super::description::{Argv, Description, Placeholders};

pub use install::{InstallError, install};

/// The file in a `{tools}` folder that records the installation.
const STAMP: &str = "installed.txt";

/// The folder of a client's tools, whether it exists or not:
/// `$XDG_DATA_HOME/repfuzz/clients/NAME`.
pub fn folder(name: &str) -> PathBuf {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let data = data.unwrap_or_else(|| {
        std::env::home_dir().unwrap_or_else(|| PathBuf::from("/var/lib")).join(".local/share")
    });
    data.join("repfuzz/clients").join(name)
}

/// Returns the part of a client's tools that is missing or out of date.
pub fn missing(description: &Description) -> Option<String> {
    let tools = &description.tools;
    if tools.is_empty() {
        return None;
    }
    let stamp = fs::read_to_string(stamp(description)).unwrap_or_default();
    (stamp != recipe(description)).then(|| {
        let package = tools.pip.first().or(tools.npm.first());
        package.cloned().unwrap_or_else(|| "built glue".to_string())
    })
}

/// The file that records which software is installed for a client.
pub fn stamp(description: &Description) -> PathBuf {
    description.tools_folder.join(STAMP)
}

/// A record of everything that an installation depends on: packages, and the sources of builds.
fn recipe(description: &Description) -> String {
    let tools = &description.tools;
    let mut lines: Vec<String> = Vec::new();
    lines.extend(tools.pip.iter().map(|package| format!("pip {package}")));
    lines.extend(tools.npm.iter().map(|package| format!("npm {package}")));
    for argv in &tools.build {
        // The sources are in a different folder in each run, so their content is hashed.
        let words = filled(description, argv).into_iter().map(|word| {
            let file = PathBuf::from(&word);
            match fs::read(&file) {
                Ok(bytes) if file.starts_with(&description.here) => crate::digest::hex(bytes),
                _ => word.to_string_lossy().into_owned(),
            }
        });
        lines.push(format!("build {}", words.collect::<Vec<String>>().join(" ")));
    }
    lines.join("\n") + "\n"
}

/// The words of a build command, which runs in the `{tools}` folder.
pub fn filled(description: &Description, argv: &Argv) -> Vec<std::ffi::OsString> {
    let folder = description.tools_folder.as_path();
    let here = description.here.as_path();
    argv.fill(&Placeholders {
        input: folder,
        output: folder,
        dir: folder,
        here,
        tools: folder,
        region: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client with one source that is built by copying it.
    fn client(here: &std::path::Path) -> Description {
        fs::write(here.join("source"), "1").unwrap();
        let toml = "name = \"a\"\nsummary = \"s\"\ndecoder = \"own\"\n\
                    [run]\nworker = [\"{tools}/built\"]\n\
                    [tools]\nbuild = [[\"cp\", \"{here}/source\", \"{tools}/built\"]]\n";
        let description = Description::parse(toml, "a.toml", here).unwrap();
        Description { tools_folder: here.join("tools"), ..description }
    }

    #[test]
    fn what_is_installed_is_known_until_its_source_changes() {
        let folder = tempfile::tempdir().unwrap();
        let client = client(folder.path());
        assert_eq!(missing(&client).as_deref(), Some("built glue"));
        let mut steps = Vec::new();
        install(&client, &mut |step| steps.push(step.to_string())).unwrap();
        assert_eq!(missing(&client), None);
        assert!(client.tools_folder.join("built").exists());
        assert_eq!(steps.len(), 1);
        fs::write(folder.path().join("source"), "2").unwrap();
        assert!(missing(&client).is_some());
    }

    #[test]
    fn a_step_that_fails_is_no_installation() {
        let folder = tempfile::tempdir().unwrap();
        let client = client(folder.path());
        fs::remove_file(folder.path().join("source")).unwrap();
        let error = install(&client, &mut |_| ()).unwrap_err().to_string();
        assert!(error.starts_with("cp: "), "{error}");
        assert!(!error.contains('\n') && missing(&client).is_some());
    }
}
