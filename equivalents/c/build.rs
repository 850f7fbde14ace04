//! Names the shared library for the programs that are linked with it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        // Until 1.0 a minor version may change the interface.
        let part = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
        let name = format!("librepfuzz.so.{}.{}", part("MAJOR"), part("MINOR"));
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{name}");
    }
}
