//! Normalization programs and their nondeterministic inverses.
//!
//! A *normalization program*, or *spec*, maps every representation of a value to the value
//! itself, the *canonical value*. This crate reads such programs ([`program`]), inverts
//! them ([`mod@invert`]), and runs both directions ([`run`]). The inverse gives, for one
//! canonical value, all of its representations that it can reach, one for each set of
//! choices ([`solve`]). The crate knows no file format.
//!
//! ```
//! use inverter::invert::invert;
//! use inverter::program::parse;
//! use inverter::run::{Executable, Limits, from_json, invert_value, normalize, to_json};
//! use inverter::solve::ChoiceSource;
//!
//! // The elements may lie any number of steps apart; what is between them is free.
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
//! What no such program can state, a compression for example, is a [`primitive`] that specs
//! call; specs one after the other are a [`pipeline`].
//!
//! [`language`] is the reference of what a spec may say, and [`inversion`] explains by
//! examples how it is inverted.
//!
//! # What holds
//!
//! - Running is a pure function of the program, the value and the choices. All freedom is
//!   decided by one [`ChoiceSource`](solve::ChoiceSource), which records it.
//! - [`program`] knows nothing of inversion, [`mod@invert`] nothing of values, [`solve`] nothing
//!   of programs but their predicates.
//! - Malformed input gives an error, never a panic: a spec, a value and a choice may come
//!   from anywhere.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod check;
pub mod emit;
pub mod invert;
pub mod pipeline;
pub mod primitive;
pub mod program;
pub mod run;
pub mod solve;

#[doc = include_str!("../docs/language.md")]
pub mod language {}

#[doc = include_str!("../docs/inversion.md")]
pub mod inversion {}
