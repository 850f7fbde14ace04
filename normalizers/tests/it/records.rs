//! The records beside compiled specs are what Z3 proves of them today.

use std::fs;
use std::path::Path;

include!("../../compiled_specs.rs");

/// Set to write the records anew.
const UPDATE: &str = "UPDATE_RECORDS";

#[test]
fn records_are_those_of_the_specs() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let shipped = Primitives::shipped();
    let called = primitives();
    let stages = STAGES.map(|name| (specs.join(format!("tiff/{name}.rs")), &shipped));
    let formats = FORMATS.map(|name| (specs.join(format!("{name}/{name}.rs")), &called));
    let mut stale = Vec::new();
    for (spec, primitives) in stages.into_iter().chain(formats) {
        let record = inverter::emit::record(&spec, primitives).unwrap();
        let path = spec.with_extension("checked.toml");
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&path, &record).unwrap();
        }
        if fs::read_to_string(&path).ok().as_deref() != Some(&*record) {
            stale.push(path);
        }
    }
    assert!(stale.is_empty(), "run with {UPDATE}=1 to write these anew: {stale:?}");
}
