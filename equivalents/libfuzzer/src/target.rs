//! A fuzz target: the format of its files, its seeds, and the decoder's results on the seeds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use equivalents::{Format, Mutator, Reference, decoded_differently};

/// The variable with the folder of seeds.
const SEEDS: &str = "EQUIVALENTS_SEEDS";

/// A seed file, and the decoder's result on it, which is `None` if the decoder refuses the file.
type Seed = (PathBuf, Reference<Option<Vec<u8>>>);

/// A mutator, and seeds with which decoder results are compared.
pub struct Target {
    format: Format,
    mutator: Mutator,
    seeds: Vec<(PathBuf, Vec<u8>)>,
    /// Dimensions in which compared files do not differ.
    kept: Vec<String>,
    /// The seeds with the decoder's results; `None` before they are first needed.
    decoded: Option<Vec<Seed>>,
}

impl Target {
    /// Reads a format that ships, and the seeds next to `program`, unless the environment names another folder.
    ///
    /// # Errors
    ///
    /// Returns a one-line message: the format or the file, and the error.
    pub fn of_program(format: &str, program: &Path) -> Result<Self, String> {
        let beside = || {
            let mut folder = OsString::from(program);
            folder.push("_seeds");
            folder
        };
        Self::new(format, Path::new(&env::var_os(SEEDS).unwrap_or_else(beside)))
    }

    /// Reads a format that ships, and all files of the folder as seeds.
    ///
    /// # Errors
    ///
    /// Returns a one-line message: the format or the file, and the error.
    pub fn new(format: &str, folder: &Path) -> Result<Self, String> {
        let format = Format::shipped(format).map_err(|e| e.to_string())?;
        let named = |path: &Path, e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let entries = fs::read_dir(folder).map_err(|e| named(folder, &e))?;
        let mut paths = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| named(folder, &e))?;
        paths.sort();
        let mut seeds = Vec::new();
        for path in paths {
            let file = fs::read(&path).map_err(|e| named(&path, &e))?;
            // The seeds are read now, so that an error stops the fuzzer at once.
            format.equivalents(&file).map_err(|e| named(&path, &e))?;
            seeds.push((path, file));
        }
        if seeds.is_empty() {
            return Err(format!("{}: there is no seed file", folder.display()));
        }
        Ok(Self {
            mutator: Mutator::new(format.clone()),
            format,
            seeds,
            kept: Vec::new(),
            decoded: None,
        })
    }

    /// Replaces the file in the first `size` bytes of `data` by another one that means the same, and returns its size.
    /// Returns `None` if the file cannot be read or nothing fits.
    pub fn mutate(&mut self, data: &mut [u8], size: usize, seed: u32) -> Option<usize> {
        self.mutator.mutate_in_place(data, size, data.len(), seed)
    }

    /// Excludes files from the comparison that differ from the seed in this dimension.
    pub fn keep(&mut self, dimension: String) {
        self.kept.push(dimension);
    }

    /// Decodes a file. Refused files pass, and so do files that mean the same as no seed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file means the same as a seed but is decoded differently: the choices in which the two
    /// differ.
    pub fn check(
        &mut self,
        file: &[u8],
        decode: impl Fn(&[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), String> {
        let Some(result) = decode(file) else { return Ok(()) };
        if self.decoded.is_none() {
            let each = self.seeds.iter().map(|(path, seed)| {
                let made = Reference::new(self.format.clone(), seed, &decode);
                made.map(|made| (path.clone(), made)).map_err(|e| e.to_string())
            });
            self.decoded = Some(each.collect::<Result<_, _>>()?);
        }
        // Pictures are compared first, because it takes much longer to determine the meaning of a file.
        let others = self.decoded.iter().flatten().filter(|(_, reference)| {
            reference.decoded().as_ref().is_some_and(|decoded| *decoded != result)
        });
        for (path, reference) in others {
            let Some(differs) = reference.differing(file) else { continue };
            if self.kept.iter().any(|name| differs.iter().any(|(other, _)| other == name)) {
                continue;
            }
            return Err(format!("{}: {}", path.display(), decoded_differently(&differs)));
        }
        Ok(())
    }
}
