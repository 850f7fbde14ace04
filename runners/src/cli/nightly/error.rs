//! Errors of `repfuzz nightly`.

use super::super::seed_run::SeedError;
use reports::nightly::FileError;
use reports::store::StoreError;

/// An error that prevents a night.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum NightError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Seed(#[from] SeedError),
    #[error("{0}")]
    Other(String),
    /// There was no time for a seed. This is not an error of the night.
    #[error("{0}")]
    NoTime(&'static str),
}

impl NightError {
    /// Returns true if another process works on the store.
    pub fn is_busy(&self) -> bool {
        matches!(self, NightError::Seed(SeedError::Store(error)) if error.is_busy())
    }
}

impl From<StoreError> for NightError {
    fn from(error: StoreError) -> Self {
        SeedError::from(error).into()
    }
}
