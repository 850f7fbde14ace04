//! Why a run ended without a result.

use std::sync::Arc;

use crate::program::{Diagnostic, Source, Span, SpecError};
use crate::solve::ChoiceError;

/// A run that ended without a result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RunError {
    /// The input is no representation, or the value no canonical value: a statement of the
    /// spec says so.
    #[error("{message} ({place}: {text})")]
    Refused {
        /// What is wrong.
        message: String,
        /// The line of the spec, as [`Source::place`] writes it.
        place: String,
        /// The statement.
        text: String,
        /// The statement's place.
        span: Span,
    },
    /// This canonical value has no representation under these choices.
    #[error("{0}")]
    NoRepresentation(String),
    /// Something fails although every ensure before it found values: an ensure should have
    /// seen it, and could not (`Inverse::losses` may say why).
    #[error("{0}")]
    FailedAssume(String),
    /// A given choice does not fit.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
}

impl RunError {
    /// A refusal by the statement at `span`.
    pub fn at(source: &Source, span: Span, message: impl Into<String>) -> Self {
        let text = source.at(span).split_whitespace().collect::<Vec<_>>().join(" ");
        RunError::Refused { message: message.into(), place: source.place(span), text, span }
    }

    /// The same as a diagnostic on the spec's text.
    pub fn on(&self, source: &Arc<Source>) -> SpecError {
        let diagnostic = match self {
            RunError::Refused { message, span, .. } => Diagnostic::new(message, *span, "here"),
            other => Diagnostic::new(other.to_string(), Span::default(), ""),
        };
        SpecError::new(source.clone(), vec![diagnostic])
    }
}
