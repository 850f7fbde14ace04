//! The integration tests of this crate, as one program: each file is linked but once.

mod agreement;
mod compiled_formats;
mod formats;
mod primitives;
mod records;
mod support;
mod walks;
