//! Sequences of integers of variable length: groups of seven bits, with a continuation bit.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::Choices;
use rand::RngExt;

use super::policy::{Policy, one_in, plainest};

/// `leb128(x.a, bytes, longest)`, `sleb128` and `vlq` with the same arguments: decode a sequence of integers
/// to `bytes` bytes each, 1 to 8, the least significant first.
///
/// | primitive | integers | groups of seven bits |
/// |---|---|---|
/// | `leb128` | unsigned | the least significant first (DWARF 5, section 7.6) |
/// | `sleb128` | two's complement | the least significant first (the same) |
/// | `vlq` | unsigned | the most significant first (Standard MIDI Files 1.0) |
///
/// An integer may be stored in more bytes than it needs, up to `longest`, with groups of zeros, or of ones if it is
/// negative. If `longest` is 0, only the shortest form is allowed.
///
/// | dimension | value | |
/// |---|---|---|
/// | `redundant bytes` | `none` | each integer in its shortest form |
/// | | `longest` | each in `longest` bytes |
/// | | `random:N` | some in more bytes than they take |
pub struct Varints {
    name: &'static str,
    signed: bool,
    big: bool,
}

const REDUNDANT: &str = "redundant bytes";

/// The continuation bit of a byte.
const MORE: u8 = 0x80;

/// The number of bytes of a decoded integer, and the maximum number of bytes of a stored one.
#[derive(Clone, Copy)]
struct Size {
    bytes: usize,
    /// `None` if only the shortest form is allowed.
    longest: Option<usize>,
}

impl Varints {
    /// `leb128`.
    pub const UNSIGNED: Varints = Varints { name: "leb128", signed: false, big: false };
    /// `sleb128`.
    pub const SIGNED: Varints = Varints { name: "sleb128", signed: true, big: false };
    /// `vlq`.
    pub const BIG: Varints = Varints { name: "vlq", signed: false, big: true };

    /// The shortest form of an integer: its groups, the least significant first.
    fn groups(&self, n: i128) -> Vec<u8> {
        let mut out = Vec::new();
        let mut rest = n;
        loop {
            let group = (rest & 0x7f) as u8;
            rest >>= 7;
            out.push(group);
            // The last group contains the sign.
            let sign = if self.signed && group & 0x40 != 0 { -1 } else { 0 };
            if rest == sign {
                return out;
            }
        }
    }

    /// Writes groups, the least significant one being the first.
    fn write(&self, mut groups: Vec<u8>, out: &mut Vec<u8>) {
        if self.big {
            groups.reverse();
        }
        let last = groups.len() - 1;
        out.extend(groups.iter().enumerate().map(|(k, g)| if k < last { g | MORE } else { *g }));
    }

    /// Reads the next integer.
    fn next(&self, rest: &mut &[u8], size: Size) -> Result<i128, PrimitiveError> {
        let most = size.longest.unwrap_or(10);
        let Some(last) = rest.iter().take(most).position(|byte| byte & MORE == 0) else {
            return Err(match rest.len() < most {
                true => "the stream ends inside an integer".into(),
                false => format!("an integer of more than {most} bytes").into(),
            });
        };
        let (stored, after) = rest.split_at(last + 1);
        *rest = after;
        let mut groups: Vec<u8> = stored.iter().map(|byte| byte & !MORE).collect();
        if self.big {
            groups.reverse();
        }
        // There can be any number of groups that only repeat the sign.
        let negative = self.signed && groups.last().is_some_and(|g| g & 0x40 != 0);
        let start = if negative { -1 } else { 0 };
        let wide = |n: i128, group: &u8| n.checked_mul(128).map(|n| n | i128::from(*group));
        let n = groups.iter().rev().try_fold(start, wide);
        let bits = 8 * size.bytes as u32;
        let (least, most) = match self.signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        let Some(n) = n.filter(|n| (least..=most).contains(n)) else {
            return Err(format!("an integer of more than {} bytes", size.bytes).into());
        };
        match size.longest.is_none() && self.groups(n).len() < stored.len() {
            true => Err(format!("{n} is not in its shortest form").into()),
            false => Ok(n),
        }
    }

    /// The integers of decoded data.
    fn integers(&self, data: &[u8], size: Size) -> Result<Vec<i128>, PrimitiveError> {
        if !data.len().is_multiple_of(size.bytes) {
            let (found, bytes) = (data.len(), size.bytes);
            return Err(format!("{found} bytes are no whole number of integers of {bytes}").into());
        }
        let one = |bytes: &[u8]| {
            let n = bytes.iter().rev().fold(0, |n, byte| n << 8 | i128::from(*byte));
            let bits = 8 * size.bytes;
            if self.signed && n >> (bits - 1) != 0 { n - (1 << bits) } else { n }
        };
        let out: Vec<i128> = data.chunks(size.bytes).map(one).collect();
        let longest = size.longest.unwrap_or(usize::MAX);
        match out.iter().find(|n| self.groups(**n).len() > longest) {
            Some(n) => Err(format!("{n} takes more than {longest} bytes").into()),
            None => Ok(out),
        }
    }
}

fn size(args: &[i128]) -> Result<Size, Unfit> {
    let unfit = |argument, why: String| Unfit { argument: Some(argument), why: why.into() };
    let [bytes, longest] = *args else {
        return Err(Unfit { argument: None, why: "two arguments".into() });
    };
    if !(1..=8).contains(&bytes) {
        return Err(unfit(0, format!("integers of {bytes} bytes; they have 1 to 8")));
    }
    if !(0..=16).contains(&longest) {
        return Err(unfit(1, format!("at most {longest} bytes; it is 1 to 16, or 0")));
    }
    let longest = if longest == 0 { None } else { Some(longest as usize) };
    Ok(Size { bytes: bytes as usize, longest })
}

