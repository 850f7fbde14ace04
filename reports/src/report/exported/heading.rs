//! The comment at the beginning of a test: the subject of the test, and who may use it.

use tiff_harness::meaning::{Meaning, reference};

use super::parts::TestFile;
use crate::report::clean::{cut, one_line, wrapped};
use crate::report::example::Example;
use crate::report::issue::{format_of, title};
use crate::report::legend::of_class;
use crate::report::parts::named;
use crate::report::sentence::plural;
use crate::report::site::base_name;
use campaign::{Cause, Run};

/// The width of a comment.
const WIDTH: usize = 92;

/// The lines of the comment, without the signs of a comment.
pub fn heading(
    run: &Run,
    cause: &Cause,
    example: &Example<'_>,
    file: &TestFile<'_>,
) -> Vec<String> {
    let client = &run.clients[cause.client];
    let format = format_of(run);
    let mut texts = vec![
        format!("{}.", title(cause, example, &format)),
        format!("Fails with {}: {}.", named(client), cause.signature().phrase()),
        format!("Class of the file: {}: {}.", cause.class.word(), of_class(cause.class)),
    ];
    let sections = sections(example);
    if !sections.is_empty() {
        texts.push(format!("Defined by: {}.", sections.join("; ")));
    }
    if cause.is_undecided() {
        texts.push(
            "Expected is what it shows of another file with the same content; which of the two is right was \
             not decided."
                .to_owned(),
        );
    }
    if !cause.readers.is_empty() {
        texts.push(format!("Read rightly by: {}.", cause.readers.join(", ")));
    }
    if let TestFile::Beside(name) = file {
        texts.push(format!(
            "The file is {name}, beside this one: its {} are too many to be included.",
            plural(example.file.len(), "byte", "bytes")
        ));
    }
    let seed = base_name(&run.about.seed_file);
    texts.push("This test is dedicated to the public domain: CC0 1.0.".to_owned());
    texts.push(match cause.small {
        Some(_) => format!("The few pixels of its file are a part of {seed}."),
        None => format!("The content of its file is that of {seed}, whose terms hold for it."),
    });
    texts.iter().flat_map(|text| wrapped(&commented(text), WIDTH)).collect()
}

/// Returns the sections that define the choices of the example, each once.
fn sections(example: &Example<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (dimension, value) in example.choices.iter() {
        let Some(meaning) = Meaning::of(dimension) else { continue };
        let section = reference(meaning.section(value));
        if !all.contains(&section) {
            all.push(section);
        }
    }
    all
}

/// Returns `text` so that it is safe in a comment of any language. A backslash continues a comment in C, and begins an
/// escaped character in Java.
fn commented(text: &str) -> String {
    cut(&one_line(text), 600).replace('\\', "/").replace("??/", "?/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_comment() {
        assert_eq!(commented("a\nb \\u000a c ??/"), "a b /u000a c ?/");
        let lines = wrapped(&"word ".repeat(40), WIDTH);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= WIDTH));
    }
}
