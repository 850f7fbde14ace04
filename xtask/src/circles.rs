//! Circles of files: sets of files of one crate, each of which uses, directly or not, every
//! other.
//!
//! A file uses the file that defines an item that it names, in a `use` declaration or by a path
//! that begins with `crate`, `super` or `self`, also among the tokens of a macro call. Re-exports are
//! followed to the definition, so that a module that only re-exports its children does not use them.
//! Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::tree::{SourceFile, is_source, is_test};

/// A module's path within its crate: `["run", "eval"]`; empty for the root.
type ModulePath = Vec<String>;

/// Returns one line for each circle: its files, the smallest circle first.
pub fn circles(files: &[SourceFile]) -> Vec<String> {
    let mut crates: BTreeMap<PathBuf, BTreeMap<ModulePath, &SourceFile>> = BTreeMap::new();
    for file in files.iter().filter(|f| is_source(&f.path)) {
        if let Some((root, module)) = module_of(&file.path) {
            crates.entry(root).or_default().insert(module, file);
        }
    }
    let mut found: Vec<Vec<String>> = crates.values().flat_map(circles_of).collect();
    found.sort_by_key(|circle| (circle.len(), circle.clone()));
    found.into_iter().map(|circle| format!("{:>4}  {}", circle.len(), circle.join(" "))).collect()
}

/// Splits `a/src/b/c.rs` into the crate's source folder and the module's path.
fn module_of(path: &Path) -> Option<(PathBuf, ModulePath)> {
    let parts: Vec<String> = path.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    let src = parts.iter().position(|part| part == "src")?;
    let mut module = parts[src + 1..].to_vec();
    let last = module.pop()?;
    match last.strip_suffix(".rs")? {
        "mod" | "lib" => {}
        "main" => module.push("main".to_string()),
        name => module.push(name.to_string()),
    }
    Some((parts[..=src].iter().collect(), module))
}

/// The paths that one file names and re-exports.
#[derive(Default)]
struct Names {
    /// The items that it defines.
    defined: BTreeSet<String>,
    /// Paths within the crate, from its root.
    used: BTreeSet<Vec<String>>,
    /// The names that this module imports or re-exports, and the paths that they stand for.
    imported: BTreeMap<String, Vec<String>>,
    /// Those of them that it re-exports.
    exported: BTreeSet<String>,
    /// Modules all of whose items this one re-exports.
    globs: Vec<Vec<String>>,
}

fn circles_of(modules: &BTreeMap<ModulePath, &SourceFile>) -> Vec<Vec<String>> {
    let names: BTreeMap<&ModulePath, Names> =
        modules.iter().map(|(module, file)| (module, names_of(module, file, modules))).collect();
    let uses: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> = names
        .iter()
        .map(|(module, named)| {
            let used = named.used.iter().filter_map(|path| definition(path, &names, 0));
            (*module, used.filter(|used| used != module).collect())
        })
        .collect();
    strongly_connected(&uses)
        .into_iter()
        .filter(|circle| circle.len() > 1)
        .map(|circle| circle.iter().map(|m| modules[*m].path.display().to_string()).collect())
        .collect()
}

/// The module whose file defines the item that `path` names. An item that is not found, such as one that a macro
/// defines, is attributed to the named module.
fn definition<'a>(
    path: &[String],
    names: &BTreeMap<&'a ModulePath, Names>,
    depth: usize,
) -> Option<&'a ModulePath> {
    found(path, names, depth, false).or_else(|| Some(split(path, names)?.0))
}

/// Like [`definition`], but `None` for an item that is not found. A glob does not export private imports.
fn found<'a>(
    path: &[String],
    names: &BTreeMap<&'a ModulePath, Names>,
    depth: usize,
    by_glob: bool,
) -> Option<&'a ModulePath> {
    let (module, named, item) = split(path, names)?;
    let Some(item) = item else { return Some(module) };
    if named.defined.contains(item) {
        return Some(module);
    }
    if depth == 16 {
        return None;
    }
    let imported = named.imported.get(item);
    if let Some(from) = imported.filter(|_| !by_glob || named.exported.contains(item)) {
        return definition(from, names, depth + 1);
    }
    named.globs.iter().find_map(|glob| {
        let from: Vec<String> = glob.iter().chain([item]).cloned().collect();
        found(&from, names, depth + 1, true)
    })
}

/// Splits a path into its module, what that names, and its item.
fn split<'a, 'n, 'p>(
    path: &'p [String],
    names: &'n BTreeMap<&'a ModulePath, Names>,
) -> Option<(&'a ModulePath, &'n Names, Option<&'p String>)> {
    let longest = (0..=path.len()).rev().find(|n| names.contains_key(&path[..*n].to_vec()))?;
    let (module, named) = names.get_key_value(&path[..longest].to_vec())?;
    Some((module, named, path.get(longest)))
}

