//! Writes a table.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::super::policy::Policy;
use super::model::{CHARACTERS, DIGITS, Table};

/// The form of a table.
pub(super) struct Style {
    pub(super) widths: Policy,
    pub(super) truth: Policy,
    pub(super) header: Policy,
    pub(super) deleted: Policy,
    pub(super) date: Policy,
    pub(super) reserved: Policy,
    pub(super) language: Policy,
}

/// The width of each field.
fn widths(table: &Table, policy: Policy) -> Vec<usize> {
    let mut rng = policy.rng();
    let field = |(k, field): (usize, &super::model::Field)| {
        let longest = table.records.iter().map(|r| r[k].len()).max().unwrap_or(0).max(1);
        let more = rng.as_mut().map_or(0, |rng| rng.random_range(0..=20));
        match field.kind {
            b'L' => 1,
            b'D' => 8,
            // One digit before the decimal point.
            b'N' => {
                let least = usize::from(field.decimals) + 2;
                let least = if field.decimals > 0 { longest.max(least) } else { longest };
                (least + more).min(DIGITS)
            }
            _ => (longest + more).min(CHARACTERS),
        }
    };
    table.fields.iter().enumerate().map(field).collect()
}

pub(super) fn write(table: &Table, style: &Style) -> Vec<u8> {
    let widths = widths(table, style.widths);
    let zeros = match (style.header.rng(), style.header) {
        (Some(mut rng), _) => rng.random_range(0..=300),
        (None, Policy::Word(0)) => 0,
        (None, _) => 1,
    };
    let header = 32 + 32 * table.fields.len() + 1 + zeros;
    let record = 1 + widths.iter().sum::<usize>();
    let (records, count) = records(table, &widths, style);
    let mut out = vec![3];
    out.extend(match style.date.rng() {
        Some(mut rng) => {
            [rng.random_range(80..=126), rng.random_range(1..=12), rng.random_range(1..=28)]
        }
        None => [100, 1, 1],
    });
    out.extend((count as u32).to_le_bytes());
    out.extend((header as u16).to_le_bytes());
    out.extend((record as u16).to_le_bytes());
    let mut reserved = style.reserved.rng();
    let mut any = |length: usize| -> Vec<u8> {
        (0..length).map(|_| reserved.as_mut().map_or(0, |rng| rng.random())).collect()
    };
    out.extend([0; 4]);
    out.extend(any(12));
    out.push(0);
    // Code pages 437, 850, 1252 and 865, whose first half is ASCII.
    out.push(
        style
            .language
            .rng()
            .map_or(0, |mut rng| [1, 2, 3, 8].choose(&mut rng).copied().unwrap_or_default()),
    );
    out.extend([0; 2]);
    for (field, width) in table.fields.iter().zip(&widths) {
        let mut name = field.name.clone();
        name.resize(11, 0);
        out.extend(name);
        out.push(field.kind);
        out.extend(any(4));
        out.extend([*width as u8, field.decimals]);
        out.extend([0; 14]);
    }
    out.push(13);
    out.extend(std::iter::repeat_n(0, zeros));
    out.extend(records);
    out.push(0x1a);
    out
}

/// Returns the records, and their number including deleted ones.
fn records(table: &Table, widths: &[usize], style: &Style) -> (Vec<u8>, usize) {
    let mut deleted = style.deleted.rng();
    let mut truth = style.truth.rng();
    let mut record = |out: &mut Vec<u8>, mark: u8, values: &[Vec<u8>]| {
        out.push(mark);
        for ((field, value), width) in table.fields.iter().zip(values).zip(widths) {
            let blanks = std::iter::repeat_n(b' ', width - value.len());
            match (field.kind, &value[..]) {
                (b'L', value) => {
                    let all = match value {
                        b"T" => b"TYty",
                        b"F" => b"FNfn",
                        _ => b"????",
                    };
                    out.push(match (&mut truth, style.truth) {
                        (Some(rng), _) => all.choose(rng).copied().unwrap_or(b'?'),
                        (None, Policy::Word(k)) => all[k.min(3)],
                        (None, Policy::Random(_)) => b'?',
                    });
                }
                (b'N', value) => {
                    out.extend(blanks);
                    out.extend(value);
                }
                (_, value) => {
                    out.extend(value);
                    out.extend(blanks);
                }
            }
        }
    };
    let (mut out, mut count) = (Vec::new(), 0);
    for k in 0..=table.records.len() {
        if let (Some(rng), false) = (&mut deleted, table.records.is_empty()) {
            for _ in 0..rng.random_range(0..=2) {
                let copied = rng.random_range(0..table.records.len());
                record(&mut out, b'*', &table.records[copied]);
                count += 1;
            }
        }
        if let Some(values) = table.records.get(k) {
            record(&mut out, b' ', values);
            count += 1;
        }
    }
    (out, count)
}
