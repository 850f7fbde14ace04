//! Reports as a browser shows them: on a phone and on a desktop, with a keyboard.
//!
//! Each page is put into frames of both widths. Measurements are made on a copy with a script in
//! place of the policy; that the policy permits the pages is checked on the pages
//! themselves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fake::zoo;
use crate::pages::{folder, hostile, pages_in, run};
use reports::report;
use serde_json::Value;

/// The widths of a phone and of a desktop window.
const WIDTHS: [u32; 2] = [360, 1280];

/// Reports the errors of a page to the parent window.
const MEASURE: &str = r#"<script>
addEventListener("load", () => {
  const page = document.documentElement, troubles = [];
  if (page.scrollWidth > innerWidth) troubles.push("scrolls sideways: " + page.scrollWidth);
  const reached = [...document.querySelectorAll("a[href], summary, textarea, [tabindex]")];
  const shown = reached.filter((e) => e.checkVisibility());
  for (const e of shown) {
    const what = e.outerHTML.slice(0, 80);
    if (e.tabIndex !== 0) troubles.push("not in the order of the page: " + what);
    e.focus();
    if (document.activeElement !== e) troubles.push("takes no focus: " + what);
    const box = e.getBoundingClientRect();
    if (box.width < 1 || box.height < 1 || box.right < 0) troubles.push("cannot be seen: " + what);
    if (getComputedStyle(e).outlineStyle === "none") troubles.push("focus is not seen: " + what);
  }
  // Scrollable elements can receive the focus.
  for (const e of document.querySelectorAll("main *")) {
    const overflows = e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "auto";
    if (overflows && e.tabIndex < 0) troubles.push("scrolls, but not with keys: " + e.outerHTML.slice(0, 80));
  }
  parent.postMessage({ name, width: innerWidth, reached: shown.length, troubles }, "*");
});
</script>"#;

/// Collects the reports of the frames.
const COLLECT: &str = r#"<pre id="told"></pre><script>
const told = [];
addEventListener("message", (event) => {
  told.push(event.data);
  document.getElementById("told").textContent = btoa(encodeURIComponent(JSON.stringify(told)));
});
</script>"#;

fn chromium() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let found = names.into_iter().find(works);
    if found.is_none() {
        test_support::skipped("no Chromium (Debian: chromium)");
    }
    found
}

/// Opens `page` in a browser; returns the final document and the log.
fn browse(chromium: &str, page: &Path) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("timeout")
        .args(["120", chromium, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=20000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    assert!(output.status.success(), "{}", text(output.stderr));
    (text(output.stdout), text(output.stderr))
}

/// A page with each of `pages` in a frame of each width.
fn frames(pages: &[PathBuf]) -> String {
    let frame = |page: &PathBuf| {
        let source = page.display();
        WIDTHS.map(|width| format!(r#"<iframe name="{source}" src="{source}" width="{width}" height="700" style="border: 0"></iframe>"#)).concat()
    };
    pages.iter().map(frame).collect()
}

/// Reports of all kinds in one folder.
fn all_reports() -> PathBuf {
    let dir = folder("browser");
    let zoo = run("flower.fake", &zoo());
    let hostile = hostile();
    report::write(&dir.join("zoo"), &zoo).unwrap();
    report::write(&dir.join("hostile"), &hostile).unwrap();
    let entries = [report::Entry::of("zoo", &zoo), report::Entry::of("hostile", &hostile)];
    report::write_index(&dir, &entries).unwrap();
    let night = |k: usize| report::NightSummary {
        name: format!("2026-01-{:02}", k % 31 + 1),
        report: "index.html".to_owned(),
        new: if k == 0 { 60 } else { [0, 0, 3, 0, 1, 0, 7][k % 7] },
        worse: k % 2,
        known: if k == 0 { 0 } else { 58 + k },
        fixed: [0, 2, 0, 0, 0][k % 5],
        note: if k == 40 { crate::pages::evil() } else { String::new() },
    };
    report::write_history(&dir, &(0..100).map(night).collect::<Vec<_>>()).unwrap();
    dir
}

#[test]
fn pages_fit_a_phone_and_a_keyboard() {
    let Some(chromium) = chromium() else { return };
    let dir = all_reports();
    let mut pages = pages_in(&dir);
    // All faults of a faulty page must be detected.
    let wrong = r#"<main><p tabindex="1" style="width: 3000px; outline: none">x</p></main>"#;
    fs::write(dir.join("wrong.html"), wrong).unwrap();
    pages.push(dir.join("wrong.html"));
    let measured: Vec<PathBuf> = pages
        .iter()
        .map(|page| {
            let text = fs::read_to_string(page).unwrap();
            let (begin, rest) = text
                .split_once("<meta http-equiv=\"Content-Security-Policy\"")
                .unwrap_or(("", &text));
            let rest = if begin.is_empty() { rest } else { rest.split_once('>').unwrap().1 };
            let copy = page.with_extension("measured.html");
            fs::write(&copy, format!("{begin}{rest}{MEASURE}")).unwrap();
            copy
        })
        .collect();
    let collector = dir.join("collector.html");
    fs::write(&collector, format!("{COLLECT}{}", frames(&measured))).unwrap();
    let (document, _) = browse(chromium, &collector);
    let told = document.split(r#"id="told">"#).nth(1).unwrap().split('<').next().unwrap();
    let told: Vec<Value> = serde_json::from_str(&decoded(told)).unwrap();
    assert_eq!(told.len(), pages.len() * WIDTHS.len());
    let mut wrong = Vec::new();
    for page in told {
        let troubles: Vec<&str> =
            page["troubles"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        if page["name"].as_str().unwrap().contains("/wrong.") {
            let all = troubles.join("\n");
            for sign in ["scrolls sideways", "not in the order", "focus is not seen"] {
                assert!(all.contains(sign), "{sign}: {all}");
            }
        } else {
            let all = troubles.join("; ");
            if !troubles.is_empty() {
                wrong.push(format!("{} at {}: {all}", page["name"], page["width"]));
            }
            assert!(page["reached"].as_u64().unwrap() > 1);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_browser_has_nothing_to_complain_of() {
    let Some(chromium) = chromium() else { return };
    let dir = folder("console").join("r");
    fs::create_dir_all(dir.parent().unwrap()).unwrap();
    report::write(&dir, &hostile()).unwrap();
    let mut pages = pages_in(&dir);
    // Violations of the policy must be reported.
    let text = fs::read_to_string(&pages[0]).unwrap();
    let control = dir.join("control.html");
    fs::write(&control, text.replace("</body>", "<script>1</script></body>")).unwrap();
    pages.push(control);
    let all = dir.join("all.html");
    fs::write(&all, frames(&pages)).unwrap();
    let (_, log) = browse(chromium, &all);
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    let (expected, others): (Vec<&str>, Vec<&str>) =
        complaints.iter().partition(|line| line.contains("control.html"));
    assert!(!expected.is_empty(), "{log}");
    assert!(others.is_empty(), "{others:#?}");
}

/// Reverses `btoa(encodeURIComponent(text))`.
fn decoded(text: &str) -> String {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let mut plain = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            let digits = std::str::from_utf8(&digits).unwrap().to_owned();
            plain.push(u8::from_str_radix(&digits, 16).unwrap());
        } else {
            plain.push(byte);
        }
    }
    String::from_utf8(plain).unwrap()
}
