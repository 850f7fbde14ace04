//! Converts floating-point samples between widths: half, single and double precision (IEEE 754; TIFF 6.0, section 19;
//! Adobe Photoshop TIFF technical note 3 for 16 bits).
//!
//! A wider format contains every number of a narrower one, so a file may store the same numbers with more bits. Bits
//! are moved without rounding, and NaNs keep their payloads.

/// The widths of floating-point samples in bits, in ascending order.
pub const WIDTHS: [u16; 3] = [16, 32, 64];

/// A format of IEEE 754.
#[derive(Clone, Copy)]
struct Format {
    /// Bits of the exponent.
    exponent: u32,
    /// Bits of the mantissa that are stored.
    mantissa: u32,
}

impl Format {
    /// Returns the format with `bits` bits; `None` if it is not one of [`WIDTHS`].
    fn of(bits: u16) -> Option<Self> {
        let (exponent, mantissa) = match bits {
            16 => (5, 10),
            32 => (8, 23),
            64 => (11, 52),
            _ => return None,
        };
        Some(Self { exponent, mantissa })
    }

    /// Returns the exponent of infinities and NaNs.
    fn most(self) -> u64 {
        (1 << self.exponent) - 1
    }

    /// Returns the power of two of the last bit of a number with the stored exponent 1, or 0.
    fn least_power(self) -> i64 {
        1 - (self.most() / 2) as i64 - i64::from(self.mantissa)
    }

    /// Converts a number to the format `to`; `None` if that format cannot represent it.
    fn convert(self, number: u64, to: Self) -> Option<u64> {
        let mantissa = number & ((1 << self.mantissa) - 1);
        let exponent = number >> self.mantissa & self.most();
        let sign = (number >> (self.mantissa + self.exponent)) << (to.mantissa + to.exponent);
        if exponent == self.most() {
            let moved = match to.mantissa.checked_sub(self.mantissa) {
                Some(more) => mantissa << more,
                None if mantissa.trailing_zeros() < self.mantissa - to.mantissa => return None,
                None => mantissa >> (self.mantissa - to.mantissa),
            };
            return Some(sign | to.most() << to.mantissa | moved);
        }
        // The number is digits * 2^power.
        let implied = if exponent == 0 { 0 } else { 1 << self.mantissa };
        let digits = mantissa | implied;
        if digits == 0 {
            return Some(sign);
        }
        let power =
            self.least_power() + exponent.max(1) as i64 - 1 + i64::from(digits.trailing_zeros());
        let digits = digits >> digits.trailing_zeros();
        let length = i64::from(u64::BITS - digits.leading_zeros());
        // The stored exponent of a number in `to` whose first digit is the implied one.
        let exponent = power + length - to.least_power() - i64::from(to.mantissa);
        let shift = power - to.least_power();
        if exponent < 1 {
            return (shift >= 0).then(|| sign | digits << shift);
        }
        if exponent as u64 >= to.most() || length > i64::from(to.mantissa) + 1 {
            return None;
        }
        let rest = digits << (i64::from(to.mantissa) + 1 - length) & ((1 << to.mantissa) - 1);
        Some(sign | (exponent as u64) << to.mantissa | rest)
    }
}

/// Converts numbers of `from` bits to `to` bits; both are big-endian, and both widths are in [`WIDTHS`]. Returns `None`
/// if one of them is not exact with so few bits.
pub fn convert(bytes: &[u8], from: u16, to: u16) -> Option<Vec<u8>> {
    let (source, target) = (Format::of(from)?, Format::of(to)?);
    let (before, after) = (usize::from(from / 8), usize::from(to / 8));
    let mut converted = Vec::with_capacity(bytes.len() / before * after);
    for number in bytes.chunks_exact(before) {
        let number = number.iter().fold(0, |n: u64, byte| n << 8 | u64::from(*byte));
        let number = source.convert(number, target)?;
        converted.extend_from_slice(&number.to_be_bytes()[8 - after..]);
    }
    Some(converted)
}

/// Returns the minimum number of bits in which all of these big-endian numbers of `bits` bits are exact.
pub fn fewest_bits(bytes: &[u8], bits: u16) -> u16 {
    let narrower = WIDTHS.into_iter().filter(|width| *width < bits);
    narrower.into_iter().find(|width| convert(bytes, bits, *width).is_some()).unwrap_or(bits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one(number: u64, from: u16, to: u16) -> Option<u64> {
        Format::of(from).unwrap().convert(number, Format::of(to).unwrap())
    }

    #[test]
    fn every_half_is_wider_as_well() {
        for half in 0..=u16::MAX {
            for to in [32, 64] {
                let wide = one(half.into(), 16, to).unwrap();
                assert_eq!(one(wide, to, 16), Some(half.into()), "{half:#x} {to}");
            }
            // The definition of the format, in arithmetic.
            let (exponent, mantissa) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
            let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
            let value = match exponent {
                0 => sign * mantissa * 2f64.powi(-24),
                31 => continue,
                _ => sign * (1024.0 + mantissa) * 2f64.powi(exponent - 25),
            };
            assert_eq!(one(half.into(), 16, 64), Some(value.to_bits()));
            assert_eq!(one(half.into(), 16, 32), Some((value as f32).to_bits().into()));
        }
    }

    #[test]
    fn numbers_without_an_exact_narrow_form_are_refused() {
        for (number, fewest) in [
            (1.0, 16),
            (65504.0, 16),
            (65520.0, 32),
            (2f64.powi(-24), 16),
            (2f64.powi(-25), 32),
            (2f64.powi(-149), 32),
            (2f64.powi(-150), 64),
            (0.1, 64),
            (f64::from(0.1f32), 32),
            (f64::NEG_INFINITY, 16),
            (-0.0, 16),
            (f64::MAX, 64),
        ] {
            assert_eq!(fewest_bits(&number.to_be_bytes(), 64), fewest, "{number}");
        }
        // The payload of a NaN needs all of its bits.
        assert_eq!(fewest_bits(&0x7FC0_0001u32.to_be_bytes(), 32), 32);
        assert_eq!(fewest_bits(&0x7FC0_0000u32.to_be_bytes(), 32), 16);
    }

    proptest! {
        #[test]
        fn singles_are_as_the_machine_converts_them(bits in any::<u32>()) {
            let single = f32::from_bits(bits);
            let wide = one(bits.into(), 32, 64).unwrap();
            prop_assert_eq!(one(wide, 64, 32), Some(bits.into()));
            if !single.is_nan() {
                prop_assert_eq!(wide, f64::from(single).to_bits());
            }
        }

        #[test]
        fn doubles_are_narrow_if_that_is_exact(bits in any::<u64>()) {
            let double = f64::from_bits(bits);
            let exact = f64::from(double as f32).to_bits() == bits;
            if !double.is_nan() {
                let narrow = exact.then(|| (double as f32).to_bits().into());
                prop_assert_eq!(one(bits, 64, 32), narrow);
            }
        }
    }
}
