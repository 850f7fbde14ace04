//! The truth of an inverse's output conditions, for one canonical value.

use std::sync::OnceLock;

use super::executable::Executable;
use super::store::Store;
use crate::program::Pred;

/// The truth of each output condition, decided when it is first needed.
#[derive(Debug, Default)]
pub struct ConditionValues(OnceLock<Vec<OnceLock<Option<bool>>>>);

impl ConditionValues {
    /// Returns the truth of `p` for the value `y`; `None` if it is not an output condition, or has no truth value. Code
    /// decides it if there is any; otherwise `interpret` does.
    pub fn get(
        &self,
        executable: &Executable,
        y: &Store,
        p: &Pred,
        interpret: impl FnOnce() -> Option<bool>,
    ) -> Option<bool> {
        let conditions = executable.output_conditions();
        let at = conditions.position(p)?;
        let none = || conditions.closed.iter().map(|_| OnceLock::new()).collect();
        *self
            .0
            .get_or_init(none)
            .get(at)?
            .get_or_init(|| executable.condition_by_code(at, y).or_else(interpret))
    }
}
