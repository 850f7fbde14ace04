//! Covering arrays over the choices of an inverse.
//!
//! Most faults appear with a single setting or a combination of two; few need more. A *covering array of strength t* is
//! a small set of tests in which every t levels of different parameters occur together ([NIST SP 800-142]). Here a
//! *parameter* is a dimension, a *level* is a value class of a dimension, and a test (a *row*) is the set of choices
//! that one [`ChoiceSource`] makes.
//!
//! The constraints between parameters are not written down: the inverse implies them, and they become visible only when
//! choices are made. The generator therefore samples random choices, then tries to combine all pairs of classes that
//! did not occur together ([`Gap`] records why they do not), and then designs rows greedily: it takes the combination
//! of dimensions with the most left to cover and chooses the other classes so that each row covers as much as possible.
//! A design is a set of soft constraints ([`SoftConstraints`](inverter::solve::SoftConstraints)); a row counts for its
//! actual choices, not for the designed ones. Generation is a pure function of [`Settings::seed`] and of the resulting
//! choices.
//!
//! ```
//! use std::convert::Infallible;
//! use std::sync::Arc;
//!
//! use covering::{Generator, Settings};
//! use inverter::solve::{ChoiceSource, Choices, IntervalSet, value_class};
//!
//! // Three dimensions, and a constraint between two of them.
//! let choose = |mut source: ChoiceSource| -> Result<Choices, String> {
//!     let coding = source.named("coding", &["none", "LZW", "fax"]).map_err(|e| e.to_string())?;
//!     let order = source.named("byte order", &["II", "MM"]).map_err(|e| e.to_string())?;
//!     source.integer("orientation", &IntervalSet::range(1, 8), &[]).map_err(|e| e.to_string())?;
//!     if coding == 2 && order == 1 {
//!         return Err("`coding` fax requires byte order II".to_owned());
//!     }
//!     Ok(source.into_recorded())
//! };
//! let mut generator = Generator::new(Settings::default(), Arc::new(value_class));
//! let make =
//!     |sources: Vec<ChoiceSource>| Ok::<_, Infallible>(sources.into_iter().map(choose).collect());
//! let mut rows = 0;
//! while let Some(row) = generator.next_row(make)? {
//!     println!("{:?}", row.choices);
//!     rows += 1;
//! }
//! // 3 * 2 + 3 * 8 + 2 * 8 pairs of classes; fax with MM is impossible.
//! assert_eq!((generator.tally().combinations(), generator.tally().covered()), (46, 45));
//! assert_eq!(generator.gaps()[0].why, "`coding` fax requires byte order II");
//! assert!(rows >= generator.lower_bound() && rows < 30);
//! # Ok::<(), Infallible>(())
//! ```
//!
//! [NIST SP 800-142]: https://doi.org/10.6028/NIST.SP.800-142
//! [`ChoiceSource`]: inverter::solve::ChoiceSource

mod attempt;
mod bound;
mod combinations;
mod design;
mod gap;
mod generator;
mod observations;
mod open;
mod pairs;
mod planner;
mod row;
mod sources;
mod tally;

pub use combinations::ClassId;
pub use gap::{Gap, GapKind};
pub use generator::{Generator, Settings};
pub use row::Row;
pub use tally::Tally;

#[cfg(test)]
mod tests;
