//! Converts places of a spec's text to places of a canonical program.

use std::path::PathBuf;

use canonical::{FileId, Place};
use inverter::program::{Source, Span};

/// The files of a spec, in the order of its source.
pub fn files(source: &Source) -> Vec<PathBuf> {
    source.files().iter().map(|file| PathBuf::from(&file.name)).collect()
}

/// The place where a span begins.
pub fn place(source: &Source, span: Span) -> Place {
    let file = source.file(span);
    let number = source.files().iter().position(|other| other.name == file.name).unwrap_or(0);
    let before = &file.text.as_bytes()[..file.range(span).start];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    let number_of = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Place { file: FileId::new(number), line: number_of(line), column: number_of(column) }
}
