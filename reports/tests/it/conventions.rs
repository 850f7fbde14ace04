//! Conventions of readers: clients without a contract that follow one have no cause, and those that follow it for some files
//! alone have.

use std::io;

use campaign::{About, Campaign, Log, Run, Settings, Stop};
use clients::contract::convention::{Alpha, Orientation, Photometric};
use clients::contract::{Contract, Facts};
use clients::{Client, Reply};
use indicatif::ProgressBar;
use tiff_harness::image::Layout;
use tiff_harness::{ImageFile, Seed};

/// A client that follows a contract for some files, and shows the others as they are. Nobody knows its contract.
struct Following {
    contract: Contract,
    only_if: fn(&ImageFile) -> bool,
}

impl Client for Following {
    fn name(&self) -> &str {
        "following"
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
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        let seed = Seed::open(file.to_vec()).map_err(io::Error::other)?;
        let exact = Contract::exact();
        let contract = if (self.only_if)(seed.file()) { &self.contract } else { &exact };
        let expected = contract.expected(seed.picture(), &Facts::of_image(seed.file()));
        let expected = expected.ok_or_else(|| io::Error::other("no convention"))?;
        Ok(Reply::Picture(expected.picture().clone()))
    }
}

fn run(seed: &str, contract: Contract, strict: bool, only_if: fn(&ImageFile) -> bool) -> Run {
    let path = format!("{}/../corpus/seeds/{seed}.tif", env!("CARGO_MANIFEST_DIR"));
    let seed = Seed::open(std::fs::read(path).unwrap()).unwrap();
    let clients: [Box<dyn Client>; 1] = [Box::new(Following { contract, only_if })];
    Campaign {
        subject: &seed,
        clients: &clients,
        settings: Settings { variants: 150, jobs: 2, strict, ..Settings::default() },
        about: About::default(),
        log: &Log::to(io::sink()),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap()
}

/// The names of the conventions of a run.
fn conventions(run: &Run) -> Vec<&str> {
    run.conventions().into_keys().map(|convention| &*convention.name).collect()
}

fn stored() -> Contract {
    Contract { orientation: Some(Orientation::Stored), ..Contract::exact() }
}

#[test]
fn a_convention_that_is_followed_everywhere_is_no_fault() {
    let flips = Contract { orientation: Some(Orientation::Flips), ..Contract::exact() };
    let raw = Contract { photometric: Some(Photometric::Raw), ..Contract::exact() };
    let dropped = Contract { alpha: Some(Alpha::Dropped), ..Contract::exact() };
    for (seed, contract, name) in [
        ("rgb", stored(), "orientation: stored"),
        ("rgb", flips, "orientation: flips only"),
        ("gray", raw, "photometric: raw"),
    ] {
        let run = run(seed, contract, false, |_| true);
        assert_eq!((run.faults(), conventions(&run)), (0, vec![name]));
    }
    // These pictures are opaque.
    let run = run("rgb", dropped, false, |_| true);
    assert_eq!((run.faults(), run.findings()), (0, 0));
}

#[test]
fn a_convention_of_some_files_of_a_kind_is_a_fault() {
    let raw = Contract { photometric: Some(Photometric::Raw), ..Contract::exact() };
    let is_tiled = |image: &ImageFile| matches!(image.layout, Layout::Tiles { .. });
    for (seed, contract, only_if) in [
        ("rgb", stored(), (|image| image.orientation == 6) as fn(&ImageFile) -> bool),
        ("rgb", stored(), |image| image.bits == 16),
        ("rgb", stored(), is_tiled),
        ("gray", raw, |image| image.bits == 16),
    ] {
        let run = run(seed, contract, false, only_if);
        assert!(run.faults() > 0, "{seed}: {:?}", conventions(&run));
        assert_eq!(conventions(&run), [""; 0]);
    }
}

#[test]
fn conventions_are_faults_if_they_are_to_be() {
    let run = run("rgb", stored(), true, |_| true);
    assert!(run.faults() > 0);
    assert_eq!(conventions(&run), [""; 0]);
}
