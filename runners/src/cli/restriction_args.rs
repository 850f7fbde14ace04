//! The restriction of dimensions, as given on the command line.

use clap::Args;
use equivalents::Restriction;

use reports::report::quote;

/// The dimensions that vary, and values of others.
#[derive(Debug, Clone, Default, Args)]
pub struct RestrictionArgs {
    /// Vary only the dimensions that match these globs, such as 'orientation,segment *' or
    /// 'segment {order,gaps}' (see `repfuzz dimensions`); may be repeated
    #[arg(long, value_name = "GLOBS", help_heading = "Variants")]
    pub vary: Vec<String>,
    /// Do not vary the dimensions that match these globs; may be repeated
    #[arg(long, value_name = "GLOBS", help_heading = "Variants")]
    pub without: Vec<String>,
    /// Give dimensions these values wherever they exist, such as 'compression=LZW,orientation=6'; may be
    /// repeated
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Variants")]
    pub fix: Vec<String>,
}

impl RestrictionArgs {
    /// Returns the restriction.
    pub fn restriction(&self) -> Restriction {
        let all = |texts: &[String]| -> Vec<String> {
            texts.iter().flat_map(|text| parts(text)).map(str::to_owned).collect()
        };
        let (vary, without, fixed) = (all(&self.vary), all(&self.without), all(&self.fix));
        Restriction::new().vary(vary).without(without).fix_texts(fixed)
    }
}

/// Splits `text` at commas that are not inside a list or braces: `a=[1,0],b=2`.
fn parts(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(outside).map(str::trim).collect()
}

/// Returns the options that state `restriction`, quoted for a shell.
pub fn options(restriction: &Restriction) -> Vec<String> {
    let globs = |option: &str, globs: &[String]| {
        let all = (!globs.is_empty()).then(|| quote(&globs.join(",")));
        all.map(|globs| format!("{option} {globs}"))
    };
    let mut words: Vec<String> = globs("--vary", restriction.varied())
        .into_iter()
        .chain(globs("--without", restriction.excluded()))
        .collect();
    words.extend(restriction.fixed().iter().map(|fix| format!("--fix {}", quote(fix))));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_outside_of_lists() {
        assert_eq!(parts("a=1, b c=[2, 1,0],d=x"), ["a=1", "b c=[2, 1,0]", "d=x"]);
        assert_eq!(parts("segment {order,gaps}, a"), ["segment {order,gaps}", "a"]);
    }

    #[test]
    fn options_state_the_restriction() {
        let restriction = Restriction::new()
            .vary(["orientation", "segment *"])
            .without(["segment gaps"])
            .fix("byte order", "MM");
        let expected =
            "--vary 'orientation,segment *' --without 'segment gaps' --fix 'byte order=MM'";
        assert_eq!(options(&restriction).join(" "), expected);
        assert!(options(&Restriction::new()).is_empty());
    }
}
