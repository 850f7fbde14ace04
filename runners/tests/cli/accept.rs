//! `repfuzz accept`: a cause that is on purpose no longer counts, until it changes.

use std::fs;
use std::path::Path;

use crate::fuzz::results;
use crate::{Ran, folder, ran, seed};

/// Runs repfuzz in `folder`.
fn at(folder: &Path, words: &[&str]) -> Ran {
    ran(crate::command().current_dir(folder).args(words))
}

/// Fuzzes the crate tiff, which crashes on tiles in planes.
fn fuzz(folder: &Path, more: &[&str]) -> Ran {
    let seed = seed("rgb.tif").display().to_string();
    let words = ["fuzz", &seed, "--clients", "rust-tiff", "-n", "20", "--vary", "planar,tiled"];
    at(folder, &[&words, more].concat())
}

/// Accepts all causes of the report in `folder`; returns their number.
fn accept_all(folder: &Path, more: &[&str]) -> (usize, Ran) {
    let causes = &results(&folder.join("repfuzz-report"))["cause"];
    let faults = causes.iter().enumerate().filter(|(_, cause)| cause["limit"] != true);
    let numbers: Vec<String> = faults.map(|(place, _)| (place + 1).to_string()).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let words = ["accept", "repfuzz-report", "--reason", "planes of tiles are not for us"];
    (numbers.len(), at(folder, &[&words, &numbers[..], more].concat()))
}

#[test]
fn an_accepted_cause_counts_again_when_it_changes() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(fuzz(folder, &[]).code, 1);
    let (count, accepted) = accept_all(folder, &[]);
    assert!(count > 0);
    accepted.fine();
    let file = folder.join("repfuzz-accepted.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("client = \"rust-tiff\"\noutcome = \"crash\""), "{text}");

    // By the run that is there, by a new one, and by its store.
    let store = ["report", "repfuzz-report/repfuzz.sqlite", "-o", "again"];
    for ran in [fuzz(folder, &[]), fuzz(folder, &["--fresh"]), at(folder, &store)] {
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with(&format!("On purpose: {count}\n")), "{}", ran.stdout);
        let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("(accepted: planes of tiles are not for us)"), "{words}");
    }
    let recorded = &results(&folder.join("again"))["cause"];
    let words = "accepted: planes of tiles are not for us";
    assert_eq!(recorded.iter().filter(|cause| cause["accepted"] == words).count(), count);
    let page = fs::read_to_string(folder.join("again/index.html")).unwrap();
    assert!(page.contains(&format!("On purpose: {count}")));

    // Accepted once more, nothing changes.
    let (_, again) = accept_all(folder, &["--until", "2999-12-31"]);
    assert!(again.stderr.contains("kept the earlier terms"), "{}", again.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);

    // With another outcome it is another cause, and the acceptance is named.
    fs::write(&file, text.replace("outcome = \"crash\"", "outcome = \"hang\"")).unwrap();
    let ran = fuzz(folder, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stderr.contains("repfuzz-accepted.toml: not met in this run: rust-tiff: hang"));
    // A last day that is over.
    let over = text.replace("reason =", "until = 2020-01-31\nreason =");
    fs::write(&file, over).unwrap();
    let ran = fuzz(folder, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stderr.contains("accepted only until 2020-01-31"), "{}", ran.stderr);
    // Another file.
    let ran = fuzz(folder, &["--accepted", "none.toml"]);
    assert_eq!(ran.code, 1);
    assert!(!ran.stdout.contains("On purpose"), "{}", ran.stdout);
}

#[test]
fn a_night_honours_the_same_file() {
    let folder = folder();
    let folder = folder.path();
    let config = format!(
        "seeds = [{:?}]\nclients = [\"rust-tiff\"]\nvary = [\"planar\", \"tiled\"]\nvariants = 20\nnumber = 1\n",
        seed("rgb.tif")
    );
    fs::write(folder.join("nightly.toml"), config).unwrap();
    assert_eq!(fuzz(folder, &[]).code, 1);
    let (count, accepted) = accept_all(folder, &[]);
    accepted.fine();
    let file = folder.join("repfuzz-accepted.toml");
    let text = fs::read_to_string(&file).unwrap();
    let extra = "\n[[accepted]]\nclient = \"rust-tiff\"\noutcome = \"hang\"\ndimensions = [\"tiled\"]\n\
                 reason = \"slow\"\n";
    fs::write(&file, text + extra).unwrap();
    let night = at(folder, &["nightly"]);
    assert_eq!(night.code, 0, "{}{}", night.stdout, night.stderr);
    assert!(
        night.stdout.contains(&format!("{count} known ({count} accepted)")),
        "{}",
        night.stdout
    );
    assert!(
        night.stdout.contains("ACCEPTED, BUT NEVER MET\n  rust-tiff: hang, tiled (accepted: slow)"),
        "{}",
        night.stdout
    );
    // Without the file the night fails.
    fs::remove_file(&file).unwrap();
    fs::remove_file(folder.join("nightly.sqlite")).unwrap();
    assert_eq!(at(folder, &["nightly"]).code, 1);
}

#[test]
fn wrong_causes_and_reports_are_named() {
    let folder = folder();
    let folder = folder.path();
    let none = at(folder, &["accept", "none", "1", "--reason", "x"]);
    assert!(none.error().starts_with("none/results.jsonl: No such file"), "{}", none.stderr);
    fs::create_dir(folder.join("report")).unwrap();
    fs::write(folder.join("report/results.jsonl"), "").unwrap();
    let few = at(folder, &["accept", "report", "7", "--reason", "x"]);
    assert_eq!(few.error(), "report: no cause 7; there are 0");
    let bare = at(folder, &["accept", "report", "7", "--reason", " "]);
    assert_eq!(bare.error(), "--reason: say why it is on purpose");
    assert!(!folder.join("repfuzz-accepted.toml").exists());
}
