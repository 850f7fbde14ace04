//! Looks up names and binds them.

use super::Lowerer;
use super::symbols::{Symbol, Tag};

impl Lowerer<'_> {
    /// The meaning of a name.
    pub(super) fn look_up(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name))
    }

    /// The meaning of a tag.
    pub(super) fn look_up_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name)).copied()
    }

    /// Binds a name in the innermost scope.
    pub(super) fn bind(&mut self, name: String, symbol: Symbol) {
        if let (Symbol::Typedef(_), 1) = (&symbol, self.scopes.len()) {
            self.typedefs.insert(name.clone());
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, symbol);
        }
    }

    /// Binds a tag in the innermost scope.
    pub(super) fn bind_tag(&mut self, name: String, tag: Tag) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(name, tag);
        }
    }
}
