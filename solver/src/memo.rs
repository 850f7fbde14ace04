//! A memo table of bounded size.

use std::convert::Infallible;
use std::hash::Hash;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

/// Results by key, in two generations. When the younger one is full, it becomes the older one, and an entry found in
/// the older one moves to the younger one. Recurring entries therefore stay, and a full table loses only entries that
/// were not used lately. A poisoned lock counts as a miss.
#[derive(Debug)]
pub struct BoundedMemo<K, T> {
    /// The maximum number of entries of a generation.
    most: usize,
    generations: Mutex<Generations<K, T>>,
}

#[derive(Debug)]
struct Generations<K, T> {
    younger: FxHashMap<K, T>,
    older: FxHashMap<K, T>,
}

impl<K: Eq + Hash, T: Clone> BoundedMemo<K, T> {
    /// Creates a table of at most `most` entries.
    pub fn new(most: usize) -> Self {
        let generations =
            Generations { younger: FxHashMap::default(), older: FxHashMap::default() };
        Self { most: (most / 2).max(1), generations: Mutex::new(generations) }
    }

    /// Calls `visit` with each entry, in no order.
    pub fn each(&self, mut visit: impl FnMut(&T)) {
        if let Ok(Generations { younger, older }) = self.generations.lock().as_deref() {
            younger.values().chain(older.values()).for_each(&mut visit);
        }
    }

    /// Returns the entry, computed from its key if it is missing.
    pub fn of(&self, key: K, compute: impl FnOnce(&K) -> T) -> T {
        match self.try_of(key, |key| Ok::<_, Infallible>(compute(key))) {
            Ok(entry) => entry,
            Err(never) => match never {},
        }
    }

    /// Returns the entry, computed if it is missing. Errors are not stored.
    pub fn get<E>(&self, key: K, compute: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.try_of(key, |_| compute())
    }

    fn try_of<E>(&self, key: K, compute: impl FnOnce(&K) -> Result<T, E>) -> Result<T, E> {
        if let Ok(mut generations) = self.generations.lock() {
            if let Some(entry) = generations.younger.get(&key) {
                return Ok(entry.clone());
            }
            if let Some(entry) = generations.older.remove(&key) {
                generations.insert(self.most, key, entry.clone());
                return Ok(entry);
            }
        }
        let entry = compute(&key)?;
        if let Ok(mut generations) = self.generations.lock() {
            generations.insert(self.most, key, entry.clone());
        }
        Ok(entry)
    }
}

impl<K: Eq + Hash, T> Generations<K, T> {
    fn insert(&mut self, most: usize, key: K, entry: T) {
        if self.younger.len() >= most {
            self.older = std::mem::take(&mut self.younger);
        }
        self.younger.insert(key, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_recur_stay() {
        let memo = BoundedMemo::new(8);
        let mut computed = 0;
        for n in 0..100 {
            memo.of(-1, |_| computed += 1);
            memo.of(n, |_| ());
        }
        assert_eq!(computed, 1);
    }

    #[test]
    fn there_are_never_more_than_the_most() {
        let memo = BoundedMemo::new(8);
        for n in 0..100 {
            assert_eq!(memo.of(n % 23, |n| n * n), (n % 23) * (n % 23));
            let mut entries = 0;
            memo.each(|_| entries += 1);
            assert!(entries <= 8, "{entries}");
        }
    }

    #[test]
    fn errors_are_not_kept() {
        let memo: BoundedMemo<u8, u8> = BoundedMemo::new(8);
        assert_eq!(memo.get(1, || Err("none")), Err("none"));
        assert_eq!(memo.get(1, || Ok::<_, &str>(2)), Ok(2));
        assert_eq!(memo.get(1, || Err("none")), Ok(2));
    }
}
