//! Compiles every program of the inverter's suite into one module each.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let folder = Path::new("../tests/programs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "rs"));
    paths.sort();
    let (mut modules, mut all) = (String::new(), String::new());
    for path in &paths {
        let name = path.file_stem().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(path).unwrap();
        let inverse = inverter::check::load(&format!("{name}.rs"), &text).unwrap();
        let code = inverter::emit::module(&inverse);
        writeln!(modules, "#[allow(missing_docs)] pub mod p_{name} {{\n{code}\n}}").unwrap();
        writeln!(all, "    (\"{name}.rs\", &p_{name}::COMPILED),").unwrap();
    }
    let out = Path::new(&std::env::var_os("OUT_DIR").unwrap()).join("suite.rs");
    let all = format!("/// Every program.\npub static ALL: &[(&str, &Compiled)] = &[\n{all}];\n");
    std::fs::write(out, format!("{modules}\n{all}")).unwrap();
}
