//! Compiles the specs that ship.

fn main() {
    for stage in ["placement", "segments", "samples", "photometric", "orientation"] {
        inverter::emit::build(format!("specs/tiff/{stage}.rs"));
    }
}
