//! The files of a client's program, by digest: if bytes change, it is a different client.
//!
//! These are the programs of its commands (scripts with their interpreters), the files that the commands name, by
//! `{here}`, by `{tools}` or by an absolute path, and the record of what is installed in `{tools}`; the [modules next
//! to](beside) each script, and the files that its shell wrapper names. Other files that a program loads without naming
//! them in its command, such as shared libraries and installed packages, are not included.

mod beside;

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::argv::{Arg, Piece};
use super::{Argv, Description};
use crate::{digest, executable, tools};
use beside::is_of_path;

/// The SHA-256 of each file of a client's program, in hexadecimal, by the file's name in its commands:
/// `{here}/view.py`, `python3`, `/opt/view`. Empty for a linked-in client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProgramFiles(BTreeMap<String, String>);

/// Replaces the digest of a file that cannot be read.
const UNREADABLE: &str = "unreadable";

impl ProgramFiles {
    /// Returns true if there are no files.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a digest of all names and digests; empty if there is no file.
    pub fn digest(&self) -> String {
        let lines: Vec<String> =
            self.0.iter().map(|(name, sum)| format!("{name}\n{sum}")).collect();
        if lines.is_empty() { String::new() } else { digest::hex(lines.join("\n")) }
    }

    /// Returns the names, without folders, of the files that differ from `before`: changed, added or removed.
    pub fn changed_since(&self, before: &Self) -> Vec<String> {
        let names = self.0.keys().chain(before.0.keys());
        let other = names.filter(|name| self.0.get(*name) != before.0.get(*name));
        let mut short: Vec<String> =
            other.map(|name| name.rsplit('/').next().unwrap_or(name).to_owned()).collect();
        short.sort_unstable();
        short.dedup();
        short
    }

    fn add(&mut self, name: &str, path: &Path) {
        if self.0.contains_key(name) {
            return;
        }
        let Ok(about) = fs::metadata(path) else { return };
        if !about.is_file()
            || ["/dev", "/proc", "/sys"].iter().any(|kernel| path.starts_with(kernel))
        {
            return;
        }
        let sum = known_digest(path, &about).unwrap_or_else(|_| UNREADABLE.to_owned());
        self.0.insert(name.to_owned(), sum);
        let interpreter = interpreter(path);
        self.add_beside(name, path, interpreter.as_ref().map(|(program, _)| &**program));
        if let Some((name, interpreter)) = interpreter {
            self.add(&name, &interpreter);
        }
    }

    /// If the file at `path`, which is called `name` here, is a script, adds the files that it loads.
    fn add_beside(&mut self, name: &str, path: &Path, interpreter: Option<&str>) {
        let folder = path.parent().unwrap_or(Path::new("."));
        let prefix = name.rfind('/').map_or("", |end| &name[..=end]);
        for module in beside::modules(path, interpreter) {
            let about = fs::metadata(folder.join(&module));
            let sum = about.and_then(|about| known_digest(&folder.join(&module), &about));
            let name = format!("{prefix}{}", module.display());
            self.0.entry(name).or_insert(sum.unwrap_or_else(|_| UNREADABLE.to_owned()));
        }
        for file in interpreter.map(|i| beside::named_in_wrapper(path, i)).unwrap_or_default() {
            let name = match file.strip_prefix(folder) {
                Ok(below) => format!("{prefix}{}", below.display()),
                Err(_) => file.display().to_string(),
            };
            self.add(&name, &file);
        }
    }

    fn add_program(&mut self, name: &str) {
        if let Some(path) = executable::find(name) {
            self.add(name, &path);
        }
    }

    fn add_all(&mut self, argv: &Argv, places: &Places<'_>) {
        if let Some(program) = argv.program().filter(|program| !program.contains('/')) {
            self.add_program(program);
        }
        argv.words().for_each(|word| self.add_named(word, places));
    }

