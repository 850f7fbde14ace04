//! Diagnostics of specs: the problem, its place, and advice.

use std::sync::Arc;

use miette::{LabeledSpan, NamedSource, Severity, SourceCode};
use serde::{Deserialize, Serialize};

use super::source::{Source, SourceFile, Span};

/// One finding about a spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The problem, in one line.
    pub message: String,
    /// Its place.
    pub span: Span,
    /// A short note on the text at that place, shown next to it.
    pub label: String,
    /// Advice: an allowed form, or a remedy.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without help.
    pub fn new(message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Self { message: message.into(), span, label: label.into(), help: None }
    }

    /// Shifts the span by `by` bytes.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.span = self.span.shifted(by);
        self
    }

    /// Adds help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The refusal of a spec, with all its errors. `Display` prints the first error in one line; as a
/// [`miette::Diagnostic`] the refusal shows that error's place in the text.
#[derive(Debug, Clone)]
pub struct SpecError {
    source: Arc<Source>,
    /// The file of the finding that is shown.
    named: NamedSource<Arc<String>>,
    /// The findings; at least one.
    pub diagnostics: Vec<Diagnostic>,
    first: usize,
}

impl SpecError {
    /// The refusal of `source` for `diagnostics`, of which there must be at least one.
    pub fn new(source: Arc<Source>, diagnostics: Vec<Diagnostic>) -> Self {
        let at = diagnostics.first().map_or(Span::default(), |d| d.span);
        Self { named: named(source.file(at)), source, diagnostics, first: 0 }
    }

    /// The spec that was refused.
    pub fn spec(&self) -> &Source {
        &self.source
    }

    /// The file that the first finding is in.
    pub fn file(&self) -> &SourceFile {
        self.source.file(self.shown().span)
    }

    fn shown(&self) -> &Diagnostic {
        &self.diagnostics[self.first]
    }

    /// Returns each finding as a separate refusal.
    pub fn each(&self) -> impl Iterator<Item = SpecError> + '_ {
        self.diagnostics.iter().enumerate().map(|(first, d)| {
            let named = named(self.source.file(d.span));
            SpecError { first, named, ..self.clone() }
        })
    }
}

fn named(file: &SourceFile) -> NamedSource<Arc<String>> {
    NamedSource::new(&file.name, Arc::new(file.text.clone()))
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
        let range = self.file().range(d.span);
        let label = LabeledSpan::new(Some(d.label.clone()), range.start, range.len());
        Some(Box::new(std::iter::once(label)))
    }
}
