//! `nightly --shard`: missing parts.

use std::fs;
use std::path::Path;

use crate::{folder, repfuzz, seed};

fn configure(folder: &Path) {
    for name in ["tiny.tif", "gray.tif"] {
        fs::copy(seed(name), folder.join(name)).unwrap();
    }
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let toml = format!(
        "name = \"mine\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         command = [\"sh\", \"-c\", '''\n\
         case $(head -c 2 \"$1\") in MM) echo no >&2; exit 3;; esac\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n"
    );
    fs::write(folder.join("mine.toml"), toml).unwrap();
    let config = "seeds = ['*.tif']\nclients = ['mine']\ndescribe = ['mine.toml']\nvariants = 40\n\
                  number = 3\nvary = ['byte order']\n";
    fs::write(folder.join("nightly.toml"), config).unwrap();
}

#[test]
fn a_missing_part_fails_the_merge_and_is_told_in_the_report() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    let config = folder.join("nightly.toml");
    let part = folder.join("part-1.sqlite");
    let ran = repfuzz!("nightly", &config, "--shard", "1/3", "--store", &part);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let late = folder.join("part-2.sqlite");
    let ran = repfuzz!("nightly", &config, "--shard", "2/3", "--store", &late);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let whole = folder.join("nightly.sqlite");
    let ran = repfuzz!("merge", &part, "-o", &whole);
    let error = ran.error();
    assert!(error.contains("parts 2/3 and 3/3 are missing or unfinished"), "{error}");
    assert!(error.contains("--allow-missing"), "{error}");
    let ran = repfuzz!("merge", &part, "-o", &whole, "--allow-missing");
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("note: the run of 20"), "{}", ran.stderr);
    let ran = repfuzz!("nightly", &config, "--report-only");
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("parts 2/3 and 3/3 are missing or unfinished"), "{}", ran.stdout);
    assert!(ran.stdout.contains("coverage: 1 of 2 seeds run;"), "{}", ran.stdout);
    // The next night is another one.
    assert_eq!(repfuzz!("merge", &part, "-o", &whole).code, 0);
    // A part that comes late is no night of its own.
    assert_eq!(repfuzz!("merge", &late, "-o", &whole).fine(), "");
    let again = repfuzz!("nightly", &config, "--report-only");
    assert_eq!(again.stdout, ran.stdout);
}

#[test]
fn parts_are_divided_by_measured_cost_and_a_slow_pair_into_slices() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    let config = folder.join("nightly.toml");
    let first = repfuzz!("nightly", &config);
    assert!(
        first.code == 1 && first.stdout.contains(": 1 new,"),
        "{} {}",
        first.stdout,
        first.stderr
    );
    // Three parts for two pairs: what each pair cost is known now, and each is more than a third.
    let whole = folder.join("nightly.sqlite");
    let parts = [1, 2, 3].map(|part| {
        let store = folder.join(format!("part-{part}.sqlite"));
        let ran = repfuzz!("nightly", &config, "--shard", format!("{part}/3"), "--store", &store);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        store
    });
    // At least one pair costs half of all, which is more than a fair share.
    let folders = |part: u32| -> Vec<String> {
        let dir = folder.join(format!("nightly-report/part-{part}-of-3"));
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let folders = [1, 2, 3].map(folders);
    assert!(folders.iter().all(|names| !names.is_empty()), "each part has work: {folders:?}");
    let slices = folders.iter().flatten().filter(|name| name.contains("-slice-")).count();
    assert!(slices >= 2, "{folders:?}");
    // One part alone is not the night.
    assert_eq!(repfuzz!("merge", &parts[1], "-o", folder.join("one.sqlite")).code, 2);
    assert_eq!(repfuzz!("merge", &parts[0], &parts[1], &parts[2], "-o", &whole).fine(), "");
    let ran = repfuzz!("nightly", &config, "--report-only");
    assert!(ran.fine().contains(": 0 new, 0 worse, 0 fixed, 1 known"), "{}", ran.stdout);
    let line = "coverage: 2 of 2 seeds run; 2 pairs of client and seed read (2 in the last night)";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    // The report of a seed has the variants of all slices.
    let results = repfuzz!("report", &whole, "-o", folder.join("again"));
    assert_eq!(results.stderr, "");
}
