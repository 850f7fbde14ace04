//! Files that a script loads although no command names them: the modules in its folder, and the files that a shell
//! wrapper names.
//!
//! Scripts are not parsed. All files next to a script that its language could load belong to it, and so do all files
//! that are named by words of a wrapper. The result depends only on the folder, and its cost is bounded.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Extensions of the modules of each language, with the prefixes of its interpreters' names.
const LANGUAGES: [(&[&str], &[&str]); 8] = [
    (&["py"], &["python", "pypy"]),
    (&["js", "mjs", "cjs"], &["node", "deno", "bun"]),
    (&["pl", "pm"], &["perl"]),
    (&["rb"], &["ruby"]),
    (&["lua"], &["lua"]),
    (&["php"], &["php"]),
    (&["jl"], &["julia"]),
    (&["r", "R"], &["Rscript"]),
];

/// The shells, whose scripts are wrappers.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ksh", "zsh", "ash"];

/// System folders, whose scripts are unrelated to one another.
const SYSTEM: [&str; 5] = ["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin"];

/// The maximum number of modules; the next constants limit their bytes and the examined folder entries.
const MAX_MODULES: usize = 500;
const MAX_BYTES: u64 = 16 << 20;
const MAX_ENTRIES: usize = 10_000;

/// The maximum length of a wrapper whose words are examined.
const MAX_WRAPPER: u64 = 64 << 10;

/// The file that identifies a folder as the report of a run, whose tests of findings are not modules of a client.
const REPORT: &str = "results.jsonl";

/// Returns true for characters that occur in most paths in commands and in the text of shell scripts.
pub fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || "/._-+@%~".contains(c)
}

/// Returns the modules that `script`, whose first line names `interpreter`, can load from its folder and its
/// subfolders: the files in its language, as paths relative to that folder. Hidden folders, caches, reports and links
/// to folders are left out.
pub fn modules(script: &Path, interpreter: Option<&str>) -> Vec<PathBuf> {
    let Some(extensions) = extensions(script, interpreter) else { return Vec::new() };
    let folder = script.parent().unwrap_or(Path::new("."));
    if SYSTEM.iter().any(|system| folder == Path::new(system)) {
        return Vec::new();
    }
    let (mut found, mut bytes, mut entries) = (Vec::new(), 0, 0);
    let mut folders = VecDeque::from([PathBuf::new()]);
    // Nearer folders come first, and folders at the same depth are in the order of their names.
    while let Some(below) = folders.pop_front() {
        let Ok(listed) = fs::read_dir(folder.join(&below)) else { continue };
        let names: BTreeSet<_> = listed.flatten().map(|entry| entry.file_name()).collect();
        for name in names {
            entries += 1;
            let path = below.join(&name);
            let whole = folder.join(&path);
            let Ok(kind) = fs::symlink_metadata(&whole) else { continue };
            if kind.is_dir() {
                let text = name.to_string_lossy();
                let left_out =
                    text.starts_with('.') || text == "__pycache__" || text == "node_modules";
                if !left_out && !whole.join(REPORT).is_file() {
                    folders.push_back(path);
                }
                continue;
            }
            let is_module = path.extension().is_some_and(|e| extensions.iter().any(|x| e == *x));
            let Some(about) = fs::metadata(&whole).ok().filter(|m| is_module && m.is_file()) else {
                continue;
            };
            bytes += about.len();
            if found.len() == MAX_MODULES || bytes > MAX_BYTES {
                return found;
            }
            found.push(path);
        }
        if entries > MAX_ENTRIES {
            break;
        }
    }
    found
}

