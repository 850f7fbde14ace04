//! Helpers of several tests.
pub mod seeds;