    /// Adds the files that a word names.
    fn add_named(&mut self, word: &Arg, places: &Places<'_>) {
        let mut base: Option<(&str, &Path)> = None;
        for piece in word.pieces() {
            let text = match piece {
                Piece::Here => {
                    base = Some(("{here}", places.here));
                    continue;
                }
                Piece::Tools => {
                    base = Some(("{tools}", places.tools));
                    continue;
                }
                Piece::In | Piece::Out | Piece::Dir | Piece::Region(_) => {
                    base = None;
                    continue;
                }
                Piece::Text(text) => text.as_str(),
            };
            let mut rest = text;
            if let Some((placeholder, folder)) = base.take() {
                let end = text.find(|c| !is_of_path(c)).unwrap_or(text.len());
                // A name with spaces counts only if it is the whole rest of the word.
                for tail in [text, &text[..end]] {
                    let path = folder.join(tail.trim_start_matches('/'));
                    if tail.starts_with('/') && path.is_file() {
                        self.add(&format!("{placeholder}{tail}"), &path);
                        break;
                    }
                }
                rest = &text[end..];
            }
            let tokens = std::iter::once(rest).chain(rest.split(|c| !is_of_path(c)));
            for token in tokens.filter(|token| token.starts_with('/')) {
                self.add(token, Path::new(token));
            }
        }
    }
}

/// The folders for which placeholders stand.
struct Places<'p> {
    here: &'p Path,
    tools: &'p Path,
}

impl Description {
    /// Computes the digests of the files of its program, which takes as long as reading them. A file is read once
    /// in a process, unless it changes.
    pub fn program_files(&self) -> ProgramFiles {
        let mut files = ProgramFiles::default();
        let places = Places { here: &self.here, tools: &self.tools_folder };
        self.programs().for_each(|argv| files.add_all(argv, &places));
        self.run.calls.iter().for_each(|program| files.add_program(program));
        self.run.env.values().for_each(|value| files.add_named(value, &places));
        if !self.tools.is_empty() {
            files.add("{tools}", &tools::stamp(self));
        }
        files
    }
}

/// Returns the interpreter of a script, as named on its first line.
fn interpreter(script: &Path) -> Option<(String, PathBuf)> {
    let mut head = Vec::new();
    fs::File::open(script).ok()?.take(256).read_to_end(&mut head).ok()?;
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace();
    let program = words.next()?;
    if !program.ends_with("/env") {
        return Some((program.to_owned(), PathBuf::from(program)));
    }
    let program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    Some((program.to_owned(), executable::find(program)?))
}

/// Identifies the state of a file: device, inode, size, and the times of the last changes to the content and to the
/// inode.
type State = [i64; 7];

