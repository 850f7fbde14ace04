//! Prints the graphs of C files as text, one edge per line.

use std::path::PathBuf;

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let program = canonical::c::read(&files, &canonical::c::Options::default());
    for (_, function, graph) in program.defined() {
        println!("{}: entry {}, exit {}", function.name, graph.entry.0, graph.exit.0);
        for edge in &graph.edges {
            println!("  {} -> {}  {}", edge.from.0, edge.to.0, program.action(&edge.action));
        }
    }
    for diagnostic in &program.diagnostics {
        let place = diagnostic.place.map(|place| program.at(place)).unwrap_or_default();
        println!("{place}: {} ({:?})", diagnostic.message, diagnostic.effect);
    }
}
