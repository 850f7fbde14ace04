//! Runs for tests of reports, and checks that apply to every report.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use campaign::{About, Campaign, Log, Run, Settings, Stop};
use clients::{Client, Reply};
use inverter::solve::Choice;

use crate::fake::{Fake, Puppet, right, wrong};

/// The run of `clients` on a fake seed of this name.
pub fn run(seed_file: &str, clients: &[Box<dyn Client>]) -> Run {
    Campaign {
        subject: &Fake::new(),
        clients,
        settings: Settings { variants: 100, ..Settings::default() },
        about: About {
            command: format!("repfuzz fuzz {seed_file}"),
            seed_file: seed_file.into(),
            ..About::default()
        },
        log: &Log::to(std::io::sink()),
        stop: &Stop::new(),
        progress: indicatif::ProgressBar::hidden(),
    }
    .run()
    .unwrap()
}

/// A new folder for a report, which is kept in the target folder for inspection.
pub fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    dir
}

/// Text that tries to break out of elements, attributes, styles, fences and lines.
pub fn evil() -> String {
    let markup = "</pre></textarea></title></style><script>alert(1)</script>\"'>\
                  <img src=x onerror=alert(1)>&lt;-->{in}`````\n~~~\n# h";
    let acting = "\u{0}\u{1b}]0;t\u{7}\r\u{202e}\u{2066}\u{200b}\u{2028}\u{fffd}";
    format!("{markup}{acting}{}", "x".repeat(5000))
}

/// A run in which all text from outside is [`evil`].
pub fn hostile() -> Run {
    let evil = evil();
    let said = evil.clone();
    let refused = Reply::Refused { message: evil.clone() };
    let gone = evil.clone();
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with(&evil, move |s, _| {
            Ok(match s.int("orientation") {
                1 => right(),
                2 => Reply::Crash { message: said.clone() },
                _ => wrong(s),
            })
        })
        .boxed(),
        Puppet::with("blind", move |_, _| Ok(refused.clone())).boxed(),
        Puppet::with("gone", move |_, _| Err(std::io::Error::other(gone.clone()))).boxed(),
    ];
    let mut run = run(&evil, &clients);
    assert!(run.causes.len() >= 2);
    // Names of dimensions and values come from the subject.
    run.dimensions.push(evil.clone());
    run.own.set(&evil, &*evil);
    run.clients.iter_mut().for_each(|c| {
        c.version = evil.clone();
        c.summary = evil.clone();
        c.applies = vec![evil.clone()];
        c.ignores = vec![evil.clone()];
        c.confinement = Some(evil.clone());
        c.varied.push(3);
        c.skipped.push((evil.clone(), 3));
        c.dropped = Some(evil.clone());
    });
    for cause in &mut run.causes {
        cause.choices.set(&evil, Choice::from(&*evil));
        cause.follows.set(&evil, Choice::from(&*evil));
        cause.dimensions = vec![evil.clone()];
        cause.values = vec![evil.clone(); 2];
        cause.fine = vec![evil.clone(); 2];
    }
    run
}

/// All HTML pages in `dir` and below.
pub fn pages_in(dir: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages.extend(pages_in(&path));
        } else if path.extension().is_some_and(|e| e == "html") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// The values of an attribute on a page.
pub fn attributes<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
    let begin = format!(" {name}=\"");
    page.split(&*begin).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Checks that every link of every page in `dir` leads to an existing file or anchor;
/// returns the number of links.
pub fn follow_links(dir: &Path) -> usize {
    let pages = pages_in(dir);
    let read = |path: &PathBuf| (path.canonicalize().unwrap(), fs::read_to_string(path).unwrap());
    let texts: HashMap<PathBuf, String> = pages.iter().map(read).collect();
    let mut count = 0;
    for (path, text) in &texts {
        for link in attributes(text, "href") {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file).canonicalize().unwrap_or_else(|error| {
                    panic!("{}: {link}: {error}", path.display());
                }),
            };
            assert!(target.is_file(), "{link}");
            if !place.is_empty() {
                let ids = attributes(&texts[&target], "id");
                assert_eq!(ids.iter().filter(|id| **id == place).count(), 1, "{link}");
            }
            count += 1;
        }
    }
    count
}
