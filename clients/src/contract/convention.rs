//! The closed list of conventions: differences between correct readers of TIFF.
//!
//! A convention is on the list only if a published document describes it as permitted for readers. `docs/contracts.md`
//! explains each.

use serde::{Deserialize, Serialize};

/// A convention as listings show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Its name in descriptions.
    pub name: &'static str,
    /// The reason why it is not a bug.
    pub reason: &'static str,
    /// The document that describes it.
    pub source: &'static str,
}

/// Declares one property: an enumeration of its conventions, the most conservative first.
macro_rules! property {
    ($(#[$doc:meta])* $kind:ident { $($variant:ident = $name:literal, $reason:literal, $source:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $kind {
            $(
                #[doc = $reason]
                #[doc = concat!("\n\nSource: ", $source, ".")]
                #[serde(rename = $name)]
                $variant,
            )+
        }

        impl $kind {
            /// All conventions, the most conservative first: the one that reports the most differences.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns its name, reason and source.
            pub fn listed(self) -> Listed {
                match self {
                    $(Self::$variant => Listed { name: $name, reason: $reason, source: $source },)+
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.listed().name)
            }
        }
    };
}

property! {
    /// The precision of a client's output.
    Depth {
        Exact = "exact",
            "Every level of 16 bits is returned as it is; samples of fewer bits are scaled to it, or returned with their own bits.",
            "TIFF 6.0, section 8, BitsPerSample";
        Nearest = "8 bits, nearest",
            "A picture for a screen has 8 bits a sample; the nearest level is the most exact one.",
            "PNG specification, section 13.12, Sample depth rescaling: floor((sample * 255 / 65535) + 0.5)";
        HighByte = "8 bits, high byte",
            "A picture for a screen has 8 bits a sample; the high byte is the fastest approximation.",
            "PNG specification, section 13.12, Sample depth rescaling; libpng manual, png_set_strip_16";
        Floor = "8 bits, floor",
            "A picture for a screen has 8 bits a sample; a conversion of numbers to integers cuts the fraction off.",
            "ISO C, 6.3.1.4, Real floating and integer: the fractional part is discarded";
    }
}

property! {
    /// Samples of 2 and 4 bits.
    Packed {
        Scaled = "scaled",
            "The greatest value of a sample is the brightest level.",
            "TIFF 6.0, section 4, PhotometricInterpretation = 1: 2**BitsPerSample-1 is imaged as white";
        Numbers = "numbers",
            "A library for arrays returns the numbers of the file in bytes, and leaves their range to its caller.",
            "tifffile, TiffPage.asarray: samples of 2 and 4 bits are unpacked to bytes, not scaled";
    }
}

property! {
    /// The treatment of unassociated alpha.
    Alpha {
        Kept = "kept",
            "Colors and alpha are returned as they are.",
            "TIFF 6.0, section 8, ExtraSamples = 2";
        KeptWhereVisible = "kept where visible",
            "The picture is premultiplied inside and divided again: colors lose what alpha hides.",
            "HTML Living Standard, 4.12.5.1.16, Pixel manipulation: converting to and from premultiplied alpha is lossy";
        Premultiplied = "premultiplied",
            "The interface returns colors multiplied by alpha.",
            "libtiff, TIFFRGBAImage(3): unassociated alpha is premultiplied; TIFF 6.0, section 18, Associated Alpha";
        Dropped = "dropped",
            "A picture without a place for alpha keeps the colors alone.",
            "TIFF 6.0, section 8, ExtraSamples: no Baseline field";
        OverBlack = "over black",
            "The picture is shown on a black background.",
            "Porter and Duff, Compositing Digital Images, 1984, operator over; TIFF 6.0, section 18";
        OverWhite = "over white",
            "The picture is shown on a white background, such as paper.",
            "Porter and Duff, Compositing Digital Images, 1984, operator over; PNG specification, section 13.16";
    }
}

property! {
    /// PhotometricInterpretation = 0.
    Photometric {
        Applied = "applied",
            "0 is white and the greatest value black.",
            "TIFF 6.0, section 4, PhotometricInterpretation = 0";
        Raw = "raw",
            "A library for arrays returns the numbers of the file, and leaves their meaning to its caller.",
            "tifffile, TiffPage.asarray: photometric interpretation is not applied";
    }
}

property! {
    /// PhotometricInterpretation = 3.
    Palette {
        Applied = "applied",
            "Each sample is replaced by its color.",
            "TIFF 6.0, section 5, ColorMap";
        Indices = "indices",
            "A library for arrays returns the indices, and the palette separately.",
            "tifffile, TiffPage.asarray: returns indices; TiffPage.asrgb applies ColorMap";
    }
}

property! {
    /// The samples that ExtraSamples calls unspecified.
    Unspecified {
        Ignored = "ignored",
            "A sample of unknown meaning does not change the picture.",
            "TIFF 6.0, section 8, ExtraSamples = 0";
        Alpha = "alpha",
            "Writers that forget the value mean alpha.",
            "libtiff, tif_getimage.c: workaround for some images without correct info about alpha channel";
    }
}

property! {
    /// Orientations other than 1.
    Orientation {
        Applied = "applied",
            "The picture is turned as the tag asks.",
            "TIFF 6.0, section 8, Orientation";
        Stored = "stored",
            "Rows are returned as they are stored: support of the tag is not required.",
            "TIFF 6.0, section 8, Orientation: \"Support for orientations other than 1 is not a Baseline TIFF requirement.\"";
        Flips = "flips only",
            "The picture is mirrored but not turned: orientations 5 to 8 are read as 1 to 4.",
            "libtiff, TIFFReadRGBAImageOriented(3): the raster's origin is one of four corners; rows stay rows";
    }
}

property! {
    /// The pages of a file.
    Pages {
        First = "first",
            "The first page is the picture.",
            "TIFF 6.0, section 7: readers \"are not required to do anything with images after the first one\"";
    }
}

property! {
    /// The colors of the output.
    Channels {
        Rgb = "rgb",
            "A color picture is returned in color.",
            "TIFF 6.0, section 6";
        First = "first",
            "A reader of single bands returns the first one.",
            "TIFF 6.0, section 8, PlanarConfiguration: components may be separate planes";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_each_convention() {
        let workspace = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        if !workspace.join("docs").is_dir() {
            eprintln!("skipped: docs/contracts.md is outside of the package");
            return;
        }
        let page = std::fs::read_to_string(workspace.join("docs/contracts.md")).unwrap();
        fn rows<T: Copy>(all: &[T], listed: fn(T) -> Listed) -> Vec<Listed> {
            all.iter().map(|convention| listed(*convention)).collect()
        }
        let all = [
            rows(Depth::ALL, Depth::listed),
            rows(Packed::ALL, Packed::listed),
            rows(Alpha::ALL, Alpha::listed),
            rows(Photometric::ALL, Photometric::listed),
            rows(Palette::ALL, Palette::listed),
            rows(Unspecified::ALL, Unspecified::listed),
            rows(Orientation::ALL, Orientation::listed),
            rows(Pages::ALL, Pages::listed),
            rows(Channels::ALL, Channels::listed),
        ];
        let all = all.concat();
        for Listed { name, reason, source } in &all {
            let row = format!("| `{name}` | {reason} | {source} |");
            assert!(page.contains(&row), "{row}");
        }
        // The tables of other sections have other rows.
        let section = page.split("\n## ").nth(1).unwrap();
        let documented = section.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(documented, all.len());
    }
}
