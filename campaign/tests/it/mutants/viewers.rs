//! Small viewers: readers with faults behind ordinary limits.

use std::io;
use std::sync::Mutex;

use campaign::oracle::{self, Outcome};
use clients::contract::Contract;
use clients::{Client, Reply};
use equivalents::subject::Subject;
use inverter::solve::{Choice, Choices};
use tiff_harness::Seed;

use super::limits::{Limit, Style};
use super::{Fault, Faults, Mutant, Source};

/// The seed of a viewer.
#[derive(Debug, Clone, Copy)]
pub enum Photo {
    /// A seed of the mutants.
    Of(Source),
    /// The plainest file of its picture: one strip.
    Plainest(Source),
    /// The gray one with a palette.
    Palette,
}

impl Photo {
    /// Opens the seed.
    pub fn seed(self) -> Seed {
        match self {
            Photo::Of(source) => source.seed(),
            Photo::Plainest(source) => {
                let plainest = Subject::plainest(&source.seed()).unwrap();
                Seed::open(plainest.seed_bytes().to_vec()).unwrap()
            }
            Photo::Palette => {
                let palette = Choices::from_iter([("palette", Choice::from("yes"))]);
                Seed::open(Source::Gray.seed().replay(&palette).unwrap().bytes).unwrap()
            }
        }
    }
}

/// A small viewer.
#[derive(Debug)]
pub struct Viewer {
    /// Its name.
    pub name: &'static str,
    /// A file that it shows rightly.
    pub photo: Photo,
    /// Its limits.
    pub limits: &'static [Limit],
    /// The way in which it says no.
    pub style: Style,
    /// Its faults. All of them show as wrong pictures or crashes, on files that are within its limits.
    pub faults: &'static [Fault],
}

use Limit::*;
use Source::{Deep, Gray, Rgb};

/// Twelve viewers with limits of different kinds.
pub const VIEWERS: &[Viewer] = &[
    Viewer {
        name: "little-endian",
        photo: Photo::Of(Rgb),
        limits: &[LittleEndian, Classic, Strips, Compressions(&[1, 32773])],
        style: Style::Message,
        faults: &[Fault::OffsetsSorted, Fault::PackBitsNoOp],
    },
    Viewer {
        name: "8-bit",
        photo: Photo::Of(Gray),
        limits: &[Bits(8), Photometric(&[1, 2]), NoExtraSamples, OnePage],
        style: Style::Exception,
        faults: &[Fault::EdgeTilesCut, Fault::PredictorIgnored],
    },
    Viewer {
        name: "few strips",
        photo: Photo::Of(Deep),
        limits: &[Strips, Segments(5), Classic],
        style: Style::ExitCode,
        faults: &[Fault::NotSwappedCompressed, Fault::MirroredBytes, Fault::PredictorBytes],
    },
    Viewer {
        name: "chunky",
        photo: Photo::Of(Rgb),
        limits: &[Chunky, Compressions(&[1, 5]), NoExtraSamples],
        style: Style::Silent,
        faults: &[Fault::PredictorOneSample, Fault::TilesNotTurned],
    },
    Viewer {
        name: "PackBits",
        photo: Photo::Of(Rgb),
        limits: &[Compressions(&[1, 32773]), Upright],
        style: Style::OneMessage,
        faults: &[Fault::PackBitsNoOp, Fault::TilesDownwards, Fault::PlanesInterleaved],
    },
    Viewer {
        name: "sorted tags",
        photo: Photo::Of(Rgb),
        limits: &[KnownTags, SortedTags, Classic],
        style: Style::Message,
        faults: &[Fault::PredictorOneSample, Fault::TilesNotTurned, Fault::OnePlaneTurned],
    },
    Viewer {
        name: "square tiles",
        photo: Photo::Of(Rgb),
        limits: &[SquareTiles, Chunky, Photometric(&[2])],
        style: Style::Silent,
        faults: &[Fault::TilesDownwards, Fault::OrientationIgnored],
    },
    Viewer {
        name: "one page",
        photo: Photo::Of(Rgb),
        limits: &[OnePage, RowsPerStrip, Compressions(&[1, 8]), NoPredictor],
        style: Style::ExitCode,
        faults: &[Fault::FourthIsAlpha, Fault::PlanesInterleaved],
    },
    Viewer {
        name: "upright and small",
        photo: Photo::Of(Gray),
        limits: &[Upright, Size(4000), Classic, Strips],
        style: Style::Exception,
        faults: &[Fault::White16, Fault::PaletteAsGray],
    },
    Viewer {
        name: "palettes",
        photo: Photo::Palette,
        limits: &[Photometric(&[3]), Compressions(&[1, 5, 32773]), Strips],
        style: Style::OneMessage,
        faults: &[Fault::PaletteNotTurned, Fault::PackBitsNoOp],
    },
    Viewer {
        name: "file order",
        photo: Photo::Plainest(Rgb),
        limits: &[
            Strips,
            Chunky,
            Classic,
            Upright,
            BitsUpTo(16),
            Compressions(&[1, 8, 32773, 32946]),
        ],
        style: Style::Exception,
        faults: &[Fault::StripsInFileOrder],
    },
    Viewer {
        name: "8-bit planes",
        photo: Photo::Plainest(Rgb),
        limits: &[ChunkyIfBits(8), Strips, Classic, BitsUpTo(16), Compressions(&[1, 8, 32773])],
        style: Style::Message,
        faults: &[Fault::DeepPlanesReversed],
    },
];

/// A viewer as a client that notes which of its faults its files expose.
pub struct Limited {
    viewer: &'static Viewer,
    contract: Contract,
    /// For each fault: the number of files that the viewer did not refuse before one exposed it.
    exposed: Mutex<(usize, Vec<Option<usize>>)>,
}

impl Limited {
    /// The viewer `viewer`.
    pub fn new(viewer: &'static Viewer) -> Self {
        let exposed = Mutex::new((0, vec![None; viewer.faults.len()]));
        Self { viewer, contract: Contract::exact(), exposed }
    }

    /// Returns for each fault the number of files within the limits up to the first that exposed it.
    pub fn exposed(&self) -> Vec<Option<usize>> {
        self.exposed.lock().unwrap().1.clone()
    }

    fn read(&self, file: &[u8], faults: &[Fault]) -> Reply {
        let reader = Mutant::with_limits(Faults(faults.to_vec()), self.viewer.limits);
        match reader.run(file).unwrap() {
            Reply::Refused { message } => {
                Reply::Refused { message: self.viewer.style.words(&message) }
            }
            reply => reply,
        }
    }
}

impl Client for Limited {
    fn name(&self) -> &str {
        self.viewer.name
    }
    fn version(&self) -> &str {
        "1"
    }
    fn contract(&self) -> Option<&Contract> {
        None
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        let reply = self.read(file, self.viewer.faults);
        if matches!(reply, Reply::Refused { .. }) {
            return Ok(reply);
        }
        let right = self.read(file, &[]);
        let mut exposed = self.exposed.lock().unwrap();
        exposed.0 += 1;
        let (files, faults) = &mut *exposed;
        for (fault, first) in self.viewer.faults.iter().zip(faults) {
            if first.is_none() && self.read(file, &[*fault]) != right {
                *first = Some(*files);
            }
        }
        Ok(reply)
    }
}

/// A shared client: the campaign owns one, the test another.
pub struct Shared(pub std::sync::Arc<Limited>);

impl Client for Shared {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn version(&self) -> &str {
        "1"
    }
    fn contract(&self) -> Option<&Contract> {
        self.0.contract()
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        self.0.run(file)
    }
}
