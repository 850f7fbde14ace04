//! Words that nobody outside this process can guess.
//!
//! Whoever knows the identifier of a job can send its result, so only holders of the job receive the identifier. No
//! result depends on these words.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use clients::digest;

/// The source of a process's words: a secret and a counter.
pub struct Tokens {
    secret: [u8; 32],
    count: AtomicU64,
}

// The secret is in no log.
impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

impl Tokens {
    /// Takes a secret from the kernel.
    ///
    /// # Errors
    ///
    /// Returns a one-line message if the system has no random numbers.
    pub fn new() -> io::Result<Self> {
        let mut secret = [0; 32];
        File::open("/dev/urandom")
            .and_then(|mut file| file.read_exact(&mut secret))
            .map_err(|error| io::Error::other(format!("/dev/urandom: {error}")))?;
        Ok(Self::of(secret))
    }

    /// The words of this secret.
    pub fn of(secret: [u8; 32]) -> Self {
        Self { secret, count: AtomicU64::new(0) }
    }

    /// Returns the next word: 32 hexadecimal digits.
    pub fn word(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::SeqCst).to_le_bytes();
        digest::hex([&self.secret[..], &count].concat())[..32].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_comes_twice_and_no_process_has_those_of_another() {
        let (mine, other) = (Tokens::new().unwrap(), Tokens::new().unwrap());
        let words: std::collections::BTreeSet<String> =
            (0..50).flat_map(|_| [mine.word(), other.word()]).collect();
        assert_eq!(words.len(), 100);
        assert!(words.iter().all(|word| word.len() == 32));
        assert!(!format!("{mine:?}").contains("secret"));
    }
}
