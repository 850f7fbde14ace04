//! Values of descriptions with a special syntax, validated when they are read.

use serde::Deserialize;

/// A client's name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(String);

impl Name {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+_.".contains(c);
        if text.is_empty() || !text.chars().all(fits) || text.starts_with(['-', '.']) {
            return Err(format!(
                "a client's name is made of a-z, 0-9, `-`, `+`, `_` and `.`, not {text:?}"
            ));
        }
        Ok(Self(text))
    }
}

/// A file name that stays inside the scratch folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FileName(String);

impl FileName {
    /// The name; it may have one `*`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if the pattern matches `name`.
    pub fn matches(&self, name: &str) -> bool {
        match self.0.contains('*') {
            false => name == self.0,
            true => self.0.split_once('*').is_some_and(|(start, end)| {
                name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
            }),
        }
    }
}

impl TryFrom<String> for FileName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.is_empty() || text.contains('/') || text == ".." || text == "." {
            return Err(format!("{text:?} is not the name of a file in the scratch folder"));
        }
        if text.matches('*').count() > 1 {
            return Err(format!("{text:?} has more than one `*`"));
        }
        Ok(Self(text))
    }
}

/// A regular expression, checked when it is read.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Pattern(regex::Regex);

impl Pattern {
    /// Returns true if the text has a match.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Returns the first group of the first match, or otherwise the whole match.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let found = self.0.captures(text)?;
        found.get(1).or_else(|| found.get(0)).map(|m| m.as_str())
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        regex::RegexBuilder::new(&text).multi_line(true).build().map(Self).map_err(|e| {
            // The library draws a caret below the pattern; the reason is on the last line.
            let reason = e.to_string();
            let reason = reason.lines().last().unwrap_or_default().trim().to_string();
            format!("not a regular expression: {}", reason.trim_start_matches("error: "))
        })
    }
}

/// A part of the screen: `WIDTHxHEIGHT+X+Y`, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Rectangle {
    /// Its width, at least 1.
    pub width: u32,
    /// Its height, at least 1.
    pub height: u32,
    /// The column of its left edge.
    pub x: u32,
    /// The row of its upper edge.
    pub y: u32,
}

impl TryFrom<String> for Rectangle {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let numbers: Option<Vec<u32>> =
            text.split(['x', '+']).map(|word| word.parse().ok().filter(|n| *n < 1 << 15)).collect();
        match numbers.as_deref() {
            Some(&[width, height, x, y]) if width > 0 && height > 0 => {
                Ok(Self { width, height, x, y })
            }
            _ => Err(format!("{text:?} is not a part of the screen, like 640x480+0+30")),
        }
    }
}

/// A colour: `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Color(pub [u8; 3]);

impl TryFrom<String> for Color {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6);
        let value = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        let [_, r, g, b] =
            value.ok_or_else(|| format!("{text:?} is not a colour, like #7f7f7f"))?.to_be_bytes();
        Ok(Self([r, g, b]))
    }
}
