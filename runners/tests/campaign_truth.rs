//! Campaigns over TIFF files with a client whose contract is known: it is compared with the truth.

use std::io;

use indicatif::ProgressBar;
use runners::campaign::{About, Campaign, Log, Run, Settings, Stop};
use runners::client::{Client, Reply};
use runners::contract::Contract;
use tiff_harness::{ImageFile, Picture, Seed};

/// A client that shows every picture inverted, turns tiles upside down as well, and refuses planes.
struct Inverting(Contract);

impl Client for Inverting {
    fn name(&self) -> &str {
        "inverting"
    }
    fn version(&self) -> &str {
        "1.0"
    }
    fn summary(&self) -> &str {
        "a client made up for this test"
    }
    fn command(&self) -> Option<String> {
        None
    }
    fn contract(&self) -> Option<&Contract> {
        Some(&self.0)
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        let image = ImageFile::read(file).map_err(io::Error::other)?;
        if image.planar == 2 {
            return Ok(Reply::Refused { message: "planes are not supported".to_owned() });
        }
        let seed = Seed::open(file.to_vec()).map_err(io::Error::other)?;
        let (width, height) = (seed.picture().width(), seed.picture().height());
        let inverted = |p: &[u16]| [!p[0], !p[1], !p[2], p[3]];
        let rgba: Vec<u16> = seed.picture().rgba().chunks(4).flat_map(inverted).collect();
        let rows = rgba.chunks(4 * width as usize);
        let tiled = matches!(image.layout, tiff_harness::image::Layout::Tiles { .. });
        let rgba = if tiled { rows.rev().flatten().copied().collect() } else { rgba };
        Ok(Reply::Picture(Picture::new(width, height, rgba)))
    }
}

/// A client whose contract is known, and that shows the same gray of 1 x 1 for every file.
struct Constant(Contract);

impl Client for Constant {
    fn name(&self) -> &str {
        "constant"
    }
    fn version(&self) -> &str {
        "1.0"
    }
    fn summary(&self) -> &str {
        "a client made up for this test"
    }
    fn command(&self) -> Option<String> {
        None
    }
    fn contract(&self) -> Option<&Contract> {
        Some(&self.0)
    }
    fn run(&self, _: &[u8]) -> io::Result<Reply> {
        Ok(Reply::Picture(Picture::new(1, 1, vec![7, 7, 7, u16::MAX])))
    }
}

/// Returns what a campaign of `variants` variants of a seed finds in one client.
fn campaign(seed: &Seed, client: impl Client + 'static, variants: usize) -> Run {
    let clients: [Box<dyn Client>; 1] = [Box::new(client)];
    Campaign {
        subject: seed,
        clients: &clients,
        settings: Settings { variants, jobs: 2, ..Settings::default() },
        about: About::default(),
        log: &Log::to(io::sink()),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap()
}

#[test]
fn no_contract_determines_the_picture_of_samples_without_colors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/producers/gdal/gray32-float.tif");
    let seed = Seed::open(std::fs::read(path).unwrap()).unwrap();
    assert!(seed.value().is_some());
    let run = campaign(&seed, Constant(Contract::exact()), 20);
    assert_eq!((run.judged(), run.findings(), run.causes.len()), (1, 0, 0));
}

#[test]
fn a_fault_of_the_plainest_file_needs_no_dimension() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/seeds/rgb.tif");
    let seed = Seed::open(std::fs::read(path).unwrap()).unwrap();
    let run = campaign(&seed, Inverting(Contract::exact()), 150);
    let mut causes: Vec<String> = run
        .causes
        .iter()
        .map(|c| format!("{} {}", c.dimensions.join(" with "), c.signature()))
        .collect();
    causes.sort();
    insta::assert_snapshot!(causes.join("\n"));
}
