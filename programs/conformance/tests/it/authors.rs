//! The automata of the paper's authors: determinized sizes, and vacuity.

use std::io::Read;
use std::path::Path;

use conformance::automata::determinize::Determinized;
use conformance::automata::{Alphabet, Nwa, Symbol};
use conformance::check::is_vacuous;
use conformance::read::opennwa;

fn automaton(name: &str) -> (Alphabet, Nwa) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/opennwa")
        .join(format!("{name}.nwa.gz"));
    let mut text = String::new();
    let file = std::fs::File::open(&path).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut alphabet = Alphabet::default();
    let nwa = opennwa::read(name, &text, &mut alphabet).unwrap();
    (alphabet, nwa)
}

#[test]
fn determinized_sizes_are_those_of_the_paper() {
    let mut sizes = Vec::new();
    for (name, states) in [
        ("ico-enriched", 26),
        ("gzip-cons-enriched", 71),
        ("gzip-cons-mod-enriched", 73),
        ("bz2-cons-enriched", 29),
    ] {
        let (alphabet, nwa) = automaton(name);
        let symbols: Vec<Symbol> = alphabet.symbols().collect();
        let mut determinized = Determinized::new(&nwa, 10_000);
        determinized.explore(&symbols).unwrap();
        eprintln!("{name}: {} states, determinized {}", nwa.len(), determinized.len());
        sizes.push((nwa.len(), states, determinized.len()));
    }
    sizes.iter().for_each(|(found, printed, _)| assert_eq!(found, printed));
    let mut determinized: Vec<usize> = sizes.iter().map(|s| s.2).collect();
    determinized.sort_unstable();
    assert_eq!(determinized, [13, 27, 176, 543]);
}

#[test]
fn consumers_of_gzip_and_bzip2_accept_everything() {
    for (name, vacuous) in
        [("gzip-cons-enriched", true), ("bz2-cons-enriched", true), ("ico-enriched", false)]
    {
        assert_eq!(is_vacuous(&automaton(name).1).unwrap(), vacuous, "{name}");
    }
}
