//! Errors of runs.

use std::sync::Arc;

use crate::program::{Diagnostic, Source, Span, SpecError};
use crate::solve::ChoiceError;

/// The reason why a run has no result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RunError {
    /// According to a statement of the spec, the input is not a representation, or the value not a canonical value.
    #[error("{message} ({place}: {text})")]
    Refused {
        /// The reason.
        message: String,
        /// The line of the spec, as [`Source::place`] writes it.
        place: String,
        /// The statement.
        text: String,
        /// The statement's place.
        span: Span,
    },
    /// The canonical value takes more memory than allowed ([`Room`](super::Room)).
    #[error("{what}; at most {most} bytes may be made of a file")]
    TooLarge {
        /// The array, and the statement that makes it.
        what: String,
        /// The maximum number of bytes of all arrays.
        most: u64,
    },
    /// This canonical value has no representation under these choices.
    #[error("{0}")]
    NoRepresentation(String),
    /// A statement fails although every earlier ensure found values: an ensure should have excluded this, but could not
    /// (`Inverse::losses` may have the reason).
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

    /// Shows the error as a diagnostic on the spec's text.
    pub fn on(&self, source: &Arc<Source>) -> SpecError {
        let diagnostic = match self {
            RunError::Refused { message, span, .. } => Diagnostic::new(message, *span, "here"),
            other => Diagnostic::new(other.to_string(), Span::default(), ""),
        };
        SpecError::new(source.clone(), vec![diagnostic])
    }
}
