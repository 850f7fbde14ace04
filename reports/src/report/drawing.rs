//! Graphs as images in pages.

use std::io::Write;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Returns a graph in DOT as the URL of an image, drawn by graphviz if it is installed and by `plain` otherwise.
pub fn drawing(dot: &str, plain: impl FnOnce() -> String) -> String {
    address(&graphviz(dot).unwrap_or_else(|| plain().into_bytes()))
}

/// Returns a URL that contains the image itself.
pub fn address(svg: &[u8]) -> String {
    format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg))
}

/// Runs graphviz; returns `None` if it is not installed or fails.
pub fn graphviz(text: &str) -> Option<Vec<u8>> {
    let mut child = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    output.status.success().then_some(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_that_cannot_be_drawn_is_drawn_plainly() {
        assert_eq!(drawing("this is no graph", || "<svg/>".to_owned()), address(b"<svg/>"));
        assert!(address(b"<svg/>").starts_with("data:image/svg+xml;base64,PHN2Zy8+"));
    }
}