/// The name that an item has in its module; none for a `use` or an `impl`.
fn name_of(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Mod(item) if item.content.is_some() => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::TraitAlias(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn names_of(
    module: &ModulePath,
    file: &SourceFile,
    modules: &BTreeMap<ModulePath, &SourceFile>,
) -> Names {
    let defined = file.syntax.items.iter().filter_map(name_of).collect();
    let named = Names { defined, ..Names::default() };
    let exports = BTreeMap::new();
    let mut collector = Collector { module: module.clone(), modules, named, exports };
    collector.visit_file(&file.syntax);
    collector.named
}

struct Collector<'a> {
    module: ModulePath,
    modules: &'a BTreeMap<ModulePath, &'a SourceFile>,
    named: Names,
    /// The names that the file re-exports, which it may use itself as well.
    exports: BTreeMap<String, Vec<String>>,
}

impl Collector<'_> {
    /// The path from the crate's root; nothing for another crate's item.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut base = match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" | "super" => self.module.clone(),
            // A child module is named by itself in a `use`.
            name => {
                let child: Vec<String> = self.module.iter().cloned().chain([name.into()]).collect();
                return self
                    .modules
                    .contains_key(&child)
                    .then(|| self.module.iter().chain(path).cloned().collect());
            }
        };
        let mut rest = path;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "self" => {}
                "super" => drop(base.pop()),
                _ => break,
            }
            rest = after;
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    fn tree(&mut self, tree: &syn::UseTree, prefix: &mut Vec<String>, exported: bool) {
        match tree {
            syn::UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.tree(&path.tree, prefix, exported);
                prefix.pop();
            }
            syn::UseTree::Name(name) => {
                let ident = name.ident.to_string();
                self.leaf(prefix, &ident, &ident, exported);
            }
            syn::UseTree::Rename(name) => {
                self.leaf(prefix, &name.ident.to_string(), &name.rename.to_string(), exported);
            }
            syn::UseTree::Glob(_) => {
                if let Some(path) = self.absolute(prefix) {
                    match exported {
                        true => self.named.globs.push(path),
                        false => drop(self.named.used.insert(path)),
                    }
                }
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.tree(tree, prefix, exported));
            }
        }
    }

    /// Collects the paths among the tokens of a macro call, where they are not parsed.
    fn tokens(&mut self, tokens: TokenStream) {
        let is = |token: Option<&TokenTree>, c: char| matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c);
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let mut path = vec![first.to_string()];
                    while is(tokens.get(at), ':') && is(tokens.get(at + 1), ':') {
                        let Some(TokenTree::Ident(part)) = tokens.get(at + 2) else { break };
                        path.push(part.to_string());
                        at += 3;
                    }
                    self.path(&path);
                }
                _ => {}
            }
        }
    }

    /// Records the use of a path, if it is of this crate.
    fn path(&mut self, parts: &[String]) {
        if let Some(path) = parts.first().and_then(|first| self.exports.get(first)) {
            self.named.used.insert(path.clone());
        }
        if parts.len() > 1
            && let Some(path) = self.absolute(parts)
        {
            self.named.used.insert(path);
        }
    }

    fn leaf(&mut self, prefix: &[String], ident: &str, name: &str, exported: bool) {
        let mut path = prefix.to_vec();
        let name = match ident {
            "self" => prefix.last().cloned().unwrap_or_default(),
            _ => {
                path.push(ident.to_string());
                name.to_string()
            }
        };
        let Some(path) = self.absolute(&path) else { return };
        // A private `use` can be used by children too, so it is followed in the same way.
        self.named.imported.insert(name.clone(), path.clone());
        match exported {
            true => {
                self.exports.insert(name.clone(), path);
                self.named.exported.insert(name);
            }
            false => drop(self.named.used.insert(path)),
        }
    }
}

impl<'a> Visit<'a> for Collector<'_> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let exported = !matches!(item.vis, syn::Visibility::Inherited);
        self.tree(&item.tree, &mut Vec::new(), exported);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.path(&parts);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}

