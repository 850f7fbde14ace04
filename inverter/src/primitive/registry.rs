//! The primitives that a spec may call, by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::bytes::{BytesSwapped, ReverseBits};
use super::contract::{Primitive, PrimitiveError, Signature};
use super::packbits::PackBits;
use crate::program::{Callee, Signatures};

/// Names that have another meaning in specs.
const TAKEN: [&str; 5] = ["min", "max", "div_ceil", "assume", "reserve"];

/// The primitives that a spec may call, by name.
#[derive(Clone, Default)]
pub struct Primitives(BTreeMap<String, Arc<dyn Primitive>>);

impl fmt::Debug for Primitives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Signatures for Primitives {
    fn signatures(&self) -> Vec<Callee> {
        let callee = |p: &Arc<dyn Primitive>| {
            let Signature { name, arity, more, keeps_length, .. } = p.signature();
            Callee { name: name.to_owned(), arity, more, keeps_length }
        };
        self.0.values().map(callee).collect()
    }
}

impl Primitives {
    /// An empty list.
    pub fn none() -> Self {
        Self::default()
    }

    /// The primitives of this crate: `packbits`, `reverse_bits` and `bytes_swapped`.
    pub fn shipped() -> Self {
        let all: [Arc<dyn Primitive>; 3] =
            [Arc::new(PackBits), Arc::new(ReverseBits), Arc::new(BytesSwapped)];
        Self(all.into_iter().map(|p| (p.name().to_owned(), p)).collect())
    }

    /// Adds a primitive.
    ///
    /// # Errors
    ///
    /// Returns an error if its name is not an identifier, has another meaning in specs, or is taken.
    pub fn add(&mut self, primitive: Arc<dyn Primitive>) -> Result<(), PrimitiveError> {
        let name = primitive.name().to_owned();
        if syn::parse_str::<syn::Ident>(&name).is_err() || TAKEN.contains(&name.as_str()) {
            return Err(format!("a primitive cannot be called `{name}`").into());
        }
        if self.0.contains_key(&name) {
            return Err(format!("two primitives are called `{name}`").into());
        }
        self.0.insert(name, primitive);
        Ok(())
    }

    /// Returns the primitive `name`.
    pub fn get(&self, name: &str) -> Option<&dyn Primitive> {
        self.0.get(name).map(|p| &**p)
    }

    /// Returns the primitive that a statement calls.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none with that name.
    pub fn resolve(&self, callee: &Callee) -> Result<&dyn Primitive, String> {
        let name = &callee.name;
        self.get(name).ok_or_else(|| format!("there is no primitive `{name}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::Primitives;
    use crate::program::Signatures;
    use crate::program::callee::Shipped;

    #[test]
    fn signatures_are_those_of_the_primitives_that_ship() {
        let all = |from: &dyn Signatures| format!("{:?}", from.signatures());
        assert_eq!(all(&Shipped), all(&Primitives::shipped()));
    }
}
