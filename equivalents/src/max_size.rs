//! The option `--max-size`, and `max_size` of a night's configuration.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr;

use inverter::run::{Bytes, MAX_SIZE, Room};
use serde::{Deserialize, Serialize};
use tiff_harness::mapped;

/// The maximum number of bytes that a seed may take once it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MaxSize(pub u64);

/// The remedy for a seed that is too large.
pub const REMEDY: &str = "; --max-size sets another limit";

/// Units, the largest first.
const UNITS: [(&str, u64); 4] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

impl Default for MaxSize {
    fn default() -> Self {
        Self(MAX_SIZE)
    }
}

impl fmt::Display for MaxSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |(_, size): &&(&str, u64)| self.0.is_multiple_of(*size);
        let (unit, size) = UNITS.iter().find(whole).unwrap_or(&("B", 1));
        write!(f, "{}{unit}", self.0 / size)
    }
}

impl FromStr for MaxSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let unit = unit.trim();
        let factor = match unit {
            "" => Some(1),
            _ => UNITS.iter().find(|(name, _)| unit.eq_ignore_ascii_case(name)).map(|u| u.1),
        };
        let size = number.parse::<u64>().ok().zip(factor).and_then(|(n, unit)| n.checked_mul(unit));
        size.filter(|size| *size > 0).map(Self).ok_or_else(|| {
            "must be a number of bytes, such as 268435456, 256MiB or 1GiB".to_owned()
        })
    }
}

impl MaxSize {
    /// Reads a file of at most this size.
    ///
    /// # Errors
    ///
    /// Returns one line: the file, and the error.
    pub fn read(self, path: &Path) -> Result<Bytes, String> {
        mapped::read_within(path, self.0).map_err(|e| {
            let remedy = if e.kind() == ErrorKind::FileTooLarge { REMEDY } else { "" };
            format!("{}: {e}{remedy}", path.display())
        })
    }

    /// Returns the room for the arrays of a seed's value, whose picture takes the same amount.
    pub fn room(self) -> Room {
        Room::of(self.0 / 2)
    }
}

impl From<MaxSize> for String {
    fn from(size: MaxSize) -> Self {
        size.to_string()
    }
}

impl TryFrom<String> for MaxSize {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_with_units() {
        for (text, size) in [("1", 1), ("7 KiB", 7 << 10), ("256MiB", 1 << 28), ("1gib", 1 << 30)] {
            assert_eq!(text.parse(), Ok(MaxSize(size)), "{text}");
        }
        for wrong in ["", "MiB", "-1", "0", "1.5GiB", "1 parsec", "99999999999GiB"] {
            assert!(wrong.parse::<MaxSize>().is_err(), "{wrong}");
        }
        assert_eq!(MaxSize::default().to_string(), "256MiB");
        assert_eq!(MaxSize(1001).to_string(), "1001B");
    }
}
