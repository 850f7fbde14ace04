//! Explains words under the list in which they occur.

use maud::{Markup, html};

use super::sentence::bracket;
use campaign::Cause;
use campaign::oracle::DifferenceKind;
use equivalents::subject::Class;

/// The classes, in the order of legends.
const CLASSES: [Class; 3] = [Class::Baseline, Class::Extension, Class::Questionable];

/// Explains a kind of difference whose phrase is not self-explanatory.
fn of_kind(kind: DifferenceKind) -> Option<&'static str> {
    match kind {
        DifferenceKind::Garbage => Some("a difference of no known kind"),
        DifferenceKind::LowBits => Some("off by less than 1/128 of the full range"),
        DifferenceKind::Part => Some("the rest is right"),
        _ => None,
    }
}

/// Explains a class.
pub fn of_class(class: Class) -> &'static str {
    match class {
        Class::Baseline => "every reader must support it",
        Class::Extension => "not every reader must support it",
        Class::Questionable => "occurs in practice, not clearly legal",
    }
}

/// Renders explanations of the words among the differences and classes of a list. Empty if no word needs one.
pub fn legend(listed: &[(Option<DifferenceKind>, Class)]) -> Markup {
    let kinds = DifferenceKind::ALL.into_iter().filter_map(|kind| {
        let is_listed = listed.iter().any(|(listed, _)| *listed == Some(kind));
        of_kind(kind).filter(|_| is_listed).map(|meaning| (kind.phrase(), meaning))
    });
    let classes = CLASSES.into_iter().filter_map(|class| {
        let is_listed = listed.iter().any(|(_, listed)| *listed == class);
        is_listed.then(|| (class.word(), of_class(class)))
    });
    let terms: Vec<_> = kinds.chain(classes).collect();
    html! {
        @if !terms.is_empty() {
            ul.legend.terms {
                @for (word, meaning) in terms { li { b { (word) } ": " (meaning) } }
            }
        }
    }
}

/// The properties of causes that [`legend`] explains.
pub fn listed<'c>(
    causes: impl IntoIterator<Item = &'c Cause>,
) -> Vec<(Option<DifferenceKind>, Class)> {
    causes.into_iter().map(|cause| (cause.difference, cause.class)).collect()
}

/// Explains the words that occur in the lines of a table, where classes are in brackets. Empty if none occurs.
pub fn explained(text: &str) -> String {
    let kinds = DifferenceKind::ALL.into_iter();
    let kinds = kinds.filter_map(|kind| Some((kind.phrase(), of_kind(kind)?)));
    let classes = CLASSES.into_iter().map(|class| (bracket(class).trim_start(), of_class(class)));
    let found = kinds.chain(classes).filter(|(word, _)| !word.is_empty() && text.contains(word));
    found.map(|(word, meaning)| format!("{word}: {meaning}")).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_occur_are_explained() {
        let text = "bits = 16 → no pattern [extension]\ntiled = 1 → shifted";
        assert_eq!(
            explained(text),
            "no pattern: a difference of no known kind; [extension]: not every reader must support it"
        );
        assert_eq!(explained("orientation = 2 → blank"), "");
        let page = legend(&[
            (Some(DifferenceKind::LowBits), Class::Baseline),
            (Some(DifferenceKind::Blank), Class::Baseline),
        ]);
        let page = page.into_string();
        assert!(page.contains("<b>low bits only</b>: off by") && page.contains("<b>baseline</b>"));
        assert!(!page.contains("extension") && !page.contains("blank"));
        assert_eq!(legend(&[]).into_string(), "");
    }
}
