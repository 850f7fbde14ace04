//! Predictions from trials, which follow the client's program on files of which the tags are known.

use canonical::{FileId, Program};

use super::prediction::{Effect, Origin, Prediction};
use super::sketch;
use super::trial::{Client, Facts, Mark, Trial};
use super::uses::{Interface, Uses};
use crate::program::Place;

/// The trials of a client that more than one rule needs.
#[derive(Debug)]
pub struct Tried {
    client: Client,
    files: Vec<String>,
    gray: Trial,
}

/// Returns the trials of a client if its program is understood well enough: it contains most calls that read pixels,
/// and it is decided whether the RGBA interface reads 8-bit pixels.
pub fn tried(uses: &Uses) -> Option<Tried> {
    let program = sketch::program(&uses.texts);
    let calls = readers(&program);
    let files = program.files.iter().map(|file| file.display().to_string()).collect();
    let client = Client::new(program)?;
    let (gray, rgb) = (client.trial(&Facts::GRAY), client.trial(&Facts::RGB));
    let all: usize = uses.interfaces.values().map(Vec::len).sum();
    let understood = gray.complete && rgb.complete && calls * 2 > all;
    let decided = |trial: &Trial| trial.rgba_alone() || trial.raw();
    (understood && (decided(&gray) || decided(&rgb))).then_some(Tried { client, files, gray })
}

/// The number of calls that read pixels.
fn readers(program: &Program) -> usize {
    let name = |id: &canonical::FunctionId| &program.function(*id).name;
    let calls = program.defined().flat_map(|(_, _, graph)| graph.calls());
    calls
        .filter(|(_, call)| {
            call.callee.targets().iter().any(|id| super::uses::interface(name(id)).is_some())
        })
        .count()
}

impl Tried {
    /// The trial on a file.
    pub fn on(&self, facts: &Facts) -> Trial {
        self.client.trial(facts)
    }

    /// Returns true if gray tiles of both 16 and 8 bits are read only through the RGBA interface.
    pub fn tiles_by_rgba(&self) -> bool {
        let tiles = |bits| self.on(&Facts { bits, tiled: true, ..Facts::GRAY });
        tiles(8).rgba_alone() && tiles(16).rgba_alone()
    }

    fn place(&self, trial: &Trial) -> Option<Place> {
        let first = trial.readers.values().min().or_else(|| self.gray.readers.values().min())?;
        let FileId(file) = first.file;
        let file = self.files.get(file as usize)?.clone();
        Some(Place { file, line: first.line, column: first.column })
    }

