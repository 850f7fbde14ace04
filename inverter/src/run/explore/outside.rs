//! Reads outside arrays.

use super::class::{Element, Outside};
use super::halt::{Halt, Step};
use super::run::Run;
use crate::program::{Expr, Length, Ref};

impl Run<'_> {
    /// Evaluates the indices of all elements in `e`, but none of the elements.
    ///
    /// # Errors
    ///
    /// Returns an error if an index has no value.
    pub fn touch(&mut self, e: &Expr) -> Step<()> {
        let mut refs = Vec::new();
        e.top_refs(&mut |r| refs.push(r));
        refs.into_iter().try_for_each(|r| self.locate(r).map(|_| ()))
    }

    pub(super) fn note_outside(&mut self, r: &Ref, element: Element) -> Step<Element> {
        let program = self.program;
        for (dimension, length) in program.input.fields[r.field].lengths.iter().enumerate() {
            let at = element.index[dimension];
            let length = match length {
                // A file that is too short does not belong to the format; no assumption has to state that.
                _ if program.length_of(r.field).is_some() => {
                    if at < 0 && program.counts_from_end(r) {
                        return Err(Halt::Dead);
                    }
                    None
                }
                Length::Is(e) => Some(self.eval(e)?.max(0)),
                Length::Free => None,
            };
            if at < 0 || length.is_some_and(|length| at >= length) {
                let outside = Outside { element, dimension, length, span: r.span };
                self.outside.get_or_insert(outside);
            }
        }
        Ok(element)
    }
}
