//! Loads the files of a spec: its own, and those that `use` names, each parsed once.
//!
//! `use super::picture::{Plain, Picture};` imports two declarations from `picture.rs` in the folder
//! above. Files are loaded depth first: declarations of used files are resolved before those of
//! their users. A cycle of files is refused.

use std::path::{Component, Path, PathBuf};

use proc_macro2::TokenStream;

use super::limits::{MAX_TEXT, local, unreadable};
use crate::program::diagnostic::Diagnostic;
use crate::program::source::{Source, Span, SpecText, file_name};

/// The maximum number of files of a spec.
const MAX_FILES: usize = 64;

const USE: &str = "write `use picture::{Plain, Picture};` for declarations of `picture.rs` in the \
                   same folder, and `use super::picture::Plain;` for one in the folder above";

/// A file of a spec, parsed.
pub(super) struct Parsed {
    /// The position of its first byte.
    pub start: usize,
    pub syntax: syn::File,
    pub imports: Vec<Import>,
}

/// One declaration that a file uses from another one.
pub(super) struct Import {
    /// The position of the other file in [`Loaded::files`].
    pub file: usize,
    /// The name of the declaration in the other file.
    pub name: String,
    /// The name of the declaration in this file.
    pub alias: String,
    /// The place where the declaration is named.
    pub span: Span,
}

/// All files of a spec.
pub(super) struct Loaded {
    /// Their texts.
    pub source: Source,
    /// By their places in the source; the spec's own file first.
    pub files: Vec<Parsed>,
    /// The positions of all files, each after those that it uses.
    pub order: Vec<usize>,
}

/// Reads and parses the spec and all files that it uses. On failure the source is returned as well, because the places
/// of findings refer to it.
pub(super) fn load(spec: &SpecText<'_>) -> Result<Loaded, (Source, Vec<Diagnostic>)> {
    let source = Source::new(spec.name, spec.text);
    let mut loader = Loader {
        spec: *spec,
        source,
        paths: vec![normal(Path::new(spec.name))],
        parsed: Vec::new(),
        open: Vec::new(),
        order: Vec::new(),
        found: Vec::new(),
    };
    loader.file(0);
    let Loader { source, parsed, order, found, .. } = loader;
    let files: Option<Vec<Parsed>> = parsed.into_iter().collect();
    match files {
        Some(files) if found.is_empty() => Ok(Loaded { source, files, order }),
        _ => Err((source, found)),
    }
}

struct Loader<'a> {
    spec: SpecText<'a>,
    source: Source,
    /// The path of each file of the source.
    paths: Vec<PathBuf>,
    /// The parsed files; `None` for a file that is being read, or was refused.
    parsed: Vec<Option<Parsed>>,
    /// The files being read, each used by the previous one.
    open: Vec<usize>,
    order: Vec<usize>,
    found: Vec<Diagnostic>,
}

