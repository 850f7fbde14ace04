//! SHA-256 digests of files and of choices.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use inverter::solve::Choices;
use sha2::{Digest, Sha256};

/// A SHA-256 digest.
pub type Key = [u8; 32];

/// The digest of `bytes`.
pub fn key(bytes: impl AsRef<[u8]>) -> Key {
    Sha256::digest(bytes).into()
}

/// The digest of `bytes`, in hexadecimal.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    key(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// The digest of a file's content, in hexadecimal. The file is read piece by piece.
///
/// # Errors
///
/// Returns an error if it cannot be read.
pub fn of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut sum) = (File::open(path)?, Sha256::new());
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            length => sum.update(&piece[..length]),
        }
    }
    Ok(sum.finalize().iter().map(|b| format!("{b:02x}")).collect())
}

/// The digest of choices, independent of their order.
pub fn of_choices(choices: &Choices) -> Key {
    let mut pairs: Vec<_> = choices.iter().collect();
    pairs.sort_by_key(|(dimension, _)| *dimension);
    // Names and values are text and numbers, so serialization cannot fail.
    key(serde_json::to_vec(&pairs).unwrap_or_default())
}
