//! Files and functions that are too long to be read at once.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::tree::{SourceFile, is_source, is_test};

/// Returns the files with more than `file` lines outside of their test modules, and the
/// functions with more than `function` lines, the longest first.
pub fn long(files: &[SourceFile], file: usize, function: usize) -> (Vec<String>, Vec<String>) {
    let mut long_files = Vec::new();
    let mut long_functions = Vec::new();
    for source in files.iter().filter(|f| is_source(&f.path)) {
        let lines = source.text.lines().count() - test_lines(&source.syntax.items);
        if lines > file {
            long_files.push((lines, source.path.display().to_string()));
        }
        let mut functions = Functions { most: function, long: Vec::new() };
        functions.visit_file(&source.syntax);
        for (lines, line, name) in functions.long {
            long_functions.push((lines, format!("{}:{line} {name}", source.path.display())));
        }
    }
    (longest_first(long_files), longest_first(long_functions))
}

fn longest_first(mut found: Vec<(usize, String)>) -> Vec<String> {
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().map(|(lines, name)| format!("{lines:>4}  {name}")).collect()
}

fn test_lines(items: &[syn::Item]) -> usize {
    let lines = |item: &syn::Item| match item {
        syn::Item::Mod(module) if is_test(&module.attrs) && module.content.is_some() => {
            height(module)
        }
        _ => 0,
    };
    items.iter().map(lines).sum()
}

fn height(item: &impl Spanned) -> usize {
    let span = item.span();
    span.end().line + 1 - span.start().line
}

/// Collects long functions: lines, first line, name.
struct Functions {
    most: usize,
    long: Vec<(usize, usize, String)>,
}

impl Functions {
    fn look(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.span().start().line;
        let lines = block.span().end().line + 1 - first;
        if lines > self.most {
            self.long.push((lines, first, signature.ident.to_string()));
        }
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.look(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.look(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'a syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.look(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_do_not_count() {
        let text = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    fn long() {\n\n\n    }\n}\n";
        let syntax = syn::parse_file(text).unwrap();
        // The attribute belongs to the module.
        assert_eq!(test_lines(&syntax.items), 7);
        let mut functions = Functions { most: 0, long: Vec::new() };
        functions.visit_file(&syntax);
        assert_eq!(functions.long, [(1, 1, "f".to_string())]);
    }
}
