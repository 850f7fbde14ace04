//! The values of a run's dimensions: given ones, and those to keep if possible.

use super::plan::Plan;
use crate::solve::{Choice, ChoiceSource};

/// The values of a dimension that are known before a run.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// Values that the dimension must have.
    pub given: Option<Vec<i128>>,
    /// Values that the dimension should have.
    pub kept: Option<Vec<i128>>,
}

impl List {
    fn of(name: &str, source: &ChoiceSource) -> Self {
        let list = |choice: Option<&Choice>| match choice {
            Some(Choice::List(items)) => Some(items.clone()),
            _ => None,
        };
        let given = list(source.given(name));
        // Numbers that neither vary nor are kept take their simplest values.
        let kept = || list(source.default_value(name)).unwrap_or_default();
        let kept = (!source.varies(name)).then(kept);
        Self { given, kept }
    }
}

/// The numbers of a run that are given or kept.
#[derive(Debug)]
pub struct Numbers {
    /// The numbers that are read, by site.
    pub sites: Vec<List>,
    /// The widths of the numbers, by site.
    pub widths: Vec<List>,
    /// The rounds, by walk.
    pub walks: Vec<List>,
    /// True for a known representation.
    pub traced: bool,
    /// The maximum number of bytes after those in use.
    pub slack: u64,
}

/// Returns the name of the dimension of the widths of a site.
pub fn width_name(site: &str) -> String {
    format!("{site} width")
}

impl Numbers {
    /// Returns the given and the kept numbers of a source.
    pub fn of(plan: &Plan, source: &ChoiceSource, slack: u64) -> Self {
        Self {
            sites: plan.sites.iter().map(|name| List::of(name, source)).collect(),
            widths: plan.sites.iter().map(|name| List::of(&width_name(name), source)).collect(),
            walks: plan.walks.iter().map(|name| List::of(name, source)).collect(),
            traced: false,
            slack,
        }
    }

    /// Returns the numbers of a known representation.
    pub fn traced(plan: &Plan) -> Self {
        let none = |n: usize| vec![List::default(); n];
        let (sites, walks) = (plan.sites.len(), plan.walks.len());
        let (sites, widths, walks) = (none(sites), none(sites), none(walks));
        Self { sites, widths, walks, traced: true, slack: 0 }
    }
}
