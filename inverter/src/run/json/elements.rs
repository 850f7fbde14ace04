//! The elements of a field, as nested lists.

use serde::de::SeqAccess;

use super::any::{Any, Skip, Take};
use crate::program::Field;
use crate::run::store::Cells;

/// The elements of a field so far.
pub struct Elements<'r> {
    field: &'r Field,
    /// The maximum number of elements.
    most: usize,
    /// The indices of the value that is being read.
    at: Vec<usize>,
    /// The lengths of the dimensions, as far as lists for them have been seen.
    pub lengths: Vec<Option<usize>>,
    /// The elements; a scalar has one.
    pub cells: Cells,
}

impl<'r> Elements<'r> {
    /// No elements.
    pub fn new(field: &'r Field, most: usize) -> Self {
        let rank = field.lengths.len();
        let cells = Cells::zeros(field.int, 0);
        Self { field, most, at: Vec::with_capacity(rank), lengths: vec![None; rank], cells }
    }

    /// Describes what is wrong with the value at the current indices.
    fn wrong(&self, why: &str) -> String {
        let f = self.field;
        let path = self.at.iter().fold(f.name.clone(), |name, k| format!("{name}[{k}]"));
        format!("field `{path}`: {why}")
    }

    /// Records the length of a list of the dimension `depth`.
    fn found(&mut self, depth: usize, m: usize) -> Result<(), String> {
        match self.lengths[depth] {
            Some(n) if n != m => Err(self.wrong(&format!("a list of {m} beside lists of {n}"))),
            _ => {
                self.lengths[depth] = Some(m);
                Ok(())
            }
        }
    }
}

/// Takes a value of the dimension selected by the indices: a list, or an element.
pub struct Row<'e, 'r>(pub &'e mut Elements<'r>);

impl Take for Row<'_, '_> {
    /// An error describes, in one line, the first value that does not fit.
    type Out = Result<(), String>;

    fn other(self, kind: String) -> Self::Out {
        let Elements { at, lengths, field, .. } = &*self.0;
        Err(self.0.wrong(&match at.len() == lengths.len() {
            true => format!("{kind} is not a {}", field.int),
            false => format!("expected a list, found {kind}"),
        }))
    }

    fn number(self, n: i128) -> Self::Out {
        let elements = &mut *self.0;
        if elements.at.len() < elements.lengths.len() {
            return self.other(n.to_string());
        }
        if elements.cells.len() >= elements.most {
            let (name, most) = (&elements.field.name, elements.most);
            return Err(format!("field `{name}`: more than {most} elements"));
        }
        match elements.cells.push(n) {
            true => Ok(()),
            false => self.other(n.to_string()),
        }
    }

    fn list<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Out, A::Error> {
        let elements = self.0;
        let depth = elements.at.len();
        let (mut n, mut fits) = (0, Ok(()));
        // A wrong length of a list is reported before errors inside it, so items are counted to the end.
        loop {
            if depth < elements.lengths.len() && fits.is_ok() {
                elements.at.push(n);
                let item = items.next_element_seed(Any(Row(elements)))?;
                elements.at.truncate(depth);
                let Some(item) = item else { break };
                fits = item;
            } else if items.next_element_seed(Any(Skip))?.is_none() {
                break;
            }
            n += 1;
        }
        if depth == elements.lengths.len() {
            return Ok(Row(elements).other(format!("a list of {n}")));
        }
        Ok(elements.found(depth, n).and(fits))
    }
}
