//! A cause on a picture smaller than the seed's.

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

/// A cause on a small picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Small {
    /// The picture.
    #[serde(with = "super::pack::picture")]
    pub picture: Picture,
    /// A file of it, stored as the seed is: the client reads it as it should.
    #[serde(with = "super::pack::bytes")]
    pub seed: Vec<u8>,
    /// What the client makes of that.
    #[serde(with = "super::pack::picture")]
    pub expected: Picture,
    /// An equivalent file that shows the cause.
    #[serde(with = "super::pack::bytes")]
    pub file: Vec<u8>,
    /// The choices in which it differs: the cause's, with lists that fit.
    pub choices: Choices,
    /// Further choices that are not as in the seed: they follow.
    pub follows: Choices,
    /// What the client makes of that file, if it is a picture.
    #[serde(with = "super::pack::maybe_picture")]
    pub got: Option<Picture>,
}
