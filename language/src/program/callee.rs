//! Signatures of primitives, which are all that the front end and inversion need.
//!
//! A program names the primitives that it calls. Their decoders and encoders are looked up by name
//! when it is run (`Executable`).

use serde::{Deserialize, Serialize};

/// The signature of a primitive. Two signatures are equal if their names are equal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Callee {
    /// Its name in specs.
    pub name: String,
    /// The number of integers that it takes in addition to the array.
    pub arity: usize,
    /// True if more integers may follow these.
    pub more: bool,
    /// True if every encoded stream has as many bytes as its decoded data.
    pub keeps_length: bool,
}

impl PartialEq for Callee {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The primitives that a spec may call.
pub trait Signatures {
    /// Returns their signatures, sorted by name.
    fn signatures(&self) -> Vec<Callee>;
}

/// The primitives of this crate.
pub struct Shipped;

impl Signatures for Shipped {
    fn signatures(&self) -> Vec<Callee> {
        let callee = |(name, arity): (&str, usize), keeps_length| Callee {
            name: name.to_owned(),
            arity,
            more: false,
            keeps_length,
        };
        vec![
            callee(("bytes_swapped", 1), true),
            callee(("packbits", 0), false),
            callee(("reverse_bits", 1), true),
        ]
    }
}
