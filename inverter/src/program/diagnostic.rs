//! What is wrong with a spec, where, and what to do.

use std::sync::Arc;

use miette::{LabeledSpan, NamedSource, Severity, SourceCode};

use super::syntax::{Source, Span};

/// One finding about a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What stands there, in a few words; shown at the place.
    pub label: String,
    /// What is allowed or would help.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without help.
    pub fn new(message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Self { message: message.into(), span, label: label.into(), help: None }
    }

    /// The same with help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A spec that was refused, with everything that is wrong with it. `Display` is one
/// line; as a [`miette::Diagnostic`] it shows each place in the text.
#[derive(Debug, Clone)]
pub struct SpecError {
    source: Arc<Source>,
    named: NamedSource<Arc<String>>,
    /// The findings; at least one.
    pub diagnostics: Vec<Diagnostic>,
    first: usize,
}

impl SpecError {
    /// The refusal of `source` for `diagnostics`, of which there is at least one.
    pub fn new(source: Arc<Source>, diagnostics: Vec<Diagnostic>) -> Self {
        let named = NamedSource::new(&source.name, Arc::new(source.text.clone()));
        Self { source, named, diagnostics, first: 0 }
    }

    /// The spec that was refused.
    pub fn spec(&self) -> &Source {
        &self.source
    }

    fn shown(&self) -> &Diagnostic {
        &self.diagnostics[self.first]
    }

    /// Each finding as a refusal of its own.
    pub fn each(&self) -> impl Iterator<Item = SpecError> + '_ {
        (0..self.diagnostics.len()).map(|first| SpecError { first, ..self.clone() })
    }
}

impl std::fmt::Display for SpecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown().message)
    }
}

impl std::error::Error for SpecError {}

impl miette::Diagnostic for SpecError {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Error)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.shown().help.as_ref().map(|h| Box::new(h) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.named)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let d = self.shown();
        let len = self.source.text.len();
        let (start, end) = (d.span.start.min(len), d.span.end.min(len));
        let label = LabeledSpan::new(Some(d.label.clone()), start, end.saturating_sub(start));
        Some(Box::new(std::iter::once(label)))
    }
}
