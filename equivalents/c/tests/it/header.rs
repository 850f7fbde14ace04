//! The header is what cbindgen makes of the sources.

use std::path::Path;
use std::{env, fs};

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut made = Vec::new();
    cbindgen::generate(root).unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let path = root.join("include/repfuzz.h");
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let advice = "the sources changed: UPDATE_HEADER=1 cargo test -p repfuzz-c --test it header";
    assert!(fs::read_to_string(&path).is_ok_and(|kept| kept == made), "{advice}");
}
