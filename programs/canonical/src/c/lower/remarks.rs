//! Remarks about parts of a declaration that the front end does not support.

use lang_c::ast::Extension;
use lang_c::span::{Node, Span};

use super::super::lex::Kind;
use super::super::{chunk, taken};
use super::Lowerer;
use crate::model::{Diagnostic, Effect};

impl Lowerer<'_> {
    /// Returns the maximum alignment of fields, due to `#pragma pack`, for a type whose definition ends with a span.
    pub(super) fn pack(&self, span: Span) -> u64 {
        let last = self.text.tokens(span).end.checked_sub(1);
        let Some((_, at)) = last.and_then(|k| self.text.starts.get(k)) else { return 0 };
        let known = self.packs.partition_point(|(from, _)| from <= at);
        known.checked_sub(1).map_or(0, |k| self.packs[k].1)
    }

    /// Adds a remark about an assembler name of a function or variable. System headers use such names for library
    /// functions.
    pub(super) fn extension(&mut self, extension: &Node<Extension>) {
        let message = match &extension.node {
            Extension::AsmLabel(_) => "asm: this name means another function or variable",
            // Attributes are found from tokens.
            Extension::Attribute(_) | Extension::AvailabilityAttribute(_) => {
                "an attribute is not understood"
            }
        };
        let position = self.text.position(extension.span.start);
        if position.is_some_and(|at| self.lexemes[at].system) {
            return;
        }
        let place = self.place(extension.span);
        self.remark(place, message, Effect::Unsound);
    }

    /// Records facts, found from tokens, that change the meaning of this declaration.
    pub fn remark_attributes(&mut self) {
        let starts = &self.text.starts;
        if starts.first().is_some_and(|(_, at)| self.lexemes[*at].system) {
            // A type that contains such a type is also a different type.
            let mut words = starts.iter().map(|(_, at)| &*self.lexemes[*at].text);
            let known = words.find_map(|word| self.dropped.get(word)).cloned();
            known.iter().for_each(|message| self.dropped_of(message));
        }
        for (message, at) in std::mem::take(&mut self.text.remarks) {
            let over = message == chunk::COMPUTED_GOTO;
            let effect = if over { Effect::OverApproximated } else { Effect::Unsound };
            let place = Some(self.lexemes[at].place);
            if self.lexemes[at].system {
                self.dropped_of(&message);
            } else if taken::runs_outside(&message) {
                // The remark is about the program, whether or not the function is called.
                let function = None;
                self.program.diagnostics.push(Diagnostic { message, place, function, effect });
            } else {
                self.remark(place, message, effect);
            }
        }
    }

    /// Records the types that a declaration of a system header defines. Only those that are used matter.
    fn dropped_of(&mut self, message: &str) {
        let words: Vec<&str> =
            self.text.starts.iter().map(|(_, at)| &*self.lexemes[*at].text).collect();
        let tags =
            words.windows(3).filter(|w| matches!(w[0], "struct" | "union" | "enum") && w[2] == "{");
        let mut names: Vec<&str> = tags.map(|w| w[1]).collect();
        if let ["typedef", .., name, ";"] = words[..] {
            names.push(name);
        }
        for name in names {
            self.dropped.insert(name.to_owned(), message.to_owned());
        }
    }

    /// Adds remarks about uses of types that a system header defines with constructs that are not understood.
    pub fn remark_names(&mut self) {
        if self.dropped.is_empty() {
            return;
        }
        let lexemes = self.lexemes;
        for lexeme in lexemes.iter().filter(|l| !l.system && l.kind == Kind::Word) {
            if let Some(message) = self.dropped.remove(&*lexeme.text) {
                let message = format!("`{}`, of a header: {message}", lexeme.text);
                self.remark(Some(lexeme.place), message, Effect::Unsound);
            }
        }
    }
}
