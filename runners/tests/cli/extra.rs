//! Extra reads: readers that show the picture rightly, but return something else wrongly.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::fuzz::results;
use crate::pages::paged;
use crate::{Ran, folder, repfuzz, seed};

/// Fuzzes `file` with the client of `description`.
fn fuzz(
    folder: &Path,
    file: &Path,
    description: &str,
    vary: &str,
) -> (Ran, BTreeMap<String, Vec<Value>>) {
    let (described, report) = (folder.join("extra.toml"), folder.join("report"));
    fs::write(&described, format!("{ABOUT}\n{description}")).unwrap();
    let vary = format!("--vary={vary}");
    let ran = repfuzz!(
        "fuzz",
        file,
        "--describe",
        &described,
        "--clients=extra",
        "-n12",
        vary,
        "--fresh",
        "--report",
        &report,
    );
    assert_eq!(ran.stderr, "");
    (ran, results(&report))
}

const ABOUT: &str =
    "name = \"extra\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]";

/// A description of a client that does one extra read by `script`, with the file, the output and the numbers of the
/// region as its arguments. On big-endian files `$bad` is 1.
fn described(read: &str, script: &str) -> String {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let numbers = if read == "region" { ", \"{x}\", \"{y}\", \"{w}\", \"{h}\"" } else { "" };
    format!(
        "[run]\ncommand = [\"{repfuzz}\", \"normalize\", \"{{in}}\", \"-o\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n[output.extra]\n{read} = [\"sh\", \"-c\", '''\n\
         bad=0; case $(head -c 2 \"$1\") in MM) bad=1;; esac\n\
         whole() {{ \"{repfuzz}\" normalize \"$1\" -o whole.png; }}\n{script}\n\
         ''', \"sh\", \"{{in}}\", \"{{out}}\"{numbers}]\n"
    )
}

const THREADS: &str =
    "whole \"$1\"; cp whole.png out-0.png; gm convert whole.png $(TURN) out-1.png";
const REGION: &str =
    "whole \"$1\"; gm convert whole.png -crop \"$5x$6+$(X)+$4\" +repage \"PNG:$2\"";
const REWRITE: &str = "whole \"$1\"; gm convert whole.png $(TURN) -compress None \"TIFF:$2\"";
const METADATA: &str = "{ echo dots $(DOTS); gm identify -format '%U %c' \"$1\"; } > \"$2\"";
const PAGES: &str = "gm convert \"$1\" +adjoin PNG:out-%d.png; $(DEED)";

/// The correct script, or one that has `faulty` in place of `right` on big-endian files.
fn by(script: &str, (mark, right, faulty): (&str, &str, &str)) -> String {
    let choice = format!("$([ $bad = 1 ] && echo '{faulty}' || echo '{right}')");
    script.replace(mark, &choice)
}

#[test]
fn each_planted_fault_is_found_by_its_cause_alone() {
    if !test_support::installed("gm") {
        return;
    }
    let folder = folder();
    let (tiny, paged) = (seed("tiny.tif"), paged(folder.path(), "two pages after"));
    for (read, script, (mark, right), faults) in [
        ("threads", THREADS, ("$(TURN)", ""), &[("-negate", "of decode 2 of two at once ")][..]),
        (
            "region",
            REGION,
            ("$(X)", "1"),
            &[("2", "of 3x2 pixels at (1, 1), read by themselves, ")][..],
        ),
        ("rewrite", REWRITE, ("$(TURN)", ""), &[("-flip", "of the file that it writes ")][..]),
        (
            "metadata",
            METADATA,
            ("$(DOTS)", "72"),
            &[("71", "the metadata have `dots 71` instead of `dots 72`")][..],
        ),
    ] {
        for fault in std::iter::once(None).chain(faults.iter().map(Some)) {
            let faulty = fault.map_or(right, |fault| fault.0);
            let description = described(read, &by(script, (mark, right, faulty)));
            let (ran, found) =
                fuzz(folder.path(), &tiny, &description, "byte order,compression,orientation");
            check(&ran, &found, read, fault.map(|fault| fault.1));
        }
    }
    // What a client does with the seed as well says nothing of other files.
    let always = described("rewrite", &REWRITE.replace("$(TURN)", "-flip"));
    let (ran, found) = fuzz(folder.path(), &tiny, &always, "byte order");
    check(&ran, &found, "rewrite", None);
    for (deed, message) in [
        (":", None),
        ("rm out-1.png", Some("reading all pages gave 2 pictures instead of 3")),
        ("mv out-1.png x; mv out-2.png out-1.png; mv x out-2.png", Some("of page 2 of all ")),
        ("kill -SEGV $$", Some("reading all pages crashed: SIGSEGV")),
        ("echo no pages >&2; exit 3", Some("reading all pages failed: no pages")),
    ] {
        let script = PAGES.replace("$(DEED)", &format!("[ $bad = 0 ] || {{ {deed}; }}"));
        let vary = "byte order,compression,page 2: compression,further pages";
        let (ran, found) = fuzz(folder.path(), &paged, &described("pages", &script), vary);
        check(&ran, &found, "pages", message);
    }
}

/// Checks that nothing was found, or the outcome `read` of big-endian files with this message.
fn check(ran: &Ran, found: &BTreeMap<String, Vec<Value>>, read: &str, message: Option<&str>) {
    let Some(message) = message else {
        assert!(ran.code == 0 && !found.contains_key("cause"), "{read}: {}", ran.stdout);
        return;
    };
    assert_eq!(ran.code, 1, "{read}: {}", ran.stdout);
    let [cause] = &found["cause"][..] else { panic!("{read}: {:?}", found["cause"]) };
    let known = (&cause["outcome"], &cause["dimensions"]);
    assert_eq!(known, (&json!(read), &json!(["byte order"])), "{cause}");
    assert!(cause["message"].as_str().unwrap().starts_with(message), "{cause}");
}

#[test]
fn descriptions_of_extra_reads_are_checked() {
    let folder = folder();
    let regions = described("region", REGION);
    for (description, why) in [
        (
            regions.replace("{x}", "1").replace("{y}", "1").replace("{w}", "1").replace("{h}", "1"),
            "the command of `region`, and no other, has {x}, {y}, {w}, {h}",
        ),
        (
            regions.replace("region =", "pages ="),
            "the command of `region`, and no other, has {x}, {y}, {w}, {h}",
        ),
        (
            regions.replace("\"normalize\", \"{in}\"", "\"normalize\", \"{in}\", \"{x}\""),
            "only the command of [output.extra] `region`",
        ),
        (
            described("threads", ":").replace("{in}\", \"{out}\"]\n", "x\"]\n"),
            "the command of `threads` never mentions {in}",
        ),
        (
            "[run]\ncommand = [\"a\", \"{in}\", \"{out}\"]\n[output.extra]\npages = true"
                .to_owned(),
            "`pages` is a command, or `true` for a worker",
        ),
        (
            "[run]\nviewer = [\"a\", \"{in}\"]\n[output.extra]\npages = [\"a\", \"{in}\"]"
                .to_owned(),
            "only clients that write pictures do extra reads",
        ),
    ] {
        let file = folder.path().join("extra.toml");
        fs::write(&file, format!("{ABOUT}\n{description}")).unwrap();
        let ran = repfuzz!("clients", "extra", "--describe", &file);
        assert!(ran.code == 2 && ran.stderr.contains(why), "{why}: {}", ran.stderr);
    }
}
