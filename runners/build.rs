//! Embeds the models of interfaces: a new file there means a new build.

fn main() {
    println!("cargo::rerun-if-changed=interfaces");
    println!("cargo::rerun-if-changed=build.rs");
}
