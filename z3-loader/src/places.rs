//! The places where libz3 may be.

#![allow(unsafe_code)]

use std::env;
use std::ffi::{CStr, CString, OsStr, c_char, c_void};
use std::fs;
use std::iter;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::ptr;

use libloading::Library;

use super::functions;
use super::state::{Loaded, VARIABLE};

/// The oldest version that has the functions which the crate `z3` uses for solvers.
const OLDEST: [u32; 2] = [4, 8];

/// The advice if there is no libz3.
const ADVICE: &str = "install libz3-4 (Debian), or `pip install z3-solver` for the `python3` of the PATH, or set Z3_LIBRARY to the path of libz3.so";

/// Loads the first libz3 that can be: that of the variable if it is set; otherwise that of the system's loader, one
/// beside the executable, or one of the package `z3-solver` of a Python.
///
/// # Errors
///
/// The rest of the line that begins with "this needs Z3, and".
pub fn find() -> Result<Loaded, String> {
    if let Some(file) = env::var_os(VARIABLE).filter(|file| !file.is_empty()) {
        return open(Path::new(&file))
            .map_err(|why| format!("{VARIABLE} does not name a libz3 that works: {}", why.text()));
    }
    // A file that is there but of no use is the better reason.
    let mut unusable = None;
    for file in names().chain(files()) {
        match open(&file) {
            Ok(loaded) => return Ok(loaded),
            Err(Reason::Unusable(why)) => _ = unusable.get_or_insert(why),
            Err(Reason::Missing(_)) => {}
        }
    }
    Err(match unusable {
        Some(why) => format!("no libz3 that works was found ({why}): {ADVICE}"),
        None => format!("libz3 was not found: {ADVICE}"),
    })
}

/// The names by which the system's loader may know it. Debian's ends in 4, whatever the version.
fn names() -> impl Iterator<Item = PathBuf> {
    let five = (0..10).rev().map(|minor| format!("libz3.so.5.{minor}"));
    let four = (8..20).rev().map(|minor| format!("libz3.so.4.{minor}"));
    let usual = ["libz3.so.4", "libz3.so"].map(str::to_owned);
    usual.into_iter().chain(five).chain(four).map(PathBuf::from)
}

/// The paths that it may have outside the folders of the system's loader.
fn files() -> impl Iterator<Item = PathBuf> {
    let own = env::current_exe().ok().and_then(|file| Some(file.parent()?.to_owned()));
    let beside = own.iter().map(|folder| folder.join("libz3.so")).collect::<Vec<_>>();
    let prefix = own.and_then(|folder| Some(folder.parent()?.to_owned()));
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".local"));
    let prefixes = prefix
        .into_iter()
        .chain(iter::once_with(prefix_of_python).flatten())
        .chain(home)
        .chain([PathBuf::from("/usr/local")]);
    beside.into_iter().chain(prefixes.flat_map(|prefix| of_python(&prefix)))
}

/// The prefix of the `python3` of `PATH`: the environment that is active, or the installation of a version manager.
fn prefix_of_python() -> Option<PathBuf> {
    // `-I`: no module of the working directory.
    let print = ["-I", "-c", "import sys; print(sys.prefix)"];
    let output = Command::new("python3").args(print).stderr(Stdio::null()).output().ok()?;
    let prefix = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(PathBuf::from(prefix.trim_end()))
}

/// The library of the package `z3-solver` of each Python that is installed in `prefix`.
fn of_python(prefix: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for libraries in ["lib", "lib64"] {
        let Ok(entries) = fs::read_dir(prefix.join(libraries)) else { continue };
        let is_python = |name: &OsStr| name.to_str().is_some_and(|n| n.starts_with("python3"));
        for entry in entries.flatten().filter(|entry| is_python(&entry.file_name())) {
            // Debian's name is the second.
            for packages in ["site-packages", "dist-packages"] {
                found.push(entry.path().join(packages).join("z3/lib/libz3.so"));
            }
        }
    }
    found.retain(|file| file.is_file());
    found.sort();
    found
}

/// The reason why a library is not used.
enum Reason {
    /// There is none of this name.
    Missing(String),
    /// It cannot be used.
    Unusable(String),
}

impl Reason {
    fn text(self) -> String {
        match self {
            Self::Missing(why) | Self::Unusable(why) => why,
        }
    }
}

/// Loads a library.
fn open(file: &Path) -> Result<Loaded, Reason> {
    // SAFETY: the initialization of libz3 is that of any library of C++. A file of this name that is no libz3 may do
    // anything, as an executable in its place might.
    let library = unsafe { Library::new(file) }.map_err(|e| {
        let is_path = file.components().count() > 1;
        let why = std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string);
        if is_path && file.exists() { Reason::Unusable(why) } else { Reason::Missing(why) }
    })?;
    let unusable = |why: &str| Reason::Unusable(format!("{} {why}", file.display()));
    let version = version(&library).ok_or_else(|| unusable("is no libz3"))?;
    let numbers = version.split('.').map(|n| n.parse().unwrap_or(0)).collect::<Vec<u32>>();
    if numbers < OLDEST.to_vec() {
        return Err(unusable(&format!("is Z3 {version}: 4.8 or later is needed")));
    }
    // It stays for as long as the process lives, as its functions may be called at any time.
    let library = ManuallyDrop::new(library);
    let address = |name: &CString| {
        // SAFETY: nothing of this type is read: only the symbol's address is taken.
        let symbol = unsafe { library.get::<*mut c_void>(name) }.ok();
        // SAFETY: the library, which the address is in, is never closed.
        symbol.and_then(|symbol| unsafe { symbol.try_as_raw_ptr() }).unwrap_or(ptr::null_mut())
    };
    // SAFETY: the addresses are those of the functions of these names in libz3, which is never closed.
    unsafe { functions::fill(address) };
    Ok(Loaded { file: file.to_owned(), version })
}

/// The version of a libz3.
fn version(library: &Library) -> Option<String> {
    // SAFETY: the function has this type in every version.
    let text =
        unsafe { library.get::<unsafe extern "C" fn() -> *const c_char>(c"Z3_get_full_version") };
    // SAFETY: it returns a static string that ends in a zero.
    let text = unsafe { CStr::from_ptr((text.ok()?)()) };
    // 4.8.12.0, and in some versions a name of the commit.
    text.to_str().ok()?.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_of_each_python_is_found() {
        let prefix = tempfile::tempdir().unwrap();
        let file = |path: &str| {
            let file = prefix.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            file
        };
        let debian = file("lib/python3.11/dist-packages/z3/lib/libz3.so");
        let usual = file("lib/python3.13/site-packages/z3/lib/libz3.so");
        file("lib/python3.12/site-packages/z3/lib/other.so");
        file("lib/ruby/site-packages/z3/lib/libz3.so");
        assert_eq!(of_python(prefix.path()), [debian, usual]);
        assert!(of_python(&prefix.path().join("lib")).is_empty());
    }
}
