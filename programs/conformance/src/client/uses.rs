//! The use of libtiff in a client's source: functions, interfaces, and requested tags.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::lex::{Token, tokens};
use crate::error::Error;
use crate::program::Place;

/// The ways in which libtiff gives pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Interface {
    /// Whole pictures as red, green, blue and alpha with 8 bits each.
    Rgba,
    /// Single rows.
    Scanline,
    /// Whole strips.
    Strip,
    /// Tiles.
    Tile,
}

/// Functions that return pixels.
const READERS: [(&str, Interface); 16] = [
    ("TIFFReadRGBAImage", Interface::Rgba),
    ("TIFFReadRGBAImageOriented", Interface::Rgba),
    ("TIFFReadRGBAStrip", Interface::Rgba),
    ("TIFFReadRGBAStripExt", Interface::Rgba),
    ("TIFFReadRGBATile", Interface::Rgba),
    ("TIFFReadRGBATileExt", Interface::Rgba),
    ("TIFFRGBAImageGet", Interface::Rgba),
    ("TIFFRGBAImageBegin", Interface::Rgba),
    ("TIFFReadScanline", Interface::Scanline),
    ("TIFFReadEncodedStrip", Interface::Strip),
    ("TIFFReadRawStrip", Interface::Strip),
    ("TIFFReadFromUserBuffer", Interface::Strip),
    ("TIFFReadTile", Interface::Tile),
    ("TIFFReadEncodedTile", Interface::Tile),
    ("TIFFReadRawTile", Interface::Tile),
    ("TIFFFillTile", Interface::Tile),
];

/// Returns the interface of a libtiff function that returns pixels.
pub fn interface(function: &str) -> Option<Interface> {
    READERS.iter().find(|(reader, _)| *reader == function).map(|(_, interface)| *interface)
}

/// The use of libtiff by one client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Uses {
    /// The functions of libtiff that are called, with the places of the calls.
    pub functions: BTreeMap<String, Vec<Place>>,
    /// The interfaces that return pixels, with the places of the calls.
    pub interfaces: BTreeMap<Interface, Vec<Place>>,
    /// The requested tags, without `TIFFTAG_`, with the places.
    pub asked: BTreeMap<String, Vec<Place>>,
    /// The tags that are only written.
    pub written: BTreeSet<String>,
    /// Calls of `TIFFClientOpen` that do not let libtiff map the file into memory.
    pub unmapped: Vec<Place>,
    /// Number of source files that were read.
    pub files: usize,
    /// True if the folder is a package of another language, which may control its part in C.
    pub inner: bool,
    /// The first place where an Exif library is used, which may return the tags of a TIFF file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exif: Option<Place>,
    /// The files that read TIFF, each with its name and its text.
    #[serde(skip)]
    pub texts: Vec<(String, String)>,
}

impl Uses {
    /// Returns true if pixels are read by this interface.
    pub fn reads(&self, interface: Interface) -> bool {
        self.interfaces.contains_key(&interface)
    }

    /// Returns true if the client asks for a tag.
    pub fn asks(&self, tag: &str) -> bool {
        self.asked.contains_key(tag)
    }

    /// Returns true if a function is called.
    pub fn calls(&self, function: &str) -> bool {
        self.functions.contains_key(function)
    }

    /// The first place where pixels are read.
    pub fn place(&self) -> Option<&Place> {
        self.interfaces.values().flatten().min()
    }
}

/// The maximum number of source files that are read.
const FILES: usize = 50_000;

/// The maximum size in bytes of a source file. Larger files are data.
const BYTES: u64 = 8 << 20;

