//! What all pages have in common: head, policy, way back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::clean::one_line;

const STYLE: &str = include_str!("style.css");

/// One HTML page, which needs nothing but what it links to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it goes, below the report's folder.
    pub path: String,
    /// Its text.
    pub html: String,
}

/// A link back to a page above: its address and its name.
pub struct Up<'a>(pub &'a str, pub &'a str);

/// A whole page of this `title` and content, with links to what is above it.
pub fn shell(title: &str, above: &[Up<'_>], content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body {
                a.skip href="#main" { "Skip to the content" }
                nav aria-label="Where this is" {
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

/// The head of a page. The policy forbids scripts, requests and styles but our own, should
/// any text ever slip through as markup. The style is inside of the page: `'self'` does not
/// hold for files that are opened from disk.
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
