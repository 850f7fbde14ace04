//! Primitives: named functions of specs that no affine program can express.
//!
//! A [`Primitive`] is a decoder, which the normalization program runs, with a nondeterministic
//! encoder, which its inverse runs. A spec calls it on a whole array: `y.data = packbits(x.stream);`.
//! The caller of [`parse_with`](crate::program::parse_with) lists those that a spec may call
//! ([`Primitives`]).
//!
//! The inverter cannot derive that a primitive's decoder inverts its encoder. The author of the primitive ensures this,
//! and [`test::round_trips`] tests it.
//!
//! # Writing one
//!
//! Everything that the encoder decides is a choice of a named dimension, made by the
//! [`ChoiceSource`](crate::solve::ChoiceSource). Names are short (`runs`); the caller adds a prefix. The size of a
//! choice should not grow with the data: it is a policy with a seed, as in `random:17`, not a list of decisions.
//!
//! ```
//! use std::sync::Arc;
//!
//! use inverter::primitive::{
//!     EncodeError, Encoding, Primitive, PrimitiveError, Primitives, Signature, of_length, test,
//! };
//! use inverter::program::parse_with;
//!
//! /// Text with any number of spaces in front of it.
//! struct Indented;
//!
//! impl Primitive for Indented {
//!     fn signature(&self) -> Signature<'_> {
//!         Signature::new("indented").dimensions(&["indent"])
//!     }
//!
//!     fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
//!         Ok(stored.trim_ascii_start().to_vec())
//!     }
//!
//!     fn encode(
//!         &self,
//!         data: &[u8],
//!         Encoding { lengths, source, .. }: Encoding<'_>,
//!     ) -> Result<Vec<u8>, EncodeError> {
//!         if data.first().is_some_and(u8::is_ascii_whitespace) {
//!             return Err(EncodeError::Impossible("it starts with a space".into()));
//!         }
//!         let most = lengths.end().saturating_sub(data.len()).min(8) as u64;
//!         let indent = source.gaps("indent", 1, most)?[0] as usize;
//!         of_length([vec![b' '; indent], data.to_vec()].concat(), lengths)
//!     }
//! }
//!
//! test::round_trips(&Indented, &[&[]], 200)?;
//!
//! let mut primitives = Primitives::shipped();
//! primitives.add(Arc::new(Indented))?;
//! let spec = "
//!     struct Stored { stream: [u8] }
//!     struct Text { n: u8, text: [u8; 5] }
//!     fn normalize(x: &Stored, y: &mut Text) {
//!         y.n = 5;
//!         y.text = indented(x.stream);
//!     }
//! ";
//! let inverse = inverter::invert::invert(&parse_with("text.rs", spec, &primitives)?)?;
//! assert!(inverse.to_string().contains("x.stream := indented*(y.text)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod contract;
mod packbits;
mod registry;
pub mod test;

pub use bytes::{BytesSwapped, ReverseBits};
pub use contract::{
    Bijection, EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
pub use packbits::PackBits;
pub use registry::Primitives;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::solve::ChoiceSource;

    /// Stores `data` unchanged, except for the effect of the function.
    struct Named(&'static str, fn(&mut Vec<u8>, &mut ChoiceSource));

    impl Primitive for Named {
        fn signature(&self) -> Signature<'_> {
            Signature::new(self.0)
        }

        fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
            Ok(stored.to_vec())
        }

        fn encode(
            &self,
            data: &[u8],
            Encoding { lengths, source, .. }: Encoding<'_>,
        ) -> Result<Vec<u8>, EncodeError> {
            let mut stored = data.to_vec();
            (self.1)(&mut stored, source);
            of_length(stored, lengths)
        }
    }

    #[test]
    fn what_is_wrong_with_a_primitive_is_found() {
        let found = |spoil| match test::round_trips(&Named("p", spoil), &[&[]], 50) {
            Ok(()) => String::new(),
            Err(why) => why,
        };
        assert_eq!(found(|_, _| {}), "");
        assert!(found(|stored, _| stored.truncate(9)).contains("other bytes"));
        let undeclared = found(|_, source| drop(source.named("kind", &["a", "b"])));
        assert!(undeclared.contains("the dimension `kind` is not declared"), "{undeclared}");
        assert!(test::round_trips(&Named("p", |_, _| {}), &[&[1]], 1).is_err());
    }

    #[test]
    fn names_are_names_and_apart() {
        let mut all = Primitives::shipped();
        assert_eq!(all.add(Arc::new(Named("stored", |_, _| {}))), Ok(()));
        let mut refused = |name| all.add(Arc::new(Named(name, |_, _| {}))).unwrap_err().to_string();
        assert_eq!(refused("packbits"), "two primitives are called `packbits`");
        for name in ["", "a b", "1a", "for", "min", "reserve", "a::b"] {
            assert_eq!(refused(name), format!("a primitive cannot be called `{name}`"));
        }
    }

    #[test]
    fn shipped_primitives_round_trip() {
        let units: [&[i128]; 4] = [&[1], &[2], &[3], &[8]];
        test::round_trips(&PackBits, &[&[]], 400).unwrap();
        test::round_trips(&ReverseBits, &[&[0], &[1]], 100).unwrap();
        test::round_trips(&BytesSwapped, &units, 200).unwrap();
    }
}