impl Primitive for Varints {
    fn signature(&self) -> Signature<'_> {
        Signature::new(self.name).arguments(2).dimensions(&[REDUNDANT])
    }

    fn decode(&self, stored: &[u8], args: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let size = size(args).map_err(|unfit| unfit.why)?;
        let (mut rest, mut out) = (stored, Vec::new());
        while !rest.is_empty() {
            if out.len() + size.bytes > most {
                return Err(PrimitiveError::of_size());
            }
            let n = self.next(&mut rest, size)?;
            out.extend(&n.to_le_bytes()[..size.bytes]);
        }
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { args, lengths, source }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let size = size(args)?;
        let integers = self.integers(data, size)?;
        let redundant = match size.longest {
            Some(_) => Policy::choose(source, REDUNDANT, &["none", "longest"])?,
            None => Policy::Word(0),
        };
        let mut random = redundant.rng().map(|mut rng| {
            let often = one_in(1 << rng.random_range(0..=6));
            (rng, often)
        });
        let mut out = Vec::with_capacity(integers.len());
        for n in integers {
            let mut groups = self.groups(n);
            let (least, most) = (groups.len(), size.longest.unwrap_or(groups.len()));
            let length = match (&mut random, redundant) {
                (Some((rng, often)), _) => match rng.sample(*often) {
                    true => rng.random_range(least..=most),
                    false => least,
                },
                (None, Policy::Word(1)) => most,
                (None, _) => least,
            };
            groups.resize(length, if n < 0 { 0x7f } else { 0 });
            self.write(groups, &mut out);
        }
        of_length(out, lengths)
    }

    fn accepts(&self, data: &[u8], args: &[i128]) -> Result<(), Unfit> {
        let size = size(args)?;
        self.integers(data, size).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    /// Returns choices only for the shortest forms.
    fn own_choices(&self, stored: &[u8], data: &[u8], args: &[i128]) -> Option<Choices> {
        plainest(self, stored, data, args)
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::{encoded, round_trips};
    use inverter::solve::Choice;

    use super::*;

    #[test]
    fn integers_are_stored_as_the_standards_show() {
        // The tables of DWARF 5, section 7.6, and of Standard MIDI Files 1.0.
        let unsigned: [(u32, &[u8], &[u8]); 6] = [
            (0, &[0], &[0]),
            (127, &[0x7f], &[0x7f]),
            (128, &[0x80, 1], &[0x81, 0]),
            (129, &[0x81, 1], &[0x81, 1]),
            (12857, &[0xb9, 0x64], &[0xe4, 0x39]),
            (0x0fff_ffff, &[0xff, 0xff, 0xff, 0x7f], &[0xff, 0xff, 0xff, 0x7f]),
        ];
        for (n, little, big) in unsigned {
            for (form, stored) in [(Varints::UNSIGNED, little), (Varints::BIG, big)] {
                assert_eq!(form.decode(stored, &[4, 0], 4).unwrap(), n.to_le_bytes());
                assert_eq!(encoded(&form, &[4, 0], &n.to_le_bytes(), []).unwrap(), stored);
            }
        }
        let signed: [(i32, &[u8]); 7] = [
            (2, &[2]),
            (-2, &[0x7e]),
            (127, &[0xff, 0]),
            (-127, &[0x81, 0x7f]),
            (128, &[0x80, 1]),
            (-128, &[0x80, 0x7f]),
            (-129, &[0xff, 0x7e]),
        ];
        for (n, stored) in signed {
            assert_eq!(Varints::SIGNED.decode(stored, &[4, 0], 4).unwrap(), n.to_le_bytes());
            assert_eq!(encoded(&Varints::SIGNED, &[4, 0], &n.to_le_bytes(), []).unwrap(), stored);
        }
    }

    #[test]
    fn redundant_bytes_are_read_and_written_where_they_are_allowed() {
        let longest = |form: &Varints, n: i16| {
            let choice = [(REDUNDANT, Choice::from("longest"))];
            encoded(form, &[2, 4], &n.to_le_bytes(), choice).unwrap()
        };
        assert_eq!(longest(&Varints::UNSIGNED, 5), [0x85, 0x80, 0x80, 0]);
        assert_eq!(longest(&Varints::SIGNED, -2), [0xfe, 0xff, 0xff, 0x7f]);
        assert_eq!(longest(&Varints::BIG, 5), [0x80, 0x80, 0x80, 5]);
        for (stored, longest, why) in [
            (&[0x85, 0][..], 0, "5 is not in its shortest form"),
            (&[0x85, 0x80, 0], 2, "an integer of more than 2 bytes"),
            (&[0x80, 0x80], 4, "the stream ends inside an integer"),
            (&[0xff, 0xff, 0x7f], 4, "an integer of more than 2 bytes"),
        ] {
            let found = Varints::UNSIGNED.decode(stored, &[2, longest], 9).unwrap_err();
            assert_eq!(found.to_string(), why);
        }
        let wide = Varints::UNSIGNED.accepts(&[0, 0x40], &[2, 2]).unwrap_err().why;
        assert_eq!(wide.to_string(), "16384 takes more than 2 bytes");
        assert!(Varints::UNSIGNED.accepts(&[0], &[9, 0]).is_err());
    }

    #[test]
    fn all_sequences_round_trip() {
        for form in [Varints::UNSIGNED, Varints::SIGNED, Varints::BIG] {
            let args: [&[i128]; 6] = [&[1, 0], &[1, 2], &[2, 5], &[4, 16], &[8, 0], &[8, 10]];
            round_trips(&form, &args, 300).unwrap();
        }
    }
}
