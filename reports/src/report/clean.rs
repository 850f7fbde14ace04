//! Cleans and shortens text for reports: sanitizes text from outside, truncates, wraps and joins lines, quotes words
//! for a shell, and makes file names.

/// Replaces characters that could control a terminal, reorder text or be invisible: control
/// characters except line ends and tabs, bidirectional controls, line separators, and
/// zero-width characters.
pub fn clean(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => '\u{fffd}',
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => '\u{fffd}',
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => '\u{fffd}',
        c if c.is_control() || is_noncharacter(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Returns true for noncharacters such as U+FFFE, which XML and HTML do not allow.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || (c as u32) & 0xfffe == 0xfffe
}

/// Truncates `text` after about `most` characters.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Joins `text` into one line.
pub fn one_line(text: &str) -> String {
    clean(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Quotes `word` for a POSIX shell.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Makes `text` safe as part of a file name.
pub fn slug(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let text: String = text.chars().map(plain).take(40).collect();
    let text = text.trim_matches('-');
    if text.is_empty() { "client".to_owned() } else { text.to_owned() }
}

/// Wraps the text to lines of at most `width` characters. Only a word that is longer exceeds the width.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_whatever_the_client_is_called() {
        assert_eq!(slug("../Gimp 3 <b>"), "gimp-3--b");
        assert_eq!(slug("***"), "client");
    }

    #[test]
    fn nothing_acts_on_the_terminal() {
        assert_eq!(clean("a\x1b[31mb\u{202e}c\n"), "a\u{fffd}[31mb\u{fffd}c\n");
        assert_eq!(clean("a\u{200b}b\u{2066}\u{e0041}"), "a\u{fffd}b\u{fffd}\u{fffd}");
        assert_eq!(
            clean("a\u{fffe}b\u{ffff}\u{1fffe}\u{fdd0}c"),
            "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}c"
        );
        assert_eq!(cut("äbc", 2), "äb…");
        assert_eq!(cut("äb", 2), "äb");
        assert_eq!(one_line(" a\n\tb\r\n"), "a b");
    }

    #[test]
    fn quoted_words_stay_words() {
        assert_eq!(quote("a/b-c.tif"), "a/b-c.tif");
        assert_eq!(quote("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quote(""), "''");
    }
}
