//! The last occurrences of texts: fills the free bytes after them so that there is no later occurrence.

use fixedbitset::FixedBitSet;

use super::state::Backward;
use crate::program::views::{Last, Source};
use crate::program::{FieldId, Span};
use crate::run::error::RunError;
use crate::run::store::{Array, Cells, Slot};

/// The texts that the program looks up by their last occurrence in an array.
pub struct Occurrences<'a> {
    /// The texts, with the hidden scalars of their distances from the end.
    texts: Vec<(&'a Last, FieldId, Span)>,
    /// The bytes that are not free; used only if there is a text.
    settled: FixedBitSet,
}

impl<'a> Occurrences<'a> {
    /// Returns the texts in `array`, whose free bytes have no values yet.
    pub fn before(run: &Backward<'a>, array: FieldId) -> Self {
        let text = |view: &'a crate::program::views::View| match &view.source {
            Source::Last(last) if last.array == array => Some((last, view.field, view.span)),
            _ => None,
        };
        let texts: Vec<_> = run.cx.program.views.iter().filter_map(text).collect();
        let settled = match &run.assignment.input.slots[array] {
            Slot::Array(_, known) if !texts.is_empty() => known.clone(),
            _ => FixedBitSet::new(),
        };
        Self { texts, settled }
    }

    /// Changes free bytes, now filled, until no text occurs later.
    ///
    /// # Errors
    ///
    /// Returns an error if one occurs later in bytes that are not free.
    pub fn keep(&self, run: &mut Backward<'a>) -> Result<(), RunError> {
        for (last, distance, span) in &self.texts {
            // A distance of 0 means that the text is not looked up.
            let Some(distance) = run.assignment.scalar(*distance).filter(|d| *d > 0) else {
                continue;
            };
            let Slot::Array(Array { cells: Cells::U8(bytes), .. }, _) =
                &mut run.assignment.input.slots[last.array]
            else {
                continue;
            };
            // A text of reasonable length does not contain every byte value.
            let other = (0..=u8::MAX).find(|byte| !last.text.contains(byte));
            while let Some(found) = last.find(bytes).filter(|found| *found < distance) {
                let start = bytes.len() - found as usize;
                let mut free = start..start + last.text.len();
                match (free.find(|k| !self.settled.contains(*k)), other) {
                    (Some(k), Some(other)) => bytes[k] = other,
                    _ => {
                        let text = last.text.escape_ascii();
                        let why = format!("\"{text}\" occurs in what follows its last occurrence");
                        return Err(run.cx.impossible(*span, &why));
                    }
                }
            }
        }
        Ok(())
    }
}
