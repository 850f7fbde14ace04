//! Applies a restriction to a seed: globs select its dimensions, names select values.

use std::collections::BTreeSet;
use std::sync::Arc;

use glob::{MatchOptions, Pattern};
use inverter::solve::{self, Choice, ChoiceSource, Choices};

use super::feasible::check;
use super::{Restriction, RestrictionError, value};
use crate::subject::{Restricted, Subject};

/// The number of random variants that are made to observe names and values.
const OBSERVED: u64 = 64;

/// The minimum similarity (0 to 1) for which a name is suggested in place of another.
const SIMILAR: f64 = 0.75;

/// Globs ignore case, and names are not paths.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: false,
    require_literal_leading_dot: false,
};

/// Returns `seed` with variants that comply with `restriction`.
///
/// # Errors
///
/// Returns [`RestrictionError`] if it does not fit the seed or contradicts itself.
pub(crate) fn restricted(
    seed: Arc<dyn Subject>,
    restriction: &Restriction,
) -> Result<Arc<dyn Subject>, RestrictionError> {
    if restriction.is_empty() {
        return Ok(seed);
    }
    Ok(Arc::new(resolved(seed, restriction)?))
}

/// Returns `seed` with variants that comply with `restriction`, even if that is empty.
///
/// # Errors
///
/// Returns [`RestrictionError`] if it does not fit the seed or contradicts itself.
pub(crate) fn resolved(
    seed: Arc<dyn Subject>,
    restriction: &Restriction,
) -> Result<Restricted, RestrictionError> {
    let mut observed = Observed::of(&*seed);
    let fixed = fixed(restriction, &observed)?;
    if !fixed.is_empty() {
        // Some dimensions exist only if other dimensions have these values.
        let only = solve::Restriction::new(|_| true).with_fixed(fixed.clone());
        observed.extend(&Restricted::new(Arc::clone(&seed), only));
    }
    let (vary, without) =
        (globs(&restriction.vary, &observed)?, globs(&restriction.without, &observed)?);
    let varied = |name: &&String| any(&vary, name) && fixed.get(name.as_str()).is_none();
    if !vary.is_empty() && !observed.names.iter().any(|name| varied(&name)) {
        let name = observed.names.iter().find(|name| any(&vary, name));
        let dimension = name.cloned().unwrap_or_default();
        let one = fixed.get(&dimension).map(Choice::to_string).unwrap_or_default();
        return Err(RestrictionError::Twice { dimension, one, other: "varied".to_owned() });
    }
    let may_vary = move |name: &str| (vary.is_empty() || any(&vary, name)) && !any(&without, name);
    let own = seed.own_choices().clone();
    let solved = solve::Restriction::new(may_vary).with_fixed(fixed).with_kept(own);
    let made = Restricted::new(seed, solved);
    check(&made)?;
    Ok(made)
}

/// The dimensions and values of some variants of a seed.
struct Observed {
    names: Vec<String>,
    own: Choices,
    choices: Vec<Choices>,
}

impl Observed {
    fn of(seed: &dyn Subject) -> Self {
        let names = seed.dimensions().to_vec();
        let own = seed.own_choices().clone();
        let mut observed = Self { names, own, choices: Vec::new() };
        observed.extend(seed);
        observed
    }

    fn extend(&mut self, seed: &dyn Subject) {
        let made = (0..OBSERVED).map(|index| ChoiceSource::seeded(0, index));
        self.choices.extend(made.filter_map(|source| seed.choices_from(source).ok()));
        let mut known: BTreeSet<String> = self.names.iter().cloned().collect();
        for (name, _) in self.choices.iter().flat_map(Choices::iter) {
            if known.insert(name.to_owned()) {
                self.names.push(name.to_owned());
            }
        }
    }

    fn values<'o>(&'o self, dimension: &'o str) -> impl Iterator<Item = &'o Choice> + Clone {
        let all = std::iter::once(&self.own).chain(&self.choices);
        all.filter_map(move |choices| choices.get(dimension))
    }

    /// As many names of dimensions as fit on one line.
    fn some_names(&self) -> String {
        const SHOWN: usize = 8;
        let shown = self.names[..self.names.len().min(SHOWN)].join(", ");
        match self.names.len().saturating_sub(SHOWN) {
            0 => shown,
            more => format!("{shown}, and {more} that `repfuzz dimensions` lists"),
        }
    }

