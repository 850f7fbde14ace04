//! Primitives: named functions of specs that no affine program can state.
//!
//! A [`Primitive`] is a decoder, which the normalization program runs, with a
//! nondeterministic encoder, which its inverse runs. A spec calls it on a whole array:
//! `y.data = packbits(x.stream);`. Whoever parses a spec says which ones it may call
//! ([`Primitives`], [`parse_with`](crate::program::parse_with)).
//!
//! What the inverter derives for a spec cannot be derived for a primitive: that the
//! decoder gives back what the encoder was given is up to its author, and tested.
//! [`test::round_trips`] is the property that each must have.
//!
//! # Writing one
//!
//! Everything that the encoder decides is a choice of a named dimension, asked of the
//! [`ChoiceSource`]. Names are short (`runs`); what is in front of them is added outside.
//! A choice should stay small however much data there is: not each decision, but a habit
//! with a seed, as in `random:17`.
//!
//! ```
//! use std::ops::RangeInclusive;
//! use std::sync::Arc;
//!
//! use inverter::primitive::{EncodeError, Primitive, Primitives, of_length, test};
//! use inverter::program::parse_with;
//! use inverter::solve::ChoiceSource;
//!
//! /// Text with any number of spaces in front of it.
//! struct Indented;
//!
//! impl Primitive for Indented {
//!     fn name(&self) -> &str {
//!         "indented"
//!     }
//!
//!     fn dimensions(&self) -> &[&str] {
//!         &["indent"]
//!     }
//!
//!     fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, String> {
//!         Ok(stored.trim_ascii_start().to_vec())
//!     }
//!
//!     fn encode(
//!         &self,
//!         data: &[u8],
//!         _: &[i128],
//!         lengths: &RangeInclusive<usize>,
//!         source: &mut ChoiceSource,
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
mod declared;
mod packbits;
pub mod test;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub use bytes::{BytesSwapped, ReverseBits};
pub use packbits::PackBits;

use declared::Declared;

use crate::program::{Callee, Signatures};
use crate::solve::{ChoiceError, ChoiceSource, Choices};

/// A named function of specs: a decoder with a nondeterministic encoder.
///
/// For every stream that `encode` makes of some data, `decode` gives that data; the same
/// choices give the same stream. [`test::round_trips`] tests both.
pub trait Primitive: Send + Sync {
    /// What specs call it.
    fn name(&self) -> &str;

    /// How many integers it takes beside the array.
    fn arity(&self) -> usize {
        0
    }

    /// The names of the dimensions that `encode` asks for; none if there is one encoding.
    fn dimensions(&self) -> &[&str] {
        &[]
    }

    /// Whether every stream is as long as the data that it stands for.
    fn keeps_length(&self) -> bool {
        false
    }

    /// The data that `stored` stands for.
    ///
    /// # Errors
    ///
    /// What is wrong with `stored` or with `args`, in one line. More than `most` elements
    /// are of no use: a decoder should end with an error before it makes far more.
    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, String>;

    /// A stream that stands for `data` and whose length is one of `lengths`.
    ///
    /// # Errors
    ///
    /// If there is none, or a given choice does not fit.
    fn encode(
        &self,
        data: &[u8],
        args: &[i128],
        lengths: &RangeInclusive<usize>,
        source: &mut ChoiceSource,
    ) -> Result<Vec<u8>, EncodeError>;

    /// Whether some stream stands for `data` with these arguments, as far as that is told without
    /// making it: arguments that are chosen are chosen anew where it is not.
    ///
    /// # Errors
    ///
    /// Why there is none, and which argument to blame.
    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let _ = (data, args);
        Ok(())
    }

    /// The choices under which `encode` makes `stored` of `data`; `None` if they cannot be
    /// told.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let _ = (stored, data, args);
        None
    }
}

/// Arguments with which no stream stands for some data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The place of the argument that another value of may help; `None` if it may be any.
    pub argument: Option<usize>,
    /// Why, in one line.
    pub why: String,
}

impl From<Unfit> for EncodeError {
    fn from(e: Unfit) -> Self {
        EncodeError::Impossible(e.why)
    }
}

/// Why an encoder gives no stream.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EncodeError {
    /// A given choice does not fit.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// No stream stands for this data, with these arguments and these lengths; why, in one
    /// line.
    #[error("{0}")]
    Impossible(String),
}

