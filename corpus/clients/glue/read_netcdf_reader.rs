//! The crate netcdf-reader: a line for each dimension, attribute and variable of a data set.

use std::error::Error;

use netcdf_reader::{NcAttrValue, NcAttribute, NcFile, NcType};

mod serve;

/// The digits of bytes.
fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|b| format!("{b:02x}")).collect()
}

fn attribute(out: &mut String, owner: &str, attribute: &NcAttribute) -> Result<(), Box<dyn Error>> {
    macro_rules! typed {
        ($name:literal, $values:expr) => {
            format!("{} {}", $name, hex($values.iter().flat_map(|v| v.to_be_bytes())))
        };
    }
    let value = match &attribute.value {
        NcAttrValue::Bytes(v) => typed!("byte", v),
        NcAttrValue::Chars(v) => format!("char {}", hex(v.bytes())),
        NcAttrValue::Shorts(v) => typed!("short", v),
        NcAttrValue::Ints(v) => typed!("int", v),
        NcAttrValue::Floats(v) => typed!("float", v),
        NcAttrValue::Doubles(v) => typed!("double", v),
        NcAttrValue::UBytes(v) => typed!("ubyte", v),
        NcAttrValue::UShorts(v) => typed!("ushort", v),
        NcAttrValue::UInts(v) => typed!("uint", v),
        NcAttrValue::Int64s(v) => typed!("int64", v),
        NcAttrValue::UInt64s(v) => typed!("uint64", v),
        _ => return Err("glue: an attribute of another type".into()),
    };
    *out += &format!("attribute {owner}{} {value}\n", attribute.name);
    Ok(())
}

fn read(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let data = NcFile::from_bytes(file)?;
    let mut out = String::new();
    for d in data.dimensions()? {
        let open = if d.is_unlimited { "unlimited " } else { "" };
        out += &format!("dimension {} {open}{}\n", d.name, d.size);
    }
    for a in data.global_attributes()? {
        attribute(&mut out, "", a)?;
    }
    for v in data.variables()? {
        macro_rules! typed {
            ($name:literal, $t:ty) => {
                ($name, hex(data.read_variable::<$t>(&v.name)?.iter().flat_map(|n| n.to_be_bytes())))
            };
        }
        let (kind, values) = match v.dtype {
            NcType::Byte => typed!("byte", i8),
            NcType::Char => {
                let strings = data.read_variable_as_strings(&v.name)?;
                ("char", hex(strings.concat().bytes()))
            }
            NcType::Short => typed!("short", i16),
            NcType::Int => typed!("int", i32),
            NcType::Float => typed!("float", f32),
            NcType::Double => typed!("double", f64),
            NcType::UByte => typed!("ubyte", u8),
            NcType::UShort => typed!("ushort", u16),
            NcType::UInt => typed!("uint", u32),
            NcType::Int64 => typed!("int64", i64),
            NcType::UInt64 => typed!("uint64", u64),
            _ => return Err("glue: a variable of another type".into()),
        };
        let dimensions: Vec<&str> = v.dimensions.iter().map(|d| &d.name[..]).collect();
        out += &format!("variable {}({}) {kind} {values}\n", v.name, dimensions.join(", "));
        for a in &v.attributes {
            attribute(&mut out, &format!("{}:", v.name), a)?;
        }
    }
    Ok(out.into_bytes())
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::serve(read)
}
