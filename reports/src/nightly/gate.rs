//! The gate decides for which results a night fails.

use clap::ValueEnum;
use serde::Deserialize;

use super::{Coverage, Verdict};

/// A result for which a night fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Gate {
    /// New findings.
    New,
    /// Known findings that got worse, and seeds that a client read before and now fails on.
    Worse,
    /// Findings that were seen for the first time, in clients whose programs have not changed.
    Found,
    /// Seeds that are no longer read, dropped clients, missing parts.
    Coverage,
    /// Nothing. It must be the only entry of a list.
    Nothing,
}

impl Gate {
    /// The default.
    pub const DEFAULT: [Gate; 3] = [Gate::New, Gate::Worse, Gate::Coverage];
}

/// Checks a list of gates that a person wrote.
///
/// # Errors
///
/// Returns the mistake in one line: the list is empty, or has `nothing` among other entries.
pub fn check(gates: &[Gate]) -> Result<(), String> {
    match gates {
        [] => Err("names no result; `nothing` stands for none".to_owned()),
        [_] => Ok(()),
        _ if gates.contains(&Gate::Nothing) => {
            Err("`nothing` must be alone: leave it out, or leave out the others".to_owned())
        }
        _ => Ok(()),
    }
}

/// Returns true if one of the `gates` is closed.
pub fn fails(gates: &[Gate], verdict: &Verdict, coverage: &Coverage) -> bool {
    gates.iter().any(|gate| match gate {
        Gate::New => !verdict.new.is_empty() || coverage.broken(false).next().is_some(),
        Gate::Worse => !verdict.worse.is_empty() || coverage.broken(true).next().is_some(),
        Gate::Found => !verdict.found.is_empty(),
        Gate::Coverage => coverage.is_worse(),
        Gate::Nothing => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::coverage::tests::bad;
    use super::super::outputs::tests::verdict;
    use super::*;

    #[test]
    fn nothing_stands_alone() {
        for good in [&[Gate::Nothing][..], &[Gate::New], &Gate::DEFAULT] {
            assert_eq!(check(good), Ok(()));
        }
        for bad in [&[][..], &[Gate::Nothing, Gate::New], &[Gate::New, Gate::Nothing]] {
            assert!(check(bad).unwrap_err().contains("nothing"), "{bad:?}");
        }
    }

    #[test]
    fn each_gate_closes_for_its_own_reason() {
        let (none, all) = (Verdict::default(), verdict());
        let new = Verdict { new: all.new.clone(), ..Verdict::default() };
        let worse = Verdict { worse: all.worse.clone(), ..Verdict::default() };
        let found = Verdict { found: all.new.clone(), ..Verdict::default() };
        let (fine, bad) = (Coverage::default(), bad());
        for (verdict, coverage, closed) in [
            (&none, &fine, &[][..]),
            (&new, &fine, &[Gate::New]),
            (&worse, &fine, &[Gate::Worse]),
            (&found, &fine, &[Gate::Found]),
            // A client crashes on a seed that it read before.
            (&none, &bad, &[Gate::Worse, Gate::Coverage]),
        ] {
            for gate in [Gate::New, Gate::Worse, Gate::Coverage, Gate::Found] {
                assert_eq!(fails(&[gate], verdict, coverage), closed.contains(&gate), "{gate:?}");
            }
            let default = closed.iter().any(|gate| Gate::DEFAULT.contains(gate));
            assert_eq!(fails(&Gate::DEFAULT, verdict, coverage), default);
            assert!(!fails(&[Gate::Nothing], verdict, coverage));
        }
    }
}