/// `stored`, if its length is one of `lengths`.
///
/// # Errors
///
/// [`EncodeError::Impossible`] if it is not.
pub fn of_length(stored: Vec<u8>, lengths: &RangeInclusive<usize>) -> Result<Vec<u8>, EncodeError> {
    match lengths.contains(&stored.len()) {
        true => Ok(stored),
        false => Err(EncodeError::Impossible(wrong_length(stored.len(), lengths))),
    }
}

/// Says that a stream has a length that is none of `lengths`.
fn wrong_length(length: usize, lengths: &RangeInclusive<usize>) -> String {
    let may = match (*lengths.start(), *lengths.end()) {
        (least, most) if least == most => format!("{least}"),
        (0, most) => format!("at most {most}"),
        (least, usize::MAX) => format!("at least {least}"),
        (least, most) => format!("{least} to {most}"),
    };
    format!("the stream would have {length} bytes; it must have {may}")
}

/// Names that mean something else in specs.
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
        let signature = |p: &Arc<dyn Primitive>| Callee {
            name: p.name().to_owned(),
            arity: p.arity(),
            keeps_length: p.keeps_length(),
        };
        self.0.values().map(signature).collect()
    }
}

impl Primitives {
    /// None.
    pub fn none() -> Self {
        Self::default()
    }

    /// Those of this crate: `packbits`, `reverse_bits` and `bytes_swapped`.
    pub fn shipped() -> Self {
        let all: [Arc<dyn Primitive>; 3] =
            [Arc::new(PackBits), Arc::new(ReverseBits), Arc::new(BytesSwapped)];
        Self(all.into_iter().map(|p| (p.name().to_owned(), p)).collect())
    }

    /// Adds one.
    ///
    /// # Errors
    ///
    /// If its name is no name, means something else in specs, or is another's.
    pub fn add(&mut self, primitive: Arc<dyn Primitive>) -> Result<(), String> {
        let name = primitive.name().to_owned();
        if syn::parse_str::<syn::Ident>(&name).is_err() || TAKEN.contains(&name.as_str()) {
            return Err(format!("a primitive cannot be called `{name}`"));
        }
        if self.0.contains_key(&name) {
            return Err(format!("two primitives are called `{name}`"));
        }
        self.0.insert(name, primitive);
        Ok(())
    }

    /// Adds a primitive of which no more is known than its name and how many arguments it takes:
    /// specs that call it can be read and inverted, but not run. It is for build scripts that
    /// compile specs ([`emit::build_all`](crate::emit::build_all)).
    ///
    /// # Errors
    ///
    /// As [`Primitives::add`].
    pub fn declare(&mut self, name: &str, arity: usize) -> Result<(), String> {
        self.add(Arc::new(Declared { name: name.to_owned(), arity }))
    }

    /// The one called `name`.
    pub fn get(&self, name: &str) -> Option<&dyn Primitive> {
        self.0.get(name).map(|p| &**p)
    }

    /// Returns the one that a statement calls.
    ///
    /// # Errors
    ///
    /// If there is none of that name, in one line.
    pub fn resolve(&self, callee: &Callee) -> Result<&dyn Primitive, String> {
        let name = &callee.name;
        self.get(name).ok_or_else(|| format!("there is no primitive `{name}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives `data` as it is, but for what `spoil` does to it.
    struct Named(&'static str, fn(&mut Vec<u8>, &mut ChoiceSource));

    impl Primitive for Named {
        fn name(&self) -> &str {
            self.0
        }

        fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, String> {
            Ok(stored.to_vec())
        }

        fn encode(
            &self,
            data: &[u8],
            _: &[i128],
            lengths: &RangeInclusive<usize>,
            source: &mut ChoiceSource,
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
        let untold = found(|_, source| drop(source.named("kind", &["a", "b"])));
        assert!(untold.contains("the dimension `kind` is not told"), "{untold}");
        assert!(test::round_trips(&Named("p", |_, _| {}), &[&[1]], 1).is_err());
    }

    #[test]
    fn names_are_names_and_apart() {
        let mut all = Primitives::shipped();
        assert_eq!(all.add(Arc::new(Named("stored", |_, _| {}))), Ok(()));
        let mut refused = |name| all.add(Arc::new(Named(name, |_, _| {}))).unwrap_err();
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
