//! Predictions for the sources of several clients: `predict DIR..`. Prints a line for each prediction.

use std::path::Path;

use conformance::client::{predict, read};

fn main() {
    for folder in std::env::args().skip(1) {
        match read(Path::new(&folder)) {
            Err(why) => println!("{why}"),
            Ok(uses) => {
                let interfaces: Vec<_> = uses.interfaces.keys().collect();
                println!("{folder}: {interfaces:?}");
                for found in predict(&uses) {
                    let at = found.place.map(|place| format!("{}:{}", place.file, place.line));
                    let at = at.unwrap_or_default();
                    println!("  {} {}: {:?} {at}", found.dimension, found.values, found.effect);
                }
            }
        }
    }
}
