//! A table, and the bytes to which [`DbfTable`](super::DbfTable) decodes a file.

use inverter::primitive::PrimitiveError;

/// The maximum number of characters of a number, and that of other values.
pub(super) const DIGITS: usize = 18;
pub(super) const CHARACTERS: usize = 254;

pub(super) struct Field {
    /// 1 to 10 characters.
    pub(super) name: Vec<u8>,
    /// `C`, `N`, `L` or `D`.
    pub(super) kind: u8,
    /// 0 except for numbers.
    pub(super) decimals: u8,
}

impl Field {
    /// # Errors
    ///
    /// Returns an error if no field of this kind has this value.
    pub(super) fn check(&self, value: &[u8]) -> Result<(), PrimitiveError> {
        let why = match self.kind {
            b'C' if value.len() > CHARACTERS || value.ends_with(b" ") => "no text of a field",
            b'C' if !value.iter().all(|b| (b' '..=b'~').contains(b)) => "not ASCII",
            b'N' if !value.is_empty() && !self.is_number(value) => "no number of the field",
            b'L' if !matches!(value, b"" | b"T" | b"F") => "no truth value",
            b'D' if !is_date(value) => "no date",
            _ => return Ok(()),
        };
        Err(format!("{:?} is {why}", String::from_utf8_lossy(value)).into())
    }

    fn is_number(&self, value: &[u8]) -> bool {
        let digits = value.strip_prefix(b"-").unwrap_or(value);
        let point = digits.iter().position(|b| *b == b'.').unwrap_or(digits.len());
        let (whole, rest) = digits.split_at(point);
        let decimals = rest.get(1..).unwrap_or_default();
        let all = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
        let exact = decimals.len() == usize::from(self.decimals)
            && (rest.is_empty() == (self.decimals == 0));
        value.len() <= DIGITS && !whole.is_empty() && all(whole) && all(decimals) && exact
    }
}

fn is_date(value: &[u8]) -> bool {
    let number = |part: &[u8]| part.iter().fold(0, |n, b| 10 * n + u32::from(b - b'0'));
    match value {
        [] => true,
        _ if value.len() != 8 || !value.iter().all(u8::is_ascii_digit) => false,
        _ => (1..=12).contains(&number(&value[4..6])) && (1..=28).contains(&number(&value[6..])),
    }
}

pub(super) struct Table {
    pub(super) fields: Vec<Field>,
    /// The values of each record.
    pub(super) records: Vec<Vec<Vec<u8>>>,
}

/// The rest of the bytes.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], PrimitiveError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or("the table is cut off")?;
        self.0 = rest;
        Ok(taken)
    }

    /// Consumes a length, and this number of bytes.
    fn text(&mut self) -> Result<&'a [u8], PrimitiveError> {
        let length = self.take(1)?[0];
        self.take(length.into())
    }
}

impl Table {
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Table, PrimitiveError> {
        let mut rest = Rest(bytes);
        let mut fields: Vec<Field> = Vec::new();
        for _ in 0..rest.take(1)?[0] {
            let name = rest.text()?.to_vec();
            let [kind, decimals] = rest.take(2)? else { unreachable!("two are taken") };
            fields.push(Field { name, kind: *kind, decimals: *decimals });
        }
        check(&fields)?;
        let count = rest.take(4)?.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b));
        let mut records = Vec::new();
        for _ in 0..count {
            let mut values = Vec::new();
            for field in &fields {
                let value = rest.text()?;
                field.check(value)?;
                values.push(value.to_vec());
            }
            records.push(values);
        }
        if !rest.0.is_empty() {
            return Err("there are bytes behind the table".into());
        }
        Ok(Table { fields, records })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.fields.len() as u8];
        for field in &self.fields {
            out.push(field.name.len() as u8);
            out.extend(&field.name);
            out.extend([field.kind, field.decimals]);
        }
        out.extend((self.records.len() as u32).to_le_bytes());
        for value in self.records.iter().flatten() {
            out.push(value.len() as u8);
            out.extend(value);
        }
        out
    }
}

/// # Errors
///
/// Returns an error if no table has these fields.
pub(super) fn check(fields: &[Field]) -> Result<(), PrimitiveError> {
    if !(1..=128).contains(&fields.len()) {
        return Err(format!("there are {} fields", fields.len()).into());
    }
    for (k, Field { name, kind, decimals }) in fields.iter().enumerate() {
        let shown = String::from_utf8_lossy(name);
        let plain = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        if !(1..=10).contains(&name.len()) || !name.iter().all(plain) {
            return Err(format!("{shown:?} is no name of a field").into());
        }
        if fields[..k].iter().any(|other| other.name == *name) {
            return Err(format!("two fields have the name {shown}").into());
        }
        let known = matches!(kind, b'C' | b'N' | b'L' | b'D');
        if !known || *decimals > 0 && (*kind != b'N' || *decimals > 15) {
            let kind = char::from(*kind);
            return Err(format!("{shown} is of type {kind} with {decimals} decimals").into());
        }
    }
    Ok(())
}
