//! Embeds the models of interfaces. A new file in their folder triggers a new build.

fn main() {
    println!("cargo::rerun-if-changed=interfaces");
    println!("cargo::rerun-if-changed=build.rs");
}
