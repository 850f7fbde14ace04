//! Primitives with one encoding: the same elements, otherwise ordered.

use std::ops::RangeInclusive;

use super::{EncodeError, Primitive, of_length};
use crate::solve::ChoiceSource;

/// `reverse_bits(x.a, r)`: the bits of each byte in reverse order if `r` is 1, as they are
/// if it is 0.
pub struct ReverseBits;

impl ReverseBits {
    fn turned(bytes: &[u8], args: &[i128]) -> Result<Vec<u8>, String> {
        match args {
            [0] => Ok(bytes.to_vec()),
            [1] => Ok(bytes.iter().map(|b| b.reverse_bits()).collect()),
            _ => Err("whether bits are reversed is told by 0 or 1".to_owned()),
        }
    }
}

impl Primitive for ReverseBits {
    fn name(&self) -> &str {
        "reverse_bits"
    }

    fn arity(&self) -> usize {
        1
    }

    fn keeps_length(&self) -> bool {
        true
    }

    fn decode(&self, stored: &[u8], args: &[i128], _: usize) -> Result<Vec<u8>, String> {
        Self::turned(stored, args)
    }

    fn encode(
        &self,
        data: &[u8],
        args: &[i128],
        lengths: &RangeInclusive<usize>,
        _: &mut ChoiceSource,
    ) -> Result<Vec<u8>, EncodeError> {
        of_length(Self::turned(data, args).map_err(EncodeError::Impossible)?, lengths)
    }
}

/// `bytes_swapped(x.a, n)`: each group of `n` bytes in reverse order. Only whole groups are
/// taken.
pub struct BytesSwapped;

impl BytesSwapped {
    fn turned(bytes: &[u8], args: &[i128]) -> Result<Vec<u8>, String> {
        let [group] = args else { return Err("the size of a group is missing".to_owned()) };
        let Some(size) = usize::try_from(*group).ok().filter(|size| *size >= 1) else {
            return Err(format!("a group of {group} bytes"));
        };
        if !bytes.len().is_multiple_of(size) {
            return Err(format!("{} bytes are no groups of {size}", bytes.len()));
        }
        Ok(bytes.chunks(size).flat_map(|group| group.iter().rev()).copied().collect())
    }
}

impl Primitive for BytesSwapped {
    fn name(&self) -> &str {
        "bytes_swapped"
    }

    fn arity(&self) -> usize {
        1
    }

    fn keeps_length(&self) -> bool {
        true
    }

    fn decode(&self, stored: &[u8], args: &[i128], _: usize) -> Result<Vec<u8>, String> {
        Self::turned(stored, args)
    }

    fn encode(
        &self,
        data: &[u8],
        args: &[i128],
        lengths: &RangeInclusive<usize>,
        _: &mut ChoiceSource,
    ) -> Result<Vec<u8>, EncodeError> {
        of_length(Self::turned(data, args).map_err(EncodeError::Impossible)?, lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_told() {
        let bits = |r| ReverseBits.decode(&[0b0001_0111, 0x80], &[r], 2);
        assert_eq!(bits(0).unwrap(), [0b0001_0111, 0x80]);
        assert_eq!(bits(1).unwrap(), [0b1110_1000, 0x01]);
        assert!(bits(2).is_err());
        let swapped = |n| BytesSwapped.decode(&[1, 2, 3, 4, 5, 6], &[n], 6);
        assert_eq!(swapped(3).unwrap(), [3, 2, 1, 6, 5, 4]);
        assert_eq!(swapped(0).unwrap_err(), "a group of 0 bytes");
        assert_eq!(swapped(4).unwrap_err(), "6 bytes are no groups of 4");
        assert!(swapped(i128::MAX).is_err());
    }
}
