//! An inverse together with everything needed to run it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, OnceLock};

use super::fallible::Fallible;
use super::machine::{Budget, Code, Irregular, Machine, Parts};
use super::room::Room;
use super::store::{FieldValue, Record, Store};
use super::walk::Plan;
use super::writes::Writes;
use crate::invert::{ConjunctId, EnsureId, Inst, InstKind, Inverse, OutputConditions};
use crate::primitive::{Primitive, Primitives};
use crate::program::{Callee, FieldId, Program};

/// An inverse that can be run, in both directions: with the primitives that its program calls, the code of its
/// statements, and the conditions on its output. It dereferences to the [`Inverse`].
#[derive(Debug, Clone)]
pub struct Executable {
    inverse: Arc<Lazy>,
    primitives: Primitives,
    /// The code; `None` if everything is interpreted.
    machine: Option<Arc<Machine>>,
    /// Outputs whose elements are all proved to be assigned once.
    proved: BTreeSet<FieldId>,
    conditions: OnceLock<OutputConditions>,
    writes: OnceLock<BTreeMap<FieldId, Writes>>,
    fallible: OnceLock<Fallible>,
    decided: OnceLock<usize>,
    /// The program, prepared to be run backwards, if it has walks.
    plan: OnceLock<Arc<Plan>>,
}

/// An inverse that is made when it is first needed.
#[derive(Debug)]
struct Lazy {
    /// The program; `None` if the inverse already existed.
    program: Option<Arc<Program>>,
    inverse: LazyLock<Inverse, Box<dyn FnOnce() -> Inverse + Send>>,
}

impl Executable {
    /// An inverse whose program calls only primitives of this crate.
    pub fn new(inverse: Inverse) -> Self {
        Self::with_primitives(inverse, &Primitives::shipped())
    }

    /// An inverse whose program calls `primitives`.
    pub fn with_primitives(inverse: Inverse, primitives: &Primitives) -> Self {
        Self::of(None, primitives, || inverse)
    }

    /// The inverse of a program, which is made when it is first needed, because normalization does not need it.
    pub fn lazy(
        program: Arc<Program>,
        primitives: &Primitives,
        inverse: impl FnOnce() -> Inverse + Send + 'static,
    ) -> Self {
        Self::of(Some(program), primitives, inverse)
    }

    fn of(
        program: Option<Arc<Program>>,
        primitives: &Primitives,
        inverse: impl FnOnce() -> Inverse + Send + 'static,
    ) -> Self {
        Self {
            inverse: Arc::new(Lazy { program, inverse: LazyLock::new(Box::new(inverse)) }),
            primitives: primitives.clone(),
            machine: Some(Arc::default()),
            proved: BTreeSet::new(),
            conditions: OnceLock::new(),
            writes: OnceLock::new(),
            fallible: OnceLock::new(),
            decided: OnceLock::new(),
            plan: OnceLock::new(),
        }
    }

    /// Skips checks of outputs whose elements are proved to be assigned once for every input.
    #[must_use]
    pub fn with_proved(self, proved: BTreeSet<FieldId>) -> Self {
        Self { proved, ..self }
    }

    /// Leaves everything to the interpreter, for comparisons with code.
    #[must_use]
    pub fn interpreted(self) -> Self {
        Self { machine: None, ..self }
    }

    /// Returns the program, which does not require the inverse.
    pub fn program(&self) -> &Program {
        self.inverse.program.as_deref().unwrap_or_else(|| &self.program)
    }

    /// Runs the code of the normalization program. If there is an expected value, arrays are only compared with it;
    /// otherwise they are made in `room`. `None` if there is no such code.
    ///
    /// # Errors
    ///
    /// Returns an error if the interpreter must run the program.
    pub fn normalize_by_code(
        &self,
        x: &Record,
        expected: Option<&Store>,
        room: Room,
    ) -> Option<Result<Record, Irregular>> {
        let budget = Budget::for_value(x).within(room);
        let program = (self.program(), &self.proved);
        self.machine.as_ref()?.normalize(program, x, expected, budget)
    }

    /// Returns true if `x` normalizes to `y`, which is fully known; false if it does not, or if code cannot decide it.
    pub(super) fn gives_by_code(&self, x: &Record, y: &Store) -> bool {
        let made = self.normalize_by_code(x, Some(y), Room::UNLIMITED).and_then(Result::ok);
        made.is_some_and(|made| {
            // Arrays were only compared.
            let same = |(k, field_value): (usize, &FieldValue)| match field_value {
                FieldValue::Scalar(n) => y.scalar(FieldId(k)) == Some(*n),
                FieldValue::Array(_) => true,
            };
            made.fields.len() == y.slots.len() && made.fields.iter().enumerate().all(same)
        })
    }

    /// Returns the code of the statements of the inverse's body that begin at `place`, and their number.
    pub(super) fn piece(&self, place: usize) -> Option<(usize, &Code)> {
        self.machine.as_ref()?.piece(self.parts(), place)
    }

    /// Returns the truth of the output condition at `at` for the canonical value `y`, if code decides it.
    pub fn condition_by_code(&self, at: usize, y: &Store) -> Option<bool> {
        self.machine.as_ref()?.condition(self.parts(), at, y)
    }

    fn parts(&self) -> Parts<'_> {
        let (conditions, decided) = (self.output_conditions(), self.decided());
        Parts { inverse: self, conditions, decided }
    }

    /// Returns the conditions of the ensures that mention only the canonical value.
    pub fn output_conditions(&self) -> &OutputConditions {
        self.conditions.get_or_init(|| OutputConditions::of(&self.ensures))
    }

    /// Returns the writes of an array.
    pub(super) fn writes(&self, array: FieldId) -> &Writes {
        static NONE: Writes = Writes::none();
        self.writes.get_or_init(|| Writes::of(self)).get(&array).unwrap_or(&NONE)
    }

    /// Returns the conjuncts of an ensure that the spec states and that may have no value.
    pub(super) fn fallible(&self, n: EnsureId) -> &[ConjunctId] {
        let find = || Fallible::of(self, self.output_conditions());
        self.fallible.get_or_init(find).of_ensure(n)
    }

    /// Returns the number of statements up to the last one that chooses anything but the content of free elements.
    pub(super) fn decided(&self) -> usize {
        let last = || self.body.iter().rposition(decides).map_or(0, |last| last + 1);
        *self.decided.get_or_init(last)
    }

    /// Returns the program, prepared to be run backwards.
    pub(super) fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Arc::new(Plan::of(self.program())))
    }

    /// Returns the primitives that the program may call.
    pub fn primitives(&self) -> &Primitives {
        &self.primitives
    }

    /// Returns the primitive that a statement calls.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none with that name.
    pub fn primitive(&self, callee: &Callee) -> Result<&dyn Primitive, String> {
        self.primitives.resolve(callee)
    }
}

/// Returns true if a statement chooses anything but the content of free elements.
fn decides(inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Ensure(_) | InstKind::Encode(_) => true,
        InstKind::Free(r) => r.index.is_empty(),
        InstKind::Assign { target, .. } => target.index.is_empty(),
        InstKind::If { then, els, .. } => then.iter().chain(els).any(decides),
        InstKind::For { body, .. } => body.iter().any(decides),
        InstKind::Assume(..) | InstKind::Reserve { .. } => false,
    }
}

impl Deref for Executable {
    type Target = Inverse;

    fn deref(&self) -> &Inverse {
        &self.inverse.inverse
    }
}

impl fmt::Display for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl From<Inverse> for Executable {
    fn from(inverse: Inverse) -> Self {
        Self::new(inverse)
    }
}
