//! Reads a file of PNM or PAM.

use super::model::{Pnm, TUPLES};
use inverter::primitive::PrimitiveError;

/// The rest of a file.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// Takes white space and comments.
    fn space(&mut self) {
        loop {
            let space = |b: &u8| b.is_ascii_whitespace() || *b == 0x0b;
            self.0 = &self.0[self.0.iter().take_while(|b| space(b)).count()..];
            if self.0.first() != Some(&b'#') {
                return;
            }
            self.line();
        }
    }

    /// Takes a line, with its end.
    fn line(&mut self) -> &'a [u8] {
        let ends = |b: &u8| *b == b'\n' || *b == b'\r';
        let length = self.0.iter().position(ends).unwrap_or(self.0.len());
        let (line, rest) = self.0.split_at(length);
        self.0 = rest.get(1..).unwrap_or_default();
        line
    }

    /// Takes a number, with the white space before it.
    fn number(&mut self, most: u64) -> Result<u64, PrimitiveError> {
        self.space();
        let digits = self.0.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at(digits);
        self.0 = rest;
        value(number, most)
    }

    /// Takes the single white space character before raw samples.
    fn one(&mut self) -> Result<(), PrimitiveError> {
        match self.0 {
            [b, rest @ ..] if b.is_ascii_whitespace() => {
                self.0 = rest;
                Ok(())
            }
            _ => Err("there is no white space before the samples".into()),
        }
    }
}

fn value(text: &[u8], most: u64) -> Result<u64, PrimitiveError> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return Err(format!("{:?} is no number", String::from_utf8_lossy(text)).into());
    }
    let add = |n: u64, b: &u8| n.checked_mul(10)?.checked_add(u64::from(b - b'0'));
    let number = text.iter().try_fold(0, add).filter(|n| *n <= most);
    let above = || format!("{}: a number above {most}", String::from_utf8_lossy(text));
    Ok(number.ok_or_else(above)?)
}

/// Reads the picture in a file; it may have at most `most` bytes.
pub(super) fn read(file: &[u8], most: usize) -> Result<Pnm, PrimitiveError> {
    let kind = match file {
        [b'P', digit @ b'1'..=b'7', ..] => digit - b'0',
        _ => return Err("the magic number is none of P1 to P7".into()),
    };
    let mut rest = Rest(&file[2..]);
    let mut pnm = if kind == 7 { pam(&mut rest)? } else { pnm(kind, &mut rest)? };
    let count = pnm.count()?;
    if count > most {
        return Err(PrimitiveError::of_size());
    }
    let raw = match kind {
        4 => (pnm.width as usize).div_ceil(8) * pnm.height as usize,
        _ => count * pnm.size(),
    };
    if kind > 3 && rest.0.len() != raw {
        return Err(match rest.0.len().checked_sub(raw) {
            Some(more) => format!("data after the samples (length {more})").into(),
            None => "samples are missing".into(),
        });
    }
    pnm.samples = match kind {
        1 => bits(rest.0, count)?,
        2 | 3 => plain(&mut rest, &pnm, count)?,
        4 => unpacked(rest.0, pnm.width as usize),
        _ => rest.0.to_vec(),
    };
    Pnm::from_bytes(&pnm.to_bytes())
}

fn pnm(kind: u8, rest: &mut Rest<'_>) -> Result<Pnm, PrimitiveError> {
    let size = u64::from(u32::MAX);
    let (width, height) = (rest.number(size)? as u32, rest.number(size)? as u32);
    let maxval = match kind {
        1 | 4 => 1,
        _ => rest.number(u64::MAX)?,
    };
    let maxval = u16::try_from(maxval).ok().filter(|n| *n >= 1);
    let maxval = maxval.ok_or("the greatest sample is not 1 to 65535")?;
    rest.one()?;
    let depth = if kind == 3 || kind == 6 { 3 } else { 1 };
    Ok(Pnm { kind, width, height, depth, tuple: 0, maxval, samples: Vec::new() })
}

fn pam(rest: &mut Rest<'_>) -> Result<Pnm, PrimitiveError> {
    if !rest.line().is_empty() {
        return Err("P7 is not alone in its line".into());
    }
    let (mut numbers, mut tuple) = ([None; 4], None);
    loop {
        if rest.0.is_empty() {
            return Err("the header does not end".into());
        }
        let line = rest.line();
        if line.first() == Some(&b'#') {
            continue;
        }
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (name, value, more) = (words.next(), words.next(), words.next());
        let Some(name) = name else { continue };
        if name == b"ENDHDR" {
            break;
        }
        let keys: [(&[u8], u64); 4] = [
            (b"WIDTH", u32::MAX.into()),
            (b"HEIGHT", u32::MAX.into()),
            (b"DEPTH", 4),
            (b"MAXVAL", 65535),
        ];
        let said = String::from_utf8_lossy(line);
        let (Some(value), None) = (value, more) else {
            return Err(format!("{said:?} is not a header line").into());
        };
        if let Some(k) = keys.iter().position(|(key, _)| *key == name) {
            if numbers[k].replace(self::value(value, keys[k].1)?).is_some() {
                return Err(format!("repeated header line {said:?}").into());
            }
        } else if name == b"TUPLTYPE" && tuple.is_none() {
            let known = TUPLES[1..].iter().position(|t| t.as_bytes() == value);
            tuple = Some(known.ok_or_else(|| format!("{said:?} is not known"))? as u8 + 1);
        } else {
            return Err(format!("unknown or repeated header line {said:?}").into());
        }
    }
    let [Some(width), Some(height), Some(depth), Some(maxval)] = numbers else {
        return Err("the header says no width, height, depth or greatest sample".into());
    };
    Ok(Pnm {
        kind: 7,
        width: width as u32,
        height: height as u32,
        depth: depth as u8,
        tuple: tuple.unwrap_or(0),
        maxval: maxval as u16,
        samples: Vec::new(),
    })
}

/// Samples of plain PBM: digits with or without white space between them.
fn bits(text: &[u8], count: usize) -> Result<Vec<u8>, PrimitiveError> {
    let mut out = Vec::new();
    for byte in text {
        match byte {
            b'0' | b'1' if out.len() < count => out.push(byte - b'0'),
            b if b.is_ascii_whitespace() => {}
            b'0'..=b'9' if out.len() < count => {
                return Err(format!("a sample of {}, above 1", char::from(*byte)).into());
            }
            _ => return Err("unexpected data among or after the samples".into()),
        }
    }
    Ok(out)
}

fn plain(rest: &mut Rest<'_>, pnm: &Pnm, count: usize) -> Result<Vec<u8>, PrimitiveError> {
    let mut out = Vec::new();
    for _ in 0..count {
        let value = rest.number(u64::MAX)?;
        let value = u16::try_from(value).ok().filter(|v| *v <= pnm.maxval);
        let value = value.ok_or_else(|| format!("a sample above {}", pnm.maxval))?;
        out.extend(&value.to_be_bytes()[2 - pnm.size()..]);
    }
    match rest.0.iter().all(u8::is_ascii_whitespace) {
        true => Ok(out),
        false => Err("unexpected data after the samples".into()),
    }
}

fn unpacked(rows: &[u8], width: usize) -> Vec<u8> {
    let bit = |row: &[u8], x: usize| row[x / 8] >> (7 - x % 8) & 1;
    let rows = rows.chunks(width.div_ceil(8).max(1));
    rows.flat_map(|row| (0..width).map(|x| bit(row, x)).collect::<Vec<_>>()).collect()
}
