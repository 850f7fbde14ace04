//! A memo table of bounded size.

use std::convert::Infallible;
use std::hash::Hash;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

/// Results by key. The table is cleared when it is full. A lock that is poisoned counts as a miss.
#[derive(Debug)]
pub struct BoundedMemo<K, T> {
    most: usize,
    entries: Mutex<FxHashMap<K, T>>,
}

impl<K: Eq + Hash, T: Clone> BoundedMemo<K, T> {
    /// Creates a table of at most `most` entries.
    pub fn new(most: usize) -> Self {
        Self { most, entries: Mutex::default() }
    }

    /// Calls `visit` with each entry, in no order.
    pub fn each(&self, mut visit: impl FnMut(&T)) {
        if let Ok(entries) = self.entries.lock() {
            entries.values().for_each(&mut visit);
        }
    }

    /// Returns the entry, computed of its key if there is none.
    pub fn of(&self, key: K, compute: impl FnOnce(&K) -> T) -> T {
        match self.try_of(key, |key| Ok::<_, Infallible>(compute(key))) {
            Ok(entry) => entry,
            Err(never) => match never {},
        }
    }

    /// Returns the entry, computed if there is none. Errors are not kept.
    pub fn get<E>(&self, key: K, compute: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.try_of(key, |_| compute())
    }

    fn try_of<E>(&self, key: K, compute: impl FnOnce(&K) -> Result<T, E>) -> Result<T, E> {
        if let Ok(entries) = self.entries.lock()
            && let Some(entry) = entries.get(&key)
        {
            return Ok(entry.clone());
        }
        let entry = compute(&key)?;
        if let Ok(mut entries) = self.entries.lock() {
            if entries.len() >= self.most {
                entries.clear();
            }
            entries.insert(key, entry.clone());
        }
        Ok(entry)
    }
}
