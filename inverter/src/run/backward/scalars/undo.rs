//! Undoing an assignment of scalars together with its record.

use crate::program::FieldId;
use crate::run::backward::assignment::Snapshot;
use crate::run::backward::state::Backward;

/// Rolls back to before the scalars `open` were assigned, so that they can be chosen again.
pub fn undo(run: &mut Backward<'_>, open: &[FieldId], before: &Snapshot) {
    run.assignment.rollback(before);
    for field in open {
        run.choices.source.retract(run.cx.dimension(*field));
    }
}
