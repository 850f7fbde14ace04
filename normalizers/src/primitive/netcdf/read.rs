//! Reads a file.

use inverter::primitive::PrimitiveError;

use super::model::*;

/// The header that is being read.
struct Header<'a> {
    rest: &'a [u8],
    version: u8,
}

impl<'a> Header<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], PrimitiveError> {
        let (bytes, rest) =
            self.rest.split_at_checked(count).ok_or("the header is cut off".to_owned())?;
        self.rest = rest;
        Ok(bytes)
    }

    fn number(&mut self, bytes: usize) -> Result<u64, PrimitiveError> {
        Ok(self.bytes(bytes)?.iter().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    /// A `NON_NEG`.
    fn count(&mut self) -> Result<usize, PrimitiveError> {
        let n = self.number(if self.version == 5 { 8 } else { 4 })?;
        usize::try_from(n)
            .ok()
            .filter(|n| *n <= i32::MAX as usize)
            .ok_or_else(|| format!("{n} is too large").into())
    }

    fn length(&mut self) -> Result<u32, PrimitiveError> {
        self.count().map(|n| n as u32)
    }

    /// Bytes that zeros pad to a multiple of four.
    fn padded(&mut self, count: usize) -> Result<Vec<u8>, PrimitiveError> {
        let bytes = self.bytes(count)?;
        match self.bytes(count.next_multiple_of(4) - count)?.iter().all(|b| *b == 0) {
            true => Ok(bytes.to_vec()),
            false => Err("the header is not padded with zeros".into()),
        }
    }

    fn name(&mut self) -> Result<Vec<u8>, PrimitiveError> {
        let length = self.count()?;
        self.padded(length)
    }

    fn kind(&mut self) -> Result<u8, PrimitiveError> {
        let kind = self.number(4)?;
        u8::try_from(kind).map_err(|_| format!("{kind} is no type").into())
    }

    fn list<T>(
        &mut self,
        tag: u32,
        item: impl Fn(&mut Self) -> Result<T, PrimitiveError>,
    ) -> Result<Vec<T>, PrimitiveError> {
        let found = self.number(4)? as u32;
        let count = self.count()?;
        if found != tag && (found, count) != (0, 0) {
            return Err(format!("a list of {count} with the tag {found} in place of {tag}").into());
        }
        (0..count).map(|_| item(self)).collect()
    }

    fn attributes(&mut self) -> Result<Vec<Attribute>, PrimitiveError> {
        self.list(ATTRIBUTE, |header| {
            let (name, kind, count) = (header.name()?, header.kind()?, header.count()?);
            let size = width(kind)?.checked_mul(count).ok_or("an attribute is too long")?;
            Ok(Attribute { name, kind, values: header.padded(size)? })
        })
    }
}

/// The places of the values of a variable.
struct Place {
    record: bool,
    size: usize,
    begin: usize,
}

/// Reads a data set.
pub(super) fn read(file: &[u8]) -> Result<Dataset, PrimitiveError> {
    let version = match file {
        [b'C', b'D', b'F', version @ (1 | 2 | 5), ..] => *version,
        _ => return Err("no file of CDF-1, CDF-2 or CDF-5".into()),
    };
    let mut header = Header { rest: &file[4..], version };
    let records = header.number(if version == 5 { 8 } else { 4 })?;
    let mut all = Dataset {
        dimensions: header.list(DIMENSION, |header| {
            Ok(Dimension { name: header.name()?, length: header.length()? })
        })?,
        attributes: header.attributes()?,
        ..Dataset::default()
    };
    let variables = header.list(VARIABLE, |header| {
        let name = header.name()?;
        let count = header.count()?;
        let dimensions = (0..count).map(|_| header.length()).collect::<Result<_, _>>()?;
        let attributes = header.attributes()?;
        let kind = header.kind()?;
        let vsize = header.number(if version == 5 { 8 } else { 4 })?;
        let begin = header.number(if version == 1 { 4 } else { 8 })?;
        let begin = usize::try_from(begin).unwrap_or(usize::MAX);
        let variable = Variable { name, dimensions, attributes, kind, values: Vec::new() };
        Ok((variable, vsize, begin))
    })?;
    let mut behind = file.len() - header.rest.len();
    let mut places = Vec::new();
    for record in [false, true] {
        for (variable, _, begin) in &variables {
            let (own, size) = variable.shape(&all.dimensions)?;
            if own == record {
                if *begin < behind {
                    return Err("variables begin before the end of others".into());
                }
                behind = begin.saturating_add(size);
            }
        }
    }
    for (variable, vsize, begin) in variables {
        let (record, size) = variable.shape(&all.dimensions)?;
        if vsize != size.next_multiple_of(4) as u64 {
            return Err(format!("a variable of {size} bytes has the vsize {vsize}").into());
        }
        places.push(Place { record, size, begin });
        all.variables.push(variable);
    }
    let stride = stride(places.iter().map(|p| (p.record, p.size)));
    // STREAMING, which readers do not implement, is too large.
    all.records = u32::try_from(records)
        .ok()
        .filter(|n| *n <= i32::MAX as u32)
        .ok_or_else(|| format!("{records} records"))?;
    for (variable, place) in all.variables.iter_mut().zip(&places) {
        let times = if place.record { all.records as usize } else { 1 };
        for k in 0..times {
            let at = place.begin.saturating_add(k.saturating_mul(stride));
            let values = file.get(at..at.saturating_add(place.size));
            variable.values.extend(values.ok_or("values are cut off")?);
        }
    }
    all.check()?;
    Ok(all)
}

/// The number of bytes from one record to the next; a record variable that is the only one is not padded.
pub(super) fn stride(shapes: impl Iterator<Item = (bool, usize)>) -> usize {
    let sizes: Vec<usize> = shapes.filter(|(record, _)| *record).map(|(_, size)| size).collect();
    match sizes[..] {
        [lone] => lone,
        _ => sizes.iter().map(|size| size.next_multiple_of(4)).sum(),
    }
}
