//! Extra reads: what a client returns of a file beyond its picture, and what that must equal.
//!
//! Each is compared with what the client itself returns, so that no convention of it matters: a region with that part
//! of the whole picture, a page with the file that begins with it, metadata with those of the plainest file that has the
//! same tags. A description lists the extra reads of a client in `[output.extra]`.

mod compare;
mod reference;
mod words;

use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

use crate::Reply;
use crate::description::{Argv, Rectangle, TIFF};
use crate::output::{self, Format};

pub use words::Words;

/// A read of a file that a client shows rightly, beyond its picture; the worst to get wrong first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum ExtraRead {
    /// Two decodes at the same time, by threads of one process: each must give the picture.
    Threads,
    /// All pages: as many as the file has, in their order, each like the file that begins with it.
    Pages,
    /// A region: that part of the picture.
    Region,
    /// The file that the client's own writer makes of what it read: the client must show the same picture of it.
    Rewrite,
    /// Metadata: those that the client returns for the plainest file with the same tags.
    Metadata,
}

impl ExtraRead {
    /// All, in order.
    pub const ALL: [Self; 5] =
        [Self::Threads, Self::Pages, Self::Region, Self::Rewrite, Self::Metadata];

    /// Returns true if it can be compared for files with this extension.
    pub(crate) fn is_of(self, extension: &str) -> bool {
        matches!(self, Self::Threads | Self::Region) || extension == TIFF
    }

    /// Returns the extension of what the client writes; `pictures` is that of its pictures.
    pub(crate) fn extension(self, pictures: Format) -> &'static str {
        match self {
            Self::Threads | Self::Pages | Self::Region => pictures.extension(),
            Self::Rewrite => TIFF,
            Self::Metadata => "txt",
        }
    }
}

/// The way in which a client does an extra read.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum ExtraCommand {
    /// A command, which writes `{out}`, or prints its answer if it has neither `{out}` nor `{dir}`.
    Command(Argv),
    /// True if the worker answers it.
    Worker(bool),
}

impl ExtraCommand {
    /// Returns the command, if it is one.
    pub fn argv(&self) -> Option<&Argv> {
        match self {
            Self::Command(argv) => Some(argv),
            Self::Worker(_) => None,
        }
    }
}

/// A request for an extra read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub read: ExtraRead,
    /// The region to read.
    pub region: Rectangle,
}

/// The answer to a request for an extra read.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Pictures, in order.
    Pictures(Vec<Picture>),
    /// A file that the client wrote.
    File(Vec<u8>),
    /// Lines of metadata.
    Text(String),
    /// The client failed.
    Failed(Reply),
}

impl Answer {
    /// Parses what a client wrote: a file for each picture, or one with all of them.
    pub(crate) fn of(read: ExtraRead, format: Format, mut files: Vec<Vec<u8>>) -> Self {
        let nothing = || Self::Failed(Reply::Refused { message: "no answer".to_owned() });
        match read {
            _ if files.is_empty() => nothing(),
            ExtraRead::Rewrite => Self::File(files.remove(0)),
            ExtraRead::Metadata => Self::Text(String::from_utf8_lossy(&files[0]).into_owned()),
            ExtraRead::Threads | ExtraRead::Pages | ExtraRead::Region => {
                let all = files.iter().map(|file| output::decode_all(file, format));
                match all.collect::<Result<Vec<_>, _>>() {
                    Ok(pictures) => Self::Pictures(pictures.concat()),
                    Err(error) => Self::Failed(Reply::Refused { message: error.to_string() }),
                }
            }
        }
    }
}

/// A client that does extra reads.
pub(crate) trait ExtraReader {
    /// Reads a file as usual.
    fn whole(&self, file: &[u8]) -> std::io::Result<Reply>;
    /// Does an extra read.
    fn extra(&self, request: Request, file: &[u8]) -> std::io::Result<Answer>;
}

/// The first extra read of a file that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraDifference {
    /// The extra read.
    pub read: ExtraRead,
    /// The difference in words.
    pub message: String,
}

pub(crate) use compare::first_difference;
