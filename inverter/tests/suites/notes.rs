//! The lines of a program that start with `//@ `:
//!
//! | line | meaning |
//! |---|---|
//! | `y {..}` | a canonical value as JSON, small; one or more |
//! | `x {..}` | a representation that the inverse must be able to make |
//! | `complete` | the inverse can make every representation |
//! | `incomplete: reason` | it cannot, and why |
//! | `loss: reason` | the inverse tells of a loss, and what it is worth |
//! | `values N` | that many random values, where a run takes long |
//! | `refused: reason` | why this idea of a format is refused, and what would help |

/// The contents of a program's `//@` lines.
#[derive(Default)]
pub struct Notes {
    pub values: Vec<serde_json::Value>,
    pub inputs: Vec<serde_json::Value>,
    pub random: Option<u64>,
    /// `complete` or `incomplete`: how often it is said, and the reason.
    complete: Vec<String>,
    pub loss: Option<String>,
    pub refused: Option<String>,
}

impl Notes {
    /// Reads the notes of a program.
    pub fn of(name: &str, text: &str) -> Self {
        let mut out = Self::default();
        for note in text.lines().filter_map(|l| l.strip_prefix("//@")) {
            let (word, rest) = note.trim().split_once(' ').unwrap_or((note.trim(), ""));
            let reason = || match rest.is_empty() {
                true => panic!("{name}: `{word}` without a reason"),
                false => rest.to_owned(),
            };
            let json =
                || serde_json::from_str(rest).unwrap_or_else(|e| panic!("{name}: {e}: {rest}"));
            match word {
                "y" => out.values.push(json()),
                "x" => out.inputs.push(json()),
                "values" => out.random = Some(rest.parse().unwrap()),
                "complete" => out.complete.push(String::new()),
                "incomplete:" => out.complete.push(reason()),
                "loss:" => out.loss = Some(reason()),
                "refused:" => out.refused = Some(reason()),
                _ => panic!("{name}: nobody knows what `{note}` is"),
            }
        }
        out
    }

    /// Reads the notes of a program that inverts.
    pub fn of_program(name: &str, text: &str) -> Self {
        let notes = Self::of(name, text);
        assert!(!notes.values.is_empty(), "{name}: no canonical value");
        assert_eq!(notes.complete.len(), 1, "{name}: either complete or incomplete");
        assert!(notes.refused.is_none(), "{name}: neither refused nor not");
        notes
    }

    /// Returns true if the inverse can make every representation.
    pub fn is_complete(&self) -> bool {
        self.complete == [""]
    }
}
