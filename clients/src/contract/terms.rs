//! A contract: a convention for each property.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::convention::{
    Alpha, Channels, Depth, Listed, Orientation, Packed, Pages, Palette, Photometric, Unspecified,
};
use super::facts::{Colors, Facts};

/// The conventions of a client, the table `[contract]` of its description.
///
/// An absent property is unknown, so pictures that depend on it are not determined.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Contract {
    /// The precision of the output.
    pub depth: Option<Depth>,
    /// The precision for gray files; by default, [`Contract::depth`].
    pub gray_depth: Option<Depth>,
    /// The precision for WhiteIsZero; by default, that for gray files.
    pub inverted_depth: Option<Depth>,
    /// The precision for palettes, whose colors have 16 bits; by default, [`Contract::depth`].
    pub palette_depth: Option<Depth>,
    /// The treatment of samples of 2 and 4 bits; by default, they are scaled.
    pub packed: Option<Packed>,
    /// The treatment of unassociated alpha.
    pub alpha: Option<Alpha>,
    /// The treatment of alpha in gray files; by default, [`Contract::alpha`].
    pub gray_alpha: Option<Alpha>,
    /// The treatment of WhiteIsZero.
    pub photometric: Option<Photometric>,
    /// The treatment of palettes.
    pub palette: Option<Palette>,
    /// The treatment of unspecified extra samples.
    pub unspecified: Option<Unspecified>,
    /// The treatment of orientations other than 1.
    pub orientation: Option<Orientation>,
    /// The page that is returned.
    pub pages: Option<Pages>,
    /// The colors of the output.
    pub channels: Option<Channels>,
    /// The properties without a known convention, each with a note of what was observed instead.
    pub unknown: BTreeMap<String, String>,
    /// The properties for which the probes fit several conventions; the most conservative of them was chosen.
    pub undistinguished: Vec<String>,
}

impl Contract {
    /// Returns the contract of a reader that changes nothing: its output is the canonical picture itself.
    pub fn exact() -> Self {
        Self {
            depth: Some(Depth::Exact),
            alpha: Some(Alpha::Kept),
            photometric: Some(Photometric::Applied),
            palette: Some(Palette::Applied),
            unspecified: Some(Unspecified::Ignored),
            orientation: Some(Orientation::Applied),
            pages: Some(Pages::First),
            channels: Some(Channels::Rgb),
            ..Self::default()
        }
    }

    /// Returns the depth for a file; `None` if it is unknown.
    pub fn depth_of(&self, facts: &Facts) -> Option<Depth> {
        match facts.colors() {
            Colors::Rgb => self.depth,
            Colors::Gray if facts.photometric == 0 && self.inverted_depth.is_some() => {
                self.inverted_depth
            }
            Colors::Gray => self.own_or("gray_depth", self.gray_depth, self.depth),
            Colors::Palette => self.own_or("palette_depth", self.palette_depth, self.depth),
        }
    }

    /// Returns the treatment of alpha in files of this kind; `None` if it is unknown.
    pub fn alpha_of(&self, colors: Colors) -> Option<Alpha> {
        match colors {
            Colors::Gray => self.own_or("gray_alpha", self.gray_alpha, self.alpha),
            Colors::Rgb | Colors::Palette => self.alpha,
        }
    }

    fn own_or<T>(&self, name: &str, own: Option<T>, general: Option<T>) -> Option<T> {
        if self.unknown.contains_key(name) { None } else { own.or(general) }
    }

    /// Returns the name and convention of each known property, in a fixed order.
    pub fn properties(&self) -> Vec<(&'static str, Listed)> {
        let all = [
            ("depth", self.depth.map(Depth::listed)),
            ("gray_depth", self.gray_depth.map(Depth::listed)),
            ("inverted_depth", self.inverted_depth.map(Depth::listed)),
            ("palette_depth", self.palette_depth.map(Depth::listed)),
            ("packed", self.packed.map(Packed::listed)),
            ("alpha", self.alpha.map(Alpha::listed)),
            ("gray_alpha", self.gray_alpha.map(Alpha::listed)),
            ("photometric", self.photometric.map(Photometric::listed)),
            ("palette", self.palette.map(Palette::listed)),
            ("unspecified", self.unspecified.map(Unspecified::listed)),
            ("orientation", self.orientation.map(Orientation::listed)),
            ("pages", self.pages.map(Pages::listed)),
            ("channels", self.channels.map(Channels::listed)),
        ];
        all.into_iter().filter_map(|(name, convention)| Some((name, convention?))).collect()
    }
}
