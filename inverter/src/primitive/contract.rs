//! The contract of primitives: [`Primitive`], with its signature, inputs and errors.

use std::ops::RangeInclusive;

use crate::solve::{ChoiceError, ChoiceSource, Choices};

/// A named function of specs: a decoder with a nondeterministic encoder.
///
/// For every stream that `encode` makes of some data, `decode` returns that data; the same choices
/// give the same stream. [`test::round_trips`](super::test::round_trips) tests both.
pub trait Primitive: Send + Sync {
    /// Its name, arguments and dimensions.
    fn signature(&self) -> Signature<'_>;

    /// Returns the data that `stored` represents.
    ///
    /// # Errors
    ///
    /// The fault in `stored` or `args`. The caller cannot use more than `most` bytes, so a decoder fails with
    /// [`PrimitiveError::of_size`], or stops, before it produces much more, whatever size `stored` declares.
    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError>;

    /// Returns a stream that represents `data` and whose length is one of `encoding.lengths`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such stream, or a given choice does not fit.
    fn encode(&self, data: &[u8], encoding: Encoding<'_>) -> Result<Vec<u8>, EncodeError>;

    /// Checks that some stream represents `data` with these arguments, as far as this can be decided without making a
    /// stream. If this fails, arguments that are choices are chosen again.
    ///
    /// # Errors
    ///
    /// The reason why there is none, and the argument to change.
    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let _ = (data, args);
        Ok(())
    }

    /// Returns the choices under which `encode` makes `stored` of `data`; `None` if they cannot be
    /// derived.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        let _ = (stored, data, args);
        None
    }
}

impl dyn Primitive + '_ {
    /// Its name in specs.
    pub fn name(&self) -> &str {
        self.signature().name
    }

    /// The number of integers that it takes in addition to the array; the minimum if it may take more.
    pub fn arity(&self) -> usize {
        self.signature().arity
    }

    /// Returns true if it takes this number of integers in addition to the array.
    pub fn takes(&self, count: usize) -> bool {
        let Signature { arity, more, .. } = self.signature();
        count == arity || more && count > arity
    }

    /// The names of the dimensions that its encoder chooses.
    pub fn dimensions(&self) -> &[&str] {
        self.signature().dimensions
    }

    /// Returns true if every stream is as long as the data that it represents.
    pub fn keeps_length(&self) -> bool {
        self.signature().keeps_length
    }
}

/// A primitive with exactly one stream for all data, which has the same length, such as a reordering of bytes or a sum
/// that can be undone. It implements [`Primitive`].
pub trait Bijection: Send + Sync {
    /// Its name in specs.
    const NAME: &str;
    /// The number of integers that it takes in addition to the array.
    const ARITY: usize;

    /// Returns the data of a stream.
    ///
    /// # Errors
    ///
    /// The fault of `stored` or of `args`.
    fn forwards(&self, stored: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError>;

    /// Returns the stream that decodes to `data`.
    ///
    /// # Errors
    ///
    /// The fault of `data` or of `args`.
    fn backwards(&self, data: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError>;
}

impl<B: Bijection> Primitive for B {
    fn signature(&self) -> Signature<'_> {
        Signature::new(B::NAME).arguments(B::ARITY).keeping_length()
    }

    fn decode(&self, stored: &[u8], args: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        self.forwards(stored, args)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        of_length(self.backwards(data, args)?, lengths)
    }
}

/// The parts of a primitive that callers need to know before they run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature<'a> {
    /// Its name in specs.
    pub name: &'a str,
    /// The number of integers that it takes in addition to the array.
    pub arity: usize,
    /// True if more integers may follow these.
    pub more: bool,
    /// The names of the dimensions that `encode` chooses; empty if there is one encoding.
    pub dimensions: &'a [&'a str],
    /// True if every stream is as long as the data that it represents.
    pub keeps_length: bool,
}

impl<'a> Signature<'a> {
    /// A primitive that takes just an array and has one encoding.
    pub const fn new(name: &'a str) -> Self {
        Self { name, arity: 0, more: false, dimensions: &[], keeps_length: false }
    }

    /// The signature with `arity` integers as arguments.
    #[must_use]
    pub const fn arguments(self, arity: usize) -> Self {
        Self { arity, ..self }
    }

    /// The signature with any number of further integers.
    #[must_use]
    pub const fn with_more(self) -> Self {
        Self { more: true, ..self }
    }

    /// The signature with these dimensions.
    #[must_use]
    pub const fn dimensions(self, dimensions: &'a [&'a str]) -> Self {
        Self { dimensions, ..self }
    }

    /// The signature of a primitive whose streams are as long as their data.
    #[must_use]
    pub const fn keeping_length(self) -> Self {
        Self { keeps_length: true, ..self }
    }
}

/// The inputs of an encoder other than the data.
#[derive(Debug)]
pub struct Encoding<'a> {
    /// The integers that the spec passes.
    pub args: &'a [i128],
    /// The lengths that the stream may have.
    pub lengths: &'a RangeInclusive<usize>,
    /// The source of all choices.
    pub source: &'a mut ChoiceSource,
}

impl<'a> Encoding<'a> {
    /// An encoding of any length.
    pub fn any_length(args: &'a [i128], source: &'a mut ChoiceSource) -> Self {
        Self { args, lengths: &(0..=usize::MAX), source }
    }
}

/// The reason why data or arguments do not suit a primitive, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct PrimitiveError {
    why: String,
    of_size: bool,
}

impl PrimitiveError {
    /// The error of a decoder whose result has more bytes than the caller can take.
    pub fn of_size() -> Self {
        Self { why: "there is more data than fits".to_owned(), of_size: true }
    }

    /// Returns true if the data is too long for this caller, but might suit another one.
    pub fn is_of_size(&self) -> bool {
        self.of_size
    }
}

impl From<String> for PrimitiveError {
    fn from(why: String) -> Self {
        Self { why, of_size: false }
    }
}

impl From<&str> for PrimitiveError {
    fn from(why: &str) -> Self {
        why.to_owned().into()
    }
}

/// Arguments under which no stream represents some data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The position of the argument that may need another value; `None` if it may be any.
    pub argument: Option<usize>,
    /// The reason.
    pub why: PrimitiveError,
}

impl From<Unfit> for EncodeError {
    fn from(e: Unfit) -> Self {
        EncodeError::Impossible(e.why)
    }
}

/// The reason why an encoder returns no stream.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EncodeError {
    /// A given choice does not fit.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// No stream represents this data with these arguments and lengths.
    #[error(transparent)]
    Impossible(#[from] PrimitiveError),
}

/// Returns `stored` if its length is one of `lengths`.
///
/// # Errors
///
/// Returns [`EncodeError::Impossible`] if it is not.
pub fn of_length(stored: Vec<u8>, lengths: &RangeInclusive<usize>) -> Result<Vec<u8>, EncodeError> {
    match lengths.contains(&stored.len()) {
        true => Ok(stored),
        false => Err(wrong_length(stored.len(), lengths).into()),
    }
}

/// The error of a stream whose length is not among `lengths`.
pub(super) fn wrong_length(length: usize, lengths: &RangeInclusive<usize>) -> PrimitiveError {
    let may = match (*lengths.start(), *lengths.end()) {
        (least, most) if least == most => format!("{least}"),
        (0, most) => format!("at most {most}"),
        (least, usize::MAX) => format!("at least {least}"),
        (least, most) => format!("{least} to {most}"),
    };
    format!("the stream would have {length} bytes; it must have {may}").into()
}
