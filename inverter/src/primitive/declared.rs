//! Primitives with a name and a number of arguments, but no code.

use super::contract::{EncodeError, Encoding, Primitive, PrimitiveError, Signature};

/// A primitive that neither decodes nor encodes.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) arity: usize,
}

impl Declared {
    fn missing(&self) -> PrimitiveError {
        format!("`{}` is declared only: it is for specs that are compiled", self.name).into()
    }
}

impl Primitive for Declared {
    fn signature(&self) -> Signature<'_> {
        Signature::new(&self.name).arguments(self.arity)
    }

    fn decode(&self, _: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        Err(self.missing())
    }

    fn encode(&self, _: &[u8], _: Encoding<'_>) -> Result<Vec<u8>, EncodeError> {
        Err(EncodeError::Impossible(self.missing()))
    }
}
