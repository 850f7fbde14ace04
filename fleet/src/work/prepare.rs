//! Recreates the files of a job from the choices of their variants.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tiff_harness::container::Profile;

use crate::link::Link;
use crate::wire::{FileSource, Item, Job, SeedRef, from_text};
use clients::digest;
use equivalents::Format;
use equivalents::subject::Subject;

/// The maximum size in bytes of a seed, and of a large file.
const MOST_FILE: u64 = 1 << 30;

/// The maximum size in bytes of the texts of a format.
const MOST_TEXTS: u64 = 16 << 20;

/// The number of seeds that are kept open.
const OPEN: usize = 16;

/// The number of formats that are kept.
const FORMATS: usize = 8;

/// A seed, and the plainest file of its picture.
pub struct OpenSeed {
    seed: Box<dyn Subject>,
    plainest: OnceLock<Option<Arc<dyn Subject>>>,
}

/// A seed that is open, or the reason why it is not.
pub type Opened = Result<Arc<OpenSeed>, String>;

/// The bytes of a file, or the reason why it cannot be made.
pub type Made = Result<Vec<u8>, String>;

/// The seeds that were used last.
pub struct Seeds {
    link: Link,
    open: Recent<SeedRef, Opened>,
    /// The formats of seeds, by the digests of their texts.
    formats: Recent<String, Result<Format, String>>,
}

/// The most recently used values with their keys, latest first.
struct Recent<K, V>(Mutex<Vec<(K, V)>>);

impl<K: Clone + PartialEq, V: Clone> Recent<K, V> {
    fn get(&self, key: &K) -> Option<V> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(|(known, _)| known == key)?;
        let entry = all.remove(place);
        let value = entry.1.clone();
        all.insert(0, entry);
        Some(value)
    }

    /// Adds a value. If there are already `most` values, replaces the least recently used one.
    fn add(&self, key: K, value: V, most: usize) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.truncate(most - 1);
        all.insert(0, (key, value));
    }
}

impl Seeds {
    /// Creates an empty cache.
    pub fn new(link: Link) -> Self {
        Self { link, open: Recent(Mutex::default()), formats: Recent(Mutex::default()) }
    }

    /// Opens a seed from the object store.
    pub async fn get(&self, seed: Option<&SeedRef>) -> Option<Opened> {
        let seed = seed?;
        if let Some(opened) = self.open.get(seed) {
            return Some(opened);
        }
        let bytes = match self.link.get(&self.link.names.files(), &seed.sha256, MOST_FILE).await {
            Ok(bytes) => bytes,
            // The object may be there the next time.
            Err(error) => return Some(Err(error.to_string())),
        };
        let format = match &seed.format {
            None => Ok(Format::Tiff),
            Some(sha256) => match self.format(sha256).await {
                Ok(format) => format,
                Err(error) => return Some(Err(error.to_string())),
            },
        };
        let wanted = seed.clone();
        let opening = move || open(&wanted, bytes, &format?);
        let opening = tokio::task::spawn_blocking(opening).await;
        let opened = opening.unwrap_or_else(|error| Err(error.to_string()));
        self.open.add(seed.clone(), opened.clone(), OPEN);
        Some(opened)
    }

    /// Returns the format of these texts, which come from the object store, or the reason why they describe none.
    ///
    /// # Errors
    ///
    /// Returns an error if the texts are not there. The texts may be there the next time.
    async fn format(&self, sha256: &String) -> std::io::Result<Result<Format, String>> {
        if let Some(format) = self.formats.get(sha256) {
            return Ok(format);
        }
        let texts = self.link.get(&self.link.names.files(), sha256, MOST_TEXTS).await?;
        let wanted = sha256.clone();
        let reading = tokio::task::spawn_blocking(move || {
            if digest::hex(&texts) != wanted {
                return Err(format!("format {wanted} has other texts"));
            }
            let texts = String::from_utf8(texts).map_err(|error| error.to_string())?;
            Format::from_texts(&texts).map_err(|error| error.to_string())
        });
        let format = reading.await.unwrap_or_else(|error| Err(error.to_string()));
        self.formats.add(sha256.clone(), format.clone(), FORMATS);
        Ok(format)
    }

    /// Returns the files of a job that are in the object store.
    pub async fn objects(&self, job: &Job) -> HashMap<String, Made> {
        let mut objects = HashMap::new();
        for Item { sha256, file, .. } in &job.items {
            if *file == FileSource::Object {
                let got = self.link.get(&self.link.names.files(), sha256, MOST_FILE).await;
                objects.insert(sha256.clone(), got.map_err(|error| error.to_string()));
            }
        }
        objects
    }
}

fn open(seed: &SeedRef, bytes: Vec<u8>, format: &Format) -> Opened {
    if digest::hex(&bytes) != seed.sha256 {
        return Err(format!("seed {} has another content", seed.sha256));
    }
    let profile = if seed.wide { Profile::Wide } else { Profile::Strict };
    let opened = format.open_restricted(bytes, profile, &seed.restriction, seed.max_size);
    let seed = opened.map_err(|error| error.to_string())?;
    Ok(Arc::new(OpenSeed { seed, plainest: OnceLock::new() }))
}

impl OpenSeed {
    fn base(&self, plainest: bool) -> Result<&dyn Subject, String> {
        match plainest {
            false => Ok(&*self.seed),
            true => {
                let plain = self.plainest.get_or_init(|| self.seed.plainest()).as_deref();
                plain.ok_or_else(|| "the seed has no plainest file".to_owned())
            }
        }
    }
}

/// Makes the files of a job, in the order of its items.
pub fn files(items: &[Item], seed: Option<Opened>, objects: &HashMap<String, Made>) -> Vec<Made> {
    let seed = seed.unwrap_or_else(|| Err("the job has no seed".to_owned()));
    let seed = seed.as_deref().map_err(Clone::clone);
    let one = |item: &Item| -> Made {
        let seed = || seed.clone();
        let bytes = match &item.file {
            FileSource::Own { plainest } => seed()?.base(*plainest)?.seed_bytes().to_vec(),
            FileSource::Choices { plainest, choices } => {
                let variant = seed()?.base(*plainest)?.replay(choices);
                variant.map_err(|error| error.to_string())?.bytes
            }
            FileSource::Inline(text) => from_text(text)?,
            FileSource::Object => {
                objects.get(&item.sha256).cloned().unwrap_or_else(|| Err("no object".to_owned()))?
            }
        };
        match digest::hex(&bytes) == item.sha256 {
            true => Ok(bytes),
            false => Err("its choices make another file here".to_owned()),
        }
    };
    let guarded = |item: &Item| campaign::guarded(|| one(item)).unwrap_or_else(Err);
    items.iter().map(guarded).collect()
}
