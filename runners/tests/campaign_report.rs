//! The report: whole, self-contained, and deaf to what is in it.

mod fake;

use std::fs;
use std::path::{Path, PathBuf};

use fake::{Fake, Puppet, right, wrong, zoo};
use inverter::solve::Value;
use runners::campaign::{About, Campaign, Log, Run, Settings, Stop};
use runners::cli::fuzz::{FuzzArgs, OrderName, run_until};
use runners::cli::{FOUND, ProfileName, TROUBLE};
use runners::client::{Client, Reply};
use runners::report;
use runners::subject::Subject;

fn args(seeds: &[&str], report: &Path) -> FuzzArgs {
    FuzzArgs {
        seeds: seeds.iter().map(PathBuf::from).collect(),
        clients: Vec::new(),
        describe: Vec::new(),
        extra: Vec::new(),
        variants: 300,
        seed: 7,
        jobs: Some(2),
        report: report.to_owned(),
        hang_limit: 5,
        time: None,
        profile: ProfileName::Strict,
        order: OrderName::Guided,
        json: false,
    }
}

fn open(path: &Path) -> Result<Box<dyn Subject>, String> {
    match path.to_str() {
        Some("missing.fake") => Err("missing.fake: no such file".into()),
        _ => Ok(Box::new(Fake::new())),
    }
}

fn fuzz(args: &FuzzArgs, clients: &[Box<dyn Client>]) -> (u8, String) {
    let mut out = Vec::new();
    let code = run_until(args, clients, open, &Stop::new(), &mut out);
    (code, String::from_utf8(out).unwrap())
}

fn run(seed_file: &str, clients: &[Box<dyn Client>]) -> Run {
    Campaign {
        subject: &Fake::new(),
        clients,
        settings: Settings { variants: 100, ..Settings::default() },
        about: About { command: format!("repfuzz fuzz {seed_file}"), seed_file: seed_file.into() },
        log: &Log::to(std::io::sink()),
        stop: &Stop::new(),
        progress: indicatif::ProgressBar::hidden(),
    }
    .run()
    .unwrap()
}

/// Stays in the target folder, to be looked at.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    dir
}

