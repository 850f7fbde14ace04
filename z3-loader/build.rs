//! Lets programs link without libz3. `z3-sys` makes the linker look for it, and the linker finds an empty archive if
//! there is no other. The functions of Z3 are in this crate.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(loaded)");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("OS") != "linux" || !matches!(target("ARCH").as_str(), "x86_64" | "aarch64") {
        return;
    }
    println!("cargo::rustc-cfg=loaded");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("libz3.a"), "!<arch>\n").expect("OUT_DIR can be written");
    println!("cargo::rustc-link-search=native={}", out.display());
}
