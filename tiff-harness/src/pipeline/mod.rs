//! The stages between a file and its canonical picture, in both directions.
//!
//! ```text
//! file ──placement──▶ stored segments ──coding──▶ decoded segments ──segments──▶ sample bytes
//!   ──samples──▶ levels ──photometric──▶ stored pixels ──orientation──▶ the picture
//!            └─▶ indices ──palette────▶
//! ```
//!
//! Samples without exact colors leave this path early, and streams of a lossy compression even earlier:
//!
//! ```text
//! sample bytes ──byte_order──▶ stored pixels ──turned──▶ samples with a label
//! ```
//!
//! `placement`, `segments`, `samples`, `photometric`, `orientation`, `byte_order` and `turned` are
//! normalization programs ([`normalizers::tiff`]): `forward` runs them, `backward` runs their inverses.
//! [`coding`](crate::coding) and `palette` are primitives.

mod backward;
mod cache;
mod canonical;
mod encoded;
mod forward;
mod placement;
mod records;
mod sample_stages;
mod seed_encoding;
mod streams;

pub use backward::ColorStages;
pub use cache::Budget;
pub use canonical::{Content, Stages};
pub use encoded::Representation;
pub use forward::{normalize, samples, segments_input};
pub use placement::{
    ANYWHERE, DisjointFile, FileParts, Overlapping, PlacedFile, place, read_placement,
};
pub use records::display;
pub use streams::Streams;
