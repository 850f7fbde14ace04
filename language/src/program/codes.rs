//! Numbers of variable length: encodings that state their own number of bytes.

use serde::{Deserialize, Serialize};

use super::syntax::Expr;

/// An encoding of a number in a number of bytes that the bytes themselves state. Most numbers have several forms, and
/// longer ones are as legal as the shortest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Code {
    /// Groups of seven bits, the least significant first; all but the last byte have their high bit set.
    Leb128,
    /// As LEB128, in two's complement.
    SignedLeb128,
    /// Groups of seven bits, the most significant first, at most four: MIDI's variable-length quantity.
    Vlq,
    /// A BER length: one byte below 128, or 128 plus the number of the bytes that follow.
    BerLength,
    /// Digits in ASCII, in a field of fixed size. They may have leading zeros, and are followed by spaces or, for octal
    /// digits, zero bytes. Hexadecimal digits fill the field; variants use lower case.
    Text {
        /// The base: 8, 10 or 16.
        radix: u8,
        /// The size of the field, at most 16 bytes.
        size: u8,
    },
    /// The head of a CBOR item: its argument times 8, plus its major type. The five low bits of the first byte are the
    /// argument, or state the number of the bytes that follow.
    CborHead,
}

/// The maximum number of bytes after the first one of a code.
const MOST: usize = 9;

