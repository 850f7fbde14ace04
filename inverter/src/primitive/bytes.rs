//! Primitives with one encoding: the same bytes in another order.

use super::contract::{Bijection, PrimitiveError};

/// `reverse_bits(x.a, r)`: reverses the bits of each byte if `r` is 1, and leaves them unchanged if it is 0.
pub struct ReverseBits;

impl Bijection for ReverseBits {
    const NAME: &str = "reverse_bits";
    const ARITY: usize = 1;

    fn forwards(&self, bytes: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        match args {
            [0] => Ok(bytes.to_vec()),
            [1] => Ok(bytes.iter().map(|b| b.reverse_bits()).collect()),
            _ => Err("the argument of reverse_bits is 0 or 1".into()),
        }
    }

    fn backwards(&self, data: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        self.forwards(data, args)
    }
}

/// `bytes_swapped(x.a, n)`: reverses the order of bytes in each group of `n` bytes. It accepts only whole groups.
pub struct BytesSwapped;

impl Bijection for BytesSwapped {
    const NAME: &str = "bytes_swapped";
    const ARITY: usize = 1;

    fn forwards(&self, bytes: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        let [group] = args else { return Err("the size of a group is missing".into()) };
        let Some(size) = usize::try_from(*group).ok().filter(|size| *size >= 1) else {
            return Err(format!("a group of {group} bytes").into());
        };
        if !bytes.len().is_multiple_of(size) {
            return Err(format!(
                "{} bytes are not a whole number of groups of {size} bytes",
                bytes.len()
            )
            .into());
        }
        Ok(bytes.chunks(size).flat_map(|group| group.iter().rev()).copied().collect())
    }

    fn backwards(&self, data: &[u8], args: &[i128]) -> Result<Vec<u8>, PrimitiveError> {
        self.forwards(data, args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive::Primitive;

    #[test]
    fn bits_and_groups_are_reversed() {
        let bits = |r| ReverseBits.decode(&[0b0001_0111, 0x80], &[r], 2);
        assert_eq!(bits(0).unwrap(), [0b0001_0111, 0x80]);
        assert_eq!(bits(1).unwrap(), [0b1110_1000, 0x01]);
        assert!(bits(2).is_err());
        let swapped = |n| BytesSwapped.decode(&[1, 2, 3, 4, 5, 6], &[n], 6);
        assert_eq!(swapped(3).unwrap(), [3, 2, 1, 6, 5, 4]);
        assert_eq!(swapped(0).unwrap_err().to_string(), "a group of 0 bytes");
        assert_eq!(
            swapped(4).unwrap_err().to_string(),
            "6 bytes are not a whole number of groups of 4 bytes"
        );
        assert!(swapped(i128::MAX).is_err());
    }
}