    /// The error for a name that matches nothing.
    fn unknown(&self, name: &str) -> RestrictionError {
        let lower = name.to_lowercase();
        let near = |known: &&String| strsim::jaro_winkler(&known.to_lowercase(), &lower);
        let nearest = self.names.iter().max_by(|a, b| near(a).total_cmp(&near(b)));
        let hint = match nearest.filter(|nearest| near(nearest) >= SIMILAR) {
            Some(nearest) => format!("; did you mean `{nearest}`?"),
            None => format!("; its dimensions are {}", self.some_names()),
        };
        RestrictionError::Unknown { name: name.to_owned(), hint }
    }
}

fn any(globs: &[Pattern], name: &str) -> bool {
    globs.iter().any(|glob| glob.matches_with(name, OPTIONS))
}

/// Parses globs, each of which must match an observed dimension.
fn globs(texts: &[String], observed: &Observed) -> Result<Vec<Pattern>, RestrictionError> {
    let glob = |text: &String| {
        let text = text.trim();
        let glob = Pattern::new(text).map_err(|error| RestrictionError::Glob {
            glob: text.to_owned(),
            why: error.msg.to_owned(),
        })?;
        let matches = observed.names.iter().any(|name| glob.matches_with(name, OPTIONS));
        if matches { Ok(glob) } else { Err(observed.unknown(text)) }
    };
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        all.extend(alternatives(text)?);
    }
    all.iter().map(glob).collect()
}

/// Expands brace alternatives: `a {b,c}` becomes `a b` and `a c`.
fn alternatives(text: &str) -> Result<Vec<String>, RestrictionError> {
    /// The maximum number of alternatives to which one glob expands.
    const MOST: usize = 256;
    let refused = |why: &str| RestrictionError::Glob { glob: text.to_owned(), why: why.to_owned() };
    let mut done: Vec<String> = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(next) = open.pop() {
        // The last opening brace contains no other braces.
        let Some(start) = next.rfind('{') else {
            if next.contains('}') {
                return Err(refused("a brace is closed that is not open"));
            }
            if !done.contains(&next) {
                done.push(next);
            }
            continue;
        };
        let Some(length) = next[start..].find('}') else {
            return Err(refused("a brace is not closed"));
        };
        let (before, after) = (&next[..start], &next[start + length + 1..]);
        for part in next[start + 1..start + length].split(',').rev() {
            open.push(format!("{before}{}{after}", part.trim()));
        }
        if open.len() + done.len() > MOST {
            return Err(refused("it stands for too many"));
        }
    }
    Ok(done)
}

/// Parses the fixed values.
fn fixed(restriction: &Restriction, observed: &Observed) -> Result<Choices, RestrictionError> {
    let mut fixed = Choices::new();
    for text in &restriction.fix {
        let form = || RestrictionError::Form(text.clone());
        let (name, value) = text.split_once('=').ok_or_else(form)?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() {
            return Err(form());
        }
        // The seed may have a dimension for which the profile draws nothing.
        let known =
            || observed.names.iter().map(String::as_str).chain(observed.own.iter().map(|c| c.0));
        let same = || known().find(|known| known.eq_ignore_ascii_case(name));
        let exact = known().find(|known| *known == name).or_else(same);
        let name = exact.ok_or_else(|| observed.unknown(name))?;
        let value = value::parse(value, observed.values(name));
        if let Some(other) = fixed.get(name).filter(|other| **other != value) {
            return Err(RestrictionError::Twice {
                dimension: name.to_owned(),
                one: other.to_string(),
                other: value.to_string(),
            });
        }
        fixed.set(name, value);
    }
    Ok(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_stand_for_several_globs() {
        let all = |text| alternatives(text).map_err(|e| e.to_string());
        assert_eq!(all("orientation").unwrap(), ["orientation"]);
        assert_eq!(all("segment {order, gaps}").unwrap(), ["segment order", "segment gaps"]);
        assert_eq!(all("{a,b{c,d}}*").unwrap(), ["a*", "bc*", "bd*"]);
        assert!(all("segment {order").unwrap_err().ends_with("a brace is not closed"));
        assert!(all("order}").unwrap_err().ends_with("a brace is closed that is not open"));
        assert!(all(&"{a,b,c,d}".repeat(9)).unwrap_err().ends_with("it stands for too many"));
    }
}
