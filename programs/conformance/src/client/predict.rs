//! Predicts which dimensions of TIFF a client must get wrong, refuse, or show with fewer bits, from what it never
//! requests from libtiff.

use super::inherited::inherited;
use super::prediction::{Effect, Origin, Prediction};
use super::tried::tried;
use super::uses::{Interface, Uses};
use crate::program::Place;

/// A tag that a client must check, unless it reads pixels through the RGBA interface.
struct Rule {
    tag: &'static str,
    dimension: &'static str,
    values: &'static str,
    effect: Effect,
}

/// Tags whose values change the meaning of samples.
const RULES: [Rule; 6] = [
    Rule { tag: "PHOTOMETRIC", dimension: "photometric", values: "0", effect: Effect::Wrong },
    Rule { tag: "COLORMAP", dimension: "palette", values: "yes", effect: Effect::WrongOrRefused },
    Rule { tag: "PLANARCONFIG", dimension: "planar", values: "2", effect: Effect::WrongOrRefused },
    Rule { tag: "EXTRASAMPLES", dimension: "alpha", values: "1", effect: Effect::WrongOrRefused },
    Rule {
        tag: "SAMPLEFORMAT",
        dimension: "sample format",
        values: "signed, floating point",
        effect: Effect::WrongOrRefused,
    },
    Rule {
        tag: "BITSPERSAMPLE",
        dimension: "bits",
        values: "all but 8",
        effect: Effect::WrongOrRefused,
    },
];

/// Returns the predictions for a client, in the order of the dimensions' names.
pub fn predict(uses: &Uses) -> Vec<Prediction> {
    let mut found = Vec::new();
    let place = uses.place().cloned();
    let rgba = uses.interfaces.get(&Interface::Rgba).and_then(|places| places.iter().min());
    let raw = [Interface::Scanline, Interface::Strip, Interface::Tile];
    let other = raw.iter().any(|interface| uses.reads(*interface));
    orientation(uses, rgba, &mut found);
    if let Some(rgba) = rgba {
        let mut add = |dimension, values: &str, effect, why: &str| {
            let values = values.to_owned();
            let why = why.to_owned();
            let place = Some(rgba.clone());
            let origin = Origin::Client;
            found.push(Prediction { dimension, values, effect, why, place, origin });
        };
        if !other {
            let why = "libtiff's RGBA interface gives 8 bits of each sample";
            add("bits", "16", Effect::BitsLost, why);
        }
    } else {
        for rule in RULES.iter().filter(|rule| !uses.asks(rule.tag)) {
            let why = format!("{} is never asked for", rule.tag);
            let Rule { dimension, values, effect, .. } = *rule;
            let (place, origin, values) = (place.clone(), Origin::Client, values.to_owned());
            found.push(Prediction { dimension, values, effect, why, place, origin });
        }
        if !uses.reads(Interface::Tile) {
            let why = "pixels are read by rows or strips only, which libtiff refuses for tiles";
            found.push(Prediction {
                dimension: "tiled",
                values: "1".to_owned(),
                effect: Effect::Refused,
                why: why.to_owned(),
                place: place.clone(),
                origin: Origin::Client,
            });
        }
    }
    let turns = ["TIFFReadDirectory", "TIFFSetDirectory", "TIFFSetSubDirectory"];
    if !turns.iter().any(|function| uses.calls(function)) {
        found.push(Prediction {
            dimension: "further pages",
            values: "any".to_owned(),
            effect: Effect::FirstPage,
            why: "no other directory is ever read".to_owned(),
            place,
            origin: Origin::Client,
        });
    }
    let tried = tried(uses);
    if let Some(tried) = &tried {
        // Trials give more precise predictions for these tags.
        let decided = ["bits", "tiled"];
        for prediction in tried.predictions() {
            let (dimension, effect) = (prediction.dimension, prediction.effect);
            let told = |p: &Prediction| p.dimension == dimension && decided.contains(&p.dimension);
            found.retain(|p| !told(p));
            if !found.iter().any(|p| p.dimension == dimension && p.effect == effect)
                || dimension == "planar"
            {
                found.push(prediction);
            }
        }
    }
    let refused = found.iter().any(|p| p.dimension == "tiled");
    found.extend(
        inherited(uses, tried.as_ref())
            .into_iter()
            .filter(|p| !(refused && p.dimension == "tiled")),
    );
    found.retain(|p| p.origin != Origin::Client || !elsewhere(uses, p));
    found.sort_by(|a, b| (a.dimension, a.effect).cmp(&(b.dimension, b.effect)));
    found
}

/// Returns true if code that does not call libtiff may do what a prediction assumes is not done.
fn elsewhere(uses: &Uses, prediction: &Prediction) -> bool {
    // An Exif library may read the tag, and the other language may do anything.
    let exif = uses.exif.is_some() && prediction.dimension == "orientation";
    let inner = matches!(prediction.effect, Effect::Wrong | Effect::WrongOrRefused);
    exif || uses.inner && inner
}

/// The prediction about Orientation.
fn orientation(uses: &Uses, rgba: Option<&Place>, found: &mut Vec<Prediction>) {
    if uses.asks("ORIENTATION") {
        return;
    }
    let (values, why, place) = match rgba {
        Some(place) => {
            let why = "ORIENTATION is never asked for, and libtiff's RGBA interface mirrors but \
                       does not turn";
            ("5 to 8", why, Some(place.clone()))
        }
        None => ("2 to 8", "ORIENTATION is never asked for", uses.place().cloned()),
    };
    let (why, effect) = (why.to_owned(), Effect::Wrong);
    let (dimension, origin, values) = ("orientation", Origin::Client, values.to_owned());
    found.push(Prediction { dimension, values, effect, why, place, origin });
}
