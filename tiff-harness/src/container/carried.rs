//! The tags of a seed on which no picture depends, and their values in a variant.
//!
//! Most of them (Software, Copyright, …) are true of every file of the picture, and variants copy them from the seed.
//! [`table::ROWS`] lists the others, with the facts on which each depends: they refer to samples, to the stored rows
//! and columns, to other pages, to bytes in a particular order, or to places in the file. [`carry`] decides by that
//! table. It is a function of the seed and of the variant's other choices, so a replay leaves out and changes the same
//! tags; nothing is drawn here.
//!
//! A tag that would be wrong is adjusted if this can be done exactly; otherwise it is left out of the variants in which
//! it would be wrong, and only of these. A tag never restricts a dimension, because a file without the tag has the same
//! picture.

pub mod facts;
mod levels;
pub mod table;
pub mod text;

use super::{Tag, Values};
use facts::{Fact, Facts};
use table::{Row, Rule};
use text::Pages;

/// The facts of one page: of the variant, and of the seed.
pub type PageFacts = (Facts, Facts);

/// Returns the values of the seed's tag `tag` in a variant of one page, given its `values` in the seed; `None` if the
/// variant must not have it. Tags without a row are returned unchanged.
pub fn carry(tag: Tag, values: Values, variant: &Facts, seed: &Facts) -> Option<Values> {
    carry_among(&[], tag, values, variant, seed)
}

/// Does the same as [`carry`] for one page of several, whose facts are `pages`. `variant` and `seed` are the facts of
/// the page that has the tag.
pub fn carry_among(
    pages: &[PageFacts],
    tag: Tag,
    values: Values,
    variant: &Facts,
    seed: &Facts,
) -> Option<Values> {
    let same_in = |needs: &[Fact], of| {
        let all = |variant: &Facts, seed: &Facts| needs.iter().all(|f| f.holds(variant, seed));
        let mut others = pages.iter().filter(|_| of == Pages::All);
        all(variant, seed) && others.all(|(variant, seed)| all(variant, seed))
    };
    let same = |needs: &[Fact]| same_in(needs, Pages::told_by(needs));
    let Some(row) = row_of(tag) else {
        return (!values.kind().is_pointer()).then_some(values);
    };
    match row.rule {
        Rule::Offsets | Rule::Never => None,
        // Only pictures that are kept as streams have it.
        Rule::Streams => Some(values),
        Rule::While(needs) => same(needs).then_some(values),
        Rule::Bytes => {
            let bytes = values.kind().size() == Some(1);
            (bytes || same(&[Fact::ByteOrder])).then_some(values)
        }
        Rule::PerSample(extremes) => levels::per_sample(values, extremes, variant, seed),
        Rule::Levels => levels::levels(values, variant, seed),
        Rule::LevelText => levels::level_text(values, variant, seed),
        Rule::Text(kinds) => {
            text::is_true(&values, kinds, variant.pages, same_in).then_some(values)
        }
    }
}

/// Returns the row of a tag, if it has one.
pub fn row_of(tag: Tag) -> Option<&'static Row> {
    table::ROWS.iter().find(|row| row.tags.contains(&tag))
}

/// Returns true if a file of another picture that is stored in the same way may also have the tag, because the tag does
/// not refer to the values of pixels.
pub fn fits_any_picture(tag: Tag) -> bool {
    row_of(tag).is_none_or(|row| match row.rule {
        Rule::PerSample(_) => false,
        Rule::While(needs) => !needs.contains(&Fact::Picture),
        _ => true,
    })
}

#[cfg(test)]
mod tests;
