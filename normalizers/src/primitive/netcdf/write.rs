//! Writes a file.

use inverter::primitive::PrimitiveError;
use rand::RngExt;

use super::super::padding::Padding;
use super::super::policy::Policy;
use super::model::*;
use super::read::stride;

pub(super) const VERSIONS: [&str; 3] = ["CDF-1", "CDF-2", "CDF-5"];
pub(super) const EMPTY: [&str; 2] = ["absent", "tagged"];

/// The choices of a file's writer.
pub(super) struct Style {
    /// An index into [`VERSIONS`].
    pub(super) version: usize,
    /// Decides whether lists without elements have their tag.
    pub(super) empty: Policy,
    pub(super) gaps: Policy,
    pub(super) fill: Padding,
}

/// The header that is being written.
struct Header {
    out: Vec<u8>,
    version: usize,
    empty: Box<dyn FnMut() -> bool>,
}

impl Header {
    /// A `NON_NEG`.
    fn count(&mut self, n: usize) {
        match self.version {
            2 => self.out.extend((n as u64).to_be_bytes()),
            _ => self.out.extend((n as u32).to_be_bytes()),
        }
    }

    fn offset(&mut self, n: usize) {
        match self.version {
            0 => self.out.extend((n as u32).to_be_bytes()),
            _ => self.out.extend((n as u64).to_be_bytes()),
        }
    }

    fn padded(&mut self, bytes: &[u8]) {
        self.out.extend(bytes);
        self.out.resize(self.out.len().next_multiple_of(4), 0);
    }

    fn name(&mut self, name: &[u8]) {
        self.count(name.len());
        self.padded(name);
    }

    fn list<T>(&mut self, tag: u32, items: &[T], mut item: impl FnMut(&mut Self, usize, &T)) {
        let tagged = !items.is_empty() || (self.empty)();
        self.out.extend(if tagged { tag } else { 0 }.to_be_bytes());
        self.count(items.len());
        items.iter().enumerate().for_each(|(k, it)| item(self, k, it));
    }

    fn attributes(&mut self, all: &[Attribute]) {
        self.list(ATTRIBUTE, all, |header, _, Attribute { name, kind, values }| {
            header.name(name);
            header.out.extend(u32::from(*kind).to_be_bytes());
            header.count(values.len() / width(*kind).unwrap_or(1));
            header.padded(values);
        });
    }
}

/// Returns the header of these places of variables.
fn header(all: &Dataset, style: &Style, shapes: &[(bool, usize)], begins: &[usize]) -> Vec<u8> {
    let mut empty = style.empty.rng();
    let tagged = style.empty == Policy::Word(1);
    let empty = Box::new(move || empty.as_mut().map_or(tagged, |rng| rng.random()));
    let mut header = Header { out: b"CDF".to_vec(), version: style.version, empty };
    header.out.push([1, 2, 5][style.version]);
    header.count(all.records as usize);
    header.list(DIMENSION, &all.dimensions, |header, _, Dimension { name, length }| {
        header.name(name);
        header.count(*length as usize);
    });
    header.attributes(&all.attributes);
    header.list(VARIABLE, &all.variables, |header, k, variable| {
        header.name(&variable.name);
        header.count(variable.dimensions.len());
        variable.dimensions.iter().for_each(|id| header.count(*id as usize));
        header.attributes(&variable.attributes);
        header.out.extend(u32::from(variable.kind).to_be_bytes());
        // The size includes the padding even if there is none (Note on padding).
        header.count(shapes[k].1.next_multiple_of(4));
        header.offset(begins[k]);
    });
    header.out
}

/// Writes a data set.
pub(super) fn write(all: &Dataset, style: &Style) -> Result<Vec<u8>, PrimitiveError> {
    let shapes: Vec<(bool, usize)> =
        all.variables.iter().map(|v| v.shape(&all.dimensions)).collect::<Result<_, _>>()?;
    let mut begins = vec![0; shapes.len()];
    let start = header(all, style, &shapes, &begins).len();
    let mut rng = style.gaps.rng();
    let mut gap = || rng.as_mut().map_or(0, |rng| 4 * rng.random_range(0..=8usize));
    // The parts of the file after the header: each is a gap followed by the values of a variable or of all records.
    let mut at = start;
    for (k, (_, size)) in shapes.iter().enumerate().filter(|(_, (record, _))| !record) {
        at += gap();
        begins[k] = at;
        at += size.next_multiple_of(4);
    }
    at += gap();
    for (k, (_, size)) in shapes.iter().enumerate().filter(|(_, (record, _))| *record) {
        begins[k] = at;
        at += size.next_multiple_of(4);
    }
    let mut out = header(all, style, &shapes, &begins);
    let mut fill = style.fill.bytes();
    let mut reach = |out: &mut Vec<u8>, place: usize| {
        while out.len() < place {
            out.push(fill());
        }
    };
    for (k, variable) in all.variables.iter().enumerate().filter(|(k, _)| !shapes[*k].0) {
        reach(&mut out, begins[k]);
        out.extend(&variable.values);
        out.extend(variable.padding(variable.values.len()));
    }
    let stride = stride(shapes.iter().copied());
    let lone = shapes.iter().filter(|(record, _)| *record).count() == 1;
    let recorded: Vec<usize> = (0..shapes.len()).filter(|k| shapes[*k].0).collect();
    if let (Some(first), true) = (recorded.first(), all.records > 0 && stride > 0) {
        reach(&mut out, begins[*first]);
        for r in 0..all.records as usize {
            for &k in &recorded {
                let (variable, size) = (&all.variables[k], shapes[k].1);
                out.extend(&variable.values[r * size..(r + 1) * size]);
                if !lone {
                    out.extend(variable.padding(size));
                }
            }
        }
    }
    Ok(out)
}
