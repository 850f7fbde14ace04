//! The frequency of the values of dimensions among real files.
//!
//! `common.tsv` contains counts over the files of `corpus/unseen` in ten of its repositories (BitMiracle/libtiff.net,
//! haraldk/TwelveMonkeys, tlnagy/exampletiffs, image-js/tiff, rasterio/rasterio, apache/commons-imaging,
//! cgohlke/imagecodecs, chai2010/tiff, Daniel-Alievsky/algart-tiff, lovell/sharp); the example `count_values` writes
//! it. These are test files of libraries; rare values are more frequent in them than in users' files, but the order of
//! frequencies is similar.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The counts by dimension, and by value class within it.
static COUNTS: LazyLock<HashMap<&str, HashMap<&str, usize>>> = LazyLock::new(|| {
    let mut counts: HashMap<&str, HashMap<&str, usize>> = HashMap::new();
    for line in include_str!("common.tsv").lines().skip(1) {
        let mut cells = line.split('\t');
        if let (Some(dimension), Some(class), Some(count)) =
            (cells.next(), cells.next(), cells.next())
        {
            counts.entry(dimension).or_default().insert(class, count.parse().unwrap_or(0));
        }
    }
    counts
});

/// Returns how many in a thousand real files with this dimension have a value of this class; `None` if no file has the
/// dimension.
pub fn per_mille(dimension: &str, class: &str) -> Option<usize> {
    let classes = COUNTS.get(dimension)?;
    let all: usize = classes.values().sum();
    Some(classes.get(class).copied().unwrap_or(0) * 1000 / all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_values_are_more_frequent_than_rare_ones() {
        let of = |class| per_mille("compression", class).unwrap();
        assert!(of("none") > of("PackBits") && of("PackBits") > of("CCITT RLE"));
        assert!(per_mille("planar", "2").unwrap() < 100);
        assert_eq!(per_mille("compression", "no such code"), Some(0));
        assert_eq!(per_mille("no such dimension", "1"), None);
    }
}
