//! `repfuzz language`: the reference of the language of specs, and of the primitives, by topic.

use clap::Args;

use super::{SUCCESS, fail, say, wrapped};

/// Width of a line.
const COLUMNS: usize = 80;

/// Print the reference of the language of specs
///
/// Without a topic, the topics are listed. A topic is a heading of the reference or the name of a
/// primitive; part of a name is enough.
#[derive(Debug, Clone, Args)]
pub struct LanguageArgs {
    /// Topic
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
}

/// A section of a page: its heading, and the lines below it up to the next heading of the same level.
struct Section<'a> {
    title: String,
    level: usize,
    text: &'a str,
}

/// Returns the sections of a page, without that of the page title.
fn sections(page: &str) -> Vec<Section<'_>> {
    let mut starts: Vec<(usize, usize, String)> = Vec::new();
    let (mut at, mut fenced) = (0, false);
    for line in page.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        let level = line.chars().take_while(|c| *c == '#').count();
        if !fenced && level > 0 {
            let title = line.trim_start_matches('#').trim().replace('`', "");
            starts.push((at, level, title));
        }
        at += line.len();
    }
    let end = |k: usize, level: usize| {
        starts[k + 1..].iter().find(|(_, other, _)| *other <= level).map_or(at, |(end, ..)| *end)
    };
    let all = starts.iter().enumerate().filter(|(_, (_, level, _))| *level > 1);
    all.map(|(k, (start, level, title))| Section {
        title: title.clone(),
        level: *level,
        text: page[*start..end(k, *level)].trim_end(),
    })
    .collect()
}

/// Runs the command; returns the exit code.
pub fn run(args: &LanguageArgs) -> u8 {
    let (language, primitives) = (sections(inverter::LANGUAGE), sections(normalizers::PRIMITIVES));
    let Some(topic) = &args.topic else {
        say("repfuzz language TOPIC prints one of these:\n");
        for section in &language {
            say(format!("{}{}", "  ".repeat(section.level - 1), section.title));
        }
        let names: Vec<&str> = primitives.iter().map(|s| &*s.title).collect();
        let line = format!("and of each primitive: {}", names.join(", "));
        say(format!("\n{}", wrapped(&line, COLUMNS).join("\n")));
        return SUCCESS;
    };
    let wanted = topic.to_lowercase();
    let all = || primitives.iter().chain(&language);
    let found = all()
        .find(|s| s.title.to_lowercase() == wanted)
        .or_else(|| all().find(|s| s.title.to_lowercase().contains(&wanted)));
    match found {
        Some(section) => {
            say(section.text);
            SUCCESS
        }
        None => fail(format!("no topic is called `{topic}`; repfuzz language lists the topics")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_end_at_the_next_heading_of_their_level() {
        let page = "# Page\n\n## One\na\n### `Inner`\nb\n```sh\n# no heading\n```\n## Two\nc\n";
        let all = sections(page);
        let titles: Vec<&str> = all.iter().map(|s| &*s.title).collect();
        assert_eq!(titles, ["One", "Inner", "Two"]);
        assert!(all[0].text.ends_with("# no heading\n```"));
        assert_eq!(all[2].text, "## Two\nc");
    }
}
