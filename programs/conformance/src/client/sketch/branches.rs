//! Selects one branch of each preprocessor condition, so that the result is a single program.
//!
//! Without headers it is unknown which branch is compiled. The first one is selected, unless its condition is a
//! negation or names another system.

/// The constants that `#define` defines, with their texts.
pub type Constants<'a> = Vec<(&'a str, &'a str)>;

/// A preprocessor condition whose `#endif` has not been reached.
struct Open {
    /// True if the current branch is kept.
    kept: bool,
    /// True if an earlier branch was kept.
    done: bool,
    /// True if the surrounding lines are kept.
    outer: bool,
}

/// Returns the text with spaces in place of directives and of branches that are not selected, so lines and columns do
/// not change.
pub fn one_branch(text: &str) -> (String, Constants<'_>) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let with_else = with_else(&lines);
    let mut out = String::with_capacity(text.len());
    let mut constants = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut continued = false;
    for (k, line) in lines.iter().enumerate() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim);
        let kept = open.last().is_none_or(|branch| branch.kept);
        let blank = continued || directive.is_some() || !kept;
        if let (Some(words), false) = (directive, continued) {
            turn(words, kept, with_else.contains(&k), &mut open);
            if let (true, Some(constant)) = (kept, words.strip_prefix("define")) {
                constants.extend(constant.trim().split_once(char::is_whitespace));
            }
        }
        continued = (continued || directive.is_some()) && line.trim_end().ends_with('\\');
        if blank {
            out.extend(line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(line);
        }
    }
    (out, constants)
}

/// The state after a directive.
fn turn(words: &str, kept: bool, has_else: bool, open: &mut Vec<Open>) {
    if words.starts_with("if") {
        let first = !(is_false(words) || (has_else && denies(words)));
        open.push(Open { kept: kept && first, done: first, outer: kept });
    } else if words.starts_with("el") {
        if let Some(branch) = open.last_mut() {
            branch.kept = branch.outer && !branch.done;
            branch.done |= branch.kept;
        }
    } else if words.starts_with("endif") {
        open.pop();
    }
}

/// The lines of conditions that have another branch.
fn with_else(lines: &[&str]) -> std::collections::BTreeSet<usize> {
    let mut found = std::collections::BTreeSet::new();
    let mut open = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let Some(words) = line.trim_start().strip_prefix('#').map(str::trim) else { continue };
        if words.starts_with("if") {
            open.push(k);
        } else if words.starts_with("el") {
            found.extend(open.last());
        } else if words.starts_with("endif") {
            open.pop();
        }
    }
    found
}

fn is_false(words: &str) -> bool {
    words.strip_prefix("if").is_some_and(|rest| rest.trim() == "0")
}

/// Returns true for a condition whose other branch is the usual one.
fn denies(words: &str) -> bool {
    let systems =
        ["WIN", "_MSC_VER", "APPLE", "MACOS", "MAC_OS", "DEBUG", "__CYGWIN__", "BIG_ENDIAN"];
    words.starts_with("ifndef")
        || words.strip_prefix("if").is_some_and(|rest| rest.trim_start().starts_with('!'))
        || systems.iter().any(|system| words.contains(system))
}

#[cfg(test)]
mod tests {
    use super::one_branch;

    #[test]
    fn one_branch_is_left_where_it_was() {
        let text = "a\n#ifdef X\nb\n#else\nc\n#endif\n#ifndef Y\nd\n# else\ne\n#endif\n#if 0\nf\n#endif\n\
                    #define N 4\n#define M(x) \\\n  g\nh\n";
        let (left, constants) = one_branch(text);
        let words: Vec<_> = left.lines().map(str::trim).collect();
        let at = |word: &str| words.iter().position(|line| *line == word);
        assert_eq!((at("a"), at("b"), at("e"), at("h")), (Some(0), Some(2), Some(9), Some(17)));
        assert_eq!(left.split_whitespace().count(), 4);
        assert_eq!(constants[0], ("N", "4"));
        for broken in ["#else", "#endif\n#if", "#if 0\n#elif", "#"] {
            one_branch(broken);
        }
    }
}
