//! Restrictions as a user states them: globs over the names of dimensions, and values by name.

mod error;
mod feasible;
mod resolve;
mod value;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use error::RestrictionError;
pub(crate) use resolve::{resolved, restricted};

/// The dimensions that vary, and values that other dimensions have in every file.
///
/// Names are globs, in which `*` stands for any characters, `?` for one, and case is ignored. A dimension that does not
/// vary keeps the seed's value if that fits the rest of the file; otherwise it has the simplest value. Without any
/// restriction, every dimension varies.
///
/// ```
/// use equivalents::{Format, Restriction};
///
/// let seed = std::fs::read("../corpus/seeds/tiny.tif")?;
/// let few = Restriction::new().vary(["orientation", "segment *"]).fix("byte order", "MM");
/// for file in Format::Tiff.equivalents(&seed)?.restricted(&few)?.take(5) {
///     assert!(file.starts_with(b"MM"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Restriction {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    vary: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
    /// Texts `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fix: Vec<String>,
}

impl Restriction {
    /// No restriction.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets only dimensions vary that match one of these globs, or one from an earlier call.
    #[must_use]
    pub fn vary<G: Into<String>>(mut self, globs: impl IntoIterator<Item = G>) -> Self {
        self.vary.extend(globs.into_iter().map(Into::into));
        self
    }

    /// Does not vary the dimensions that match one of these globs.
    #[must_use]
    pub fn without<G: Into<String>>(mut self, globs: impl IntoIterator<Item = G>) -> Self {
        self.without.extend(globs.into_iter().map(Into::into));
        self
    }

    /// Fixes a dimension to this value in every file that has the dimension. The value is an integer, a list of
    /// integers such as `[2, 1, 0]`, or a name. Case is ignored in names unless two names of the dimension's values
    /// differ only in case.
    #[must_use]
    pub fn fix(self, dimension: &str, value: impl fmt::Display) -> Self {
        self.fix_texts([format!("{dimension}={value}")])
    }

    /// Adds fixed values, each as `NAME=VALUE`.
    #[must_use]
    pub fn fix_texts<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.fix.extend(texts.into_iter().map(Into::into));
        self
    }

    /// Returns true if every dimension varies.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the globs of the dimensions that vary; if there are none, all dimensions vary.
    pub fn varied(&self) -> &[String] {
        &self.vary
    }

    /// Returns the globs of the dimensions that do not vary.
    pub fn excluded(&self) -> &[String] {
        &self.without
    }

    /// Returns the fixed values, each as `NAME=VALUE`.
    pub fn fixed(&self) -> &[String] {
        &self.fix
    }
}
