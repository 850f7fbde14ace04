//! SHA-256 digests of files and of choices.

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

/// The digest of choices, independent of their order.
pub fn of_choices(choices: &Choices) -> Key {
    let mut pairs: Vec<_> = choices.iter().collect();
    pairs.sort_by_key(|(dimension, _)| *dimension);
    // Names and values are text and numbers: serialization cannot fail.
    key(serde_json::to_vec(&pairs).unwrap_or_default())
}
