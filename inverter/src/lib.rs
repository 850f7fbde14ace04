//! Normalization programs and their nondeterministic inverses.
//!
//! A *normalization program*, or *spec*, maps every representation of a value to the value itself,
//! the *canonical value*. This crate parses such programs ([`parse()`]), inverts them
//! ([`invert()`]), and runs both directions ([`normalize`], [`invert_value`]). For a canonical value
//! the inverse returns one of its representations, selected by the choices of a [`ChoiceSource`].
//! The crate contains no file format.
//!
//! ```
//! use inverter::{
//!     ChoiceSource, Executable, Limits, from_json, invert, invert_value, normalize, parse, to_json,
//! };
//!
//! // The elements may lie any number of steps apart; the elements between them are free.
//! let spec = "
//!     struct Spaced { n: u8, step: u8, data: [u8] }
//!     struct Dense { n: u8, data: [u8; n] }
//!
//!     fn normalize(x: &Spaced, y: &mut Dense) {
//!         y.n = x.n;
//!         for i in 0..x.n {
//!             y.data[i] = x.data[i * x.step];
//!         }
//!     }
//! ";
//! let program = parse("spaced.rs", spec)?;
//! let inverse = Executable::new(invert(&program)?);
//! assert!(inverse.to_string().contains("ensure x.step : x.step >= 1"));
//!
//! // One canonical value, many representations.
//! let json = serde_json::json!({ "n": 3, "data": [7, 8, 9] });
//! let y = from_json(&program.output, &json)?;
//! for index in 0..10 {
//!     let mut choices = ChoiceSource::seeded(1, index);
//!     let x = invert_value(&inverse, &y, &mut choices, &Limits::default())?;
//!     assert_eq!(normalize(&program, &x)?, y);
//!
//!     // The recorded choices make the same representation again.
//!     let mut again = ChoiceSource::replaying(choices.into_recorded());
//!     assert_eq!(invert_value(&inverse, &y, &mut again, &Limits::default())?, x);
//!     println!("{}", to_json(&program.input, &x));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A decoder that no such program can express, such as a compression, is a [`Primitive`] that specs
//! call. A composition of specs is a [`Pipeline`]. [`load`] reads a spec and checks it before it is inverted.
//!
//! [`language`] is the reference of the spec language; [`inversion`] explains by examples how a spec
//! is inverted.
//!
//! # What holds
//!
//! - Running is a pure function of the program, the value and the choices. One [`ChoiceSource`]
//!   decides everything that is free, and records it.
//! - `program` does not depend on inversion, `invert` not on values, and `solve` only on the
//!   predicates and expressions of programs.
//! - Malformed input causes an error, never a panic: a spec, a value and a choice may come from
//!   anywhere.
//!
//! The functions, types and modules below are the interface. Hidden modules serve the other crates of repfuzz, and may
//! change.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

#[doc(hidden)]
/// The reference of the language of specs, in Markdown.
pub const LANGUAGE: &str = include_str!("../docs/language.md");

pub mod check;
mod lower;
pub mod pipeline;
pub mod primitive;
#[doc(hidden)]
pub mod run;

#[doc(inline)]
pub use ::language::invert::{Inverse, invert};
#[doc(inline)]
pub use ::language::program::{
    Diagnostic, Field, FieldId, IntType, Program, RecordType, SpecError, parse,
};
#[doc(hidden)]
pub use ::language::{invert, program};
pub use check::load;
pub use pipeline::{Pipeline, Stage};
pub use primitive::{Primitive, Primitives};
pub use run::{
    Array, Cells, Executable, FieldValue, Limits, Record, RunError, from_json, invert_value,
    normalize, own_choices, to_json,
};
#[doc(hidden)]
pub use solver as solve;
#[doc(inline)]
pub use solver::{Choice, ChoiceError, ChoiceSource, Choices, DimensionId, Vary};

#[doc = include_str!("../docs/language.md")]
pub mod language {}

#[doc = include_str!("../docs/inversion.md")]
pub mod inversion {}
