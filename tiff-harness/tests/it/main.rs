//! The integration tests of this crate, as one program: each file is linked but once.

mod by_code;
mod carried;
mod coding;
mod coding_samples;
mod container;
mod decoders;
mod extremes;
mod findings;
mod hostile;
mod hostile_pictures;
mod impossible;
mod jpeg;
mod large_pictures;
mod libtiff;
#[path = "../../examples/make-seeds.rs"]
mod make_seeds;
mod pages;
mod pages_libtiff;
mod pages_property;
mod reference;
mod roundtrip;
mod samples;
mod seeds;
mod support;
mod validators;
mod variants;
