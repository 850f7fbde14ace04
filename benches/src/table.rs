//! The page of figures.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The sections of a page, each a table.
#[derive(Default)]
pub struct Report {
    sections: Vec<Section>,
    figures: Vec<Figure>,
    /// The versions of the other generators.
    generators: String,
}

/// A figure beside the page: the name of its file, and SVG.
struct Figure {
    name: &'static str,
    svg: String,
}

struct Section {
    title: String,
    words: String,
    rows: Vec<[String; 3]>,
    notes: String,
}

impl Report {
    /// An empty page, on measurements of these versions of other generators.
    pub fn new(generators: String) -> Self {
        Self { generators, ..Self::default() }
    }

    /// Begins a section.
    pub fn section(&mut self, title: &str, words: &str) {
        eprintln!("{title} ..");
        let (title, words) = (title.to_owned(), words.to_owned());
        self.sections.push(Section { title, words, rows: Vec::new(), notes: String::new() });
    }

    /// Adds text below the table.
    pub fn note(&mut self, text: &str) {
        if let Some(section) = self.sections.last_mut() {
            section.notes = format!("\n{text}\n");
        }
    }

    /// Adds a figure below the table, as SVG, in a file of this name beside the page.
    pub fn figure(&mut self, name: &'static str, what: &str, svg: String) {
        self.note(&format!("![{what}]({name})"));
        self.figures.push(Figure { name, svg });
    }

    /// Adds a row: the subject, the measured figure, and its ratio to another figure.
    pub fn row(
        &mut self,
        what: impl Into<String>,
        figure: impl Into<String>,
        ratio: impl Into<String>,
    ) {
        let row = [what.into(), figure.into(), ratio.into()];
        eprintln!("  {}: {} {}", row[0], row[1], row[2]);
        if let Some(section) = self.sections.last_mut() {
            section.rows.push(row);
        }
    }

    /// Writes the page, and its figures beside it.
    pub fn write(&self, page: &Path) -> Result<(), String> {
        let write = |path: &Path, text: &str| {
            std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
        };
        write(page, &self.text())?;
        self.figures.iter().try_for_each(|f| write(&page.with_file_name(f.name), &f.svg))
    }

    /// Returns the page.
    pub fn text(&self) -> String {
        let mut out =
            "# Performance\n\nMeasured by `make bench`: medians of seven runs, one core, \
                       all in one run on one machine. The ratios are what counts.\n\n"
                .to_owned();
        let _ = writeln!(out, "{}\n", versions(&self.generators));
        for section in &self.sections {
            let _ = writeln!(out, "## {}\n\n{}\n", section.title, section.words);
            let _ = writeln!(out, "| what | figure | ratio |\n|---|---|---|");
            for [what, figure, ratio] in &section.rows {
                let _ = writeln!(out, "| {what} | {figure} | {ratio} |");
            }
            out.push_str(&section.notes);
            out.push('\n');
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

/// Returns the versions of everything that takes part.
fn versions(generators: &str) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or(": unknown");
    let first_line = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        text.lines().next().map(str::to_owned)
    };
    let rustc = first_line("rustc", &["--version"]).unwrap_or_else(|| "rustc unknown".to_owned());
    let tiff = first_line("tiffcp", &["-h"]).unwrap_or_else(|| "no tiffcp".to_owned());
    format!(
        "{}, {rustc}, {tiff}, Z3 {}, {generators}.",
        cpu.trim_start_matches([' ', '\t', ':']),
        z3::load().map_or("none", |z3| &z3.version),
    )
}
