//! Conventions of readers: clients without a contract that follow one have no cause, and those that follow it for some files
//! alone have.

use std::io;

use crate::reader::{Reader, campaign, seed};
use campaign::{Run, Settings};
use clients::Reply;
use clients::contract::convention::{Alpha, Orientation, Photometric};
use clients::contract::{Contract, Facts};
use tiff_harness::image::Layout;
use tiff_harness::{ImageFile, Seed};

/// Returns what is found in a client that follows a contract for some files, and shows the others as they are. Nobody knows
/// its contract.
fn run(name: &str, contract: Contract, strict: bool, only_if: fn(&ImageFile) -> bool) -> Run {
    let read = move |file: &[u8]| {
        let seed = Seed::open(file.to_vec()).map_err(io::Error::other)?;
        let exact = Contract::exact();
        let contract = if only_if(seed.file()) { &contract } else { &exact };
        let expected = contract.expected(seed.picture(), &Facts::of_image(seed.file()));
        let expected = expected.ok_or_else(|| io::Error::other("no convention"))?;
        Ok(Reply::Picture(expected.picture().clone()))
    };
    let settings = Settings { variants: 150, strict, ..Settings::default() };
    campaign(&seed(&format!("seeds/{name}")), Reader { contract: None, read }, settings)
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