/// Tarjan's algorithm (R. Tarjan, Depth-First Search and Linear Graph Algorithms, 1972).
fn strongly_connected<'a>(
    uses: &BTreeMap<&'a ModulePath, BTreeSet<&'a ModulePath>>,
) -> Vec<Vec<&'a ModulePath>> {
    struct State<'a, 's> {
        uses: &'s BTreeMap<&'a ModulePath, BTreeSet<&'a ModulePath>>,
        index: BTreeMap<&'a ModulePath, usize>,
        low: BTreeMap<&'a ModulePath, usize>,
        stack: Vec<&'a ModulePath>,
        components: Vec<Vec<&'a ModulePath>>,
    }
    fn visit<'a>(state: &mut State<'a, '_>, node: &'a ModulePath) {
        let number = state.index.len();
        state.index.insert(node, number);
        state.low.insert(node, number);
        state.stack.push(node);
        for next in &state.uses[node] {
            if !state.index.contains_key(next) {
                visit(state, next);
                let low = state.low[node].min(state.low[next]);
                state.low.insert(node, low);
            } else if state.stack.contains(next) {
                let low = state.low[node].min(state.index[next]);
                state.low.insert(node, low);
            }
        }
        if state.low[node] == number {
            let from = state.stack.iter().position(|n| *n == node).unwrap_or(0);
            let mut component = state.stack.split_off(from);
            component.sort();
            state.components.push(component);
        }
    }
    let mut state = State {
        uses,
        index: BTreeMap::new(),
        low: BTreeMap::new(),
        stack: Vec::new(),
        components: Vec::new(),
    };
    for node in uses.keys() {
        if !state.index.contains_key(node) {
            visit(&mut state, node);
        }
    }
    state.components
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        let syntax = syn::parse_file(text).unwrap();
        SourceFile { path: path.into(), text: text.into(), syntax }
    }

    #[test]
    fn circles_are_found_through_re_exports() {
        let files = [
            file("a/src/lib.rs", "pub mod m; mod z;"),
            file("a/src/m/mod.rs", "mod x; mod y; pub use x::X; pub use self::y::*;"),
            file("a/src/m/x.rs", "use super::Y; pub struct X;"),
            file("a/src/m/y.rs", "pub struct Y; fn f() { crate::m::X; }"),
            file("a/src/z.rs", "use crate::m::X;"),
        ];
        assert_eq!(circles(&files), ["   2  a/src/m/x.rs a/src/m/y.rs"]);
    }

    #[test]
    fn a_name_that_a_file_re_exports_may_be_used_by_it() {
        let files = |uses: &'static str| {
            [file("a/src/m/mod.rs", uses), file("a/src/m/x.rs", "use super::M; pub struct X;")]
        };
        assert_eq!(circles(&files("mod x; pub use x::X; pub struct M;")), [""; 0]);
        assert_eq!(circles(&files("mod x; pub use x::X; pub struct M(X);")).len(), 1);
    }

    #[test]
    fn paths_in_macro_calls_count() {
        let y = |call: &str| format!("pub struct Y; fn f() {{ {call} }}");
        let circle = |call: &str| {
            let text = y(call);
            let files = [
                file("a/src/lib.rs", "mod x; mod y;"),
                file("a/src/x.rs", "use crate::y::Y; pub struct X;"),
                file("a/src/y.rs", &text),
            ];
            circles(&files).len()
        };
        assert_eq!(circle("format!(\"{:?}\", crate::x::X);"), 1);
        assert_eq!(circle("vec![Some([super::x::X])];"), 1);
        assert_eq!(circle("format!(\"crate::x::X {}\", x);"), 0);
        assert_eq!(circle("vec![a.crate_::x, std::x::X];"), 0);
    }

    #[test]
    fn globs_lead_to_the_module_that_defines_the_item() {
        let files = |defines: &'static str| {
            [
                file("a/src/m/mod.rs", "mod x; mod y; pub use x::*; pub use y::*;"),
                file("a/src/m/x.rs", "use super::Y; pub struct X;"),
                file("a/src/m/y.rs", defines),
            ]
        };
        assert_eq!(circles(&files("pub struct Y;")), [""; 0]);
        let text = "use super::X; pub enum Y {}";
        assert_eq!(circles(&files(text)), ["   2  a/src/m/x.rs a/src/m/y.rs"]);
    }

    #[test]
    fn a_parent_and_a_child_can_be_a_circle() {
        let files = [
            file("a/src/m/mod.rs", "mod x; use x::X; struct M;"),
            file("a/src/m/x.rs", "use super::M; #[cfg(test)] mod tests { use super::*; }"),
        ];
        assert_eq!(circles(&files).len(), 1);
        let files = [
            file("a/src/m/mod.rs", "mod x; pub use x::X;"),
            file("a/src/m/x.rs", "#[cfg(test)] mod tests { use crate::m::X; }"),
        ];
        assert_eq!(circles(&files), [""; 0]);
    }
}
