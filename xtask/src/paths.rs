//! Code around clients that opens files by their paths.
//!
//! A client can put a link or a pipe in the place of any file in its scratch folder. So repfuzz reaches these files
//! only through `process::folder`, which does not follow links or wait.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::tree::{SourceFile, is_source, is_test};

/// The code around clients.
const CLIENTS: &str = "clients/src";

/// The files and folders in it that may open files by their paths, as these are no files of a scratch folder.
const ALLOWED: [&str; 19] = [
    // The only access to the files of a scratch folder, and to the folder itself, before and after its client.
    "process/folder",
    "process/scratch.rs",
    // Files of the system, which clients cannot replace.
    "process/blocked.rs",
    "process/cgroup.rs",
    "process/cgroup_parent.rs",
    "process/containment.rs",
    "process/deleted.rs",
    "process/eviction.rs",
    "process/idleness.rs",
    "process/usage.rs",
    "sandbox/hidden.rs",
    "sandbox/kernel.rs",
    // Programs, descriptions and installations, which clients cannot write.
    "sandbox/bubblewrap.rs",
    "catalogue.rs",
    "description/program_files",
    "description/program_files.rs",
    "digest.rs",
    "executable.rs",
    "tools",
];

/// Modules and types whose functions take paths.
const BY_PATH: [&str; 6] =
    ["fs", "tempfile", "DirBuilder", "NamedTempFile", "OpenOptions", "TempDir"];
/// Functions of `fs` that take an open file.
const BY_HANDLE: [&str; 7] =
    ["fchmod", "fcntl_getfl", "fcntl_setfl", "flock", "fstat", "fstatvfs", "memfd_create"];
/// Types of which only some functions take paths, and these.
const PARTLY: [&str; 4] = ["File", "UnixDatagram", "UnixListener", "UnixStream"];
const OPENING: [&str; 6] = ["bind", "connect", "create", "create_new", "open", "options"];
/// Methods of a path that look at the file system.
const METHODS: [&str; 9] = [
    "canonicalize",
    "exists",
    "is_dir",
    "is_file",
    "is_symlink",
    "read_dir",
    "read_link",
    "symlink_metadata",
    "try_exists",
];

/// Returns each such place outside of tests, as `path:line: name`.
pub fn opened(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| is_source(&file.path)) {
        let Ok(inner) = file.path.strip_prefix(CLIENTS) else { continue };
        if ALLOWED.iter().any(|allowed| inner.starts_with(allowed)) {
            continue;
        }
        for (line, name) in in_file(&file.syntax) {
            found.push(format!("{}:{line}: {name}", file.path.display()));
        }
    }
    found
}

fn in_file(syntax: &syn::File) -> Vec<(usize, String)> {
    let mut uses = Uses(Vec::new());
    uses.visit_file(syntax);
    uses.0
}

/// Collects uses: line and name.
struct Uses(Vec<(usize, String)>);

impl Uses {
    fn look(&mut self, path: &syn::Path) {
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        if let (Some(name), Some(owner)) = (names.next(), names.next())
            && takes_path(&owner, &name)
        {
            self.0.push((path.span().start().line, format!("{owner}::{name}")));
        }
    }
}

fn takes_path(owner: &str, name: &str) -> bool {
    let constant_or_type = name.starts_with(|c: char| c.is_ascii_uppercase());
    BY_PATH.contains(&owner) && !constant_or_type && !BY_HANDLE.contains(&name)
        || PARTLY.contains(&owner) && OPENING.contains(&name)
}

impl<'a> Visit<'a> for Uses {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        // A path in the code itself is not in a scratch folder.
        let literal = |expr: &syn::Expr| matches!(expr, syn::Expr::Lit(_));
        match call.args.first().is_some_and(literal) {
            true => call.args.iter().for_each(|argument| self.visit_expr(argument)),
            false => visit::visit_expr_call(self, call),
        }
    }

    fn visit_expr_path(&mut self, expr: &'a syn::ExprPath) {
        self.look(&expr.path);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if METHODS.iter().any(|method| call.method == method) {
            self.0.push((call.method.span().start().line, format!(".{}()", call.method)));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_use_path(&mut self, path: &'a syn::UsePath) {
        // A function that is imported is called by its name alone.
        let owner = path.ident.to_string();
        for name in leaves(&path.tree) {
            if name != "self" && takes_path(&owner, &name.to_string()) {
                self.0.push((name.span().start().line, format!("{owner}::{name}")));
            }
        }
        visit::visit_use_path(self, path);
    }
}

/// The names that are imported directly from a module.
fn leaves(tree: &syn::UseTree) -> Vec<&syn::Ident> {
    match tree {
        syn::UseTree::Name(name) => vec![&name.ident],
        syn::UseTree::Rename(name) => vec![&name.ident],
        syn::UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        syn::UseTree::Path(_) | syn::UseTree::Glob(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_opened_by_path_are_found() {
        for (code, names) in [
            ("use std::fs; fn f() { fs::write(input, file); }", &["fs::write"][..]),
            ("fn f() { std::fs::read(&workspace.output) }", &["fs::read"]),
            ("fn f() { paths.map(std::fs::read) }", &["fs::read"]),
            ("use std::fs::{self, File, write}; fn f() { write(a, b); }", &["fs::write"]),
            ("use std::fs::File as F; use std::fs::read as r;", &["fs::read"]),
            ("fn f() { File::create(path)?; File::options() }", &["File::create", "File::options"]),
            ("fn f() { path.exists() || path.join(x).is_file() }", &[".exists()", ".is_file()"]),
            ("fn f() { UnixStream::connect(path) }", &["UnixStream::connect"]),
            ("fn f() { rustix::fs::openat(CWD, path, f, m) }", &["fs::openat"]),
            ("fn f() { g(std::fs::canonicalize(p)); }", &["fs::canonicalize"]),
        ] {
            let found = in_file(&syn::parse_file(code).unwrap());
            assert_eq!(
                found.into_iter().map(|(_, name)| name).collect::<Vec<_>>(),
                names,
                "{code}"
            );
        }
    }

    #[test]
    fn handles_constant_paths_and_tests_are_none() {
        for code in [
            "use std::fs::{self, File}; fn f(file: &File) { File::from(fd); fs::fstat(file); }",
            "fn f() { File::open(\"/dev/null\") }",
            "fn f() -> std::fs::File { scratch.put(\"in\", bytes) }",
            "fn f() { rustix::fs::FileType::from_raw_mode(m); UnixStream::from(fd) }",
            "#[cfg(test)] mod tests { fn f() { std::fs::write(a, b); } }",
        ] {
            assert!(in_file(&syn::parse_file(code).unwrap()).is_empty(), "{code}");
        }
    }
}
