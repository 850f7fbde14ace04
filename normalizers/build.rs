//! Compiles the specs that ship.

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

fn main() {
    for stage in
        ["placement", "segments", "samples", "photometric", "orientation", "byte_order", "turned"]
    {
        inverter::emit::build(format!("specs/tiff/{stage}.rs"));
    }
    let mut primitives = Primitives::shipped();
    for (name, arity) in CALLED {
        primitives.declare(name, arity).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
    for format in [
        "aiff", "au", "bmp", "ddraw", "elf", "gif", "ico", "nifti", "npy", "png", "pnm", "tga",
        "wav",
    ] {
        inverter::emit::build_all(format!("specs/{format}/{format}.rs"), &primitives);
    }
}
