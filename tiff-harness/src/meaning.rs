//! Describes dimensions and their values in words, with the section of TIFF 6.0 that defines them, for people who are
//! shown a choice.

pub mod common;
mod entry;
mod jpeg;
mod table;
mod tags;

pub use entry::{Area, Meaning};
pub use tags::{described, in_tags};

use crate::dimension::of_page;

impl Meaning {
    /// Returns the meaning of `dimension`; `None` if TIFF has no such dimension.
    pub fn of(dimension: &str) -> Option<&'static Self> {
        let (_, dimension) = of_page(dimension);
        let exact = rows().find(|row| row.names.contains(&dimension));
        let begins = |name: &&str| name.ends_with(' ') && dimension.starts_with(name);
        exact.or_else(|| rows().find(|row| row.names.iter().any(begins)))
    }
}

/// Returns all entries.
fn rows() -> impl Iterator<Item = &'static Meaning> {
    table::ROWS.iter().chain(&jpeg::ROWS)
}

/// Formats a section, in the form that [`Meaning::section`] returns, as a reference: `TIFF 6.0, section 15`.
pub fn reference(section: &str) -> String {
    match section.bytes().next() {
        Some(b'0'..=b'9') if section.contains([',', ' ']) => {
            format!("TIFF 6.0, sections {section}")
        }
        Some(b'0'..=b'9') => format!("TIFF 6.0, section {section}"),
        _ => section.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use inverter::solve::Choice;

    use super::*;
    use crate::Seed;

    /// Splits `3, 9, 10; x` into a set.
    fn parts(section: &str) -> BTreeSet<&str> {
        section.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    fn quoted(cell: &str) -> Vec<&str> {
        cell.split('`').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_documentation_names_the_same_sections() {
        // The published package has no pages.
        let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        if !workspace.join("docs").is_dir() {
            return eprintln!("no docs");
        }
        let text = std::fs::read_to_string(workspace.join("docs/tiff.md")).unwrap();
        let rows = text.lines().skip_while(|line| !line.starts_with("| dimension |")).skip(2);
        let (mut names, mut seen) = (Vec::new(), 0);
        for row in rows.take_while(|line| line.starts_with('|')) {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [dimension, values, _, section] = cells[..] else { panic!("{row}") };
            if !dimension.is_empty() {
                names = quoted(dimension);
            }
            assert!(!names.is_empty(), "{row}");
            let mut sections = BTreeSet::new();
            for name in &names {
                let name = name.strip_suffix('T').unwrap_or(name);
                let meaning = Meaning::of(name).unwrap_or_else(|| panic!("{name} has no meaning"));
                let own = meaning.values.iter().any(|m| !m.2.is_empty());
                match quoted(values) {
                    values if own => sections.extend(
                        values.into_iter().flat_map(|v| parts(meaning.section(&Choice::from(v)))),
                    ),
                    _ => sections.extend(parts(meaning.section)),
                }
            }
            // The streams of a compression have its section.
            if !section.is_empty() {
                assert_eq!(sections, parts(section), "{row}");
            }
            seen += 1;
        }
        assert!(seen > 25, "{seen}");
    }

    #[test]
    fn every_dimension_of_a_seed_has_a_meaning() {
        for file in ["gray", "rgb", "tiny"] {
            let path = format!("{}/../corpus/seeds/{file}.tif", env!("CARGO_MANIFEST_DIR"));
            let seed = Seed::open(std::fs::read(path).unwrap()).unwrap();
            let seed = seed.with_profile(crate::container::Profile::Wide);
            for name in seed.dimensions() {
                assert!(Meaning::of(name).is_some(), "{name} has no meaning");
            }
        }
    }

    #[test]
    fn every_dimension_of_jpeg_streams_has_a_meaning() {
        for name in crate::dimension::JPEG {
            assert!(Meaning::of(name).is_some(), "{name} has no meaning");
        }
    }

    #[test]
    fn the_table_is_whole() {
        let mut names = BTreeSet::new();
        for row in rows() {
            assert!(row.words.ends_with('.'), "{}", row.words);
            assert!(row.names.iter().all(|name| names.insert(*name)), "twice: {:?}", row.names);
            assert!(!row.section.is_empty() || row.values.iter().all(|m| !m.2.is_empty()));
        }
        assert!(table::ROWS.is_sorted_by_key(|row| row.area));
    }

    #[test]
    fn values_have_meanings_and_sections() {
        let meaning = Meaning::of("compression").unwrap();
        assert_eq!(reference(meaning.section(&"LZW".into())), "TIFF 6.0, section 13");
        assert_eq!(meaning.section(&"Zstandard".into()), "libtiff");
        let meaning = Meaning::of("private tags").unwrap();
        assert!(meaning.value(&"several:5".into()).is_some());
        assert!(Meaning::of("rows").is_none());
        assert_eq!(reference("3 to 6, 8"), "TIFF 6.0, sections 3 to 6, 8");
    }
}
