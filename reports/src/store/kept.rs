//! Counts the replies that a batch keeps.

use std::collections::HashMap;

use super::{Batch, Store, StoreError};
use campaign::FileKey;

impl Batch {
    /// Returns how many replies of each client to each file the unfinished runs of the batch keep.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn kept_replies(&self) -> Result<HashMap<(String, FileKey), usize>, StoreError> {
        self.store.with(|conn| {
            let mut find = conn.prepare(
                "SELECT l.name, p.file, count(*) FROM reply p JOIN run r ON r.id = p.run \
                 JOIN client l ON l.id = p.client WHERE r.batch = ? GROUP BY l.name, p.file",
            )?;
            let mut rows = find.query([self.id])?;
            let mut counts = HashMap::new();
            while let Some(row) = rows.next()? {
                let count: i64 = row.get(2)?;
                counts.insert((row.get(0)?, row.get(1)?), usize::try_from(count).unwrap_or(0));
            }
            Ok(counts)
        })
    }
}

impl Store {
    /// Returns true if the batch with this identifier is finished.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn is_closed(&self, uid: &str) -> Result<bool, StoreError> {
        self.with(|conn| {
            let closed = "SELECT count(*) FROM batch WHERE uid = ? AND state = 'closed'";
            Ok(conn.query_row(closed, [uid], |row| row.get::<_, i64>(0))? > 0)
        })
    }
}
