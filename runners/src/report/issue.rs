//! A cause as the text of an issue, in Markdown, for the client's issue tracker.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::choices::meant;
use super::clean::{clean, cut, one_line};
use super::compare::{compare, first_differing};
use super::example::Example;
use super::parts::named;
use super::sentence::{runs, title};
use super::site::{Names, Site, base_name};
use crate::campaign::{Cause, ClientSummary, Depth, Run, short};
use crate::oracle::Outcome;
use crate::subject::Class;

/// Files smaller than this many bytes are included in the text.
const INLINE: usize = 1024;

/// The most characters of a client's message.
const WORDS: usize = 2000;

/// Writes the text of an issue on the cause at `place`: expected result, actual result, and steps
/// to reproduce it without repfuzz.
pub fn issue(site: &Site<'_>, place: usize, example: &Example<'_>) -> String {
    let run = site.run;
    let cause = &run.causes[place];
    let client = &run.clients[cause.client];
    let parts = [
        format!("# {}\n\n{}", heading(cause), opening(cause, client)),
        differences(run, cause, example),
        steps(site, place, example),
        format!("## Expected result\n\n{}", expected(&site.causes[place], example)),
        format!("## Actual result\n\n{}", actual(cause, example)),
        format!("## Version\n\n{}", named(client)),
        "Found with repfuzz, which makes equivalent files and compares the results that a program \
         produces for them."
            .to_owned(),
    ];
    let mut text = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\n\n");
    text.push('\n');
    text
}

fn heading(cause: &Cause) -> String {
    let what = match cause.outcome {
        Outcome::Wrong => "Wrong pixels",
        Outcome::Crash => "Crash",
        Outcome::Hang => "Hang",
        Outcome::Resource => "Memory, disk or output limit exceeded",
        Outcome::Refused => "Error",
        Outcome::Same => "Same picture",
    };
    let kind = cause.difference.map(|kind| format!(" ({})", kind.phrase())).unwrap_or_default();
    format!("{what}{kind} on a valid TIFF file: {}", title(cause))
}

fn opening(cause: &Cause, client: &ClientSummary) -> String {
    let does = match cause.outcome {
        Outcome::Wrong => "decodes one of them to a different picture, without reporting an error",
        Outcome::Crash => "crashes on one of them",
        Outcome::Hang => "does not finish within its time limit on one of them",
        Outcome::Resource => "needs far more memory, disk or output for one of them",
        Outcome::Refused => "reads one of them, but reports an error for the other",
        Outcome::Same => "treats them the same",
    };
    let demand = match (cause.class, cause.outcome) {
        (Class::Baseline, _) => "Both are baseline files, which every reader should support.",
        (Class::Extension, Outcome::Refused) => {
            "The file uses an extension that readers need not support; feel free to close this \
             if the behaviour is intended."
        }
        (Class::Extension, _) => {
            "The file uses an extension that readers need not support; a clear error would also \
             be fine."
        }
        (Class::Questionable, Outcome::Refused) => {
            "It is unclear whether such a file is legal, but they occur in practice; feel free \
             to close this if the behaviour is intended."
        }
        (Class::Questionable, _) => {
            "It is unclear whether such a file is legal, but they occur in practice; a clear \
             error would also be fine."
        }
    };
    let steady = match (cause.depth, cause.runs.is_empty()) {
        (Depth::Flaky, true) => " It does not happen every time.".to_owned(),
        (Depth::Flaky, false) => format!(" It does not happen every time: {}.", runs(cause)),
        _ => String::new(),
    };
    let name = one_line(&client.name);
    format!("Here are two TIFF files with the same picture. {name} {does}.{steady} {demand}")
}

fn differences(run: &Run, cause: &Cause, example: &Example<'_>) -> String {
    if example.choices.is_empty() {
        return String::new();
    }
    let mut text = "## Differences between the files\n".to_owned();
    for (dimension, value) in example.choices.iter() {
        let own = run.own.get(dimension).map_or("none".to_owned(), |own| short(own, 60));
        let here = format!("{dimension} = {}", short(value, 60));
        let meant = meant(dimension, value);
        let gap = if meant.is_empty() { "" } else { ". " };
        text.push_str(&format!("\n- {} instead of {}{gap}{meant}", code(&here), code(&own)));
    }
    if cause.dimensions.len() > 1 {
        text.push_str("\n\nIt only happens with all of these together.");
    }
    let list = |values: &[String]| cut(&one_line(&values.join(", ")), 300);
    if cause.values.len() > 1 {
        text.push_str(&format!("\n\nIt happens with {}.", list(&cause.values)));
    }
    if !cause.fine.is_empty() {
        text.push_str(&format!("\n\nIt does not happen with {}.", list(&cause.fine)));
    }
    text
}

