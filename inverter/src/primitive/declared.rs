//! Primitives of which no more is known than how they are called.

use std::ops::RangeInclusive;

use super::{EncodeError, Primitive};
use crate::solve::ChoiceSource;

/// Neither decodes nor encodes.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) arity: usize,
}

impl Declared {
    fn missing(&self) -> String {
        format!("`{}` is declared only: it is for specs that are compiled", self.name)
    }
}

impl Primitive for Declared {
    fn name(&self) -> &str {
        &self.name
    }

    fn arity(&self) -> usize {
        self.arity
    }

    fn decode(&self, _: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, String> {
        Err(self.missing())
    }

    fn encode(
        &self,
        _: &[u8],
        _: &[i128],
        _: &RangeInclusive<usize>,
        _: &mut ChoiceSource,
    ) -> Result<Vec<u8>, EncodeError> {
        Err(EncodeError::Impossible(self.missing()))
    }
}
