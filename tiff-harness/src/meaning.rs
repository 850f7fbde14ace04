//! What dimensions and their values mean in words, and which section of TIFF 6.0 says so: for
//! people who are shown a choice. How surely readers must take it is told by
//! [`class`](crate::class).

mod table;

use inverter::solve::Choice;

/// The part of a file that a dimension is about, from the outside in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// Header, directories, entries and the values of tags.
    Container,
    /// Strips and tiles, and where they lie.
    Segments,
    /// How segments become samples.
    Coding,
    /// The samples of a pixel.
    Samples,
    /// What samples mean as colours.
    Photometric,
    /// Which way the picture is turned.
    Orientation,
}

impl Area {
    /// Its word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Area::Container => "container",
            Area::Segments => "segments",
            Area::Coding => "coding",
            Area::Samples => "samples",
            Area::Photometric => "photometric",
            Area::Orientation => "orientation",
        }
    }
}

/// What a dimension means.
#[derive(Debug)]
pub struct Meaning {
    /// Names; one that ends in a space is how names begin: `type of `.
    names: &'static [&'static str],
    /// The part of the file.
    pub area: Area,
    section: &'static str,
    /// What it decides: one sentence.
    pub words: &'static str,
    values: &'static [Meant],
}

/// What one value means: the value or how it begins, words, and the section, if it is not the
/// dimension's.
#[derive(Debug)]
struct Meant(&'static str, &'static str, &'static str);

impl Meaning {
    /// What `dimension` means; `None` if it is not one of TIFF.
    pub fn of(dimension: &str) -> Option<&'static Self> {
        let exact = table::ROWS.iter().find(|row| row.names.contains(&dimension));
        let begins = |name: &&str| name.ends_with(' ') && dimension.starts_with(name);
        exact.or_else(|| table::ROWS.iter().find(|row| row.names.iter().any(begins)))
    }

    /// What `value` means, as the end of a sentence; `None` where the value says it itself.
    pub fn value(&self, value: &Choice) -> Option<&'static str> {
        let words = self.meant(value).map(|meant| meant.1).filter(|words| !words.is_empty());
        words.or_else(|| match value {
            Choice::Text(text) if text.starts_with("random:") => {
                Some("at random; the number is the seed of it")
            }
            _ => None,
        })
    }

    /// Where the standard speaks of `value`: sections of TIFF 6.0 (`8`, `3 to 6`), or what
    /// else describes it.
    pub fn section(&self, value: &Choice) -> &'static str {
        match self.meant(value) {
            Some(Meant(_, _, section)) if !section.is_empty() => section,
            _ => self.section,
        }
    }

    fn meant(&self, value: &Choice) -> Option<&'static Meant> {
        let text = match value {
            Choice::List(_) => return None,
            value => value.to_string(),
        };
        let kind = text.split(':').next().unwrap_or_default();
        self.values.iter().find(|m| m.0 == text || m.0 == kind)
    }
}

/// A section as [`Meaning::section`] has it, as a reference: `TIFF 6.0, section 15`.
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

    use super::*;
    use crate::Seed;

    /// `3, 9, 10; x` as a set.
    fn parts(section: &str) -> BTreeSet<&str> {
        section.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    fn quoted(cell: &str) -> Vec<&str> {
        cell.split('`').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_documentation_names_the_same_sections() {
        let text = include_str!("../../docs/tiff.md");
        let rows = text.lines().skip_while(|line| !line.starts_with("| dimension |")).skip(2);
        let (mut names, mut seen) = (Vec::new(), 0);
        for row in rows.take_while(|line| line.starts_with('|')) {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [dimension, values, _, section] = cells[..] else { panic!("{row}") };
            if !dimension.is_empty() {
                names = quoted(dimension);
            }
            assert!(!names.is_empty(), "{row}");
            let mut told = BTreeSet::new();
            for name in &names {
                let name = name.strip_suffix('T').unwrap_or(name);
                let meaning = Meaning::of(name).unwrap_or_else(|| panic!("{name} has no meaning"));
                let own = meaning.values.iter().any(|m| !m.2.is_empty());
                match quoted(values) {
                    values if own => told.extend(
                        values.into_iter().flat_map(|v| parts(meaning.section(&Choice::from(v)))),
                    ),
                    _ => told.extend(parts(meaning.section)),
                }
            }
            // The streams of a compression have its section.
            if !section.is_empty() {
                assert_eq!(told, parts(section), "{row}");
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
    fn the_table_is_whole() {
        let mut names = BTreeSet::new();
        for row in &table::ROWS {
            assert!(row.words.ends_with('.'), "{}", row.words);
            assert!(row.names.iter().all(|name| names.insert(*name)), "twice: {:?}", row.names);
            assert!(!row.section.is_empty() || row.values.iter().all(|m| !m.2.is_empty()));
        }
        assert!(table::ROWS.is_sorted_by_key(|row| row.area));
    }

    #[test]
    fn values_are_told() {
        let meaning = Meaning::of("compression").unwrap();
        assert_eq!(reference(meaning.section(&"LZW".into())), "TIFF 6.0, section 13");
        assert_eq!(meaning.section(&"Zstandard".into()), "libtiff");
        let meaning = Meaning::of("private tags").unwrap();
        assert!(meaning.value(&"several:5".into()).is_some());
        assert!(Meaning::of("rows").is_none());
        assert_eq!(reference("3 to 6, 8"), "TIFF 6.0, sections 3 to 6, 8");
    }
}
