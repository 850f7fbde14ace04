//! Reads outside arrays.

use super::class::{Element, Outside};
use super::run::{Halt, Run, Step};
use crate::program::{Expr, Length, Ref};

impl Run<'_> {
    /// Evaluates the indices of all elements in `e`, but none of the elements.
    ///
    /// # Errors
    ///
    /// If an index has no value.
    pub fn touch(&mut self, e: &Expr) -> Step<()> {
        let mut refs = Vec::new();
        e.top_refs(&mut |r| refs.push(r));
        refs.into_iter().try_for_each(|r| self.locate(r).map(|_| ()))
    }

    pub(super) fn note_outside(&mut self, r: &Ref, element: Element) -> Step<Element> {
        let lengths = self.program.input.fields[r.field].lengths.clone();
        for (dimension, length) in lengths.iter().enumerate() {
            let at = element.index[dimension];
            let length = match length {
                // A file that is too short is none of the format: no assumption has to state that.
                _ if self.program.length_of(r.field).is_some() => match at < 0 {
                    true => return Err(Halt::Dead),
                    false => continue,
                },
                Length::Is(e) => self.eval(e)?.max(0),
                Length::Free if at < 0 => return Err(Halt::Dead),
                Length::Free => continue,
            };
            if at < 0 || at >= length {
                let outside = Outside { element, dimension, length, span: r.span };
                self.outside.get_or_insert(outside);
            }
        }
        Ok(element)
    }
}
