//! A cause on a picture smaller than the seed's.

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

/// A small picture on which a client shows the same cause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SmallExample {
    /// The picture.
    #[serde(with = "super::pack::picture")]
    pub picture: Picture,
    /// A file of the small picture that is encoded like the seed. The client reads it correctly.
    #[serde(with = "super::pack::bytes")]
    pub seed: Vec<u8>,
    /// The client's picture of that file.
    #[serde(with = "super::pack::picture")]
    pub expected: Picture,
    /// An equivalent file that shows the cause.
    #[serde(with = "super::pack::bytes")]
    pub file: Vec<u8>,
    /// The choices in which the two files differ: those of the cause, with lists of matching length.
    pub choices: Choices,
    /// Further choices that differ from the seed's because of these.
    pub follows: Choices,
    /// The client's picture of `file`, if it shows one.
    #[serde(with = "super::pack::maybe_picture")]
    pub got: Option<Picture>,
    /// The client's message for `file`; empty in older stores.
    #[serde(default)]
    pub message: String,
}
