//! A data set of the classic model, and the bytes to which [`NetcdfClassic`](super::NetcdfClassic) decodes it.

use inverter::primitive::PrimitiveError;

/// The tags of lists.
pub(super) const DIMENSION: u32 = 10;
pub(super) const VARIABLE: u32 = 11;
pub(super) const ATTRIBUTE: u32 = 12;

/// For each type, starting with `NC_BYTE` (1), the number of bytes of a value, and the default fill value.
const TYPES: [(usize, &[u8]); 11] = [
    (1, b"\x81"),
    (1, b"\0"),
    (2, b"\x80\x01"),
    (4, b"\x80\0\0\x01"),
    (4, b"\x7c\xf0\0\0"),
    (8, b"\x47\x9e\0\0\0\0\0\0"),
    (1, b"\xff"),
    (2, b"\xff\xff"),
    (4, b"\xff\xff\xff\xff"),
    (8, b"\x80\0\0\0\0\0\0\x02"),
    (8, b"\xff\xff\xff\xff\xff\xff\xff\xfe"),
];
/// The last type that does not require CDF-5: `NC_DOUBLE`.
const CLASSIC: u8 = 6;

/// The number of bytes of a value.
pub(super) fn width(kind: u8) -> Result<usize, PrimitiveError> {
    let place = usize::from(kind).checked_sub(1);
    let found = place.and_then(|k| TYPES.get(k)).map(|t| t.0);
    found.ok_or_else(|| format!("{kind} is no type").into())
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dimension {
    pub(super) name: Vec<u8>,
    /// The length; 0 for the record dimension.
    pub(super) length: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Attribute {
    pub(super) name: Vec<u8>,
    pub(super) kind: u8,
    /// The values as they are stored, without padding.
    pub(super) values: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variable {
    pub(super) name: Vec<u8>,
    pub(super) dimensions: Vec<u32>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) kind: u8,
    /// The values as stored, one record after another, without padding.
    pub(super) values: Vec<u8>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Dataset {
    /// The length of the record dimension.
    pub(super) records: u32,
    pub(super) dimensions: Vec<Dimension>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) variables: Vec<Variable>,
}

impl Variable {
    /// Returns true if its first dimension is the record dimension, and the number of bytes of its values: of all
    /// values, or of those of one record.
    pub(super) fn shape(&self, dimensions: &[Dimension]) -> Result<(bool, usize), PrimitiveError> {
        let shown = String::from_utf8_lossy(&self.name);
        let (mut record, mut size) = (false, width(self.kind)?);
        for (k, id) in self.dimensions.iter().enumerate() {
            let dimension = dimensions.get(*id as usize);
            let length = dimension.ok_or_else(|| format!("{shown} has no dimension {id}"))?.length;
            match (k, length) {
                (0, 0) => record = true,
                (_, 0) => return Err(format!("{shown} has records in records").into()),
                (_, n) => size = size.checked_mul(n as usize).ok_or("a variable is too large")?,
            }
        }
        Ok((record, size))
    }

    /// The bytes that pad values to a multiple of four: fill values.
    pub(super) fn padding(&self, size: usize) -> Vec<u8> {
        let own = self.attributes.iter().find(|a| a.name == b"_FillValue" && a.kind == self.kind);
        let own = own.map(|a| &a.values[..]);
        let default = TYPES[usize::from(self.kind) - 1].1;
        let fill = own.filter(|v| v.len() == default.len()).unwrap_or(default);
        fill.iter().cycle().take(size.next_multiple_of(4) - size).copied().collect()
    }
}

impl Dataset {
    /// Returns true if all types exist in every version.
    pub(super) fn classic(&self) -> bool {
        let own = self.variables.iter().flat_map(|v| &v.attributes);
        let kinds = self.attributes.iter().chain(own).map(|a| a.kind);
        kinds.chain(self.variables.iter().map(|v| v.kind)).all(|kind| kind <= CLASSIC)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.records.to_be_bytes().to_vec();
        let string = |out: &mut Vec<u8>, bytes: &[u8]| {
            out.extend((bytes.len() as u32).to_be_bytes());
            out.extend(bytes);
        };
        let attributes = |out: &mut Vec<u8>, all: &[Attribute]| {
            out.extend((all.len() as u32).to_be_bytes());
            for Attribute { name, kind, values } in all {
                string(out, name);
                out.push(*kind);
                string(out, values);
            }
        };
        out.extend((self.dimensions.len() as u32).to_be_bytes());
        for Dimension { name, length } in &self.dimensions {
            string(&mut out, name);
            out.extend(length.to_be_bytes());
        }
        attributes(&mut out, &self.attributes);
        out.extend((self.variables.len() as u32).to_be_bytes());
        for variable in &self.variables {
            string(&mut out, &variable.name);
            out.extend((variable.dimensions.len() as u32).to_be_bytes());
            variable.dimensions.iter().for_each(|id| out.extend(id.to_be_bytes()));
            attributes(&mut out, &variable.attributes);
            out.push(variable.kind);
            string(&mut out, &variable.values);
        }
        out
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, PrimitiveError> {
        let mut rest = Fields(bytes);
        let records = rest.u32()?;
        let dimensions =
            rest.list(|r| Ok(Dimension { name: r.string()?.to_vec(), length: r.u32()? }))?;
        let attributes = rest.list(attribute)?;
        let variables = rest.list(|r| {
            Ok(Variable {
                name: r.string()?.to_vec(),
                dimensions: r.list(Fields::u32)?,
                attributes: r.list(attribute)?,
                kind: r.bytes(1)?[0],
                values: r.string()?.to_vec(),
            })
        })?;
        if !rest.0.is_empty() {
            return Err("something is behind the data set".into());
        }
        let all = Self { records, dimensions, attributes, variables };
        all.check()?;
        Ok(all)
    }

    /// Checks the requirements of the file grammar, and those on the sizes of values.
    pub(super) fn check(&self) -> Result<(), PrimitiveError> {
        let open = self.dimensions.iter().filter(|d| d.length == 0).count();
        if open > 1 || open == 0 && self.records > 0 {
            return Err(format!("{open} record dimensions, and {} records", self.records).into());
        }
        unique(self.dimensions.iter().map(|d| &d.name))?;
        unique(self.variables.iter().map(|v| &v.name))?;
        let lists = self.variables.iter().map(|v| &v.attributes);
        for list in lists.chain([&self.attributes]) {
            unique(list.iter().map(|a| &a.name))?;
            for attribute in list {
                if !attribute.values.len().is_multiple_of(width(attribute.kind)?) {
                    return Err("an attribute ends inside a value".into());
                }
            }
        }
        for variable in &self.variables {
            let (record, size) = variable.shape(&self.dimensions)?;
            let times = if record { self.records as usize } else { 1 };
            if size.checked_mul(times) != Some(variable.values.len()) {
                let shown = String::from_utf8_lossy(&variable.name);
                return Err(format!("{shown} has {} bytes", variable.values.len()).into());
            }
        }
        Ok(())
    }
}

/// Checks that names are distinct, and that every version of the library accepts them.
fn unique<'a>(names: impl Iterator<Item = &'a Vec<u8>>) -> Result<(), PrimitiveError> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_.@+-".contains(b);
        let first = name.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
        if !first || !name.iter().all(plain) || !seen.insert(name) {
            let shown = String::from_utf8_lossy(name);
            return Err(format!("{shown} is there twice, or no name").into());
        }
    }
    Ok(())
}

fn attribute(rest: &mut Fields<'_>) -> Result<Attribute, PrimitiveError> {
    Ok(Attribute {
        name: rest.string()?.to_vec(),
        kind: rest.bytes(1)?[0],
        values: rest.string()?.to_vec(),
    })
}

/// The rest of the decoded form.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], PrimitiveError> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or("the data set is cut off")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, PrimitiveError> {
        Ok(self.bytes(4)?.iter().fold(0, |n, b| n << 8 | u32::from(*b)))
    }

    fn string(&mut self) -> Result<&'a [u8], PrimitiveError> {
        let length = self.u32()?;
        self.bytes(length as usize)
    }

    fn list<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T, PrimitiveError>,
    ) -> Result<Vec<T>, PrimitiveError> {
        let count = self.u32()?;
        (0..count).map(|_| item(self)).collect()
    }
}
