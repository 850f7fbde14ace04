//! Merging of stores.

use std::path::Path;

use rusqlite::TransactionBehavior;

use super::lock::lock;
use super::{Store, StoreError, seal};

impl Store {
    /// Adds everything in the store at `path`. If a run is in both, keeps the more advanced one. Merging again changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a store, or an error of a database. Nothing is changed then.
    pub fn merge(&self, path: &Path) -> Result<(), StoreError> {
        // Migrates it if necessary, and reports errors under its name.
        let theirs = Store::reading(path)?;
        theirs.verify()?;
        let place = theirs.file().to_owned();
        let name = place.to_str().ok_or_else(|| {
            self.about(StoreError::Damaged(format!("{} is not valid UTF-8", path.display())))
        })?;
        let _lock = lock(self.path()).map_err(|error| self.about(error))?;
        self.with(|conn| {
            conn.execute("ATTACH DATABASE ? AS theirs", [name])?;
            let merged = (|| {
                let work = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
                work.execute_batch(include_str!("merge.sql"))?;
                // Checks that everything arrived as it was sealed.
                seal::verify(&work)?;
                Ok(work.commit()?)
            })();
            conn.execute("DETACH DATABASE theirs", [])?;
            merged
        })
    }
}
