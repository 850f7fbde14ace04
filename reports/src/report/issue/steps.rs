//! Steps that reproduce a cause without repfuzz.

use super::dump::encoded;
use super::markdown::{self, code, fenced, language};
use crate::report::clean::clean;
use crate::report::example::Example;
use crate::report::parts::named;
use crate::report::site::{Site, base_name};

/// Files smaller than this many bytes are included in the text.
const INLINE: usize = 1024;

/// Renders the section: the files, and the script or the commands that read them.
pub fn steps(site: &Site<'_>, place: usize, example: &Example<'_>) -> String {
    let names = &site.causes[place];
    let (file, seed) = (base_name(&names.file), base_name(&names.seed));
    let mut text = "## Steps to reproduce\n".to_owned();
    let mut files = vec![(file, example.file)];
    if !example.is_single() {
        files.insert(0, (seed, example.seed));
    }
    let (inline, attached): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|(_, bytes)| bytes.len() < INLINE);
    if !inline.is_empty() {
        let made: Vec<String> = inline.iter().map(|(name, bytes)| encoded(name, bytes)).collect();
        let them = if made.len() == 1 { "file" } else { "files" };
        text.push_str(&format!(
            "\nCreate the small {them}:\n\n{}\n",
            fenced("sh", &made.join("\n"))
        ));
    }
    if !attached.is_empty() {
        let names: Vec<String> = attached.iter().map(|(name, _)| code(name)).collect();
        text.push_str(&format!("\nUse the attached {}.\n", names.join(" and ")));
    }
    let both = |open: &str| match example.is_single() {
        true => format!("{open} {}", code(file)),
        false => format!("{open} {}, and with {} for comparison", code(file), code(seed)),
    };
    let client = &site.run.clients[site.run.causes[place].client];
    let commands = site.commands(place);
    // The glue of repfuzz is of no use to others.
    let usable = !commands.is_empty()
        && commands.iter().all(|c| !c.contains("{here}") && !c.contains("{tools}"));
    if let Some(script) = &client.facts.script {
        let run = both("Run this program with");
        text.push_str(&format!(
            "\n{run}:\n\n{}",
            fenced(&language(&script.language), &clean(&script.of(file)))
        ));
    } else if usable {
        let lines: Vec<String> = commands
            .iter()
            .skip(usize::from(example.is_single()))
            .map(|line| line.replace(&names.seed, seed).replace(&names.file, file))
            .collect();
        text.push_str(&format!("\nRun:\n\n{}", fenced("sh", &lines.join("\n"))));
    } else {
        let what = match client.summary.trim() {
            "" => String::new(),
            summary => format!(" ({})", markdown::text(summary)),
        };
        let them = if example.is_single() { "it" } else { "both" };
        text.push_str(&format!("\nOpen {them} with {}{what}.", markdown::text(&named(client))));
    }
    text
}
