//! Circles of files: sets of files of one crate, each of which uses, directly or not, every
//! other.
//!
//! A file uses the file that defines an item that it names, in a `use` declaration or by a path
//! that begins with `crate`, `super` or `self`. Re-exports are followed to the definition, so that a
//! module that only re-exports its children does not use them. Tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

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
struct Names {
    /// Paths within the crate, from its root.
    used: BTreeSet<Vec<String>>,
    /// A name that this module re-exports, and where it comes from.
    exported: BTreeMap<String, Vec<String>>,
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

/// The module whose file defines what `path` names.
fn definition<'a>(
    path: &[String],
    names: &BTreeMap<&'a ModulePath, Names>,
    depth: usize,
) -> Option<&'a ModulePath> {
    let longest = (0..=path.len()).rev().find(|n| names.contains_key(&path[..*n].to_vec()))?;
    let (module, named) = names.get_key_value(&path[..longest].to_vec())?;
    let Some(item) = path.get(longest) else { return Some(module) };
    if depth < 16 {
        if let Some(from) = named.exported.get(item) {
            return definition(from, names, depth + 1);
        }
        for glob in &named.globs {
            let from: Vec<String> = glob.iter().chain([item]).cloned().collect();
            if let Some(found) = definition(&from, names, depth + 1)
                && defines(names, found, item)
            {
                return Some(found);
            }
        }
    }
    Some(module)
}

fn defines(names: &BTreeMap<&ModulePath, Names>, module: &ModulePath, item: &str) -> bool {
    // Items of a globbed module are not listed: its own definition is the best guess.
    !names[module].exported.contains_key(item)
}

fn names_of(
    module: &ModulePath,
    file: &SourceFile,
    modules: &BTreeMap<ModulePath, &SourceFile>,
) -> Names {
    let named = Names { used: BTreeSet::new(), exported: BTreeMap::new(), globs: Vec::new() };
    let mut collector = Collector { module: module.clone(), modules, named };
    collector.visit_file(&file.syntax);
    collector.named
}

struct Collector<'a> {
    module: ModulePath,
    modules: &'a BTreeMap<ModulePath, &'a SourceFile>,
    named: Names,
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
        self.named.exported.insert(name, path.clone());
        if !exported {
            self.named.used.insert(path);
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
        if parts.len() > 1
            && let Some(path) = self.absolute(&parts)
        {
            self.named.used.insert(path);
        }
        visit::visit_path(self, path);
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
