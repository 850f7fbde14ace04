//! SHA-256, in the forms in which it is used.

use inverter::solve::Choices;
use sha2::{Digest, Sha256};

/// The SHA-256 of a file, of choices.
pub type Key = [u8; 32];

/// The digest of `bytes`.
pub fn key(bytes: impl AsRef<[u8]>) -> Key {
    Sha256::digest(bytes).into()
}

/// The digest of `bytes`, in hexadecimal.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    key(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// What two equal sets of choices have in common, whatever their order.
pub fn of_choices(choices: &Choices) -> Key {
    let mut pairs: Vec<_> = choices.iter().collect();
    pairs.sort_by_key(|(dimension, _)| *dimension);
    // Names and values are text and numbers: it cannot fail.
    key(serde_json::to_vec(&pairs).unwrap_or_default())
}
