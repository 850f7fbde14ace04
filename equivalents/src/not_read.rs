//! The reasons why a spec or a file cannot be read.

use inverter::pipeline::{ReadError, StageError};
use inverter::run::RunError;
use tiff_harness::TiffError;

/// The reason why something cannot be read, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRead {
    /// A spec with errors.
    #[error("{0}")]
    Spec(String),
    /// A file that does not belong to the format, or has an unsupported feature.
    #[error("{0}")]
    File(String),
    /// A file that would take more memory than it may.
    #[error("{0}")]
    TooLarge(String),
}

impl From<TiffError> for NotRead {
    fn from(error: TiffError) -> Self {
        match error {
            TiffError::TooLarge { .. } => NotRead::TooLarge(error.to_string()),
            _ => NotRead::File(error.to_string()),
        }
    }
}

impl From<StageError> for NotRead {
    fn from(error: StageError) -> Self {
        match *error.error {
            RunError::TooLarge { .. } => NotRead::TooLarge(error.to_string()),
            _ => NotRead::File(error.to_string()),
        }
    }
}

impl From<ReadError> for NotRead {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::File(why) => NotRead::Spec(why),
            ReadError::Specs(errors) => {
                let all = errors.iter().flat_map(|e| e.each());
                NotRead::Spec(all.map(|e| e.to_string()).collect::<Vec<_>>().join("; "))
            }
        }
    }
}
