//! The choices of a walk as dimensions: a list of the numbers that each statement reads, of their widths if they have
//! several, and of the rounds of each walk.

use rand::RngExt;

use super::choices::{List, width_name};
use super::linear::Unknown;
use super::plan::Plan;
use super::state::{Dead, Step};
use super::walker::Walker;
use crate::run::error::RunError;
use crate::solve::draw::shuffle;
use crate::solve::{Choice, ChoiceSource, Choices};

impl Walker<'_> {
    /// Returns the given value of a number that is read.
    pub fn given_number(&self, site: usize, ordinal: usize) -> Step<Option<i128>> {
        match &self.numbers.sites[site].given {
            None => Ok(None),
            Some(list) => list.get(ordinal).copied().map(Some).ok_or(Dead::End),
        }
    }

    /// Returns the preferred value of a number. If the number does not vary and has no preferred value, this is the
    /// simplest value.
    pub fn preferred_number(&self, site: usize, ordinal: usize) -> Option<i128> {
        let kept = self.numbers.sites[site].kept.as_ref()?;
        Some(kept.get(ordinal).copied().unwrap_or_default())
    }

    /// Returns the given number of bytes of a number of variable length.
    pub fn given_width(&self, site: usize, ordinal: usize) -> Option<i128> {
        self.numbers.widths[site].given.as_ref()?.get(ordinal).copied()
    }

    /// Returns the widths of a number to try, in reverse order.
    pub fn widths(&mut self, site: usize, ordinal: usize, mut widths: Vec<i128>) -> Vec<i128> {
        widths.reverse();
        match &self.numbers.widths[site].kept {
            Some(list) => {
                if let Some(kept) = list.get(ordinal)
                    && let Some(at) = widths.iter().position(|w| w == kept)
                {
                    let kept = widths.remove(at);
                    widths.push(kept);
                }
            }
            // On average, every other number has its shortest form.
            None if self.rng.random() => shuffle(&mut self.rng, &mut widths),
            None => {}
        }
        widths
    }

    /// Returns the given or kept number of rounds of a walk.
    pub fn planned_rounds(&self, walk: usize) -> Option<i128> {
        let ordinal = self.state.rounds.iter().filter(|(of, ..)| *of == walk).count();
        let list = &self.numbers.walks[walk];
        let given = list.given.as_ref().and_then(|list| list.get(ordinal));
        let kept = || list.kept.as_ref().and_then(|list| list.get(ordinal));
        given.or_else(kept).copied()
    }

    /// Returns true if the number of rounds is drawn; for a `for` loop, it is drawn if all numbers are.
    pub fn draws_rounds(&self, walk: Option<usize>) -> bool {
        let drawn = |list: &List| list.given.is_none() && list.kept.is_none();
        let drawn = match walk {
            Some(walk) => drawn(&self.numbers.walks[walk]),
            None => self.numbers.sites.iter().any(drawn),
        };
        drawn && !self.numbers.traced
    }

    /// Returns the lists of all dimensions, and true for those that are choices.
    pub fn lists(&self, plan: &Plan) -> Vec<(String, Vec<i128>, bool)> {
        let mut out: Vec<(String, Vec<i128>, bool)> = Vec::new();
        let names = |name: &String| (name.clone(), Vec::new(), false);
        out.extend(plan.sites.iter().map(names));
        out.extend(plan.sites.iter().map(|name| (width_name(name), Vec::new(), false)));
        out.extend(plan.walks.iter().map(names));
        let (sites, traced) = (plan.sites.len(), self.numbers.traced);
        for made in &self.state.made {
            let (_, list, chosen) = &mut out[made.site];
            list.push(self.state.value(&made.value).unwrap_or_default());
            let terms = made.value.terms.iter();
            *chosen |= traced || terms.clone().any(|(u, _)| self.is_free(*u));
            let (_, widths, chosen) = &mut out[sites + made.site];
            if let Some((width, many)) = made.width {
                widths.push(width as i128);
                *chosen |= many;
            }
        }
        for (walk, rounds, chosen) in &self.state.rounds {
            let (_, list, is_chosen) = &mut out[2 * sites + walk];
            list.push(*rounds as i128);
            *is_chosen |= traced || *chosen;
        }
        out.retain(|(_, list, _)| !list.is_empty());
        out
    }

    /// Returns true if a choice has decided an unknown, or a part of it.
    fn is_free(&self, u: Unknown) -> bool {
        let d = &self.state.domains[u.0];
        d.free || d.split.iter().flat_map(|parts| &parts.terms).any(|(part, _)| self.is_free(*part))
    }

    /// Records the choices of the run.
    ///
    /// # Errors
    ///
    /// Returns an error if other values are given.
    pub fn record(&self, plan: &Plan, source: &mut ChoiceSource) -> Result<(), RunError> {
        for (name, list, chosen) in self.lists(plan) {
            if chosen || source.given(name.as_str()).is_some() {
                let why = || "the walks of the spec".to_owned();
                source.fix(name.as_str(), Choice::List(list), why)?;
            }
        }
        Ok(())
    }

    /// Records the number of bytes that arrays have after those in use.
    pub fn tails(&self, out: &mut Choices) {
        for (k, f) in self.program.input.indexed() {
            let Some(bytes) = &self.state.arrays[k.0] else { continue };
            if self.program.length_of(k).is_none() {
                let all = bytes.known.as_ref().map_or(0, Vec::len);
                let tail = all.saturating_sub(bytes.used);
                out.set(f.tail(0), tail as i128);
            }
        }
    }

    /// Returns the choices that a known representation embodies.
    pub fn own(&self, plan: &Plan) -> Choices {
        let mut out = Choices::new();
        for (name, list, chosen) in self.lists(plan) {
            if chosen {
                out.set(name.as_str(), Choice::List(list));
            }
        }
        out
    }
}
