//! A folder of data derived from specs, for later processes: programs with the facts proved about them, and inverses.
//!
//! An entry is a file. Its name is the SHA-256 of everything that the entry depends on, including the sources of these
//! crates, and it begins with the SHA-256 of its name and content. Damaged entries, and entries made by other code, are
//! therefore ignored. A folder that cannot be read or written counts as empty.

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// The extension of all files in the folder. Other files are left alone.
const EXTENSION: &str = "derived";
/// The bytes of a digest.
const DIGEST: usize = 32;

/// A folder of data that is derived from specs.
#[derive(Debug, Clone)]
pub struct DiskCache {
    folder: PathBuf,
    /// The sources that derive what is kept.
    build: String,
    /// The bytes that all entries may have together.
    most: u64,
}

/// The name of an entry.
#[derive(Debug, Clone)]
pub(super) struct Key(pub(super) String);

impl DiskCache {
    /// A cache in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> Self {
        let build = [language::SOURCES, solver::SOURCES, env!("SOURCES")].concat();
        Self { folder, build, most: 64 << 20 }
    }

    /// Returns the name of the entry of this kind that depends on the build and on `parts`.
    pub(super) fn key<'a>(&self, kind: &str, parts: impl IntoIterator<Item = &'a str>) -> Key {
        let mut hash = Sha256::new();
        let mut add = |part: &str| {
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(part);
        };
        add(&self.build);
        add(kind);
        parts.into_iter().for_each(add);
        Key(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Returns an entry; `None` if it is missing or damaged.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &Key) -> Option<T> {
        let path = self.folder.join(&key.0).with_extension(EXTENSION);
        // A pipe in its place would keep the process waiting.
        let bytes =
            fs::metadata(&path).is_ok_and(|meta| meta.is_file()).then(|| fs::read(&path))?.ok()?;
        let (digest, content) = bytes.split_at_checked(DIGEST)?;
        (*digest == key.sealed(content)[..]).then(|| postcard::from_bytes(content).ok()).flatten()
    }

    /// Creates or replaces an entry. Failures are not reported, because nothing depends on it.
    pub(super) fn put(&self, key: &Key, value: &impl Serialize) {
        if let Ok(content) = postcard::to_extend(value, Vec::new()) {
            let _ = self.write(key, &content).and_then(|()| self.drop_oldest());
        }
    }

    /// Writes the file of an entry atomically.
    fn write(&self, key: &Key, content: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let own = self.folder.join(&key.0);
        let draft = own.with_extension(format!("{:x}.{EXTENSION}", RandomState::new().hash_one(0)));
        let mut file = File::create_new(&draft)?;
        let written = file
            .write_all(&key.sealed(content))
            .and_then(|()| file.write_all(content))
            .and_then(|()| fs::rename(&draft, own.with_extension(EXTENSION)));
        written.inspect_err(|_| drop(fs::remove_file(&draft)))
    }

    /// Removes the oldest files if the total size is too large.
    fn drop_oldest(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            // Another process may have removed it.
            if path.extension().is_some_and(|e| e == EXTENSION)
                && let Ok(meta) = path.symlink_metadata()
            {
                files.push((meta.modified()?, meta.len(), path));
            }
        }
        let mut size: u64 = files.iter().map(|(_, len, _)| len).sum();
        let most = if size > self.most { self.most / 2 } else { self.most };
        files.sort();
        for (_, len, path) in files {
            if size <= most {
                break;
            }
            fs::remove_file(path)?;
            size -= len;
        }
        Ok(())
    }
}

impl Key {
    /// Returns the digest of an entry's name and content.
    fn sealed(&self, content: &[u8]) -> [u8; DIGEST] {
        Sha256::new().chain_update(&self.0).chain_update(content).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &tempfile::TempDir, build: &str) -> DiskCache {
        DiskCache { build: build.to_owned(), ..DiskCache::new(folder.path().join("new/folder")) }
    }

    /// The file of an entry.
    fn path(cache: &DiskCache, key: &Key) -> PathBuf {
        cache.folder.join(&key.0).with_extension(EXTENSION)
    }

    #[test]
    fn an_entry_is_found_by_the_build_that_made_it() {
        let folder = tempfile::tempdir().unwrap();
        let own = cache(&folder, "1");
        let key = own.key("numbers", ["a", "b"]);
        assert_eq!(own.get::<Vec<i128>>(&key), None);
        own.put(&key, &vec![i128::MIN, 7, i128::MAX]);
        assert_eq!(own.get(&key), Some(vec![i128::MIN, 7, i128::MAX]));
        let other = cache(&folder, "2");
        assert_eq!(other.get::<Vec<i128>>(&other.key("numbers", ["a", "b"])), None);
        for parts in [["ab", ""], ["", "ab"], ["b", "a"]] {
            assert_ne!(own.key("numbers", parts).0, key.0);
        }
        assert_ne!(own.key("number", ["sa", "b"]).0, key.0);
    }

    #[test]
    fn a_damaged_entry_is_none_and_can_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(&folder, "1");
        let (key, other) = (cache.key("text", ["a"]), cache.key("text", ["b"]));
        cache.put(&key, &"some text");
        let whole = fs::read(path(&cache, &key)).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            for bytes in [&changed[..], &whole[..at]] {
                fs::write(path(&cache, &key), bytes).unwrap();
                assert_eq!(cache.get::<String>(&key), None, "{at}");
            }
        }
        // The entry of another text.
        fs::write(path(&cache, &other), &whole).unwrap();
        assert_eq!(cache.get::<String>(&other), None);
        cache.put(&key, &"some text");
        assert_eq!(cache.get::<String>(&key).as_deref(), Some("some text"));
    }

    #[test]
    fn a_folder_that_cannot_be_made_has_no_entries() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = DiskCache::new(file.path().join("below"));
        let key = cache.key("text", []);
        cache.put(&key, &"some text");
        assert_eq!(cache.get::<String>(&key), None);
    }

    #[test]
    fn the_oldest_entries_make_room_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache { most: 10_000, ..cache(&folder, "1") };
        let keys: Vec<Key> = (0..100).map(|n| cache.key("bytes", [&*n.to_string()])).collect();
        cache.put(&keys[0], &"");
        let foreign = cache.folder.join("large.txt");
        fs::write(&foreign, vec![0; 20_000]).unwrap();
        let abandoned = path(&cache, &keys[0]).with_extension("1.derived");
        fs::write(&abandoned, [0; 1000]).unwrap();
        for key in &keys {
            cache.put(key, &vec![7u8; 1000]);
            let files = fs::read_dir(&cache.folder).unwrap().map(|entry| entry.unwrap().path());
            let sizes = files.filter(|f| *f != foreign).map(|f| f.metadata().unwrap().len());
            assert!(sizes.sum::<u64>() <= 10_000);
            assert_eq!(cache.get::<Vec<u8>>(key), Some(vec![7; 1000]), "the newest stays");
        }
        assert_eq!(cache.get::<Vec<u8>>(&keys[0]), None);
        assert!(foreign.exists() && !abandoned.exists());
    }

    #[test]
    fn writers_of_one_entry_do_not_meet() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(&folder, "1");
        let (key, text) = (cache.key("text", []), "x".repeat(1 << 16));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        cache.put(&key, &text);
                        assert_eq!(cache.get::<String>(&key).as_ref(), Some(&text));
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), 1);
    }
}