    fn prediction(
        &self,
        (dimension, values): (&'static str, String),
        effect: Effect,
        why: &str,
        trial: &Trial,
    ) -> Prediction {
        let place = self.place(trial);
        Prediction { dimension, values, effect, why: why.to_owned(), place, origin: Origin::Client }
    }

    /// Returns all predictions from trials.
    pub fn predictions(&self) -> Vec<Prediction> {
        let mut found = Vec::new();
        self.bits(&mut found);
        self.orientation(&mut found);
        self.photometric(&mut found);
        self.planar(&mut found);
        self.samples(&mut found);
        self.tiled(&mut found);
        found
    }

    /// Predicts lost bits: the RGBA interface reduces 16 bits to 8.
    fn bits(&self, found: &mut Vec<Prediction>) {
        let gray = self.on(&Facts { bits: 16, ..Facts::GRAY });
        let rgb = self.on(&Facts { bits: 16, ..Facts::RGB });
        let values = match (gray.rgba_alone(), rgb.rgba_alone()) {
            (true, true) => "16",
            (true, false) => "16, gray",
            (false, true) => "16, colors",
            (false, false) => return,
        };
        let trial = if gray.rgba_alone() { &gray } else { &rgb };
        let why =
            "samples of 16 bits are read by libtiff's RGBA interface alone, which gives 8 bits";
        found.push(self.prediction(("bits", values.to_owned()), Effect::BitsLost, why, trial));
    }

    /// Predicts a wrong Orientation if nothing depends on it.
    fn orientation(&self, found: &mut Vec<Prediction>) {
        let turned = |orientation| self.on(&Facts { orientation, ..Facts::GRAY });
        let ignored = |trial: &Trial| trial.same(&self.gray, Mark::ORIENTATION);
        let first = turned(6);
        if !first.nothing() && !ignored(&first) {
            return;
        }
        let others: Vec<Trial> = (5..=8).map(turned).collect();
        if others.iter().all(Trial::nothing) {
            let what = ("orientation", "5 to 8".to_owned());
            let why = "no pixels are read if ORIENTATION is one of these";
            found.push(self.prediction(what, Effect::Refused, why, &others[0]));
        }
        if !others.iter().all(ignored) {
            return;
        }
        if self.gray.rgba_alone() {
            let why = "nothing depends on ORIENTATION, and libtiff's RGBA interface mirrors but does \
                       not turn";
            let what = ("orientation", "5 to 8".to_owned());
            found.push(self.prediction(what, Effect::Wrong, why, &self.gray));
        } else if self.gray.raw() && (2..=4).map(turned).all(|t| ignored(&t)) {
            let why = "pixels are as they are stored, and nothing depends on ORIENTATION";
            let what = ("orientation", "2 to 8".to_owned());
            found.push(self.prediction(what, Effect::Wrong, why, &self.gray));
        }
    }

    /// Predicts depths at which white and black are not distinguished.
    fn photometric(&self, found: &mut Vec<Prediction>) {
        let mut depths = Vec::new();
        let mut first = None;
        for bits in [1, 2, 4, 8, 16] {
            let black = self.on(&Facts { bits, ..Facts::GRAY });
            if !black.raw() || black.used.meets(Mark::PHOTOMETRIC) {
                continue;
            }
            let white = self.on(&Facts { bits, photometric: 0, ..Facts::GRAY });
            if white.same(&black, Mark::PHOTOMETRIC) {
                depths.push(bits.to_string());
                first.get_or_insert(white);
            }
        }
        if let Some(trial) = first {
            let values = format!("0 with bits = {}", depths.join(", "));
            let why =
                "samples are read as they are stored, and nothing depends on whether 0 is white";
            found.push(self.prediction(("photometric", values), Effect::Wrong, why, &trial));
        }
    }

    /// Predicts layouts whose planes are read as if they were one, or not at all.
    fn planar(&self, found: &mut Vec<Prediction>) {
        let layouts = [
            ("bilevel", Facts { bits: 1, ..Facts::GRAY }),
            ("gray with alpha", Facts::gray_with(&[2])),
            ("colors", Facts::RGB),
            ("colors of 16 bits", Facts { bits: 16, ..Facts::RGB }),
        ];
        for (name, facts) in layouts {
            let one = self.on(&facts);
            let planes = self.on(&Facts { planar: 2, ..facts.clone() });
            if one.readers.is_empty() {
                continue;
            }
            let values = format!("2, {name}");
            if planes.nothing() {
                let why = "no pixels are read if PLANARCONFIG is 2";
                let effect = Effect::WrongOrRefused;
                found.push(self.prediction(("planar", values), effect, why, &planes));
            } else if facts.samples > 1 && planes.raw() && planes.same(&one, Mark::PLANAR) {
                let why = "nothing depends on PLANARCONFIG, so that one of its values is misread";
                let effect = Effect::WrongOrRefused;
                found.push(self.prediction(("planar", values), effect, why, &planes));
            }
        }
    }

    /// Further samples that are neither skipped nor refused.
    fn samples(&self, found: &mut Vec<Prediction>) {
        let gray = (self.on(&Facts::gray_with(&[2, 0])), self.on(&Facts::gray_with(&[2, 0, 0])));
        let colors = |extra: &[i128]| {
            let samples = 3 + i128::try_from(extra.len()).unwrap_or(0);
            self.on(&Facts { samples, extra: extra.to_vec(), ..Facts::RGB })
        };
        let rgb = (colors(&[2, 0]), colors(&[2, 0, 0]));
        for (values, (less, more)) in [("3, 4, gray", gray), ("5, 6, colors", rgb)] {
            if more.raw() && more.same(&less, Mark::SAMPLES) {
                let why = "pixels are read in rows or blocks, and nothing depends on how many samples \
                           are behind alpha";
                let what = ("samples_per_pixel", values.to_owned());
                found.push(self.prediction(what, Effect::Wrong, why, &more));
            }
        }
    }

    /// Predicts tiles that no interface in use can read.
    fn tiled(&self, found: &mut Vec<Prediction>) {
        let tiles = self.on(&Facts { tiled: true, ..Facts::GRAY });
        let rows = [Interface::Scanline, Interface::Strip];
        if tiles.complete && tiles.readers.keys().all(|interface| rows.contains(interface)) {
            let why = if tiles.readers.is_empty() {
                "no pixels are read if the picture is in tiles"
            } else {
                "pixels in tiles are read by rows or strips only, which libtiff refuses"
            };
            let what = ("tiled", "1".to_owned());
            found.push(self.prediction(what, Effect::Refused, why, &tiles));
        }
    }
}