impl Loader<'_> {
    /// Parses a file of the source, and loads those that it uses.
    fn file(&mut self, place: usize) {
        self.parsed.resize_with(self.source.files().len(), || None);
        let file = &self.source.files()[place];
        let start = file.start();
        let syntax = match parsed(&file.text) {
            Ok(syntax) => syntax,
            Err(found) => {
                return self.found.extend(found.into_iter().map(|d| d.shifted(start)));
            }
        };
        self.open.push(place);
        let mut imports = Vec::new();
        for item in &syntax.items {
            if let syn::Item::Use(item) = item {
                let from = From { place, start, path: Vec::new() };
                self.tree(&item.tree, from, &mut imports);
            }
        }
        self.open.pop();
        self.order.push(place);
        self.parsed[place] = Some(Parsed { start, syntax, imports });
    }

    /// Collects the declarations that a `use` tree names, below the path that leads to it.
    fn tree(&mut self, tree: &syn::UseTree, from: From, imports: &mut Vec<Import>) {
        match tree {
            // Only Rust tools need this: `min`, `max` and `div_ceil` are part of the language.
            syn::UseTree::Path(p)
                if from.path.is_empty() && ["std", "core"].iter().any(|s| p.ident == s) => {}
            syn::UseTree::Path(p) => {
                let path = [from.path, vec![p.ident.clone()]].concat();
                self.tree(&p.tree, From { path, ..from }, imports);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.tree(tree, from.clone(), imports);
                }
            }
            syn::UseTree::Name(n) => self.import(&n.ident, &n.ident, from, imports),
            syn::UseTree::Rename(r) => self.import(&r.ident, &r.rename, from, imports),
            syn::UseTree::Glob(glob) => {
                let at = local(glob.star_token.spans[0]).shifted(from.start);
                let d = Diagnostic::new("`use` with `*` does not say what is used", at, "here");
                self.found.push(d.help(USE));
            }
        }
    }

    fn import(
        &mut self,
        name: &syn::Ident,
        alias: &syn::Ident,
        from: From,
        imports: &mut Vec<Import>,
    ) {
        let span = local(name.span()).shifted(from.start);
        if let Some(file) = self.named(&from, span) {
            let (name, alias) = (name.to_string(), alias.to_string());
            imports.push(Import { file, name, alias, span });
        }
    }

    /// Loads the file that a path names; `None` if it cannot be used.
    fn named(&mut self, from: &From, name: Span) -> Option<usize> {
        let span = from.path.first().map_or(name, |first| local(first.span()).shifted(from.start));
        let mut refuse = |message: String, label: &str, help: &str| {
            let d = Diagnostic::new(message, span, label);
            // A file that cannot be used is reported once for all imports from it.
            if !self.found.iter().any(|f| f.message == d.message && f.span == d.span) {
                self.found.push(d.help(help));
            }
            None
        };
        let Some(path) = from.file(&self.paths[from.place]) else {
            return refuse("this `use` names no file".to_owned(), "here", USE);
        };
        let shown = path.display().to_string();
        let place = match self.paths.iter().position(|p| *p == path) {
            Some(place) => place,
            None if self.paths.len() >= MAX_FILES => {
                let message = format!("a spec has at most {MAX_FILES} files");
                return refuse(message, "one too many", USE);
            }
            None => {
                let text = match self.spec.files.read(&path) {
                    Ok(text) => text,
                    Err(why) => {
                        let user = file_name(&self.source.files()[from.place].name);
                        let help = format!(
                            "a `use` of `{user}` names files relative to the folder of `{user}`; {USE}"
                        );
                        return refuse(format!("{shown}: {why}"), "used here", &help);
                    }
                };
                let size: usize = self.source.files().iter().map(|f| f.text.len()).sum();
                if size + text.len() > MAX_TEXT {
                    let message = format!(
                        "the spec has more than {MAX_TEXT} bytes with the files that it uses"
                    );
                    return refuse(message, "one too many", "split it, or shorten its files");
                }
                let place = self.source.add(shown, text);
                self.paths.push(path);
                self.file(place);
                place
            }
        };
        if let Some(at) = self.open.iter().position(|p| *p == place) {
            let name = |place: &usize| file_name(&self.source.files()[*place].name).to_owned();
            let circle: Vec<String> = self.open[at..].iter().chain([&place]).map(name).collect();
            let message = format!("files use each other in a circle: {}", circle.join(", "));
            let help = "move what both need to a file of its own";
            self.found.push(Diagnostic::new(message, span, "closes it").help(help));
            return None;
        }
        self.parsed[place].is_some().then_some(place)
    }
}

/// A path in a `use`, as far as it has been read.
#[derive(Clone)]
struct From {
    /// The file that contains it.
    place: usize,
    start: usize,
    path: Vec<syn::Ident>,
}

impl From {
    /// Returns the file that it names, relative to the folder of `user`; `super` is the parent folder.
    fn file(&self, user: &Path) -> Option<PathBuf> {
        let mut path = user.parent().unwrap_or(Path::new("")).to_owned();
        let above = self.path.iter().take_while(|part| *part == "super").count();
        let (above, below) = self.path.split_at(above);
        let known = |part: &syn::Ident| !["super", "self", "crate"].iter().any(|word| part == word);
        if below.is_empty() || !below.iter().all(known) {
            return None;
        }
        for _ in above {
            path.push("..");
        }
        for part in below {
            let part = part.to_string();
            path.push(part.strip_prefix("r#").unwrap_or(&part));
        }
        path.set_extension("rs");
        Some(normal(&path))
    }
}

/// Removes `.`, and `..` after a folder's name, so that each file has one path.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Parses one file; positions in findings count from its start.
fn parsed(text: &str) -> Result<syn::File, Vec<Diagnostic>> {
    let tokens: TokenStream = text.parse().map_err(|e: proc_macro2::LexError| {
        let message = "this is not Rust: it cannot be split into words";
        let d = Diagnostic::new(message, local(e.span()), "here");
        vec![d.help("look for an unclosed bracket, quote or comment")]
    })?;
    if let Some(d) = unreadable(tokens.clone()) {
        return Err(vec![d]);
    }
    syn::parse2(tokens).map_err(|e| {
        e.into_iter()
            .map(|e| Diagnostic::new(format!("not valid Rust: {e}"), local(e.span()), "here"))
            .collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_path() {
        let is = |path: &str| normal(Path::new(path)).display().to_string();
        assert_eq!(is("specs/bmp/../picture.rs"), "specs/picture.rs");
        assert_eq!(is("./a/./b.rs"), "a/b.rs");
        assert_eq!(is("../../a.rs"), "../../a.rs");
        assert_eq!(is("a/../../b.rs"), "../b.rs");
        assert_eq!(is("/a/../../b.rs"), "/../b.rs");
    }
}
