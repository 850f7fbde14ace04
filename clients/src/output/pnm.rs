//! PBM, PGM, PPM and PAM. The `image` crate reads them too, but does not scale samples whose
//! maximum value is neither 255 nor 65535.

use tiff_harness::Picture;

use super::error::{OutputError, check_size};

fn bad(what: impl std::fmt::Display) -> OutputError {
    OutputError::unreadable(format!("PNM: {what}"))
}

/// Size limit of the header, whose comments may have any length.
const LONGEST_HEADER: usize = 64 * 1024;

struct Header {
    width: u32,
    height: u32,
    channels: usize,
    max: u32,
    samples: Samples,
}

#[derive(Clone, Copy, PartialEq)]
enum Samples {
    /// Decimal numbers.
    Plain,
    /// The digits 0 and 1 with optional spaces; 1 is black.
    PlainBits,
    /// Bytes; a sample has two bytes if the maximum value is above 255.
    Raw,
    /// Bits, in rows that are padded to bytes; 1 is black.
    RawBits,
}

/// Decodes the first picture.
pub(super) fn decode(bytes: &[u8]) -> Result<Picture, OutputError> {
    next(&mut Scan { bytes, at: 0 })
}

/// Decodes all pictures, one after the other.
pub(super) fn decode_all(bytes: &[u8]) -> Result<Vec<Picture>, OutputError> {
    let mut scan = Scan { bytes, at: 0 };
    let mut all = vec![next(&mut scan)?];
    loop {
        // The numbers of a plain picture may end with a line feed.
        scan.skip();
        if scan.at >= bytes.len() {
            return Ok(all);
        }
        all.push(next(&mut scan)?);
    }
}

fn next(scan: &mut Scan<'_>) -> Result<Picture, OutputError> {
    let start = scan.bytes.get(scan.at..scan.at + 2);
    scan.at += 2;
    let header = match start {
        Some([b'P', b'7']) => scan.pam()?,
        Some([b'P', kind @ b'1'..=b'6']) => scan.pnm(*kind)?,
        _ => return Err(bad("it does not start with P1 to P7")),
    };
    check_size(header.width, header.height)?;
    let samples = scan.samples(&header)?;
    let scale = |v: u32| {
        ((u64::from(v) * 65535 + u64::from(header.max) / 2) / u64::from(header.max)) as u16
    };
    let rgba = samples
        .chunks_exact(header.channels)
        .flat_map(|pixel| match *pixel {
            [g] => [scale(g), scale(g), scale(g), u16::MAX],
            [g, a] => [scale(g), scale(g), scale(g), scale(a)],
            [r, g, b, ref rest @ ..] => {
                [scale(r), scale(g), scale(b), rest.first().map_or(u16::MAX, |&a| scale(a))]
            }
            // This is unreachable because the number of channels was checked.
            [] => [0, 0, 0, u16::MAX],
        })
        .collect();
    Ok(Picture::new(header.width, header.height, rgba))
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn pnm(&mut self, kind: u8) -> Result<Header, OutputError> {
        let (width, height) = (self.number()?, self.number()?);
        let bits = matches!(kind, b'1' | b'4');
        let max = if bits { 1 } else { self.number()? };
        check_max(max)?;
        // A single whitespace character ends the header of a raw file.
        if kind >= b'4' {
            match self.bytes.get(self.at) {
                Some(b) if b.is_ascii_whitespace() => self.at += 1,
                _ => return Err(bad("the header is cut off")),
            }
        }
        let samples = match kind {
            b'1' => Samples::PlainBits,
            b'4' => Samples::RawBits,
            b'2' | b'3' => Samples::Plain,
            _ => Samples::Raw,
        };
        let channels = if matches!(kind, b'3' | b'6') { 3 } else { 1 };
        Ok(Header { width, height, channels, max, samples })
    }

    fn pam(&mut self) -> Result<Header, OutputError> {
        let (mut width, mut height, mut depth, mut max) = (None, None, None, None);
        let mut tuple = String::new();
        loop {
            let line = self.line()?;
            let mut words = line.split_ascii_whitespace();
            let Some(key) = words.next() else { continue };
            let value = words.next().unwrap_or_default();
            let number = || value.parse::<u32>().map_err(|_| bad(format!("{key} is not a number")));
            match key {
                "ENDHDR" => break,
                "WIDTH" => width = Some(number()?),
                "HEIGHT" => height = Some(number()?),
                "DEPTH" => depth = Some(number()?),
                "MAXVAL" => max = Some(number()?),
                "TUPLTYPE" => tuple = value.to_string(),
                _ if key.starts_with('#') => {}
                _ => return Err(bad(format!("unknown header line {key:?}"))),
            }
        }
        let missing = || bad("WIDTH, HEIGHT, DEPTH or MAXVAL is missing");
        let (width, height) = (width.ok_or_else(missing)?, height.ok_or_else(missing)?);
        let (depth, max) = (depth.ok_or_else(missing)?, max.ok_or_else(missing)?);
        check_max(max)?;
        if !(1..=4).contains(&depth) {
            return Err(bad(format!("{depth} samples per pixel")));
        }
        if tuple.starts_with("CMYK") {
            return Err(bad(format!("tuples of type {tuple}")));
        }
        Ok(Header { width, height, channels: depth as usize, max, samples: Samples::Raw })
    }

    fn line(&mut self) -> Result<&'a str, OutputError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let rest = &rest[..rest.len().min(LONGEST_HEADER)];
        let end = rest.iter().position(|&b| b == b'\n').ok_or_else(|| bad("no ENDHDR"))?;
        self.at += end + 1;
        std::str::from_utf8(&rest[..end]).map_err(|_| bad("the header is not text"))
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        while let Some(&b) = self.bytes.get(self.at) {
            if b == b'#' {
                while self.bytes.get(self.at).is_some_and(|&b| b != b'\n') {
                    self.at += 1;
                }
            } else if b.is_ascii_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn number(&mut self) -> Result<u32, OutputError> {
        self.skip();
        let from = self.at;
        let mut value = 0u32;
        while let Some(b) = self.bytes.get(self.at).filter(|b| b.is_ascii_digit()) {
            value = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(u32::from(b - b'0')))
                .ok_or_else(|| bad("a number is too large"))?;
            self.at += 1;
        }
        if self.at == from { Err(bad("a number is missing")) } else { Ok(value) }
    }

    fn samples(&mut self, header: &Header) -> Result<Vec<u32>, OutputError> {
        let row = header.width as usize * header.channels;
        let count = row * header.height as usize;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let least = match header.samples {
            Samples::RawBits => row.div_ceil(8) * header.height as usize,
            Samples::Raw if header.max > 255 => 2 * count,
            _ => count,
        };
        if rest.len() < least {
            return Err(bad(format!("{} bytes of samples, not {least}", rest.len())));
        }
        let samples: Vec<u32> = match header.samples {
            Samples::Raw if header.max > 255 => rest[..least]
                .chunks_exact(2)
                .map(|b| u32::from(u16::from_be_bytes([b[0], b[1]])))
                .collect(),
            Samples::Raw => rest[..least].iter().map(|&b| u32::from(b)).collect(),
            Samples::RawBits => rest[..least]
                .chunks_exact(row.div_ceil(8))
                .flat_map(|bytes| (0..row).map(|x| u32::from(!bytes[x / 8] >> (7 - x % 8) & 1)))
                .collect(),
            Samples::Plain => (0..count).map(|_| self.number()).collect::<Result<_, _>>()?,
            Samples::PlainBits => (0..count).map(|_| self.bit()).collect::<Result<_, _>>()?,
        };
        if matches!(header.samples, Samples::Raw | Samples::RawBits) {
            self.at += least;
        }
        match samples.iter().find(|&&v| v > header.max) {
            Some(v) => Err(bad(format!("a sample of {v} above the maximum {}", header.max))),
            None => Ok(samples),
        }
    }

    fn bit(&mut self) -> Result<u32, OutputError> {
        self.skip();
        let bit = self.bytes.get(self.at).copied();
        self.at += 1;
        match bit {
            Some(b'0') => Ok(1),
            Some(b'1') => Ok(0),
            _ => Err(bad("a bit is missing")),
        }
    }
}

