//! The pictures of a run's replies, each stored once.

use std::collections::HashSet;
use std::sync::Mutex;

use rusqlite::{Connection, params};
use tiff_harness::Picture;

use super::journal_rows::Insertion;
use super::{Store, StoreError, locked};
use campaign::pack;

/// Limits of the cache: the maximum number of pictures, and of their samples in total. Most replies repeat one of a few
/// pictures.
const PICTURES: usize = 16;
const SAMPLES: usize = 32 << 20;

/// The stored pictures of a run, and a cache of recent ones.
#[derive(Debug)]
pub struct Pictures {
    /// Digests of pictures that are in the store, or are queued before all later rows.
    stored: Mutex<HashSet<String>>,
    recent: Mutex<Vec<(String, Picture)>>,
}

impl Pictures {
    /// Loads the digests of the run's pictures.
    pub fn of(conn: &Connection, run: i64) -> Result<Self, StoreError> {
        let mut digests = conn.prepare("SELECT digest FROM picture WHERE run = ?")?;
        let stored = digests.query_map([run], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(Self { stored: Mutex::new(stored), recent: Mutex::default() })
    }

    /// Returns the digest of `picture`, and the row to insert if the picture is new.
    pub fn entry(&self, picture: &Picture) -> (String, Option<Insertion>) {
        let known = locked(&self.recent).iter().find(|(_, p)| p == picture).map(|(d, _)| d.clone());
        let digest = known.unwrap_or_else(|| {
            let digest = picture.digest();
            self.remember(&digest, picture);
            digest
        });
        let new = !locked(&self.stored).contains(&digest);
        let entry = new.then(|| Insertion::Picture {
            digest: digest.clone(),
            size: (picture.width(), picture.height()),
            rgba: pack::pack_samples(picture),
        });
        (digest, entry)
    }

    /// Records that the row of this picture is queued: later rows may refer to it.
    pub fn queued(&self, digest: String) {
        locked(&self.stored).insert(digest);
    }

    /// Returns the run's picture with this digest.
    pub fn get(&self, store: &Store, run: i64, digest: &str) -> Result<Picture, StoreError> {
        let known = locked(&self.recent).iter().find(|(d, _)| d == digest).map(|(_, p)| p.clone());
        if let Some(picture) = known {
            return Ok(picture);
        }
        let (width, height, rgba): (u32, u32, Vec<u8>) = store.with(|conn| {
            let find = "SELECT width, height, rgba FROM picture WHERE run = ? AND digest = ?";
            let found = conn
                .prepare_cached(find)?
                .query_row(params![run, digest], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
            Ok(found?)
        })?;
        let picture = pack::unpack_samples(width, height, &rgba)
            .map_err(|error| StoreError::Damaged(error.to_string()))?;
        self.remember(digest, &picture);
        Ok(picture)
    }

    fn remember(&self, digest: &str, picture: &Picture) {
        let mut recent = locked(&self.recent);
        recent.push((digest.to_owned(), picture.clone()));
        let samples =
            |p: &[(String, Picture)]| p.iter().map(|(_, p)| p.rgba().len()).sum::<usize>();
        while recent.len() > PICTURES || (recent.len() > 1 && samples(&recent) > SAMPLES) {
            recent.remove(0);
        }
    }
}
