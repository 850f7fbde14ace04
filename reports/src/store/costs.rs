//! The measured costs of clients on seeds.

use std::time::Duration;

use super::{Store, StoreError};
use crate::nightly::Costs;

impl Store {
    /// Returns the time that each client took for the variants of each seed in the last reported night that ran it.
    /// Slices of one run are added up.
    ///
    /// # Errors
    ///
    /// Returns an error of the database.
    pub fn costs(&self) -> Result<Costs, StoreError> {
        self.with(|conn| {
            let mut find = conn.prepare(
                "SELECT r.seed_sha256, l.name, sum(o.ms), r.whole FROM outcome o \
                 JOIN run r ON r.id = o.run JOIN client l ON l.id = o.client \
                 JOIN batch b ON b.id = r.batch \
                 WHERE b.kind = 'nightly' AND b.state = 'closed' \
                 GROUP BY r.seed_sha256, l.name, r.whole ORDER BY max(r.started)",
            )?;
            let mut rows = find.query([])?;
            let mut costs = Costs::new();
            while let Some(row) = rows.next()? {
                let ms: i64 = row.get(2)?;
                // Later runs replace earlier ones.
                costs.insert((row.get(0)?, row.get(1)?), Duration::from_millis(ms.unsigned_abs()));
            }
            Ok(costs)
        })
    }
}