#[test]
fn a_report_has_all_it_speaks_of() {
    let dir = folder("report");
    let (code, out) = fuzz(&args(&["flower.fake"], &dir), &zoo());
    assert_eq!(code, FOUND);
    assert!(out.ends_with("index.html\n"), "{out}");
    let page = fs::read_to_string(dir.join("index.html")).unwrap();
    let results = fs::read_to_string(dir.join("results.jsonl")).unwrap();
    assert!(results.lines().last().unwrap().contains(r#""record":"end""#));
    let links: Vec<&str> =
        page.split(r#"href=""#).skip(1).filter_map(|p| p.split('"').next()).collect();
    assert!(links.len() > 10);
    for link in links {
        match link.strip_prefix('#') {
            Some(id) => assert!(page.contains(&format!(r#"id="{id}""#)), "{id}"),
            None => assert!(dir.join(link).is_file(), "{link}"),
        }
    }
    let subject = Fake::new();
    for entry in fs::read_dir(dir.join("files")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let choices = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let file = fs::read(path.with_extension("fake")).unwrap();
            assert_eq!(subject.replay(&choices).unwrap().bytes, file);
        }
    }
    assert!(page.contains("repfuzz replay flower.fake --choices files/01-order-1-wrong.json -o"));
    assert!(page.contains("order-1 01-order-1-wrong.fake out"));
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    let page = report::page(&run("seed.fake", &zoo()), &[]);
    for sign in ["<script", "http:", "https:", "url(", "@import", "<link", "<iframe", " on"] {
        let tags = page.split('<').skip(1).filter_map(|t| t.split('>').next());
        let style = page.split("<style>").nth(1).and_then(|s| s.split("</style>").next()).unwrap();
        assert!(!style.contains(sign) || sign == " on", "{sign}");
        for tag in tags {
            let attributes = tag.split('"').step_by(2).collect::<String>();
            assert!(!format!("<{attributes}").contains(sign), "{sign} in <{tag}>");
        }
    }
}

#[test]
fn what_clients_share_is_told_once_and_hides_none() {
    let turned = |name| {
        Puppet::with(name, |s, _| Ok(if s.int("orientation") != 1 { wrong(s) } else { right() }))
            .boxed()
    };
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("good", |_, _| Ok(right())).boxed(),
        turned("one"),
        turned("two"),
        turned("three"),
        Puppet::with("blind", |_, _| Ok(Reply::Hang)).boxed(),
    ];
    let run = run("seed.fake", &clients);
    let page = report::page(&run, &report::names(&run));
    assert_eq!(run.causes.len(), 3);
    assert_eq!(page.matches("<article").count(), 1);
    assert!(page.contains("and 2 other clients"));
    for k in 1..=3 {
        assert!(page.contains(&format!(r#"id="cause-{k}""#)));
        assert!(page.contains(&format!(r##"href="#cause-{k}""##)));
    }
    // Rows: with findings, without, not judged.
    let row = |name: &str| page.find(&format!(r#"<th scope="row">{name}</th>"#)).unwrap();
    assert!(row("one") < row("good") && row("three") < row("good") && row("good") < row("blind"));
}

#[test]
fn hostile_text_stays_text() {
    const EVIL: &str = "</pre></title></style><script>alert(1)</script>\"'><img src=x onerror=y>";
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with(EVIL, |s, _| {
            Ok(match s.int("orientation") {
                1 => right(),
                2 => Reply::Crash { message: EVIL.into() },
                _ => wrong(s),
            })
        })
        .boxed(),
        Puppet::with("blind", |_, _| Ok(Reply::Refused { message: EVIL.into() })).boxed(),
        Puppet::with("gone", |_, _| Err(std::io::Error::other(EVIL))).boxed(),
    ];
    let mut run = run(EVIL, &clients);
    assert!(run.causes.len() >= 2);
    // What a subject could name its dimensions and values.
    run.dimensions.push(EVIL.to_owned());
    run.own.set(EVIL, EVIL);
    run.clients.iter_mut().for_each(|c| {
        c.version = EVIL.into();
        c.summary = EVIL.into();
        c.applies = vec![EVIL.into()];
        c.ignores = vec![EVIL.into()];
        c.varied.push(3);
        c.left.push((EVIL.into(), 3));
        c.dropped = Some(EVIL.into());
    });
    for cause in &mut run.causes {
        cause.choices.set(EVIL, Value::from(EVIL));
        cause.follows.set(EVIL, Value::from(EVIL));
        cause.dimensions = vec![EVIL.to_owned()];
        cause.values = vec![EVIL.to_owned(); 2];
        cause.fine = vec![EVIL.to_owned(); 2];
    }
    let page = report::page(&run, &report::names(&run));
    assert_eq!(page.matches("<script").count(), 0);
    assert_eq!(
        page.matches("<img").count(),
        page.matches("<img class=\"pixels\" src=\"data:").count()
    );
    assert_eq!(page.matches("</style>").count(), 1);
    assert_eq!(page.matches("</title>").count(), 1);
    for names in report::names(&run) {
        assert!(
            names
                .file
                .strip_prefix("files/")
                .unwrap()
                .chars()
                .all(|c| { c.is_ascii_alphanumeric() || "-.".contains(c) })
        );
    }
    let index = report::Entry::of("01-x", &run);
    let dir = folder("hostile");
    let path = report::write_index(&dir, &[index]).unwrap();
    assert!(!fs::read_to_string(path).unwrap().contains("<script"));
}

#[test]
fn the_terminal_gets_no_control_characters() {
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("a\x1b[31m\nb", |_, _| {
            Ok(Reply::Refused { message: "\x1b]0;title\x07\u{202e}".into() })
        })
        .boxed(),
    ];
    let run = run("s\x1beed.fake", &clients);
    let text = report::table(&run) + &report::closing(&run, "\x1b.html");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn machines_get_lines() {
    let args = FuzzArgs { json: true, ..args(&["seed.fake"], &folder("lines")) };
    let (code, out) = fuzz(&args, &zoo());
    assert_eq!(code, FOUND);
    let kinds: Vec<String> = out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| line["record"].as_str().unwrap().to_owned())
        .collect();
    assert!(kinds.len() > 5);
    assert!(kinds[..kinds.len() - 1].iter().all(|kind| kind == "cause"));
    assert_eq!(kinds.last().unwrap(), "end");
}

#[test]
fn several_seeds_have_a_report_each() {
    let dir = folder("several");
    let clients: Vec<Box<dyn Client>> = vec![Puppet::with("good", |_, _| Ok(right())).boxed()];
    let (code, _) = fuzz(&args(&["a/one.fake", "b/one.fake"], &dir), &clients);
    assert_eq!(code, 0);
    let page = fs::read_to_string(dir.join("index.html")).unwrap();
    for folder in ["01-one", "02-one"] {
        assert!(dir.join(folder).join("index.html").is_file());
        assert!(page.contains(&format!("{folder}/index.html")));
    }
}

#[test]
fn what_cannot_be_done_is_trouble() {
    let dir = folder("trouble");
    assert_eq!(fuzz(&args(&["missing.fake"], &dir), &zoo()).0, TROUBLE);
    assert_eq!(fuzz(&args(&["seed.fake"], &dir), &[]).0, TROUBLE);
    let blind: Vec<Box<dyn Client>> = vec![Puppet::with("blind", |_, _| Ok(Reply::Hang)).boxed()];
    assert_eq!(fuzz(&args(&["seed.fake"], &dir), &blind).0, TROUBLE);
    let file = folder("trouble").join("file");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "").unwrap();
    assert_eq!(fuzz(&args(&["seed.fake"], &file), &zoo()).0, TROUBLE);
}
