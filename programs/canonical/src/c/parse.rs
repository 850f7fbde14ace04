//! Parses the text of one external declaration.

use std::ops::Range;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::Span;

use super::chunk::Text;

/// The maximum number of characters of a word that a message repeats.
const WORD: usize = 40;

impl Text {
    /// The tokens of a span, as positions in [`Text::starts`].
    pub fn tokens(&self, span: Span) -> Range<usize> {
        let position = |offset: usize| self.starts.partition_point(|(start, _)| *start < offset);
        position(span.start)..position(span.end)
    }

    /// Returns the position, in the tokens of the unit, of the first token at or after an offset.
    pub fn position(&self, offset: usize) -> Option<usize> {
        let k = self.starts.partition_point(|(start, _)| *start < offset);
        self.starts.get(k).or(self.starts.last()).map(|(_, position)| *position)
    }
}

/// The beginning of a word that is too long for a message.
fn short(word: &str) -> String {
    match word.char_indices().nth(WORD) {
        Some((end, _)) => format!("{}..", &word[..end]),
        None => word.to_owned(),
    }
}

/// Parses a text.
///
/// # Errors
/// A message, and the offset of the first token that does not fit.
pub fn parse(text: &str) -> Result<TranslationUnit, (String, usize)> {
    let config =
        Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match parse_preprocessed(&config, text.to_owned()) {
        Ok(parsed) => Ok(parsed.unit),
        Err(error) => {
            let rest = text.get(error.offset..).unwrap_or_default().trim_start();
            let token = rest.split_whitespace().next().unwrap_or_default();
            let message = match token {
                "" => "the declaration ends too soon".to_owned(),
                token => format!("`{}` does not fit here", short(token)),
            };
            Err((message, text.len() - rest.len()))
        }
    }
}