fn check_max(max: u32) -> Result<(), OutputError> {
    if (1..=65535).contains(&max) { Ok(()) } else { Err(bad(format!("a maximum of {max}"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_follow_one_another() {
        let file = b"P5 1 1 255\n\x07P2 1 1 9 3\nP4 9 1\n\x00\x80P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 300\nENDHDR\n\x01\x2c";
        let all = decode_all(file).unwrap();
        let firsts: Vec<u16> = all.iter().map(|picture| picture.rgba()[0]).collect();
        assert_eq!(firsts, [7 * 257, 21845, 65535, 65535]);
        assert!(decode_all(b"P5 1 1 255\n\x07x").is_err());
    }

    fn grays(bytes: &[u8]) -> Vec<u16> {
        decode(bytes).unwrap().rgba().chunks(4).map(|p| p[0]).collect()
    }

    #[test]
    fn every_kind() {
        assert_eq!(grays(b"P1 # c\n3 1 1 01"), [0, 65535, 0]);
        assert_eq!(
            grays(b"P4\n9 1\n\x80\x80"),
            [0, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 0]
        );
        assert_eq!(grays(b"P2\n2 1\n15\n15 5\n"), [65535, 21845]);
        assert_eq!(grays(b"P5 2 1 3\n\x03\x01"), [65535, 21845]);
        assert_eq!(grays(b"P5 1 1 65535\n\x12\x34"), [0x1234]);
        assert_eq!(grays(b"P5 1 1 1023\n\x02\x00"), [32800]);
        let rgb = decode(b"P6\n#x\n1 1\n255\n\x01\x02\x03").unwrap();
        assert_eq!(rgb.rgba(), [257, 514, 771, 65535]);
        let plain = decode(b"P3 1 1 255 1 2 3").unwrap();
        assert_eq!(plain, rgb);
    }

    #[test]
    fn pam() {
        let head = b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
        let file = [head.as_slice(), &[1, 2, 3, 4]].concat();
        assert_eq!(decode(&file).unwrap().rgba(), [257, 514, 771, 1028]);
        let bit =
            b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\x01\x00";
        assert_eq!(grays(bit), [65535, 0]);
    }

    #[test]
    fn damaged_files() {
        for file in [
            &b"P6"[..],
            b"P6 1",
            b"P6 1 1 255\n\x01",
            b"P5 1 1 0\n\x01",
            b"P5 1 1 70000\n\x01\x01",
            b"P5 99999999999 1 255\n",
            b"P5 1 1 3\n\x04",
            b"P7\nWIDTH 1\n",
            b"P7\nENDHDR\n",
            b"P1 2 1 2 2",
            b"P9",
            b"",
        ] {
            assert!(decode(file).is_err(), "{:?}", String::from_utf8_lossy(file));
        }
    }
}
