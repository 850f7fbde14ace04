//! The gaps between segments in their physical order: one choice per group, given the gaps chosen before it.

use super::problem::Problem;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::draw::draw_gaps;
use crate::solve::layout::Laid;
use crate::solve::{Choice, ChoiceSource};

/// Chooses the gaps, and returns where each segment starts. `latest` are the last starts that
/// segments can have in this order.
pub fn choose_gaps(
    cx: Context<'_>,
    problem: &Problem,
    order: &[usize],
    latest: &[i128],
    source: &mut ChoiceSource,
) -> Result<Vec<i128>, RunError> {
    let group_of = problem.slots.group_of();
    let mut gaps = vec![0i128; problem.segments.len()];
    let mut laid: Option<Laid> = None;
    for (k, group) in problem.slots.groups.iter().enumerate() {
        let scalar = cx.program.input.fields[group.field].is_scalar();
        let names = cx.names(group.field);
        let name = if scalar { names.gap } else { names.gaps };
        // Values are in physical order, as a person would look at the file.
        let members = order.iter().copied().filter(|s| group_of[*s] == k).collect();
        let choice = GroupGaps { problem, order, latest, members, gaps: &gaps, laid: &laid };
        let value = |values: Vec<i128>| match scalar {
            true => Choice::Int(values.first().copied().unwrap_or(0)),
            false => Choice::List(values),
        };
        let chosen = source.choose(
            name,
            |value| match value {
                Choice::Int(gap) if scalar => choice.fit(&[*gap]),
                Choice::List(values) if !scalar => choice.fit(values),
                _ => Err("it must be a list of amounts".to_owned()),
            },
            || value(vec![0; choice.members.len()]),
            |rng| {
                let drawn = draw_gaps(rng, choice.members.len(), cx.limits.slack);
                value(choice.shrink(drawn))
            },
        )?;
        gaps = chosen.0;
        laid = Some(chosen.1);
    }
    Ok(laid.map(|laid| laid.starts).unwrap_or_default())
}

/// The choice of the gaps of one group.
struct GroupGaps<'p> {
    problem: &'p Problem,
    order: &'p [usize],
    latest: &'p [i128],
    /// The segments of the group, in physical order.
    members: Vec<usize>,
    /// The gaps of all segments, as far as they are chosen.
    gaps: &'p [i128],
    /// The segments with these gaps.
    laid: &'p Option<Laid>,
}

impl GroupGaps<'_> {
    /// Returns all gaps, with `values` for the group.
    fn with(&self, values: &[i128]) -> Vec<i128> {
        let mut gaps = self.gaps.to_vec();
        for (k, gap) in self.members.iter().zip(values) {
            gaps[*k] = *gap;
        }
        gaps
    }

    fn lay(&self, gaps: &[i128]) -> Laid {
        let Problem { space, segments, .. } = self.problem;
        space.place(segments, self.order, self.latest, gaps)
    }

    /// Lays the segments out with `values` for the group, if there is room.
    fn fit(&self, values: &[i128]) -> Result<(Vec<i128>, Laid), String> {
        let count = self.members.len();
        if values.len() != count || values.iter().any(|g| *g < 0) {
            return Err(format!("it must be {count} amounts of at least 0"));
        }
        let gaps = self.with(values);
        let laid = match self.laid {
            Some(laid) if gaps == self.gaps => laid.clone(),
            _ => self.lay(&gaps),
        };
        match laid.cut {
            true => Err("the gaps leave no room for what follows".to_owned()),
            false => Ok((gaps, laid)),
        }
    }

    /// Halves drawn gaps until everything fits, and returns the actual gaps.
    fn shrink(&self, mut drawn: Vec<i128>) -> Vec<i128> {
        let mut laid = self.lay(&self.with(&drawn));
        while laid.cut && drawn.iter().any(|g| *g > 0) {
            drawn.iter_mut().for_each(|g| *g /= 2);
            laid = self.lay(&self.with(&drawn));
        }
        self.members.iter().map(|k| laid.gaps[*k]).collect()
    }
}
