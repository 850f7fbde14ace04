//! Reports are complete and self-contained, and hostile text in them has no effect.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fake::{Fake, Puppet, crash, refused, right, spoilt, wrong, zoo};
use crate::report_pages::{folder, follow_links, hostile, pages_in, run};
use campaign::oracle::Outcome;
use campaign::{ClientId, Stop, Verdict};
use clients::{Client, Reply};
use equivalents::subject::Subject;
use reports::report::{self, Rows};
use runners::cli::fuzz::{FuzzArgs, OrderName, run_until};
use runners::cli::{FAILURE, FOUND, FormatArgs, ProfileName};

fn args(seeds: &[&str], report: &Path) -> FuzzArgs {
    FuzzArgs {
        seeds: seeds.iter().map(PathBuf::from).collect(),
        clients: Vec::new(),
        describe: Vec::new(),
        python: None,
        extra: Vec::new(),
        calls: None,
        variants: 300,
        seed: 7,
        jobs: Some(2),
        report: report.to_owned(),
        hang_limit: 5,
        time: None,
        reduce_time: None,
        profile: ProfileName::Strict,
        strict: false,
        no_sandbox: false,
        accepted: PathBuf::from("no-file.toml"),
        order: OrderName::Guided,
        all: false,
        json: false,
        restriction: Default::default(),
        format: FormatArgs::default(),
        keep: Default::default(),
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
    let code = run_until(args, clients, ("", open), &Stop::new(), &mut out);
    (code, String::from_utf8(out).unwrap())
}

#[test]
fn a_report_has_all_it_speaks_of() {
    let dir = folder("report");
    let (code, out) = fuzz(&args(&["flower.fake"], &dir), &zoo());
    assert_eq!(code, FOUND);
    assert!(out.ends_with("index.html\n"), "{out}");
    let results = fs::read_to_string(dir.join("results.jsonl")).unwrap();
    assert!(results.lines().last().unwrap().contains(r#""record":"end""#));
    assert!(follow_links(&dir) > 100);
    let subject = Fake::new();
    assert_eq!(fs::read(dir.join("files/00-seed.fake")).unwrap(), subject.seed_bytes());
    for entry in fs::read_dir(dir.join("files")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let choices = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let file = fs::read(path.with_extension("fake")).unwrap();
            assert_eq!(subject.replay(&choices).unwrap().bytes, file);
        }
    }
    let page = fs::read_to_string(dir.join("causes/01-order-1-wrong.html")).unwrap();
    assert!(
        page.contains("repfuzz replay files/00-seed.fake --choices files/01-order-1-wrong.json")
    );
    assert!(page.contains("order-1 files/01-order-1-wrong.fake got"));
}

#[test]
fn the_front_page_begins_with_what_is_found() {
    let run = run("seed.fake", &zoo());
    let front = &report::pages(&run)[0].html;
    let at = |text: &str| front.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at(">Causes</h2>") < at(r#"id="heatmap""#));
    let list = front[at(">Causes</h2>")..].split("</ol>").next().unwrap();
    let rows: Vec<&str> = list.split("<li>").skip(1).collect();
    let looks = |row: &&&str| {
        row.contains(">Expected</figcaption>") && row.contains(">Actual</figcaption>")
    };
    let wrong: Vec<&&str> = rows.iter().filter(|row| row.contains("badge wrong")).collect();
    assert!(wrong.len() >= 3 && wrong.iter().all(looks), "{wrong:?}");
    let marked =
        |row: &&&str| row.contains(">Difference</figcaption>") != row.contains("another size");
    assert!(wrong.iter().all(marked), "{wrong:?}");
    assert_eq!(list.matches("<img class=\"pixels\"").count(), list.matches("<figure>").count());
    for said in ["<code>SIGABRT</code>", "<code>slack is not zero</code>", "<code>bad strip</code>"]
    {
        assert!(list.contains(said), "{said}");
    }
    assert!(at("<b>extension</b>: not every reader") < at(r#"id="heatmap""#));
}

#[test]
fn an_earlier_report_leaves_nothing() {
    let dir = folder("again");
    report::write(&dir, &run("seed.fake", &zoo())).unwrap();
    fs::write(dir.join("files/mine.txt"), "").unwrap();
    let good: Vec<Box<dyn Client>> = vec![Puppet::with("good", |_, _| Ok(right())).boxed()];
    report::write(&dir, &run("seed.fake", &good)).unwrap();
    let count = |folder: &str| fs::read_dir(dir.join(folder)).unwrap().count();
    assert_eq!((count("causes"), count("clients"), count("files")), (0, 1, 2));
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    for page in report::pages(&run("seed.fake", &zoo())) {
        let page = page.html;
        for sign in
            ["<script", "http:", "https:", "url(", "@import", "<link", "<iframe", " on", " style="]
        {
            let tags = page.split('<').skip(1).filter_map(|t| t.split('>').next());
            let style =
                page.split("<style>").nth(1).and_then(|s| s.split("</style>").next()).unwrap();
            assert!(!style.contains(sign) || sign == " on", "{sign}");
            for tag in tags {
                let attributes = tag.split('"').step_by(2).collect::<String>();
                assert!(!format!("<{attributes}").contains(sign), "{sign} in <{tag}>");
            }
        }
        assert!(page.contains(r#"content="default-src 'none'; img-src data:; style-src 'sha256-"#));
        assert!(!page.contains("unsafe-inline"));
    }
}

#[test]
fn what_clients_share_is_told_once_and_hides_none() {
    let turned = |name| {
        Puppet::with(name, |s, _| Ok(if s.int("orientation") != 1 { spoilt() } else { right() }))
            .reading_by("libturn")
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
    // The fourth is the hang on the seed itself.
    assert_eq!(run.causes.len(), 4);
    let pages = report::pages(&run);
    let front = &pages[0].html;
    assert_eq!(front.matches("orientation = 2, 3, 4, 5, 6, 7, 8</span>").count(), 1 + 3);
    assert!(front.contains("4 causes, 2 root causes."));
    assert_eq!(front.matches("by libturn").count(), 1);
    let all = report::names(&run);
    for (names, cause) in all.iter().zip(&run.causes) {
        assert!(front.contains(&format!(r#"href="{}""#, names.page)));
        if cause.dimensions.is_empty() {
            continue;
        }
        // The two other views have the same dimensions.
        let page = pages.iter().find(|page| page.path == names.page).unwrap();
        let views = all.iter().zip(&run.causes).filter(|(_, cause)| !cause.dimensions.is_empty());
        let mut others = views.map(|(other, _)| other).filter(|other| other.page != names.page);
        assert!(page.html.contains("Related causes"));
        assert!(others.all(|o| page.html.contains(&format!("../{}", o.page))));
    }
    // Rows are ordered: with causes, without causes, not judged.
    let row = |name: &str| front.find(&format!(r#".html">{name}</a></th>"#)).unwrap();
    assert!(row("one") < row("good") && row("three") < row("good") && row("good") < row("blind"));
}

#[test]
fn columns_go_by_area_and_cells_lead_to_all_their_causes() {
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("mixed", |s, _| {
            Ok(match (s.int("orientation"), s.is("big", "yes")) {
                (2, _) => crash("SIGSEGV"),
                (1 | 3, true) => wrong(s),
                (1..=3, _) => right(),
                _ => refused("no"),
            })
        })
        .boxed(),
    ];
    let run = run("seed.fake", &clients);
    let pages = report::pages(&run);
    let front = &pages[0].html;
    // TIFF has an orientation and no dimension `big`.
    let at = |text: &str| front.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at(">orientation</th>") < at(">other</th>"));
    assert!(at(">orientation</span>") < at(">big</span>"));
    let place = run.dimensions.iter().position(|d| d == "orientation").unwrap() + 1;
    assert!(front.contains(&format!(r##"href="clients/01-mixed.html#dimension-{place}""##)));
    let client = pages.iter().find(|page| page.path == "clients/01-mixed.html").unwrap();
    for names in report::names(&run) {
        assert!(client.html.contains(&format!(r#"href="../{}""#, names.page)), "{}", names.page);
    }
}

#[test]
fn causes_lead_to_what_has_to_do_with_them() {
    let mut run = run("seed.fake", &zoo());
    let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let sets = [of(&["rows", "fill"]), of(&["fill"]), of(&["rows"]), of(&["fill", "rows"])];
    run.causes.truncate(sets.len());
    for (cause, dimensions) in run.causes.iter_mut().zip(sets) {
        cause.dimensions = dimensions;
        cause.client = ClientId::new(0);
    }
    let names = report::names(&run);
    let pages = report::pages(&run);
    // Returns the pages of causes under each heading, on the page of the cause at `place`.
    let under = |place: usize, heading: &str| -> Vec<usize> {
        let page = pages.iter().find(|page| page.path == names[place].page).unwrap();
        let Some((_, rest)) = page.html.split_once(heading) else { return Vec::new() };
        let list = rest.split("</ul>").next().unwrap();
        (0..names.len()).filter(|k| list.contains(&names[*k].page)).collect()
    };
    assert_eq!(under(0, ">Same dimensions<"), [3]);
    assert_eq!(under(0, ">Some of these dimensions<"), [1, 2]);
    assert_eq!(under(1, ">These dimensions and more<"), [0, 3]);
    assert_eq!(under(1, ">Some of these dimensions<"), [] as [usize; 0]);
}

/// Returns the text of an issue.
fn issue(page: &str) -> String {
    let text = page.split("</textarea>").next().unwrap().rsplit_once("<textarea").unwrap().1;
    let text = text.split_once('>').unwrap().1;
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn an_issue_can_be_pasted() {
    let clients: Vec<Box<dyn Client>> = vec![
        Puppet::with("viewer", |s, _| {
            Ok(match (s.int("orientation"), s.is("big", "yes")) {
                (4, _) => wrong(s),
                (_, true) => refused("```\nno\n```"),
                _ => right(),
            })
        })
        .boxed(),
    ];
    let mut run = run("seed.fake", &clients);
    // No text is offered for a cause that nothing decides.
    run.causes.iter_mut().for_each(|cause| cause.verdict = Some(Verdict::FileWrong));
    let pages = report::pages(&run);
    let texts: Vec<String> = report::names(&run)
        .iter()
        .map(|names| issue(&pages.iter().find(|page| page.path == names.page).unwrap().html))
        .collect();
    insta::assert_snapshot!(texts.join("\n=====\n"));
}

#[test]
fn hostile_text_stays_text() {
    let run = hostile();
    let dir = folder("hostile");
    report::write(&dir, &run).unwrap();
    fs::write(dir.join("results.jsonl"), "").unwrap();
    report::write_index(&dir.join("index"), &[report::Entry::of("..", &run)]).unwrap();
    assert!(follow_links(&dir) > 20);
    let pages = pages_in(&dir);
    assert!(pages.len() > 5);
    for path in pages {
        let page = fs::read_to_string(&path).unwrap();
        for (tag, most) in
            [("<script", 0), ("</style>", 1), ("</title>", 1), ("onerror", usize::MAX)]
        {
            assert!(page.matches(tag).count() <= most, "{tag} in {}", path.display());
        }
        assert_eq!(page.matches("<textarea").count(), page.matches("</textarea>").count());
        assert_eq!(
            page.matches("<img").count(),
            page.matches(" src=\"data:image/png;base64,").count()
        );
        let acting = |c: char| {
            c != '\n'
                && c != '\t'
                && (c.is_control() || "\u{202e}\u{2066}\u{200b}\u{2028}".contains(c))
        };
        assert!(!page.contains(acting), "{}", path.display());
        // Quoted text stays quoted: there is no attribute but our own.
        for tag in page.split('<').skip(1).filter_map(|t| t.split('>').next()) {
            let outside = tag.split('"').step_by(2).collect::<String>();
            assert!(!outside.contains("onerror"), "<{tag}>");
        }
    }
    for entry in fs::read_dir(dir.join("files")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)), "{name}");
    }
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
    let text = report::table(&run, Rows::All) + &report::closing(&run, "\x1b.html");
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
fn the_index_has_the_root_causes_of_all_seeds() {
    let dir = folder("joint");
    let turned = |name| {
        Puppet::with(name, |s, _| Ok(if s.int("orientation") != 1 { spoilt() } else { right() }))
    };
    let clients: Vec<Box<dyn Client>> = vec![
        turned("one").reading_by("libturn").boxed(),
        turned("two").reading_by("libturn").boxed(),
        turned("other").boxed(),
        Puppet::with("poor", |s, _| Ok(if s.is("big", "yes") { refused("no") } else { right() }))
            .boxed(),
    ];
    let mut entries = Vec::new();
    for seed in ["one", "two"] {
        let mut run = run(&format!("some/long/folder/{seed}.fake"), &clients);
        for cause in &mut run.causes {
            cause.limit = cause.outcome == Outcome::Refused;
        }
        report::write(&dir.join(seed), &run).unwrap();
        fs::write(dir.join(seed).join("results.jsonl"), "").unwrap();
        entries.push(report::Entry::of(seed, &run));
    }
    report::write_index(&dir, &entries).unwrap();
    assert!(follow_links(&dir) > 50);
    let page = fs::read_to_string(dir.join("index.html")).unwrap();
    // Six causes of turned pictures are those of a library and of a client.
    assert!(page.contains("2 root causes</h2>"), "{page}");
    assert!(page.contains("1 limit of 1 client"));
    assert_eq!(page.matches("by libturn").count(), 1);
    for seed in ["one.fake", "two.fake"] {
        assert!(page.contains(&format!(">{seed}</a>")), "{seed}");
        assert!(page.contains(&format!(r#"title="some/long/folder/{seed}""#)));
    }
    // Three clients have one cause each on each of two seeds; limits are not counted.
    assert_eq!(page.matches(r#" <span class="count">1</span>"#).count(), 6);
    assert!(page.contains("poor: no cause"));
    // A picture of the first cause of each root: turned pictures of both kinds have another size or the same one.
    assert!(
        page.matches(">Expected</figcaption>").count() == 2 && page.contains("<b>baseline</b>")
    );
    let front = fs::read_to_string(dir.join("one/index.html")).unwrap();
    assert!(front.contains(r#"<h1 title="some/long/folder/one.fake">one.fake</h1>"#));
}

#[test]
fn what_cannot_be_done_is_trouble() {
    let dir = folder("trouble");
    assert_eq!(fuzz(&args(&["missing.fake"], &dir), &zoo()).0, FAILURE);
    assert_eq!(fuzz(&args(&["seed.fake"], &dir), &[]).0, FAILURE);
    let blind = |reply: fn() -> Reply| -> Vec<Box<dyn Client>> {
        vec![Puppet::with("blind", move |_, _| Ok(reply())).boxed()]
    };
    let refusing = blind(|| refused("not my kind of file"));
    assert_eq!(fuzz(&args(&["seed.fake"], &dir), &refusing).0, FAILURE);
    // A hang on every file is a fault.
    let hanging = blind(|| Reply::Hang);
    assert_eq!(fuzz(&args(&["seed.fake"], &dir), &hanging).0, FOUND);
    let file = folder("trouble").join("file");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "").unwrap();
    assert_eq!(fuzz(&args(&["seed.fake"], &file), &zoo()).0, FAILURE);
}
