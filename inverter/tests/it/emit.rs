//! Snapshots of the Rust emitted for a few programs of the suite.

use inverter::check::load;
use inverter::emit::module;

fn emitted(name: &str) -> String {
    let path = format!("{}/tests/programs/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    module(&load(&format!("{name}.rs"), &std::fs::read_to_string(path).unwrap()).unwrap())
}

macro_rules! golden {
    ($($name:ident: $doc:literal;)*) => {$(
        #[doc = $doc]
        #[test]
        fn $name() {
            insta::assert_snapshot!(emitted(stringify!($name)));
        }
    )*};
}

golden! {
    strided_surface: "Rows of a pitch: a nest that copies.";
    big_endian_words: "Digits: kernels with division.";
    predictor: "A recurrence: a loop that is no nest.";
    reserved_read: "Reservations: reads are noted.";
    gray_or_color: "Branches, and assumptions about what was just written.";
}
