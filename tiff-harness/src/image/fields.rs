//! Reads a directory's integers by the rules of their tags.

use std::collections::HashSet;

use crate::container::rules::rule_of;
use crate::container::{Entry, Ifd, Tag};
use crate::error::TiffError;

/// A directory in which no tag occurs twice.
pub(super) struct Fields<'i> {
    ifd: &'i Ifd,
}

impl<'i> Fields<'i> {
    /// Checks that no tag of `ifd` occurs twice.
    pub(super) fn new(ifd: &'i Ifd) -> Result<Self, TiffError> {
        let mut seen = HashSet::new();
        match ifd.entries.iter().find(|entry| !seen.insert(entry.tag)) {
            Some(entry) => Err(TiffError::Twice { tag: entry.tag, at: entry.at }),
            None => Ok(Self { ifd }),
        }
    }

    /// Returns the entry of a tag.
    pub(super) fn entry(&self, tag: Tag) -> Option<&'i Entry> {
        self.ifd.get(tag)
    }

    /// Returns the error of a tag that is absent and has no default.
    pub(super) fn missing(&self, tag: Tag) -> TiffError {
        TiffError::Missing { tag, ifd: self.ifd.span.at }
    }

    /// Returns the bits of the first sample.
    fn bits(&self) -> u64 {
        let bits = self.ifd.get(Tag::BITS_PER_SAMPLE).and_then(|e| e.values.as_integers());
        bits.and_then(|bits| bits.first().copied()).unwrap_or(1)
    }

    /// Returns the default of an absent tag, by its rule.
    fn default(&self, tag: Tag) -> Result<u64, TiffError> {
        let default = rule_of(tag).and_then(|rule| rule.default(self.bits()));
        default.ok_or_else(|| self.missing(tag))
    }

    /// Returns the numbers of an entry of integers.
    pub(super) fn numbers(entry: &Entry) -> Result<Vec<u64>, TiffError> {
        entry.values.as_integers().ok_or(TiffError::WrongType {
            tag: entry.tag,
            at: entry.at,
            kind: entry.values.kind(),
            must: "BYTE, SHORT or LONG",
        })
    }

    /// Returns the values of an optional tag; empty if it is absent.
    pub(super) fn extra(&self, tag: Tag) -> Result<Vec<u64>, TiffError> {
        self.ifd.get(tag).map_or(Ok(Vec::new()), Self::numbers)
    }

    /// Returns the value of a tag that has one value.
    pub(super) fn one(&self, tag: Tag) -> Result<u64, TiffError> {
        let Some(entry) = self.ifd.get(tag) else {
            return self.default(tag);
        };
        if entry.values.count() != 1 {
            return Err(wrong_count(entry, "1".to_owned()));
        }
        Self::numbers(entry)?.first().copied().ok_or_else(|| wrong_count(entry, "1".to_owned()))
    }

    /// Returns the value of a tag that has one value, which must be from 1 to 2^32 - 1.
    pub(super) fn at_least_one(&self, tag: Tag) -> Result<u32, TiffError> {
        let value = self.one(tag)?;
        let number = u32::try_from(value).ok().filter(|n| *n >= 1);
        number.ok_or_else(|| self.bad(tag, value, "1 to 4294967295"))
    }

    /// Returns the values of a tag that has one for each of `samples` samples. A single value represents all, as in
    /// common readers.
    pub(super) fn per_sample(&self, tag: Tag, samples: u16) -> Result<Vec<u64>, TiffError> {
        let Some(entry) = self.ifd.get(tag) else {
            return Ok(vec![self.default(tag)?; samples.into()]);
        };
        let count = entry.values.count();
        if count != 1 && count != u64::from(samples) {
            let must = format!("{samples}, by {} = {samples}", Tag::SAMPLES_PER_PIXEL);
            return Err(wrong_count(entry, must));
        }
        let values = Self::numbers(entry)?;
        Ok(values.iter().copied().cycle().take(samples.into()).collect())
    }

    /// Returns the error of a value that breaks the rules.
    pub(super) fn bad(&self, tag: Tag, value: u64, must: &'static str) -> TiffError {
        let at = self.ifd.get(tag).map_or(self.ifd.span.at, |entry| entry.at);
        TiffError::BadValue { tag, at, value, must }
    }
}

fn wrong_count(entry: &Entry, must: String) -> TiffError {
    TiffError::WrongCount { tag: entry.tag, at: entry.at, count: entry.values.count(), must }
}
