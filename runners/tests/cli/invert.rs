//! `invert`: the printed inverses of the specs in the tree, and invalid specs.

use std::fs;
use std::path::Path;

use crate::{file, folder, repfuzz};

const SPECS: [&str; 8] = [
    "inverter/tests/programs/ddsurface.rs",
    "normalizers/specs/tiff/byte_order.rs",
    "normalizers/specs/tiff/orientation.rs",
    "normalizers/specs/tiff/photometric.rs",
    "normalizers/specs/tiff/placement.rs",
    "normalizers/specs/tiff/samples.rs",
    "normalizers/specs/tiff/segments.rs",
    "normalizers/specs/tiff/turned.rs",
];

#[test]
fn inverses_print() {
    for spec in SPECS {
        let stem = Path::new(spec).file_stem().unwrap().to_str().unwrap();
        assert_eq!(
            repfuzz!("invert", file(spec)).fine(),
            repfuzz!("invert", file(spec), "--emit", "inverse").fine()
        );
        for emit in ["inverse", "ensures", "dimensions"] {
            let ran = repfuzz!("invert", file(spec), "--emit", emit);
            insta::assert_snapshot!(format!("{stem}_{emit}"), ran.fine());
        }
    }
}

#[test]
fn inverses_print_as_rust() {
    for spec in ["inverter/tests/programs/ddsurface.rs", "normalizers/specs/tiff/placement.rs"] {
        let stem = Path::new(spec).file_stem().unwrap().to_str().unwrap();
        let ran = repfuzz!("invert", file(spec), "--emit", "rust");
        insta::assert_snapshot!(format!("{stem}_rust"), ran.fine());
    }
}

#[test]
fn every_spec_of_the_corpus_is_shown_here() {
    for entry in fs::read_dir(file("normalizers/specs/tiff")).unwrap() {
        let name = format!("normalizers/specs/tiff/{}", entry.unwrap().file_name().display());
        // Beside specs there are values of theirs.
        if !name.ends_with(".rs") {
            continue;
        }
        assert!(SPECS.contains(&name.as_str()), "{name} is in no snapshot");
    }
}

fn refused(text: impl AsRef<[u8]>) -> String {
    let folder = folder();
    let spec = folder.path().join("spec.rs");
    fs::write(&spec, text).unwrap();
    let ran = repfuzz!("invert", &spec);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran.stderr.replace(folder.path().to_str().unwrap(), "")
}

#[test]
fn a_wrong_spec_is_shown_where_it_is_wrong() {
    let spec = "/// A number.\npub struct X { a: u32 }\n/// Another.\npub struct Y { b: u32 }\n\n\
                fn normalize(x: &X, y: &mut Y) {\n    y.b = x.nosuch;\n}\n";
    insta::assert_snapshot!(refused(spec));
}

#[test]
fn what_is_no_spec_is_refused() {
    assert!(refused("").contains("the spec has no function"));
    assert!(refused("fn f( {").contains("not Rust"));
    assert!(refused([0xFF, 0xFE]).starts_with("error: /spec.rs: "));
    // Deeply nested, and in one line that is too long to show.
    assert!(refused("{".repeat(100_000)).starts_with("error: /spec.rs: "));
    let deep = format!("fn f() {{ {}0{}; }}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(refused(deep).contains("nest more than"));
    for missing in ["/nowhere/spec.rs", "/"] {
        assert!(repfuzz!("invert", missing).error().starts_with(missing));
    }
}