impl Code {
    /// The codes, by the names of the functions that read them.
    pub const NAMES: [(&'static str, Code); 5] = [
        ("leb128", Code::Leb128),
        ("sleb128", Code::SignedLeb128),
        ("vlq", Code::Vlq),
        ("ber_length", Code::BerLength),
        ("cbor_head", Code::CborHead),
    ];

    /// The bases of fields of digits, by the names of the functions that read them.
    pub const TEXTS: [(&'static str, u8); 3] = [("octal", 8), ("decimal", 10), ("hex", 16)];

    /// Returns the code that a function reads.
    pub fn of(name: &str) -> Option<Code> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|(_, code)| *code)
    }

    /// Returns the code of a field with this number of digits, which a function reads.
    pub fn text(name: &str, size: u8) -> Option<Code> {
        let (_, radix) = Self::TEXTS.iter().find(|(n, _)| *n == name)?;
        Some(Code::Text { radix: *radix, size })
    }

    /// Returns the number of bytes of a number of this width.
    pub fn size(self, width: usize) -> usize {
        match self {
            Code::Text { size, .. } => size.into(),
            _ => width,
        }
    }

    /// Returns the numbers of bytes, or of digits, that it may have, in ascending order.
    pub fn widths(self) -> &'static [usize] {
        const COUNTS: [usize; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
        let most = |size: u8| COUNTS.len().min(size.into());
        match self {
            Code::Text { radix: 16, size } => &COUNTS[most(size).saturating_sub(1)..most(size)],
            Code::Text { size, .. } => &COUNTS[..most(size)],
            Code::Leb128 | Code::SignedLeb128 => &[1, 2, 3, 4, 5, 6, 7, 8, 9],
            Code::Vlq => &[1, 2, 3, 4],
            Code::BerLength => &[1, 2, 3, 4, 5, 6, 7, 8],
            Code::CborHead => &[1, 2, 3, 5, 9],
        }
    }

    /// Returns the least and the greatest number that has a form of `width` bytes.
    pub fn range(self, width: usize) -> (i128, i128) {
        let bits = |n: usize| (1i128 << n) - 1;
        match self {
            Code::Leb128 | Code::Vlq => (0, bits(7 * width)),
            Code::SignedLeb128 => (-(1 << (7 * width - 1)), bits(7 * width - 1)),
            Code::BerLength if width == 1 => (0, 127),
            Code::BerLength => (0, bits(8 * (width - 1))),
            Code::Text { radix, .. } => {
                (0, i128::from(radix).pow(u32::try_from(width).unwrap_or(1)) - 1)
            }
            Code::CborHead if width == 1 => (0, 23 * 8 + 7),
            Code::CborHead => (0, bits(8 * (width - 1)) * 8 + 7),
        }
    }

    /// Decodes the number at the start of `bytes`; returns it with its number of bytes, `None` if there is none.
    pub fn decode(self, bytes: &[u8]) -> Option<(i128, usize)> {
        let first = i128::from(*bytes.first()?);
        let big = |from: usize, count: usize| {
            let digits = bytes.get(from..from + count)?;
            Some(digits.iter().fold(0i128, |n, b| n << 8 | i128::from(*b)))
        };
        match self {
            Code::Leb128 | Code::SignedLeb128 | Code::Vlq => {
                let most = *self.widths().last()?;
                let width = bytes.iter().take(most).position(|b| *b < 128)? + 1;
                let groups = bytes[..width].iter().map(|b| i128::from(b & 127));
                let n = match self {
                    Code::Vlq => groups.fold(0, |n, g| n << 7 | g),
                    _ => groups.rev().fold(0, |n, g| n << 7 | g),
                };
                let negative = self == Code::SignedLeb128 && n >> (7 * width - 1) & 1 == 1;
                Some((if negative { n - (1 << (7 * width)) } else { n }, width))
            }
            Code::BerLength if first < 128 => Some((first, 1)),
            Code::BerLength => {
                let count = usize::try_from(first - 128).ok().filter(|n| (1..8).contains(n))?;
                Some((big(1, count)?, 1 + count))
            }
            Code::Text { radix, size } => {
                let field = bytes.get(..size.into())?;
                let digit = |b: &u8| char::from(*b).to_digit(radix.into());
                let digits = field.iter().take_while(|b| digit(b).is_some()).count();
                let rest = |b: &u8| match radix {
                    8 => *b == b' ' || *b == 0,
                    10 => *b == b' ',
                    _ => false,
                };
                if digits == 0 || !field[digits..].iter().all(rest) {
                    return None;
                }
                let numbers = field[..digits].iter().filter_map(digit);
                Some((numbers.fold(0, |n, d| n * i128::from(radix) + i128::from(d)), digits))
            }
            Code::CborHead => {
                let major = first >> 5;
                let (argument, width) = match first & 31 {
                    n @ 0..24 => (n, 1),
                    n @ 24..28 => {
                        let count = 1 << (n - 24);
                        (big(1, count)?, 1 + count)
                    }
                    _ => return None,
                };
                Some((argument * 8 + major, width))
            }
        }
    }

    /// Encodes a number that is in the range of `width`.
    pub fn encode(self, n: i128, width: usize) -> Vec<u8> {
        let byte = |n: i128| (n & 255) as u8;
        let big = |n: i128, count: usize| (0..count).rev().map(move |k| byte(n >> (8 * k)));
        let group = |k: usize, last: bool| byte(n >> (7 * k) & 127) | if last { 0 } else { 128 };
        match self {
            Code::Leb128 | Code::SignedLeb128 => {
                (0..width).map(|k| group(k, k + 1 == width)).collect()
            }
            Code::Vlq => (0..width).rev().map(|k| group(k, k == 0)).collect(),
            Code::BerLength if width == 1 => vec![byte(n)],
            Code::BerLength => {
                std::iter::once(byte(127 + width as i128)).chain(big(n, width - 1)).collect()
            }
            Code::Text { radix, size } => {
                let digit = |k: u32| (n / i128::from(radix).pow(k)) % i128::from(radix);
                let text = |k: usize| {
                    let digit = u32::try_from(digit(k as u32)).unwrap_or_default();
                    char::from_digit(digit, radix.into()).map_or(b'0', |c| c as u8)
                };
                let pad = std::iter::repeat(b' ');
                (0..width).rev().map(text).chain(pad).take(size.into()).collect()
            }
            Code::CborHead => {
                let (argument, major) = (n >> 3, byte(n & 7) << 5);
                match width {
                    1 => vec![major | byte(argument)],
                    _ => {
                        let form = 24 + (width - 1).ilog2() as u8;
                        std::iter::once(major | form).chain(big(argument, width - 1)).collect()
                    }
                }
            }
        }
    }

    /// Returns the least and the greatest number of any width.
    pub fn whole(self) -> (i128, i128) {
        self.range(self.widths().last().copied().unwrap_or(MOST))
    }
}

/// A checksum of a range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sum {
    /// CRC-32 of ISO 3309, as in PNG, gzip and ZIP.
    Crc32,
    /// Adler-32, as in zlib.
    Adler32,
    /// The sum of the bytes.
    Bytes,
    /// The sum of the 32-bit words, the most significant byte first, modulo 2^32; a last word is padded with zeros.
    Words,
}

