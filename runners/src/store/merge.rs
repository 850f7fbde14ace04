//! Two stores as one.

use std::path::Path;

use rusqlite::TransactionBehavior;

use super::busy::hold;
use super::{Store, StoreError};

impl Store {
    /// Takes all that is in the store in `path`. What is in both is there once: of a run, the
    /// one that went further. To do it again changes nothing.
    ///
    /// # Errors
    ///
    /// If that is no store, or what the databases say; then nothing is changed.
    pub fn merge(&self, path: &Path) -> Result<(), StoreError> {
        // It is brought up to date, if need be, and complaints about it name it.
        drop(Store::existing(path)?);
        let name = path.to_str().ok_or_else(|| {
            self.about(StoreError::Damaged(format!("{} is no text", path.display())))
        })?;
        let _held = hold(self.path()).map_err(|error| self.about(error))?;
        self.with(|conn| {
            conn.execute("ATTACH DATABASE ? AS theirs", [name])?;
            let merged = (|| {
                let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
                work.execute_batch(include_str!("merge.sql"))?;
                Ok(work.commit()?)
            })();
            conn.execute("DETACH DATABASE theirs", [])?;
            merged
        })
    }
}
