// The specs that are compiled when this crate is built: for `build.rs`, and for the test of their records.

use inverter::primitive::Primitives;

/// The primitives of this crate that specs of whole formats call, with how many arguments each
/// takes. Tests hold that these are right.
const CALLED: [(&str, usize); 16] = [
    ("aiff_chunks", 0),
    ("bmp_rle", 3),
    ("deflate", 0),
    ("gif_blocks", 0),
    ("gif_lzw", 1),
    ("levels", 1),
    ("npy_header", 0),
    ("packed_bits", 2),
    ("pcm", 2),
    ("pixels", 7),
    ("png_chunks", 0),
    ("png_filters", 4),
    ("pnm_text", 0),
    ("string_table", 1),
    ("tga_runs", 0),
    ("wave_chunks", 0),
];

/// The stages of TIFF, each a spec of one function.
const STAGES: [&str; 7] =
    ["placement", "segments", "samples", "photometric", "orientation", "byte_order", "turned"];

/// The formats, each a spec of one function or several.
const FORMATS: [&str; 13] = [
    "aiff", "au", "bmp", "ddraw", "elf", "gif", "ico", "nifti", "npy", "png", "pnm", "tga", "wav",
];

/// Returns the primitives that specs may call, by name and number of arguments.
fn primitives() -> Primitives {
    let mut primitives = Primitives::shipped();
    for (name, arity) in CALLED {
        primitives.declare(name, arity).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
    primitives
}
