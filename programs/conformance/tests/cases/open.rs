//! Code that is not followed, and that a remark must tell of: pairs of small programs that do not fit, of which no verdict may
//! be a plain "conforms", and pairs that do.
//!
//! Each file of `data/open` is about one kind of code. `verdict` is `no` for a counterexample, `open` for a remark, which
//! has the words of `remark`, and `yes` for a consumer that conforms without one.

use conformance::settings::{self, Settings};
use serde::Deserialize;
use test_support::suite::Suites;

use crate::pairs::check_with;
use crate::{files, named};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    io: String,
    pair: Vec<Pair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    producer: String,
    consumer: String,
    verdict: String,
    #[serde(default)]
    remark: String,
}

const IO: &str = "function = [
    { name = 'pb', direction = 'out', type = 'byte', value = 1 },
    { name = 'pw', direction = 'out', type = 'word', value = 1 },
    { name = 'gb', direction = 'in', type = 'byte', into = 0 },
    { name = 'tb', direction = 'in', type = 'byte?', into = 0 },
    { name = 'gw', direction = 'in', type = 'word', into = 0 },
]";

const DECLARED: &str = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include <setjmp.h>\n\
                        void pb(int); void pw(int); int gb(void); int tb(void); int gw(void);\n";

fn whole(text: &str) -> String {
    match text.contains("main") {
        true => format!("{DECLARED}{text}"),
        false => format!("{DECLARED}int main(int argc, char **argv) {{ {text} return 0; }}"),
    }
}

/// Adds the suite.
pub fn add(suites: &mut Suites) {
    for path in files("open") {
        let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let text = if file.io.is_empty() { IO } else { &file.io };
        let io: Settings = settings::read("io", text).unwrap();
        for (name, pair) in named(&path, file.pair) {
            let io = io.clone();
            suites.case(format!("open::{name}"), move || check(&io, &pair));
        }
    }
}

fn check(io: &Settings, pair: &Pair) {
    let Pair { producer, consumer, verdict, remark } = pair;
    let checked = check_with(io, &whole(producer), &whole(consumer));
    let found = match (checked.conforms, checked.remarks.is_empty()) {
        (false, _) => "no",
        (true, true) => "yes",
        (true, false) => "open",
    };
    let remarks = checked.remarks;
    let is_right = found == verdict && remarks.join("\n").contains(remark.as_str());
    assert!(is_right, "{producer}  --  {consumer}: {found}, {remarks:?}");
}
