//! The integration tests of this crate, as one program: each file is linked but once.

mod agreement;
mod by_code;
mod formats;
mod primitives;
mod records;
mod support;
mod walks;
