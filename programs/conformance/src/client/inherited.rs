//! Faults in libtiff's own code for reading pixels, which every client that uses it has.
//!
//! The faults are in libtiff's source; the line numbers refer to version 4.5.0. A client's source shows only that it
//! reads in this way.

use super::prediction::{Effect, Origin, Prediction};
use super::tried::Tried;
use super::uses::{Interface, Uses};

/// A fault of the RGBA interface.
struct Fault {
    dimension: &'static str,
    values: &'static str,
    effect: Effect,
    why: &'static str,
    source: &'static str,
}

/// Faults that do not depend on how the file is opened: one of tiles, and those of alpha.
const FAULTS: [Fault; 5] = [
    TILES,
    Fault {
        dimension: "photometric",
        values: "0 with alpha and planar = 2",
        effect: Effect::Wrong,
        why: "libtiff's RGBA interface does not invert gray whose alpha is in a plane of its own",
        source: "libtiff/tif_getimage.c:3094",
    },
    Fault {
        dimension: "samples_per_pixel",
        values: "3 or more, gray with alpha",
        effect: Effect::Wrong,
        why: "libtiff's RGBA interface looks for the alpha of gray only if there are two samples",
        source: "libtiff/tif_getimage.c:3009",
    },
    Fault {
        dimension: "bits",
        values: "16, gray with alpha",
        effect: Effect::Wrong,
        why: "libtiff's RGBA interface has no alpha for gray of 16 bits",
        source: "libtiff/tif_getimage.c:3004",
    },
    Fault {
        dimension: "planar",
        values: "2, gray with unassociated alpha",
        effect: Effect::Wrong,
        why: "libtiff's RGBA interface multiplies gray by its alpha in planes, but not otherwise",
        source: "libtiff/tif_getimage.c:1565",
    },
];

/// Rows of tiles at the right edge.
const TILES: Fault = Fault {
    dimension: "tiled",
    values: "1, gray of 16 bits or with further samples",
    effect: Effect::Wrong,
    why: "libtiff's RGBA interface skips the padding of gray tiles by too few bytes",
    source: "libtiff/tif_getimage.c:1544",
};

/// Small tiles of a file that is not mapped into memory.
const UNMAPPED: Fault = Fault {
    dimension: "tile_length",
    values: "16, uncompressed",
    effect: Effect::Refused,
    why: "libtiff takes the size of a small uncompressed tile for an error if the file is not mapped",
    source: "libtiff/tif_read.c:947",
};

/// Returns the faults that a client has because of the interface that it uses to read pixels.
pub fn inherited(uses: &Uses, tried: Option<&Tried>) -> Vec<Prediction> {
    let rgba = uses.interfaces.get(&Interface::Rgba).and_then(|places| places.iter().min());
    let Some(rgba) = rgba else { return Vec::new() };
    let prediction = |fault: &Fault, effect, place: &crate::program::Place| Prediction {
        dimension: fault.dimension,
        values: fault.values.to_owned(),
        effect,
        why: fault.why.to_owned(),
        place: Some(place.clone()),
        origin: Origin::Libtiff(fault.source),
    };
    let by_rgba = tried.is_some_and(Tried::tiles_by_rgba);
    if uses.reads(Interface::Tile) && !by_rgba {
        // The client reads tiles itself, or some of them.
        return Vec::new();
    }
    let raw = [Interface::Scanline, Interface::Strip, Interface::Tile];
    if by_rgba && raw.iter().any(|interface| uses.reads(*interface)) {
        let mut found = vec![prediction(&TILES, TILES.effect, rgba)];
        let open = uses.unmapped.iter().min();
        found.extend(open.map(|open| prediction(&UNMAPPED, UNMAPPED.effect, open)));
        return found;
    }
    if uses.reads(Interface::Scanline) || uses.reads(Interface::Strip) {
        // Rows and strips of tiled pictures are refused.
        return vec![prediction(&TILES, Effect::WrongOrRefused, rgba)];
    }
    // A client that checks the number of samples may refuse alpha or treat it itself.
    let looks = uses.asks("EXTRASAMPLES") || uses.asks("SAMPLESPERPIXEL");
    let faults = if looks { &FAULTS[..1] } else { &FAULTS[..] };
    let mut found: Vec<_> =
        faults.iter().map(|fault| prediction(fault, fault.effect, rgba)).collect();
    if let Some(open) = uses.unmapped.iter().min() {
        found.push(prediction(&UNMAPPED, UNMAPPED.effect, open));
    }
    found
}
