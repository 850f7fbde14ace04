//! Predictions for the clients whose sources are in the given folders, one per line.

use std::path::Path;

use conformance::client;

fn main() {
    for folder in std::env::args().skip(1) {
        println!("{folder}");
        match client::read(Path::new(&folder)) {
            Err(why) => println!("  {why}"),
            Ok(uses) => {
                for p in client::predict(&uses) {
                    let place = p.place.map(|place| format!("{}:{}", place.file, place.line));
                    let place = place.unwrap_or_default();
                    println!("  {} {}: {} ({place})", p.dimension, p.values, p.effect.words());
                }
            }
        }
    }
}
