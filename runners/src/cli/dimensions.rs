//! `repfuzz dimensions`: lists the dimensions of a seed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use tiff_harness::meaning::{Meaning, reference};

use super::bounded::seconds;
use super::{Format, FormatArgs, ProfileName, SUCCESS, fail, note, say, wrapped};
use equivalents::subject::{Class, Need, Survey, Surveyed};
use reports::report::{clean, plural};

/// Width of a line.
const COLUMNS: usize = 80;

/// List the dimensions of a seed: their values, classes and prerequisites
///
/// Everything is observed on some hundred variants: rare values may be missing.
#[derive(Debug, Clone, Args)]
pub struct DimensionsArgs {
    /// Seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Range of the values that are drawn
    #[arg(long, value_enum, default_value_t = ProfileName::Strict)]
    pub profile: ProfileName,
    /// Stop after this many seconds: seeds with many or large pages need minutes for all
    #[arg(long, default_value_t = 20.0, value_name = "SECONDS", value_parser = seconds)]
    pub time: f64,
    /// Print one line of JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Format of the seed.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; returns the exit code.
pub fn run(args: &DimensionsArgs) -> u8 {
    let format = match args.format.format(&[&args.seed]) {
        Ok(format) => format,
        Err(code) => return code,
    };
    match survey(args, &format) {
        Ok(survey) => {
            let tiff = format.pipeline().is_none();
            match args.json {
                true => say(as_json(&survey, tiff)),
                false => lines(&survey, tiff).iter().for_each(|line| say(clean(line))),
            }
            if survey.left > 0 {
                let left = plural(survey.left, "dimension", "dimensions");
                note(format_args!(
                    "{left} looked at only in part within {} s: values and prerequisites may be \
                     missing; --time sets another limit",
                    args.time
                ));
            }
            SUCCESS
        }
        Err(why) => fail(why),
    }
}

fn survey(args: &DimensionsArgs, format: &Format) -> Result<Survey, String> {
    let seed = format.open(&args.seed, args.profile)?;
    Ok(Survey::within(&*seed, Duration::from_secs_f64(args.time)))
}

/// Formats the dimensions as lines of text. `tiff` is true if they are those of TIFF.
fn lines(survey: &Survey, tiff: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let count = plural(survey.dimensions.len(), "dimension", "dimensions");
    indented(&mut lines, 0, &format!("{count}; * marks the value of the seed"));
    for surveyed in &survey.dimensions {
        let value = |name: &String| match surveyed.own.as_ref() == Some(name) {
            true => format!("{name}*"),
            false => name.clone(),
        };
        let values: Vec<String> = surveyed.classes.iter().map(|c| value(&c.name)).collect();
        indented(&mut lines, 0, &format!("{}: {}", surveyed.name, values.join(", ")));
        let facts = [legality(surveyed), tiff.then(|| sections(surveyed)).flatten()];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        if !facts.is_empty() {
            indented(&mut lines, 4, &facts.join("; "));
        }
        if !surveyed.needs.is_empty() {
            let needs: Vec<String> = surveyed.needs.iter().map(need).collect();
            indented(&mut lines, 4, &format!("seen with {}", needs.join(" and ")));
        }
    }
    lines
}

fn need(Need { dimension, classes }: &Need) -> String {
    format!("{dimension} = {}", classes.join(", "))
}

/// Describes the legality classes of a dimension's values: `baseline 1, extension others`. `None` if the format has no
/// classes.
fn legality(surveyed: &Surveyed) -> Option<String> {
    let mut by_class: BTreeMap<Class, Vec<&str>> = BTreeMap::new();
    for class in &surveyed.classes {
        by_class.entry(class.legality?).or_default().push(&class.name);
    }
    let most = by_class.values().map(Vec::len).max()?;
    let mut rest = by_class.len() > 1;
    let parts: Vec<String> = by_class
        .iter()
        .map(|(class, names)| match (by_class.len(), names.len()) {
            (1, _) => class.word().to_owned(),
            (_, n) if n == most && n > 1 && std::mem::take(&mut rest) => {
                format!("{} others", class.word())
            }
            _ => format!("{} {}", class.word(), names.join(", ")),
        })
        .collect();
    Some(parts.join("; "))
}

/// Returns the sections of the standard that define the values; `None` if there are none.
fn sections(surveyed: &Surveyed) -> Option<String> {
    let meaning = Meaning::of(&surveyed.name)?;
    let mut all: Vec<&str> = Vec::new();
    for class in &surveyed.classes {
        let section = meaning.section(&class.example);
        if !section.is_empty() && !all.contains(&section) {
            all.push(section);
        }
    }
    let (numbers, others): (Vec<&str>, Vec<&str>) =
        all.into_iter().partition(|section| section.starts_with(|c: char| c.is_ascii_digit()));
    let numbers = (!numbers.is_empty()).then(|| reference(&numbers.join(", ")));
    let all: Vec<String> =
        numbers.into_iter().chain(others.into_iter().map(str::to_owned)).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// Formats the dimensions as one line of JSON.
fn as_json(survey: &Survey, tiff: bool) -> String {
    let each = |surveyed: &Surveyed| -> Value {
        let classes = surveyed.classes.iter().map(|class| {
            let legality = class.legality.map(Class::word);
            json!({ "class": class.name, "example": class.example, "legality": legality })
        });
        let needs = surveyed.needs.iter();
        let needs =
            needs.map(|need| json!({ "dimension": need.dimension, "classes": need.classes }));
        let meaning = Meaning::of(&surveyed.name).filter(|_| tiff);
        json!({
            "name": surveyed.name,
            "seed": surveyed.own,
            "classes": classes.collect::<Vec<_>>(),
            "seen_with": needs.collect::<Vec<_>>(),
            "section": tiff.then(|| sections(surveyed)).flatten(),
            "meaning": meaning.map(|meaning| meaning.words),
        })
    };
    json!({
        "dimensions": survey.dimensions.iter().map(each).collect::<Vec<_>>(),
        "in_part": survey.left,
    })
    .to_string()
}

fn indented(lines: &mut Vec<String>, by: usize, text: &str) {
    for (k, line) in wrapped(text, COLUMNS - by - 4).iter().enumerate() {
        let more = if k == 0 { 0 } else { 4 };
        lines.push(format!("{:1$}{line}", "", by + more));
    }
}
