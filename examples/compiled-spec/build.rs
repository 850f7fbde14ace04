//! Compiles the spec.

fn main() {
    inverter::emit::build("specs/surface.rs");
}
