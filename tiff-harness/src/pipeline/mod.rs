//! The stages between a file and its canonical picture, in both directions.
//!
//! ```text
//! file ──placement──▶ stored segments ──coding──▶ decoded segments ──segments──▶ sample bytes
//!   ──samples──▶ levels ──photometric──▶ stored pixels ──orientation──▶ the picture
//!            └─▶ indices ──palette────▶
//! ```
//!
//! `placement`, `segments`, `samples`, `photometric` and `orientation` are normalization
//! programs ([`normalizers::tiff`]): `forward` runs them, `backward` runs their inverses.
//! [`coding`](crate::coding) and `palette` are primitives.

mod backward;
mod cache;
mod encoded;
mod forward;
mod placement;
mod records;
mod seed_encoding;

pub use backward::Stages;
pub use encoded::Representation;
pub use forward::{decode, normalize, samples, segments_input};
pub use placement::{DisjointFile, FileParts, Overlapping, PlacedFile, place, read_placement};
pub use records::display;
