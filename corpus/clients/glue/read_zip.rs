//! The crate zip: a line for each file in an archive, then its content.

use std::error::Error;
use std::io::{Cursor, Read};

mod serve;

fn read(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(file))?;
    let mut out = Vec::new();
    for k in 0..archive.len() {
        let mut entry = archive.by_index(k)?;
        let date = entry.last_modified().ok_or("glue: no date")?;
        let (y, m, d) = (date.year(), date.month(), date.day());
        let (hours, minutes, seconds) = (date.hour(), date.minute(), date.second());
        let (name, size) = (entry.name()?.into_owned(), entry.size());
        out.extend(
            format!("{name} {y:04}-{m:02}-{d:02} {hours:02}:{minutes:02}:{seconds:02} {size}\n")
                .bytes(),
        );
        entry.read_to_end(&mut out)?;
    }
    Ok(out)
}

fn main() -> Result<(), Box<dyn Error>> {
    serve::serve(read)
}