/// The digest of the file at `path`, which is read unless this process has read it since its last change.
fn known_digest(path: &Path, about: &Metadata) -> io::Result<String> {
    static KNOWN: LazyLock<Mutex<HashMap<State, String>>> = LazyLock::new(Mutex::default);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let state = [
        about.dev() as i64,
        about.ino() as i64,
        about.size() as i64,
        about.mtime(),
        about.mtime_nsec(),
        about.ctime(),
        about.ctime_nsec(),
    ];
    if let Some(sum) = known().get(&state) {
        return Ok(sum.clone());
    }
    let sum = digest::of_file(path)?;
    known().insert(state, sum.clone());
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(toml: &str, here: &Path) -> ProgramFiles {
        // Neither a summary nor a decoder is needed.
        let text = format!("name = \"a\"\n{toml}");
        Description::parse(&text, "a.toml", here).unwrap().program_files()
    }

    fn names(files: &ProgramFiles) -> Vec<&str> {
        files.0.keys().map(String::as_str).collect()
    }

    #[test]
    fn what_a_command_names_is_a_part_of_its_program() {
        let folder = tempfile::Builder::new().prefix("with space").tempdir().unwrap();
        let here = folder.path();
        for name in ["view.py", "in put.py", "own.so", "other", "unnamed.so"] {
            fs::write(here.join(name), name).unwrap();
        }
        let other = here.join("other").display().to_string();
        let of =
            |command: &str, more: &str| files(&format!("[run]\ncommand = {command}\n{more}"), here);
        let plain = of(r#"["sh", "{here}/view.py", "{here}/in put.py", "{in}", "{out}"]"#, "");
        assert_eq!(names(&plain), ["sh", "{here}/in put.py", "{here}/view.py"]);
        // Inside the text of a script, after an equals sign, and in the environment.
        let script = r#"["sh", "-c", "exec \"{here}/view.py\"; true", "--x={here}/own.so", "{in}", "{out}"]"#;
        let scripts = ["{here}/in put.py", "{here}/own.so", "{here}/view.py"];
        assert_eq!(names(&of(script, ""))[1..], scripts);
        let env = of(r#"["sh", "{in}", "{out}"]"#, "env = { LD_PRELOAD = \"{here}/own.so\" }");
        assert_eq!(names(&env), ["sh", "{here}/own.so"]);
        // By absolute path; folders and missing files are ignored.
        let whole = of(
            &format!(r#"["sh", "{other}", "{{here}}", "{{here}}/none", "{{in}}", "{{out}}"]"#),
            "",
        );
        assert_eq!(names(&whole), [&*other, "sh"]);
        let worker = files("[run]\nworker = [\"sh\", \"{here}/view.py\"]\n", here);
        assert_eq!(names(&worker), ["sh", "{here}/in put.py", "{here}/view.py"]);
    }

    #[test]
    fn modules_beside_a_script_and_files_that_a_wrapper_names_belong_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let (here, far) = (folder.path().join("here"), folder.path().join("far"));
        for folder in [here.join("codecs"), far.clone()] {
            fs::create_dir_all(folder).unwrap();
        }
        let put = |path: PathBuf, text: &str| fs::write(path, text).unwrap();
        put(here.join("view.py"), "import codecs.lzw");
        put(here.join("codecs/lzw.py"), "1");
        put(far.join("show.py"), "import helper");
        put(far.join("helper.py"), "1");
        let wrapper = format!("#!/bin/sh\nexec python3 {}/show.py \"$@\"\n", far.display());
        put(here.join("wrapper"), &wrapper);
        let of = |name: &str| {
            files(
                &format!("[run]\ncommand = [\"{{here}}/{name}\", \"{{in}}\", \"{{out}}\"]"),
                &here,
            )
        };
        let script = of("view.py");
        assert_eq!(names(&script), ["{here}/codecs/lzw.py", "{here}/view.py"]);
        put(here.join("codecs/lzw.py"), "two");
        assert_eq!(of("view.py").changed_since(&script), ["lzw.py"]);
        let wrapped = of("wrapper");
        let show = ["helper.py", "show.py"].map(|name| far.join(name).display().to_string());
        for name in [&show[0], &show[1], "/bin/sh", "{here}/wrapper"] {
            assert!(names(&wrapped).contains(&name), "{name}: {:?}", names(&wrapped));
        }
        put(far.join("helper.py"), "two");
        assert_eq!(of("wrapper").changed_since(&wrapped), ["helper.py"]);
    }

    #[test]
    fn a_script_brings_its_interpreter_and_changed_bytes_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let script = here.join("view");
        let of = |text: &str| {
            fs::write(&script, text).unwrap();
            files("[run]\ncommand = [\"{here}/view\", \"{in}\", \"{out}\"]\n", here)
        };
        let first = of("#!/usr/bin/env -S sh -e\n1");
        assert_eq!(names(&first), ["sh", "{here}/view"]);
        assert_eq!(names(&of("#!/bin/sh\n1")), ["/bin/sh", "{here}/view"]);
        let second = of("#!/usr/bin/env -S sh -e\n2");
        assert_eq!(second.changed_since(&first), ["view"]);
        assert_ne!(second.digest(), first.digest());
        assert_eq!(of("#!/usr/bin/env -S sh -e\n1"), first);
        assert_eq!(ProgramFiles::default().digest(), "");
    }
}
