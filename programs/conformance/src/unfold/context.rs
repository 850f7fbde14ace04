//! Facts about the whole program that the unfolding of each function uses: the variables that calls change, and those
//! with a single value.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action as Step, Call, Callee, ExprKind, Function, FunctionId, Graph, Initial, Lvalue,
    LvalueBase, Program, Storage, Type, VariableId, walk,
};

use super::home::{Home, Member, member};
use crate::library;

/// The variables that a call of a function may change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect {
    /// Variables of the program or of a file that are assigned by name.
    pub variables: BTreeSet<VariableId>,
    /// Parts of objects that are assigned through pointers.
    pub through: BTreeSet<Member>,
    /// True if the function calls an unknown function.
    pub unknown: bool,
}

impl Effect {
    /// Returns true if, as far as is known, only variables of the function itself are changed.
    pub fn is_local(&self) -> bool {
        self.variables.is_empty() && self.through.is_empty()
    }
}

/// Facts of the whole program.
#[derive(Debug, Clone, Default)]
pub struct Context {
    effects: BTreeMap<FunctionId, Effect>,
    /// Variables of the program that have their initial value throughout.
    pub constants: BTreeMap<Home, i128>,
    /// The initial values of other variables whose address is not taken.
    pub initial: BTreeMap<Home, i128>,
    /// Parameters that are one constant in all calls.
    pub parameters: BTreeMap<VariableId, i128>,
    /// Macros whose calls are not expanded, and that may assign their arguments.
    macros: BTreeSet<String>,
}

impl Context {
    /// Finds the facts. Calls of `macros`, and of functions that fill an argument, may assign the variables in their
    /// arguments.
    pub fn of(source: &Program, running: Option<FunctionId>, macros: BTreeSet<String>) -> Self {
        let mut context = Self { macros, ..Self::default() };
        context.find_effects(source);
        context.find_constants(source);
        context.find_parameters(source, running);
        context
    }

    /// The variables that a call of a function with a body may change.
    pub fn effect(&self, function: FunctionId) -> Option<&Effect> {
        self.effects.get(&function)
    }

    /// Returns true if a call may be a call of a macro that assigns its arguments.
    pub fn is_macro(&self, source: &Program, call: &Call) -> bool {
        let named = |id: &FunctionId| self.macros.contains(&source.function(*id).name);
        call.callee.targets().iter().any(named)
    }

    fn find_effects(&mut self, source: &Program) {
        for (id, _, graph) in source.defined() {
            let effect = self.own_effect(source, graph);
            self.effects.insert(id, effect);
        }
        loop {
            let mut changed = false;
            for (id, _, graph) in source.defined() {
                let mut effect = self.effects[&id].clone();
                for (_, call) in graph.calls() {
                    for called in call.callee.targets().iter().filter_map(|t| self.effects.get(t)) {
                        effect.variables.extend(&called.variables);
                        effect.through.extend(&called.through);
                        effect.unknown |= called.unknown;
                    }
                }
                if effect != self.effects[&id] {
                    self.effects.insert(id, effect);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the effect of a function itself, without the effects of the functions with a body that it calls.
    fn own_effect(&self, source: &Program, graph: &Graph) -> Effect {
        let mut effect = Effect::default();
        let assign = |effect: &mut Effect, target: &Lvalue| match &target.base {
            LvalueBase::Variable(root) => {
                effect.variables.extend(is_shared(source, *root).then_some(*root));
            }
            LvalueBase::Deref(_) => {
                effect.through.insert(member(target));
            }
        };
        for edge in &graph.edges {
            match &edge.action {
                Step::Assign { target, .. } => assign(&mut effect, target),
                Step::Call(call) => {
                    if let Some(result) = &call.result {
                        assign(&mut effect, result);
                    }
                    let is_macro = self.is_macro(source, call);
                    for argument in &call.arguments {
                        let ExprKind::Load(lvalue) = &argument.below_casts().kind else { continue };
                        if is_macro {
                            assign(&mut effect, lvalue);
                        }
                    }
                    effect.unknown |= is_unknown(source, &call.callee);
                    let writes = |id: &FunctionId| {
                        let function = source.function(*id);
                        function.body.is_none() && !library::keeps_memory(&function.name)
                    };
                    let is_pointer =
                        call.arguments.iter().any(|a| matches!(a.ty, Type::Pointer(_)));
                    if is_pointer && call.callee.targets().iter().any(writes) {
                        effect.through.insert(None);
                    }
                }
                _ => {}
            }
        }
        effect
    }

    /// Finds variables that nothing assigns and whose address is not taken.
    fn find_constants(&mut self, source: &Program) {
        let mut changed: BTreeSet<VariableId> = BTreeSet::new();
        for effect in self.effects.values() {
            changed.extend(&effect.variables);
        }
        for (k, variable) in source.variables.iter().enumerate() {
            let id = VariableId::new(k);
            let Initial::Values(values) = &variable.initial else { continue };
            if !is_shared(source, id) || variable.address_taken {
                continue;
            }
            let is_changed = changed.contains(&id);
            let found = if is_changed { &mut self.initial } else { &mut self.constants };
            let whole = Home::of(&Lvalue::variable(id, variable.ty.clone()));
            found.extend(whole.filter(|_| values.is_empty()).map(|home| (home, 0)));
            for (target, value) in values {
                if let (Some(home), Some(value)) = (Home::of(target), value.constant()) {
                    let value = home.fit(source, value);
                    found.insert(home, value);
                }
            }
        }
    }

    fn find_parameters(&mut self, source: &Program, running: Option<FunctionId>) {
        let mut taken: BTreeSet<FunctionId> = BTreeSet::new();
        walk::program(source, &mut |expr| {
            if let ExprKind::Function(id) = expr.kind {
                taken.insert(id);
            }
        });
        let mut given: BTreeMap<VariableId, Option<i128>> = BTreeMap::new();
        for (_, _, graph) in source.defined() {
            for (_, call) in graph.calls() {
                for target in call.callee.targets() {
                    for (k, parameter) in source.function(*target).parameters.iter().enumerate() {
                        let value = call.arguments.get(k).and_then(canonical::Expr::constant);
                        given
                            .entry(*parameter)
                            .and_modify(|known| {
                                *known = known.filter(|known| Some(*known) == value)
                            })
                            .or_insert(value);
                    }
                }
            }
        }
        for (id, function, _) in source.defined() {
            if Some(id) == running || taken.contains(&id) {
                continue;
            }
            for parameter in &function.parameters {
                if let Some(Some(value)) = given.get(parameter) {
                    self.parameters.insert(*parameter, *value);
                }
            }
        }
    }
}

fn is_shared(source: &Program, id: VariableId) -> bool {
    matches!(source.variable(id).storage, Storage::Global | Storage::Static)
}

/// Returns true if an unknown function may be called.
pub fn is_unknown(source: &Program, callee: &Callee) -> bool {
    let unknown = |function: &Function| {
        function.body.is_none() && !function.no_return && !library::is_known(&function.name)
    };
    let incomplete = match callee {
        Callee::Function(_) => false,
        Callee::Pointer { targets, complete, .. } => !complete || targets.is_empty(),
    };
    incomplete || callee.targets().iter().any(|id| unknown(source.function(*id)))
}