/// Returns the extensions of the modules of a script's language; `None` if it is not a script in a language with
/// modules.
fn extensions(script: &Path, interpreter: Option<&str>) -> Option<&'static [&'static str]> {
    let extension = script.extension().and_then(|extension| extension.to_str());
    let program = interpreter.map(base_name);
    let by_program = |names: &[&str]| {
        program.is_some_and(|program| names.iter().any(|name| program.starts_with(name)))
    };
    let is_one = |(own, names): &&(&[&str], &[&str])| {
        extension.is_some_and(|e| own.contains(&e)) || by_program(names)
    };
    LANGUAGES.iter().find(is_one).map(|(own, _)| *own)
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Returns the files that a shell script, whose first line names `interpreter`, names in its text: by an absolute path,
/// or by a path relative to its own folder, as in `"$(dirname "$0")/lib/view"`. Empty for other scripts and long ones.
pub fn named_in_wrapper(script: &Path, interpreter: &str) -> Vec<PathBuf> {
    if !SHELLS.contains(&base_name(interpreter)) {
        return Vec::new();
    }
    let mut text = Vec::new();
    let read =
        fs::File::open(script).and_then(|file| file.take(MAX_WRAPPER + 1).read_to_end(&mut text));
    if read.is_err() || text.len() as u64 > MAX_WRAPPER {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&text).replace(['"', '\''], "");
    // The first line names the interpreter.
    let text = text.split_once('\n').map_or("", |(_, text)| text);
    let folder = script.parent().unwrap_or(Path::new("."));
    let mut found = BTreeSet::new();
    for word in text.split(|c| !is_of_path(c)).filter(|word| word.contains(['/', '.'])) {
        // After `$(dirname $0)` or `${here}`, a word begins with a slash; after `$here`, with a name.
        let behind = word.split_once('/').map_or(word, |(_, behind)| behind);
        let from_folder = [word.trim_start_matches('/'), behind].map(|name| folder.join(name));
        let whole = word.starts_with('/').then(|| PathBuf::from(word));
        let file = whole.into_iter().chain(from_folder).find(|path| path.is_file());
        found.extend(file.filter(|file| file != script));
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_a_language_are_those_of_its_folder_and_of_folders_below() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "1").unwrap();
            path
        };
        let view = put("view.py");
        for name in [
            "codec.py",
            "a/deep/lzw.py",
            "a/b.txt",
            ".git/c.py",
            "__pycache__/d.py",
            "e.js",
            "night/01-seed/results.jsonl",
            "night/01-seed/files/test_01.py",
        ] {
            put(name);
        }
        let names = |script: &Path, interpreter| -> Vec<String> {
            let found = modules(script, interpreter);
            found.iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(names(&view, None), ["codec.py", "view.py", "a/deep/lzw.py"]);
        let bare = put("show");
        assert_eq!(names(&bare, None), [""; 0]);
        assert_eq!(names(&bare, Some("/usr/bin/python3.11")).len(), 3);
        assert_eq!(names(&bare, Some("node")), ["e.js"]);
        assert_eq!(names(Path::new("/usr/bin/view.py"), None), [""; 0]);
        for k in 0..=MAX_MODULES {
            put(&format!("many/m{k:03}.py"));
        }
        let most = names(&view, None);
        assert_eq!(most.len(), MAX_MODULES);
        assert_eq!(most[..2], ["codec.py", "view.py"]);
    }

    #[test]
    fn a_wrapper_names_files_by_whole_paths_and_from_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("lib")).unwrap();
        for name in ["lib/one", "lib/two", "lib/three", "lib/four", "far", "unnamed"] {
            fs::write(at(name), "1").unwrap();
        }
        let wrapper = at("view");
        let text = format!(
            "#!/bin/sh\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\n\
             . \"$(dirname \"$0\")/lib/one\"\n. \"$here/lib/two\" /no/such/file\n\
             \"${{0%/*}}/lib/three\" '{}'\nexec $here/lib/four \"$@\"\n",
            at("far").display()
        );
        fs::write(&wrapper, &text).unwrap();
        let expected = ["far", "lib/four", "lib/one", "lib/three", "lib/two"].map(at);
        assert_eq!(named_in_wrapper(&wrapper, "/bin/sh"), expected);
        assert_eq!(named_in_wrapper(&wrapper, "python3"), [""; 0].map(PathBuf::from));
        fs::write(&wrapper, text + &" ".repeat(MAX_WRAPPER as usize)).unwrap();
        assert!(named_in_wrapper(&wrapper, "bash").is_empty());
    }
}
