//! The truth of an inverse's output conditions, for one canonical value.

use std::sync::OnceLock;

use super::executable::Executable;
use super::store::Store;
use crate::program::Pred;

/// The truth of each output condition, decided when it is first needed.
#[derive(Debug)]
pub struct ConditionValues(Vec<OnceLock<Option<bool>>>);

impl ConditionValues {
    /// Values of which none is decided.
    pub fn new(executable: &Executable) -> Self {
        Self(executable.output_conditions().closed.iter().map(|_| OnceLock::new()).collect())
    }

    /// Returns the truth of `p` for the value `y`; `None` if it is no output condition, or has no
    /// truth. It is decided by code if there is any, else by `interpret`.
    pub fn get(
        &self,
        executable: &Executable,
        y: &Store,
        p: &Pred,
        interpret: impl FnOnce() -> Option<bool>,
    ) -> Option<bool> {
        let at = executable.output_conditions().position(p)?;
        *self.0.get(at)?.get_or_init(|| executable.condition_by_code(at, y).or_else(interpret))
    }
}
