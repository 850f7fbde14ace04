//! Text from outside, made fit to show.

/// `text` without what could act on a terminal or reorder a line: control characters
/// except line ends and tabs, and the controls of bidirectional text.
pub fn clean(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// `text` on one line.
pub fn one_line(text: &str) -> String {
    clean(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `word` as one word of a POSIX shell command line.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_the_terminal() {
        assert_eq!(clean("a\x1b[31mb\u{202e}c\n"), "a\u{fffd}[31mb\u{fffd}c\n");
        assert_eq!(one_line(" a\n\tb\r\n"), "a b");
    }

    #[test]
    fn quoted_words_stay_words() {
        assert_eq!(quote("a/b-c.tif"), "a/b-c.tif");
        assert_eq!(quote("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quote(""), "''");
    }
}