impl Sum {
    /// The sums, by the names of their functions.
    pub const NAMES: [(&'static str, Sum); 4] = [
        ("crc32", Sum::Crc32),
        ("adler32", Sum::Adler32),
        ("sum_bytes", Sum::Bytes),
        ("sum_words", Sum::Words),
    ];

    /// Returns the sum that a function computes.
    pub fn named(name: &str) -> Option<Sum> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|(_, sum)| *sum)
    }

    /// Returns the sum of `bytes`.
    pub fn of(self, bytes: &[u8]) -> i128 {
        match self {
            Sum::Crc32 => crc32fast::hash(bytes).into(),
            Sum::Adler32 => adler2::adler32_slice(bytes).into(),
            Sum::Bytes => bytes.iter().map(|b| i128::from(*b)).sum(),
            Sum::Words => {
                let word = |chunk: &[u8]| {
                    let mut whole = [0; 4];
                    whole[..chunk.len()].copy_from_slice(chunk);
                    u32::from_be_bytes(whole)
                };
                bytes.chunks(4).map(word).fold(0u32, u32::wrapping_add).into()
            }
        }
    }
}

/// The range of bytes that a checksum covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summed {
    /// The sum.
    pub sum: Sum,
    /// The input array of bytes.
    pub array: super::FieldId,
    /// The first index.
    pub start: Expr,
    /// One past the last index.
    pub end: Expr,
}

#[cfg(test)]
mod tests {
    use super::{Code, Sum};

    #[test]
    fn what_is_encoded_is_decoded_in_every_width() {
        let texts = Code::TEXTS.map(|(name, _)| (name, Code::text(name, 7).unwrap()));
        for (name, code) in Code::NAMES.into_iter().chain(texts) {
            for width in code.widths() {
                let (least, most) = code.range(*width);
                for n in [least, least + 1, least / 3, 0, 1, 23, 127, most / 3, most - 1, most] {
                    if n < least || n > most {
                        continue;
                    }
                    let mut bytes = code.encode(n, *width);
                    assert_eq!(bytes.len(), code.size(*width), "{name} {n}");
                    bytes.push(0xff);
                    assert_eq!(code.decode(&bytes), Some((n, *width)), "{name} {n}");
                    let short = &bytes[..code.size(*width) - 1];
                    assert_eq!(code.decode(short), None, "{name} {n}");
                }
            }
        }
    }

    #[test]
    fn bytes_of_the_standards() {
        assert_eq!(Code::Leb128.decode(&[0xe5, 0x8e, 0x26]), Some((624_485, 3)));
        assert_eq!(Code::SignedLeb128.decode(&[0x80, 0x7f]), Some((-128, 2)));
        assert_eq!(Code::Vlq.decode(&[0x81, 0x00]), Some((128, 2)));
        assert_eq!(Code::BerLength.decode(&[0x82, 0x01, 0x00]), Some((256, 3)));
        assert_eq!(Code::BerLength.decode(&[0x80]), None);
        assert_eq!(Code::text("decimal", 4).unwrap().decode(b"012 x"), Some((12, 3)));
        assert_eq!(Code::text("decimal", 4).unwrap().decode(b"1 2 "), None);
        assert_eq!(Code::text("octal", 4).unwrap().decode(b"17\0 "), Some((15, 2)));
        assert_eq!(Code::text("hex", 4).unwrap().decode(b"00fF"), Some((255, 4)));
        assert_eq!(Code::CborHead.decode(&[0x19, 0x03, 0xe8]), Some((8000, 3)));
        assert_eq!(Code::CborHead.decode(&[0x64]), Some((4 * 8 + 3, 1)));
    }

    #[test]
    fn sums_are_those_of_the_standards() {
        assert_eq!(Sum::Crc32.of(b"123456789"), 0xcbf4_3926);
        assert_eq!(Sum::Adler32.of(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(Sum::Bytes.of(&[255, 255, 2]), 512);
        assert_eq!(Sum::Words.of(&[1, 2, 3, 4, 1]), 0x0202_0304);
    }
}
