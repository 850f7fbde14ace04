//! Layouts: the places of the segments of an array, each at the address that its base holds.
//!
//! A segment (a strip, a tile, a directory) is a run of elements whose first index is an input
//! plus constants: the *base*. First the segments and the constraints on bases are collected
//! ([`problem`]), then come the choices: segments that share elements, the physical order, the
//! gaps. Constraints on single bases bound where a segment may start
//! ([`Space`](crate::solve::layout::Space)); constraints that connect bases are solved as a chain
//! of distances or as a network.

mod bases;
pub mod build;
mod chain;
mod contents;
mod coupled;
mod ensure;
mod gaps;
mod idle;
mod open_length;
mod order;
pub mod own;
pub mod problem;
pub mod room;
mod sharing;
mod slots;
mod translate;

pub use ensure::ensure_places;
