//! Failures of glue, the code between a client and its picture file.
//!
//! If glue encounters an output that it cannot express (for example, samples of an unknown type), it reports a line
//! that starts with `glue: ` as its error. This does not count as a refusal by the client; the file cannot be judged.

use std::io;

use super::Reply;

/// The prefix of the message.
const PREFIX: &str = "glue: ";

/// The message of glue that cannot express the client's output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("its glue cannot express the output: {0}")]
pub struct GlueFailure(String);

impl GlueFailure {
    /// An error for [`Client::run`](super::Client::run) to return.
    pub fn error(why: impl Into<String>) -> io::Error {
        io::Error::other(Self(why.into()))
    }

    /// The output that it cannot express, and why.
    pub fn why(&self) -> &str {
        &self.0
    }

    /// The failure in an error of [`Client::run`](super::Client::run), if it is one.
    pub fn in_error(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

/// Returns the first line with a failure of the glue.
pub(super) fn failure_in(text: &str) -> Option<&str> {
    text.lines().find(|line| line.starts_with(PREFIX))
}

/// Turns a refusal by the glue into an error.
pub(super) fn checked(reply: Reply) -> io::Result<Reply> {
    if let Reply::Refused { message } = &reply
        && let Some(why) = message.strip_prefix(PREFIX)
    {
        return Err(GlueFailure::error(why));
    }
    Ok(reply)
}
