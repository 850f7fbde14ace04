//! Compiles the specs that ship.

include!("compiled_specs.rs");

fn main() {
    for stage in STAGES {
        inverter::emit::build(format!("specs/tiff/{stage}.rs"));
    }
    for format in FORMATS {
        inverter::emit::build_all(format!("specs/{format}/{format}.rs"), &primitives());
    }
}
