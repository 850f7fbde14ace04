//! The crate netcdf3: a line for each dimension, attribute and variable of a data set.

use std::error::Error;
use std::io::Cursor;

use netcdf3::{Attribute, DataVector, FileReader};

mod serve;

/// The digits of bytes.
fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|b| format!("{b:02x}")).collect()
}

macro_rules! typed {
    ($name:literal, $values:expr) => {
        format!("{} {}", $name, hex($values.iter().flat_map(|v| v.to_be_bytes())))
    };
}

fn attribute(out: &mut String, owner: &str, a: &Attribute) {
    let value = if let Some(v) = a.get_i8() {
        typed!("byte", v)
    } else if let Some(v) = a.get_u8() {
        typed!("char", v)
    } else if let Some(v) = a.get_i16() {
        typed!("short", v)
    } else if let Some(v) = a.get_i32() {
        typed!("int", v)
    } else if let Some(v) = a.get_f32() {
        typed!("float", v)
    } else {
        typed!("double", a.get_f64().unwrap_or_default())
    };
    *out += &format!("attribute {owner}{} {value}\n", a.name());
}

fn read(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let open = || FileReader::open_seek_read("file", Box::new(Cursor::new(file.to_vec())));
    // A reader lends its data set, and reads values only where nobody has borrowed it.
    let described = open().map_err(|e| format!("{e:?}"))?;
    let mut reader = open().map_err(|e| format!("{e:?}"))?;
    let data = described.data_set();
    let mut out = String::new();
    for d in data.get_dims() {
        let open = if d.is_unlimited() { "unlimited " } else { "" };
        out += &format!("dimension {} {open}{}\n", d.name(), d.size());
    }
    data.get_global_attrs().into_iter().for_each(|a| attribute(&mut out, "", a));
    for v in data.get_vars() {
        let values = match reader.read_var(v.name()).map_err(|e| format!("{e:?}"))? {
            DataVector::I8(v) => typed!("byte", v),
            DataVector::U8(v) => typed!("char", v),
            DataVector::I16(v) => typed!("short", v),
            DataVector::I32(v) => typed!("int", v),
            DataVector::F32(v) => typed!("float", v),
            DataVector::F64(v) => typed!("double", v),
        };
        out += &format!("variable {}({}) {values}\n", v.name(), v.dim_names().join(", "));
        v.get_attrs().into_iter().for_each(|a| attribute(&mut out, &format!("{}:", v.name()), a));
    }
    Ok(out.into_bytes())
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::serve(read)
}
