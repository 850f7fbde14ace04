//! The stages between a file and its canonical picture, in both directions.
//!
//! ```text
//! file ──placement──▶ stored segments ──coding──▶ decoded segments ──segments──▶ sample bytes
//!   ──samples──▶ levels ──photometric──▶ stored pixels ──orientation──▶ the picture
//!            └─▶ indices ──palette────▶
//! ```
//!
//! `placement`, `segments`, `samples`, `photometric` and `orientation` are normalization
//! programs ([`normalizers::tiff`]), run forwards here and backwards through their inverses.
//! [`coding`](crate::coding) and [`palette`](crate::palette) are primitives.

mod backward;
mod forward;
mod own;
mod placement;
mod records;

pub use backward::{Representation, Stages};
pub use forward::{decoded, normalize, sampled, segmented};
pub use placement::{Apart, Overlapping, Placed, Room, place, placed};
pub use records::display;
