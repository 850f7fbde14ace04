//! Building blocks of pages.

use maud::{Markup, html};

use super::clean::{clean, one_line};
use super::picture::Shown;
use campaign::ClientSummary;
use campaign::oracle::Outcome;

/// Renders an outcome as a coloured word with its symbol.
pub fn badge(outcome: Outcome) -> Markup {
    html! {
        span class=(format!("badge {outcome}")) {
            span.symbol aria-hidden="true" { (outcome.symbol()) } " " (outcome.word())
        }
    }
}

/// Renders a picture with its caption.
pub fn figure(caption: &str, shown: Option<&Shown>) -> Markup {
    html! {
        @if let Some(shown) = shown {
            figure { (image(shown, caption)) figcaption { (caption) } }
        }
    }
}

/// Renders a picture.
pub fn image(shown: &Shown, alt: &str) -> Markup {
    html! {
        img class=[shown.enlarged.then_some("pixels")] src=(shown.data) alt=(alt)
            width=(shown.width) height=(shown.height);
    }
}

/// Renders a client's message.
pub fn words(message: &str) -> Markup {
    html! {
        @if !message.trim().is_empty() {
            blockquote { pre tabindex="0" { (clean(message.trim_end())) } }
        }
    }
}

/// The client's name with its version.
pub fn named(client: &ClientSummary) -> String {
    one_line(&format!("{} {}", client.name, client.version))
}
