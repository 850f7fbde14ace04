//! The frame of all pages: head, content security policy, breadcrumbs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::clean::one_line;

const STYLE: &str = include_str!("style.css");

/// A self-contained HTML page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its path, relative to the report's folder.
    pub path: String,
    /// Its text.
    pub html: String,
}

/// A link to a parent page: its address and its name.
pub struct Up<'a>(pub &'a str, pub &'a str);

/// Renders a whole page of this `title` and content, with links to its parent pages.
pub fn shell(title: &str, above: &[Up<'_>], content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body {
                a.skip href="#main" { "Skip to the content" }
                nav aria-label="Breadcrumbs" {
                    ol.trail {
                        li.brand { "repfuzz" }
                        @for Up(address, name) in above {
                            li { a href=(address) { (one_line(name)) } }
                        }
                    }
                }
                main id="main" { (content) }
            }
        }
    };
    page.into_string()
}

/// Renders the head. The policy forbids scripts, requests and all styles except ours, in case some text is ever
/// interpreted as markup. The style is inline because `'self'` does not apply to files that are opened from disk.
fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy());
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (one_line(title)) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

fn policy() -> String {
    let digest = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; \
         form-action 'none'"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The colours that a block of the style defines.
    fn colours(block: &str) -> HashMap<&str, f64> {
        let lines = block.split([';', '{', '}']).filter_map(|line| line.trim().split_once(": #"));
        lines.map(|(name, digits)| (name, luminance(digits))).collect()
    }

    /// Relative luminance of `rgb` or `rrggbb`, as defined by WCAG 2.
    fn luminance(digits: &str) -> f64 {
        let wide: String = match digits.len() {
            3 => digits.chars().flat_map(|c| [c, c]).collect(),
            _ => digits.to_owned(),
        };
        let channel = |k: usize| {
            let v = f64::from(u8::from_str_radix(&wide[k..k + 2], 16).unwrap()) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
    }

    #[test]
    fn text_stands_out_from_what_is_behind_it() {
        let mut blocks = STYLE.split(":root {").skip(1);
        let [light, dark] = [0; 2].map(|_| blocks.next().unwrap().split('}').next().unwrap());
        let plain = [
            ("ink", "paper"),
            ("muted", "paper"),
            ("link", "paper"),
            ("link", "card"),
            ("ink", "code"),
            ("muted", "card"),
        ];
        let tones = campaign::oracle::Outcome::ALL.map(|outcome| {
            let rule = STYLE.lines().find(|line| {
                line.starts_with('.') && line.split([' ', ',']).any(|w| w == format!(".{outcome}"))
            });
            let tone = rule.and_then(|rule| rule.split("--tone: var(--").nth(1)?.split(')').next());
            let tone = tone.unwrap_or_else(|| panic!("no colors for {outcome}")).to_owned();
            (tone.clone(), format!("{tone}-bg"))
        });
        let pairs = plain.map(|(a, b)| (a.to_owned(), b.to_owned())).into_iter().chain(tones);
        let pairs: Vec<(String, String)> = pairs.collect();
        for block in [light, dark] {
            let colours = colours(block);
            for (front, back) in &pairs {
                let of = |name: &str| colours[&*format!("--{name}")];
                let (a, b) = (of(front), of(back));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{front} on {back}: {contrast:.2}");
            }
        }
        assert!((luminance("fff") - 1.0).abs() < 1e-9 && luminance("000000") == 0.0);
    }
}
