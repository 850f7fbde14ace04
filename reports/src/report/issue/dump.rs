//! The content of a file: its tags, its bytes, and a command that creates it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tiff_harness::container::listing::listing;

use super::markdown::{code, fenced};
use crate::report::clean::clean;
use crate::report::sentence::plural;

/// The maximum number of bytes of a dump.
const DUMPED: usize = 400;

/// Renders the section about the content of the file `name`: the tags of a TIFF file, and a dump.
pub fn content(name: &str, bytes: &[u8]) -> String {
    let mut text = format!("## Content of {}\n", code(name));
    let tags = listing(bytes);
    if !tags.is_empty() {
        text.push_str(&format!("\nIts tags:\n\n{}\n", fenced("", &clean(&tags.join("\n")))));
    }
    text.push_str(&format!(
        "\nIts {}:\n\n{}",
        plural(bytes.len(), "byte", "bytes"),
        fenced("", &dump(bytes))
    ));
    text
}

/// Formats the first bytes as `xxd` does.
fn dump(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(DUMPED)];
    let line = |(k, row): (usize, &[u8])| {
        let pairs: Vec<String> = row
            .chunks(2)
            .map(|pair| pair.iter().map(|byte| format!("{byte:02x}")).collect())
            .collect();
        let text: String = row
            .iter()
            .map(|b| if b.is_ascii_graphic() || *b == b' ' { char::from(*b) } else { '.' })
            .collect();
        format!("{:08x}: {:39}  {text}", k * 16, pairs.join(" "))
    };
    let mut lines: Vec<String> = shown.chunks(16).enumerate().map(line).collect();
    if bytes.len() > DUMPED {
        lines.push(format!("… {}", plural(bytes.len() - DUMPED, "more byte", "more bytes")));
    }
    lines.join("\n")
}

/// Formats a file as a command that creates it.
pub fn encoded(name: &str, bytes: &[u8]) -> String {
    format!("base64 -d > {name} <<'END'\n{}\nEND", base64_lines(bytes).join("\n"))
}

/// Encodes a file in lines of base64.
pub fn base64_lines(bytes: &[u8]) -> Vec<String> {
    let text = STANDARD.encode(bytes);
    // Base64 is ASCII.
    (0..text.len()).step_by(76).map(|k| text[k..(k + 76).min(text.len())].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_commands() {
        let text = encoded("x.tif", &[0; 100]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines.last()), ("base64 -d > x.tif <<'END'", Some(&"END")));
        assert!(lines[1..3].iter().all(|line| line.len() <= 76));
        assert_eq!(STANDARD.decode(lines[1..3].concat()).unwrap(), [0; 100]);
    }

    #[test]
    fn bytes_are_dumped_as_by_xxd() {
        assert_eq!(
            dump(b"II*\0\x08\0\0\0\x0b\0\0\x01\x03\0\x01\0@`z"),
            "00000000: 4949 2a00 0800 0000 0b00 0001 0300 0100  II*.............\n\
             00000010: 4060 7a                                  @`z"
        );
        let long = dump(&[0; 1401]);
        assert_eq!((long.lines().count(), long.lines().last()), (26, Some("… 1,001 more bytes")));
    }
}
