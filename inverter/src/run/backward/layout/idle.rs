//! The bases of segments that this representation does not have. Their values have no meaning, but a file stores them.

use super::problem::Problem;
use crate::program::FieldId;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::Domain;

/// Assigns the bases of absent segments: any allowed value will do.
pub fn assign_idle(
    run: &mut Backward<'_>,
    array: FieldId,
    problem: &Problem,
) -> Result<(), RunError> {
    let cx = run.cx;
    if let Some(((field, _), _)) = problem.idle.iter().find(|(_, d)| d.is_empty()) {
        let why = format!("no value is left for {}, which places nothing", cx.name(*field));
        return Err(RunError::NoRepresentation(why));
    }
    let (assignment, source) = (&mut run.assignment, &mut *run.choices.source);
    for base in cx.placed(array) {
        let f = &cx.program.input.fields[base];
        if f.is_scalar() {
            if assignment.is_unset(base) {
                // If there is no constraint, or only one allowed value, the value is not a choice.
                let name = cx.dimension(base);
                let value = match problem.idle.get(&(base, 0)) {
                    Some(domain) if domain.quotients().len() == 1 && !source.is_given(name) => {
                        domain.member(domain.quotients().min().unwrap_or(0))
                    }
                    Some(domain) => source.stepped(name, domain, cx.interesting_values)?,
                    None => f.int.range().0.max(0),
                };
                assignment.assign(base, value);
            }
            continue;
        }
        let idle = problem.idle.iter().filter(|d| d.0.0 == base);
        let (cells, domains): (Vec<usize>, Vec<Domain>) =
            idle.map(|(at, d)| (at.1, d.clone())).unzip();
        if !cells.is_empty() {
            let values = source.integers(cx.names(base).unused, &domains)?;
            assignment.assign_elements(base, cells.into_iter().zip(values));
        }
    }
    Ok(())
}