/// Reads all C and C++ sources below a folder. Skips tests, patches, copies of libtiff, and files that write TIFF
/// without reading it.
///
/// # Errors
///
/// Returns an error if the folder cannot be read, or has no source file, or none calls libtiff.
pub fn read(folder: &Path) -> Result<Uses, Error> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    files.sort();
    let packages = ["setup.py", "pyproject.toml", "package.json", "Makefile.PL"];
    let inner = packages.iter().any(|name| folder.join(name).is_file());
    let mut uses = Uses { inner, ..Uses::default() };
    for path in &files {
        let Ok(text) = std::fs::read(path) else { continue };
        let text = String::from_utf8_lossy(&text);
        uses.files += 1;
        if uses.exif.is_none() {
            let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
            uses.exif = exif(&text).map(|line| Place { file: name, line, column: 1 });
        }
        if text.contains("TIFF") {
            let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
            let found = file(&name, &text);
            // A file that only writes requests nothing that matters to a reader.
            let reads = found.functions.keys().any(|name| !writes(name));
            if reads {
                merge(&mut uses, found);
                uses.texts.push((name, text.into_owned()));
            }
        }
    }
    if uses.files == 0 {
        let why = format!("{}: no source file of C or C++", folder.display());
        return Err(Error::Program(why));
    }
    if uses.interfaces.is_empty() {
        let why = format!("{}: nothing here reads pixels by libtiff", folder.display());
        return Err(Error::Program(why));
    }
    Ok(uses)
}

/// Returns the first line of a text that includes or names an Exif library: exiv2, gexiv2 or libexif.
fn exif(text: &str) -> Option<u32> {
    const NAMES: [&str; 5] =
        ["Exiv2::", "gexiv2_", "exif_data_new", "exif_loader_", "exif_data_get"];
    const HEADERS: [&str; 3] = ["exiv2", "libexif/", "exif-data.h"];
    if !text.contains("xif") && !text.contains("xiv2") {
        return None;
    }
    let is_use = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        let included = code.trim_start().strip_prefix('#').is_some_and(|rest| {
            rest.trim_start().starts_with("include") && HEADERS.iter().any(|h| rest.contains(h))
        });
        included || NAMES.iter().any(|name| code.contains(name))
    };
    (1..).zip(text.lines()).find(|(_, line)| is_use(line)).map(|(line, _)| line)
}

/// Returns true for libtiff functions that a file calls if it only writes pictures.
fn writes(function: &str) -> bool {
    ["Write", "Set", "Open", "Close", "Flush", "DefaultStripSize", "FdOpen", "Default", "Create"]
        .iter()
        .any(|word| function["TIFF".len()..].starts_with(word))
        || ["TIFFClientOpen", "TIFFFdOpen", "TIFFScanlineSize"].contains(&function)
}

fn merge(uses: &mut Uses, found: Uses) {
    for (name, places) in found.functions {
        uses.functions.entry(name).or_default().extend(places);
    }
    for (interface, places) in found.interfaces {
        uses.interfaces.entry(interface).or_default().extend(places);
    }
    for (tag, places) in found.asked {
        uses.asked.entry(tag).or_default().extend(places);
    }
    uses.written.extend(found.written);
    uses.unmapped.extend(found.unmapped);
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let file_error = |why| Error::File { path: folder.to_owned(), why };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(file_error)? {
        entries.push(entry.map_err(file_error)?);
    }
    // A copy of libtiff is not a client.
    if entries.iter().any(|entry| entry.file_name() == "tif_dirread.c") {
        return Ok(());
    }
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            let skipped = ["test", "tests", "testsuite", "debian", "contrib", "CVS"];
            if !name.starts_with('.') && !skipped.contains(&&*name) {
                walk(&path, files)?;
            }
        } else if kind.is_file() && is_source(&path) {
            let small = entry.metadata().is_ok_and(|metadata| metadata.len() <= BYTES);
            if small && files.len() < FILES {
                files.push(path);
            }
        }
    }
    Ok(())
}

fn is_source(path: &Path) -> bool {
    let extensions = ["c", "cc", "cpp", "cxx", "C", "h", "hh", "hpp", "m", "mm"];
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e))
}

