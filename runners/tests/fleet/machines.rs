//! One bad machine does not look like a bad client.

use std::fs;
use std::time::Duration;

use crate::fleet::Night;
use crate::nats::Nats;

/// Dies of big-endian files on the worker that is called `bad`: the client finds its worker among its ancestors.
const BAD: &str = "case $(head -c 2 \"$1\") in MM) p=$PPID; while [ \"$p\" -gt 1 ]; do \
                   if tr '\\0' ' ' < /proc/$p/cmdline | grep -q -e '--name bad'; then kill -SEGV $$; fi; \
                   p=$(sed -n 's/^PPid:[^0-9]*//p' /proc/$p/status); done;; esac";

#[test]
fn a_finding_of_one_machine_names_it() {
    let Some(nats) = Nats::start() else { return };
    let night = Night::new(40, "0.05");
    for (name, fault) in [("mm", BAD), ("late", "")] {
        let file = night.path().join(format!("{name}.toml"));
        let text = fs::read_to_string(&file).unwrap();
        let (head, rest) = text.split_once("'''\n").unwrap();
        let rest = rest.split_once("\nsleep").unwrap().1;
        fs::write(file, format!("{head}'''\n{fault}\nsleep{rest}")).unwrap();
    }
    let _good = night.work(&nats.url(), "good", &[]);
    let _bad = night.work(&nats.url(), "bad", &[]);
    let mut server = night.serve(&nats.url(), &["--workers", "2"]);
    server.wait(Duration::from_secs(400));
    let summary = fs::read_to_string(night.path().join("nightly-report/summary.txt")).unwrap();
    let told: Vec<&str> =
        summary.lines().filter(|line| line.contains("only on worker bad: ")).collect();
    assert!(!told.is_empty(), "{summary}");
    // The second run, on the other machine, disagreed.
    assert!(told.iter().all(|line| line.contains("not reproducible")), "{summary}");
    assert!(!summary.contains("only on worker good"), "{summary}");
    let reports = fs::read_dir(night.path().join("nightly-report")).unwrap();
    let lines: String = reports
        .filter_map(|entry| fs::read_to_string(entry.unwrap().path().join("results.jsonl")).ok())
        .collect();
    assert!(lines.contains("\"worker\":\"good\"") && lines.contains("\"worker\":\"bad\""));
}
