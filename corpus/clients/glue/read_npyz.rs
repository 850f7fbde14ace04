//! The crate npyz: the array in a file of npy.

use std::error::Error;
use std::io::{BufRead, Write};

use npyz::{DType, NpyFile, Order};

/// Rows and columns, four bytes each, the least significant first; then the elements row by row.
fn encode(shape: &[u64], elements: &[Vec<u8>], fortran: bool) -> Vec<u8> {
    let rows = shape.first().copied().unwrap_or(1) as usize;
    let columns = shape.get(1).copied().unwrap_or(1) as usize;
    let mut out = (rows as u32).to_le_bytes().to_vec();
    out.extend((columns as u32).to_le_bytes());
    for k in 0..rows * columns {
        let at = if fortran { k % columns * rows + k / columns } else { k };
        out.extend(&elements[at]);
    }
    out
}

fn read(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    use npyz::TypeChar::{Float, Int, Uint};
    let npy = NpyFile::new(file)?;
    let shape = npy.shape().to_vec();
    let fortran = npy.order() == Order::Fortran;
    let DType::Plain(kind) = npy.dtype() else { return Err("glue: no plain type".into()) };
    macro_rules! elements {
        ($t:ty) => {
            npy.into_vec::<$t>()?.into_iter().map(|v| v.to_le_bytes().to_vec()).collect::<Vec<_>>()
        };
    }
    let elements = match (kind.type_char(), kind.size_field()) {
        (Int, 1) => elements!(i8),
        (Int, 2) => elements!(i16),
        (Int, 4) => elements!(i32),
        (Int, 8) => elements!(i64),
        (Uint, 1) => elements!(u8),
        (Uint, 2) => elements!(u16),
        (Uint, 4) => elements!(u32),
        (Uint, 8) => elements!(u64),
        (Float, 4) => elements!(f32),
        (Float, 8) => elements!(f64),
        other => return Err(format!("glue: type {other:?}").into()),
    };
    Ok(encode(&shape, &elements, fortran))
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    if let [_, from, to] = &words[..] {
        std::fs::write(to, read(&std::fs::read(from)?)?)?;
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    out.write_all(b"ready\n")?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let file = line.split_once(' ').map_or("", |(_, file)| file);
        let (kind, data) = match std::fs::read(file).map_err(Into::into).and_then(|f| read(&f)) {
            Ok(data) => ("picture", data),
            Err(error) => ("refused", error.to_string().into_bytes()),
        };
        out.write_all(format!("{kind} {}\n", data.len()).as_bytes())?;
        out.write_all(&data)?;
        out.flush()?;
    }
    Ok(())
}