/// The use of libtiff in one file.
fn file(name: &str, text: &str) -> Uses {
    let tokens = tokens(text);
    let place =
        |token: &Token<'_>| Place { file: name.to_owned(), line: token.line, column: token.column };
    let mut uses = Uses::default();
    // The end of the arguments of a call that writes a tag.
    let mut writing = 0;
    for (k, token) in tokens.iter().enumerate() {
        if let Some(tag) = token.text.strip_prefix("TIFFTAG_") {
            if k < writing {
                uses.written.insert(tag.to_owned());
            } else {
                uses.asked.entry(tag.to_owned()).or_default().push(place(token));
            }
            continue;
        }
        let called = tokens.get(k + 1).is_some_and(|next| next.text == "(");
        let tiff = token.text.strip_prefix("TIFF");
        let function = tiff.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
        if !called || !function {
            // Wrappers that set a tag have `Set` in their name, too.
            if called && token.text.contains("Set") {
                writing = writing.max(end(&tokens, k + 1, &STATEMENT));
            }
            continue;
        }
        if token.text.contains("SetField") {
            writing = writing.max(end(&tokens, k + 1, &STATEMENT));
        }
        uses.functions.entry(token.text.to_owned()).or_default().push(place(token));
        if token.text == "TIFFClientOpen" && !maps(&tokens, k + 1) {
            uses.unmapped.push(place(token));
        }
        if let Some(interface) = interface(token.text) {
            uses.interfaces.entry(interface).or_default().push(place(token));
        }
    }
    uses
}

/// Tokens that end the search for the end of a call.
const STATEMENT: [&str; 3] = [";", "{", "}"];

/// Returns the position after the bracket that closes the one at `open`, or the position of one of `stops` if that
/// comes first.
fn end(tokens: &[Token<'_>], open: usize, stops: &[&str]) -> usize {
    let mut depth = 0;
    for (k, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            stop if stops.contains(&stop) => return k,
            _ => {}
        }
        if depth == 0 {
            return k + 1;
        }
    }
    tokens.len()
}

/// Returns false if the call of `TIFFClientOpen` whose bracket is at `open` opens a file for reading and cannot map it:
/// its mode forbids it, or its ninth argument, which maps it, is null or a function of this file that assigns nothing.
fn maps(tokens: &[Token<'_>], open: usize) -> bool {
    let close = end(tokens, open, &STATEMENT);
    let (mut depth, mut argument) = (0, 1);
    let mut words = Vec::new();
    for token in &tokens[open..close] {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 1 => argument += 1,
            mode if argument == 2 && mode.starts_with('"') => {
                if !mode.starts_with("\"r") {
                    return true;
                }
                if mode.contains('m') {
                    return false;
                }
            }
            word if argument == 9 => words.push(word),
            _ => {}
        }
    }
    let [name] = words[..] else { return true };
    if ["NULL", "nullptr", "0"].contains(&name) {
        return false;
    }
    let is_definition = |at: &usize| {
        tokens[*at].text == name
            && tokens.get(at + 1).is_some_and(|next| next.text == "(")
            && tokens.get(end(tokens, at + 1, &[])).is_some_and(|next| next.text == "{")
    };
    let Some(at) = (0..tokens.len()).find(is_definition) else { return true };
    let body = end(tokens, at + 1, &[]);
    let mut depth = 0;
    for (k, token) in tokens.iter().enumerate().skip(body) {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            // An assignment, so not `==`, `!=`, `<=` or `>=`.
            "=" if !["=", "!", "<", ">"].contains(&tokens[k - 1].text)
                && tokens.get(k + 1).is_none_or(|next| next.text != "=") =>
            {
                return true;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unmapped(text: &str) -> usize {
        file("a.c", text).unmapped.len()
    }

    #[test]
    fn files_that_are_not_mapped() {
        let open = |mode: &str, map: &str| {
            format!("t = TIFFClientOpen(\"a,b\", \"{mode}\", f(h, 0), r, w, s, c, size, {map}, u);")
        };
        let real = "static int map(thandle_t h, void **base, toff_t *size)\n\
                    {\n  if (h == 0) return 0;\n  *base = data;\n  return 1;\n}\n";
        let none = "int map(thandle_t h, void **b, toff_t *s) { if (b == s) {} return 0; }\n";
        assert_eq!(unmapped(&open("r", "NULL")), 1);
        assert_eq!(unmapped(&(real.to_owned() + &open("r", "map"))), 0);
        assert_eq!(unmapped(&(none.to_owned() + &open("r", "map"))), 1);
        assert_eq!(unmapped(&(real.to_owned() + &open("rm", "map"))), 1);
        assert_eq!(unmapped(&open("w", "NULL")), 0);
        // A function in another file may do anything.
        assert_eq!(unmapped(&open("r", "map")), 0);
        assert_eq!(unmapped("TIFFClientOpen("), 0);
    }
}
