//! The state of the mutator between calls.

use std::env;
use std::ffi::{CStr, CString};

use equivalents::{Equivalent, Format, Mutator, Reference, Shrinking};

/// The variable with the path of the format's spec.
const SPEC: &str = "EQUIVALENTS_SPEC";
/// The variable with the path of the file whose meaning all others must have.
const SEED: &str = "EQUIVALENTS_SEED";

/// A mutator, with its last file and the file that is being trimmed.
pub struct State {
    mutator: Mutator,
    seed: Option<Reference<()>>,
    /// The number of requested files. Together with `run`, it is the seed of each file.
    requested: u64,
    run: u64,
    made: Option<Equivalent>,
    description: CString,
    trimming: Option<Trimming>,
}

/// A file being trimmed: files that mean the same and differ less from the seed are tried.
struct Trimming {
    shrinking: Shrinking,
    current: Equivalent,
    /// The maximum size of a file.
    most: usize,
}

impl Trimming {
    /// Returns the next file that is not too large; `None` if there is none.
    fn next(mut shrinking: Shrinking, most: usize) -> Option<Self> {
        loop {
            let current = shrinking.next()?.clone();
            if current.bytes.len() <= most {
                return Some(Self { shrinking, current, most });
            }
            shrinking.answer(false);
        }
    }
}

impl State {
    /// Creates the state that the environment describes; `run` is AFL++'s number for this run.
    ///
    /// # Errors
    ///
    /// Returns a one-line message: the variable, and the reason why its file cannot be read.
    pub fn from_env(run: u64) -> Result<Self, String> {
        let format = match env::var_os(SPEC) {
            Some(path) => Format::from_file(path).map_err(|e| format!("{SPEC}: {e}"))?,
            None => Format::Tiff,
        };
        let seed = match env::var_os(SEED) {
            Some(path) => {
                let bytes = std::fs::read(path).map_err(|e| format!("{SEED}: {e}"))?;
                let read = Reference::new(format.clone(), &bytes, |_| ());
                Some(read.map_err(|e| format!("{SEED}: {e}"))?)
            }
            None => None,
        };
        Ok(Self {
            mutator: Mutator::new(format),
            seed,
            requested: 0,
            run,
            made: None,
            description: CString::default(),
            trimming: None,
        })
    }

    /// Builds another file of at most `max_size` bytes that means the same as `file`.
    pub fn fuzz(&mut self, file: &[u8], max_size: usize) -> Option<&[u8]> {
        let number = self.run << 40 ^ self.requested;
        self.requested += 1;
        self.made = self.mutator.mutate(file, max_size, number);
        self.made.as_ref().map(|made| &made.bytes[..])
    }

    /// Returns the names of the choices in which the last mutation differs from its original, in at most `most` bytes
    /// and only with characters that file names may have.
    pub fn describe(&mut self, most: usize) -> &CStr {
        let mut text = String::from("equivalent");
        for (name, _) in self.made.iter().flat_map(|made| made.choices.iter()) {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
            let name: String = name.chars().map(plain).collect();
            if text.len() + 1 + name.len() > most {
                break;
            }
            text = format!("{text},{name}");
        }
        text.truncate(most);
        self.description = CString::new(text).unwrap_or_default();
        &self.description
    }

    /// Returns true if the target may receive `file`: it means the same as the seed, or there is no seed.
    pub fn is_given(&self, file: &[u8]) -> bool {
        let Some(seed) = &self.seed else { return true };
        // The last mutation means the same as its original, which the target has already received.
        let made = self.made.as_ref().is_some_and(|made| made.bytes == file);
        made || seed.means_the_same(file)
    }

    /// Starts to trim `file`. Returns true if there is a file to try.
    pub fn init_trim(&mut self, file: &[u8]) -> bool {
        let shrinking = self.seed.as_ref().and_then(|seed| seed.shrinking(file));
        self.trimming = shrinking.and_then(|shrinking| Trimming::next(shrinking, file.len()));
        self.trimming.is_some()
    }

    /// Returns the file to try.
    pub fn trim(&self) -> &[u8] {
        self.trimming.as_ref().map_or(&[], |trimming| &trimming.current.bytes)
    }

    /// Takes the target's result on that file. Returns true if there is another file to try.
    pub fn post_trim(&mut self, same: bool) -> bool {
        self.trimming =
            self.trimming.take().and_then(|Trimming { mut shrinking, current, most }| {
                shrinking.answer(same);
                Trimming::next(shrinking, if same { current.bytes.len() } else { most })
            });
        self.trimming.is_some()
    }
}