fn steps(site: &Site<'_>, place: usize, example: &Example<'_>) -> String {
    let file = base_name(&site.causes[place].file);
    let seed = base_name(&site.causes[place].seed);
    let mut text = "## Steps to reproduce\n".to_owned();
    let files = [(seed, example.seed), (file, example.file)];
    let (inline, attached): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|(_, bytes)| bytes.len() < INLINE);
    if !inline.is_empty() {
        let made: Vec<String> = inline.iter().map(|(name, bytes)| encoded(name, bytes)).collect();
        text.push_str(&format!(
            "\nCreate the small files:\n\n{}\n",
            fenced("sh", &made.join("\n"))
        ));
    }
    if !attached.is_empty() {
        let names: Vec<String> = attached.iter().map(|(name, _)| code(name)).collect();
        text.push_str(&format!("\nUse the attached {}.\n", names.join(" and ")));
    }
    let commands = site.commands(place);
    // The glue of repfuzz is of no use to others.
    let usable = !commands.is_empty() && commands.iter().all(|c| !c.contains("{here}"));
    if usable {
        let lines: Vec<String> = commands
            .iter()
            .map(|line| {
                line.replace(&site.causes[place].seed, seed).replace(&site.causes[place].file, file)
            })
            .collect();
        text.push_str(&format!("\nRun:\n\n{}", fenced("sh", &lines.join("\n"))));
    } else {
        let client = &site.run.clients[site.run.causes[place].client];
        let what = match client.summary.trim() {
            "" => String::new(),
            summary => format!(" ({})", one_line(summary)),
        };
        text.push_str(&format!("\nOpen both with {}{what}.", named(client)));
    }
    text
}

fn expected(names: &Names, example: &Example<'_>) -> String {
    let size = example.expected.map(|p| format!(", {} × {} pixels", p.width(), p.height()));
    format!("The same picture as for {}{}.", code(base_name(&names.seed)), size.unwrap_or_default())
}

fn actual(cause: &Cause, example: &Example<'_>) -> String {
    if let (Outcome::Wrong, Some(expected), Some(got)) =
        (cause.outcome, example.expected, example.got)
    {
        let mut text = format!("{}.", compare(expected, got));
        if let Some(first) = first_differing(expected, got) {
            let [expected, got] = first.samples().map(|s| s.map(|v| v.to_string()).join(", "));
            text.push_str(&format!(
                "\n\nThe first differing pixel is in column {}, row {}, counted from 0 at the top left: \
                 (red, green, blue, alpha) = ({got}) instead of ({expected}), with samples from 0 to {}.",
                first.x,
                first.y,
                first.most()
            ));
        }
        return text;
    }
    let what = match cause.outcome {
        Outcome::Wrong => "A different picture.",
        Outcome::Crash => "It crashes.",
        Outcome::Hang => "It does not finish within its time limit.",
        Outcome::Resource => "It exceeds its memory, disk or output limit.",
        Outcome::Refused => "It reports an error.",
        Outcome::Same => "The same picture.",
    };
    match cause.message.trim() {
        "" => what.to_owned(),
        message => format!("{what} Its message:\n\n{}", fenced("", &cut(&clean(message), WORDS))),
    }
}

/// Formats a file as a command that creates it.
fn encoded(name: &str, bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    // Base64 is ASCII.
    let lines: Vec<&str> =
        (0..text.len()).step_by(76).map(|k| &text[k..(k + 76).min(text.len())]).collect();
    format!("base64 -d > {name} <<'END'\n{}\nEND", lines.join("\n"))
}

/// Puts `text` into a fence that it cannot close.
fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat((longest_ticks(text) + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Formats `text` as inline code.
fn code(text: &str) -> String {
    let text = one_line(text);
    let ticks = "`".repeat(longest_ticks(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_fence_from_inside() {
        assert_eq!(fenced("sh", "a"), "```sh\na\n```");
        assert_eq!(fenced("", "a\n````\nb"), "`````\na\n````\nb\n`````");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }

    #[test]
    fn small_files_are_commands() {
        let text = encoded("x.tif", &[0; 100]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines.last()), ("base64 -d > x.tif <<'END'", Some(&"END")));
        assert!(lines[1..3].iter().all(|line| line.len() <= 76));
        assert_eq!(STANDARD.decode(lines[1..3].concat()).unwrap(), [0; 100]);
    }
}
