//! Reads `len(x.file)` in an expression: the number of elements of an array of free length becomes a hidden
//! scalar, and the length that the array is declared to have.

use super::Reader;
use super::view::{called, plain};
use crate::program::FieldId;
use crate::program::diagnostic::Diagnostic;
use crate::program::syntax::{Expr, Field, IntType, Length, Ref, Side};
use crate::program::views::{Source, View};

impl Reader<'_> {
    /// Returns true if `e` is `len(..)`.
    pub(super) fn is_length(&self, e: &syn::Expr) -> bool {
        called(e).is_some_and(|(name, args)| name == "len" && args.len() == 1)
    }

    /// Returns true if `e` is the length of an array that nothing else has used, but for a numeral that is added.
    pub(super) fn is_plain_length(&self, e: &syn::Expr) -> bool {
        match plain(e) {
            syn::Expr::Binary(b) => {
                let sum = matches!(b.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_));
                sum && self.is_plain_length(&b.left) && matches!(plain(&b.right), syn::Expr::Lit(_))
            }
            e => {
                let used = self.views.iter().any(|v| matches!(v.source, Source::Length(_)));
                self.is_length(e) && !used
            }
        }
    }

    /// Reads `len(x.file)`.
    pub(super) fn length(&mut self, e: &syn::Expr) -> Option<Expr> {
        let span = self.span_of(e);
        let (_, args) = called(e)?;
        let array = self.byte_array(args.first()?)?;
        let known = |v: &&View| matches!(v.source, Source::Length(of) if of == array);
        let field = match self.views.iter().find(known) {
            Some(view) => view.field,
            None => self.hidden_length(array, e)?,
        };
        Some(Expr::Ref(Ref { side: Side::Input, field, index: Vec::new(), span }))
    }

    fn hidden_length(&mut self, array: FieldId, e: &syn::Expr) -> Option<FieldId> {
        let span = self.span_of(e);
        let input = self.input.as_ref()?;
        let (declared, name) =
            (&input.fields[array], format!("{}_length", input.fields[array].name));
        if declared.lengths != [Length::Free] {
            let message = format!("the length of `{}` is declared", declared.name);
            let d = Diagnostic::new(message, span, "here");
            return self.refuse(d.help("use the scalars that it is declared by"));
        }
        if input.field(&name).is_some() {
            let message = format!("`{name}` is another field");
            let d = Diagnostic::new(message, span, "this length has the same name");
            return self.refuse(d.help("give the other one another name"));
        }
        let hidden = Field { name, int: IntType::U32, lengths: Vec::new(), element: None, span };
        let field = self.add_view(hidden, Vec::new(), Vec::new(), Source::Length(array))?;
        let length = Ref { side: Side::Input, field, index: Vec::new(), span };
        self.input.as_mut()?.fields[array].lengths = vec![Length::Is(Expr::Ref(length))];
        Some(field)
    }
}
