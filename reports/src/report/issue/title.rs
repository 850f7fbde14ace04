//! The title of an issue, in words that the maintainer of a reader understands.

use tiff_harness::meaning::described;

use crate::report::clean::{cut, one_line};
use crate::report::example::Example;
use crate::report::sentence::{capitalized, title as dimensions};
use campaign::oracle::{DifferenceKind, Outcome};
use campaign::{Cause, Depth};

/// Formats the title: `Tiled 16-bit gray image decoded with inverted colors`. The title for a file that is not TIFF
/// lists the dimensions and their values. `format` is the name of its format.
pub fn title(cause: &Cause, example: &Example<'_>, format: &str) -> String {
    let what = match described(example.file, example.choices.iter()) {
        Some(words) if cause.depth != Depth::Not => words,
        _ => {
            let text = format!("{} on a valid {format} file: {}", short(cause), dimensions(cause));
            return cut(&one_line(&text), 300);
        }
    };
    let text = match (cause.outcome, cause.difference) {
        (Outcome::Wrong, kind) => capitalized(&format!("{what} {}", decoded(kind))),
        (Outcome::Crash, _) => format!("Crash on {} {what}", article(&what)),
        (Outcome::Hang, _) => format!("Hang on {} {what}", article(&what)),
        (Outcome::Resource, _) => {
            format!("Excessive memory, disk or output on {} {what}", article(&what))
        }
        (Outcome::Extra(read), _) => {
            format!("{} {} {what}", read.words().title, article(&what))
        }
        (Outcome::Memory, _) => format!("Excessive memory on {} {what}", article(&what)),
        (Outcome::Slow, _) => format!("Excessive time on {} {what}", article(&what)),
        (Outcome::Refused, _) => format!("Error on a valid {what}"),
        (Outcome::Same, _) => capitalized(&format!("{what} decoded correctly")),
    };
    let unsteady = if cause.depth == Depth::Flaky { " (not every time)" } else { "" };
    cut(&one_line(&format!("{text}{unsteady}")), 300)
}

fn short(cause: &Cause) -> String {
    let what = match cause.outcome {
        Outcome::Wrong => "Wrong pixels",
        Outcome::Crash => "Crash",
        Outcome::Hang => "Hang",
        Outcome::Resource => "Memory, disk or output limit exceeded",
        Outcome::Extra(read) => return capitalized(read.words().phrase),
        Outcome::Memory => "Excessive memory",
        Outcome::Slow => "Excessive time",
        Outcome::Refused => "Error",
        Outcome::Same => "Same picture",
    };
    let kind = cause.difference.map(|kind| format!(" ({})", kind.phrase())).unwrap_or_default();
    format!("{what}{kind}")
}

/// The indefinite article for `words`.
fn article(words: &str) -> &'static str {
    // The number 8 is pronounced with a vowel; so are L, M and N in an acronym.
    let vowel = words.starts_with(['a', 'e', 'i', 'o', 'u', '8', 'L']) && !words.starts_with("un");
    if vowel || words.starts_with("uncompressed") { "an" } else { "a" }
}

/// A phrase about the decoded picture.
fn decoded(kind: Option<DifferenceKind>) -> &'static str {
    match kind {
        None | Some(DifferenceKind::Garbage) => "decoded to wrong pixels",
        Some(DifferenceKind::RowsMirrored) => "decoded upside down (rows mirrored)",
        Some(DifferenceKind::ColumnsMirrored) => "decoded with columns mirrored",
        Some(DifferenceKind::RotatedHalf) => "decoded rotated by 180°",
        Some(DifferenceKind::Transposed) => "decoded mirrored along the main diagonal",
        Some(DifferenceKind::RotatedClockwise) => "decoded rotated by 90° clockwise",
        Some(DifferenceKind::RotatedCounterclockwise) => "decoded rotated by 90° counter-clockwise",
        Some(DifferenceKind::Transverse) => "decoded mirrored along the other diagonal",
        Some(DifferenceKind::Turned) => "decoded mirrored or rotated",
        Some(DifferenceKind::Empty) => "decoded to an empty picture",
        Some(DifferenceKind::Size) => "decoded to another size",
        Some(DifferenceKind::ChannelsSwapped) => "decoded with swapped channels",
        Some(DifferenceKind::BytesSwapped) => "decoded with the bytes of samples swapped",
        Some(DifferenceKind::Shifted) => "decoded with shifted pixels",
        Some(DifferenceKind::LowBits) => "decoded with wrong low bits",
        Some(DifferenceKind::Inverted) => "decoded with inverted colors",
        Some(DifferenceKind::PlanesLost) => "decoded with channels lost",
        Some(DifferenceKind::Blank) => "decoded to a blank picture",
        Some(DifferenceKind::Alpha) => "decoded with wrong alpha",
        Some(DifferenceKind::Depth) => "decoded with wrongly scaled levels",
        Some(DifferenceKind::Recolored) => "decoded with wrong colors",
        Some(DifferenceKind::Part) => "decoded with a part of the picture wrong",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_follow_the_sound() {
        let of =
            ["8-bit gray image", "16-bit gray image", "uncompressed image", "LZW image", "RGB"];
        assert_eq!(of.map(article), ["an", "a", "an", "an", "a"]);
    }
}
