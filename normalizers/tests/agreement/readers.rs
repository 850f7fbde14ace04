//! Readers that did not learn from this project.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;

use tiff::decoder::{Decoder, DecodingResult, Limits};

use crate::container::{Form, pixels};

pub use test_support::installed;

/// The output of a libtiff program for a file. It may not report anything, not even a warning.
pub fn run(program: &str, options: &[&str], file: &[u8], folder: &Path) -> Vec<u8> {
    run_if_configured(program, options, file, folder).unwrap_or_else(|said| panic!("{said}"))
}

/// The output, or the message of a libtiff that was built without the file's compression.
fn run_if_configured(
    program: &str,
    options: &[&str],
    file: &[u8],
    folder: &Path,
) -> Result<Vec<u8>, String> {
    let (from, to) = (folder.join("from.tif"), folder.join("to.tif"));
    fs::write(&from, file).unwrap();
    let ran = Command::new(program).args(options).arg(&from).arg(&to).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    if said.contains("not configured") {
        return Err(said.into_owned());
    }
    assert!(ran.status.success() && said.is_empty(), "{program}: {}: {said}", ran.status);
    Ok(fs::read(&to).unwrap())
}

/// The rows that libtiff reads, in the file's byte order.
pub fn libtiff(form: &Form, file: &[u8], folder: &Path) -> Vec<u8> {
    libtiff_if_configured(form, file, folder).unwrap_or_else(|said| panic!("{said}"))
}

/// The output, or the message of a libtiff that was built without the file's compression.
pub fn libtiff_if_configured(form: &Form, file: &[u8], folder: &Path) -> Result<Vec<u8>, String> {
    let order = if form.big_endian { "-B" } else { "-L" };
    let rows = form.rows_per_strip.to_string();
    let options = ["-c", "none", "-r", &rows, order];
    Ok(pixels(&run_if_configured("tiffcp", &options, file, folder)?))
}

/// The samples of a grey picture of few bits that libtiff reads.
pub fn libtiff_grey(form: &Form, file: &[u8], folder: &Path) -> Vec<u8> {
    let rgba = pixels(&run("tiff2rgba", &["-c", "none"], file, folder));
    let step = 255 / ((1 << form.bits) - 1);
    rgba.chunks(4).map(|pixel| pixel[0] / step).collect()
}

/// The rows that the crate `tiff` reads, in the file's byte order.
pub fn tiff_crate(form: &Form, file: &[u8]) -> Vec<u8> {
    let mut decoder = Decoder::new(Cursor::new(file)).unwrap().with_limits(Limits::unlimited());
    let mut out = Vec::new();
    macro_rules! in_order {
        ($samples:ident) => {
            for n in $samples {
                let bytes = if form.big_endian { n.to_be_bytes() } else { n.to_le_bytes() };
                out.extend_from_slice(&bytes);
            }
        };
    }
    for strip in 0..decoder.strip_count().unwrap() {
        match decoder.read_chunk(strip).unwrap() {
            DecodingResult::U8(bytes) => out.extend(bytes),
            DecodingResult::U16(samples) => in_order!(samples),
            DecodingResult::U32(samples) => in_order!(samples),
            DecodingResult::U64(samples) => in_order!(samples),
            DecodingResult::F16(samples) => in_order!(samples),
            DecodingResult::F32(samples) => in_order!(samples),
            DecodingResult::F64(samples) => in_order!(samples),
            _ => panic!("samples of no type that was written"),
        }
    }
    out
}
