//! What the mutator knows from call to call.

use std::env;
use std::ffi::{CStr, CString};

use equivalents::{Equivalent, Format, Mutator, Reference, Shrinking};

/// The format.
const SPEC: &str = "EQUIVALENTS_SPEC";
/// The file that all must mean the same as.
const SEED: &str = "EQUIVALENTS_SEED";

/// A mutator, and what is under way.
pub struct State {
    mutator: Mutator,
    seed: Option<Reference<()>>,
    /// How many files were asked for; with `run`, the number that each is made by.
    asked: u64,
    run: u64,
    made: Option<Equivalent>,
    description: CString,
    trimming: Option<Trimming>,
}

/// A file that is being trimmed: files that mean the same and differ less from the seed are tried.
struct Trimming {
    shrinking: Shrinking,
    asked: Equivalent,
    /// No file may be larger.
    most: usize,
}

impl Trimming {
    /// Looks for the next file that is not too large; `None` if there is no more.
    fn next(mut shrinking: Shrinking, most: usize) -> Option<Self> {
        loop {
            let asked = shrinking.next()?.clone();
            if asked.bytes.len() <= most {
                return Some(Self { shrinking, asked, most });
            }
            shrinking.answer(false);
        }
    }
}

impl State {
    /// The state that the environment describes; `run` is AFL++'s number for this run.
    ///
    /// # Errors
    ///
    /// One line: the variable, and why its file cannot be read.
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
            asked: 0,
            run,
            made: None,
            description: CString::default(),
            trimming: None,
        })
    }

    /// Another file that means what `file` means, of at most `max_size` bytes.
    pub fn fuzz(&mut self, file: &[u8], max_size: usize) -> Option<&[u8]> {
        let number = self.run << 40 ^ self.asked;
        self.asked += 1;
        self.made = self.mutator.mutate(file, max_size, number);
        self.made.as_ref().map(|made| &made.bytes[..])
    }

    /// The names of the choices in which the last file differs from the one it was made of, in at most `most`
    /// bytes, of the characters that file names may have.
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

    /// Whether the target may have `file`: it means what the seed means, or there is no seed.
    pub fn is_given(&self, file: &[u8]) -> bool {
        let Some(seed) = &self.seed else { return true };
        // What was just made of a file that the target has had means what that means.
        let made = self.made.as_ref().is_some_and(|made| made.bytes == file);
        made || seed.means_the_same(file)
    }

    /// Begins to trim `file`; whether there is something to try.
    pub fn init_trim(&mut self, file: &[u8]) -> bool {
        let shrinking = self.seed.as_ref().and_then(|seed| seed.shrinking(file));
        self.trimming = shrinking.and_then(|shrinking| Trimming::next(shrinking, file.len()));
        self.trimming.is_some()
    }

    /// The file to try.
    pub fn trim(&self) -> &[u8] {
        self.trimming.as_ref().map_or(&[], |trimming| &trimming.asked.bytes)
    }

    /// Takes whether the target does the same on it; whether there is more to try.
    pub fn post_trim(&mut self, same: bool) -> bool {
        self.trimming = self.trimming.take().and_then(|Trimming { mut shrinking, asked, most }| {
            shrinking.answer(same);
            Trimming::next(shrinking, if same { asked.bytes.len() } else { most })
        });
        self.trimming.is_some()
    }
}
