//! What several tests share.
pub mod seeds;
