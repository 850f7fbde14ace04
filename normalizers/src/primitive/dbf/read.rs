//! Reads a table.

use inverter::primitive::PrimitiveError;

use super::model::{CHARACTERS, DIGITS, Field, Table, check};

fn number(digits: &[u8]) -> usize {
    digits.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b))
}

/// Reads the descriptor of a field; returns the field and its width.
fn field(descriptor: &[u8]) -> Result<(Field, usize), PrimitiveError> {
    let name = &descriptor[..11];
    let length = name.iter().position(|b| *b == 0).unwrap_or(name.len());
    let (name, zeros) = name.split_at(length);
    let shown = String::from_utf8_lossy(name);
    if zeros.iter().any(|b| *b != 0) {
        return Err(format!("the name {shown} is not padded with zeros").into());
    }
    let [kind, width, decimals] = [descriptor[11], descriptor[16], descriptor[17]];
    let width = usize::from(width);
    let fits = match kind {
        b'C' => (1..=CHARACTERS).contains(&width),
        b'N' => (1..=DIGITS).contains(&width),
        b'D' => width == 8,
        _ => width == 1,
    };
    if !fits {
        let kind = char::from(kind);
        return Err(format!("{shown} is of type {kind} with a width of {width}").into());
    }
    Ok((Field { name: name.to_vec(), kind, decimals }, width))
}

/// Returns the value in the text of a record.
fn value(field: &Field, text: &[u8]) -> Result<Vec<u8>, PrimitiveError> {
    let value = match (field.kind, text) {
        (b'C', _) => text.trim_ascii_end(),
        (b'N', _) => text.trim_ascii_start(),
        (b'L', b"T" | b"t" | b"Y" | b"y") => b"T",
        (b'L', b"F" | b"f" | b"N" | b"n") => b"F",
        (b'L', b"?" | b" ") | (b'D', b"        ") => b"",
        _ => text,
    };
    field.check(value)?;
    Ok(value.to_vec())
}

pub(super) fn read(file: &[u8]) -> Result<Table, PrimitiveError> {
    let (head, rest) = file.split_at_checked(32).ok_or("the header is cut off")?;
    if head[0] != 3 {
        return Err(format!("the version is {}; it must be 3", head[0]).into());
    }
    // Transactions, encryption and indexes.
    if head[12..16] != [0; 4] || head[28] != 0 || head[30..] != [0; 2] {
        return Err("the header has other fields than those of dBASE III".into());
    }
    let count = number(&head[4..8]);
    let (header, record) = (number(&head[8..10]), number(&head[10..12]));
    let mut descriptors = header.checked_sub(32).and_then(|n| rest.get(..n)).ok_or("cut off")?;
    let (mut fields, mut widths) = (Vec::new(), Vec::new());
    while let Some((descriptor, more)) = descriptors.split_at_checked(32)
        && descriptor[0] != 13
    {
        let (field, width) = field(descriptor)?;
        fields.push(field);
        widths.push(width);
        descriptors = more;
    }
    if descriptors
        .split_first()
        .is_none_or(|(mark, zeros)| *mark != 13 || zeros.iter().any(|b| *b != 0))
    {
        return Err("the mark behind the fields is missing, or something follows it".into());
    }
    check(&fields)?;
    let length = 1 + widths.iter().sum::<usize>();
    if record != length {
        return Err(format!("a record has {record} bytes, and its fields {length}").into());
    }
    let data = &file[header..];
    let Some((stored, b"\x1a")) = data.split_at_checked(record * count) else {
        return Err(format!(
            "{} bytes are not those of {count} records and an end mark",
            data.len()
        )
        .into());
    };
    let mut records = Vec::new();
    for stored in stored.chunks(record) {
        let (mark, mut rest) = stored.split_at(1);
        match mark {
            b" " => {}
            b"*" => continue,
            _ => return Err("a record is neither deleted nor not".into()),
        }
        let mut values = Vec::new();
        for (field, width) in fields.iter().zip(&widths) {
            let (text, more) = rest.split_at(*width);
            values.push(value(field, text)?);
            rest = more;
        }
        records.push(values);
    }
    Ok(Table { fields, records })
}
