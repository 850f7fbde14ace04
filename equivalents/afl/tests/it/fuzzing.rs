//! AFL++ with the mutator, on a target with a fault.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use equivalents::Format;

#[test]
#[ignore = "slow: AFL++ runs until it finds the fault"]
fn afl_finds_the_fault() {
    if !["afl-fuzz", "afl-cc"].into_iter().all(test_support::installed) {
        return;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/decoder");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let library = env::current_exe().unwrap().with_file_name("libequivalents_afl.so");
    let run = Command::new(example.join("afl/run.sh"))
        .arg(&out)
        .env("EQUIVALENTS_LIBRARY", library)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    print!("{said}");
    // The file is a sprite that means the same, with its pixels at 256 or later.
    let format = Format::from_file(example.join("spec/sprite.rs")).unwrap();
    let seed = fs::read(example.join("seeds/seed.spr")).unwrap();
    let crash = said.lines().last().unwrap();
    let file = fs::read(crash).unwrap();
    assert!(format.means_the_same(&seed, &file));
    assert!(file[9] > 0, "{:?}", &file[..12]);
    assert!(crash.contains("equivalent"), "{crash}");
}
