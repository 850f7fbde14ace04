//! Definitions of functions.

use std::collections::HashMap;

use lang_c::ast::{
    ArraySize, Declaration, Declarator, DeclaratorKind, DerivedDeclarator, FunctionDefinition,
    Identifier, ParameterDeclaration,
};
use lang_c::span::Node;

use super::super::tidy::tidy;
use super::declare::{Class, class, is_inline};
use super::operator::has_effects;
use super::symbols::Symbol;
use super::types::decayed;
use super::{Body, Lowered, Lowerer, Problem, Scope};
use crate::model::{Action, Effect, Graph, LvalueBase, NodeId, Storage, Type, VariableId};

/// The name and type of each parameter.
type Parameters<'d> = Vec<(Option<&'d Node<Identifier>>, Type)>;

impl Lowerer<'_> {
    /// Lowers the definition of a function.
    pub fn definition(&mut self, definition: &Node<FunctionDefinition>) -> Lowered<()> {
        let span = definition.span;
        let definition = &definition.node;
        let internal = class(&definition.specifiers) == Class::Static;
        let base = self.declared(&definition.specifiers, span)?;
        let (name, ty) = self.declarator(base, &definition.declarator)?;
        let (Some(name), Type::Function(mut ty)) = (name, ty) else {
            return self.problem(span, "a body of something that is no function");
        };
        let parameters =
            self.parameters(&definition.declarator, &definition.declarations)?.unwrap_or_default();
        ty.parameters = parameters.iter().map(|(_, ty)| ty.clone()).collect();
        let old_style = definition.declarator_is_old_style();
        ty.variadic &= !(ty.parameters.is_empty() || old_style);
        let id = self.declare_function(&name.node.name, (*ty).clone(), internal, name.span);
        self.bind(name.node.name.clone(), Symbol::Function(id));
        let place = self.place(name.span);
        if is_inline(&definition.specifiers) && class(&definition.specifiers) == Class::None {
            self.linkage.inline.extend(place.map(|place| (id, place)));
        } else {
            self.linkage.external.insert(id);
        }
        let before = self.program.function(id);
        if before.body.is_some() && place.is_some() && before.place == place {
            // An inline function of a header that several units include.
            return Ok(());
        }
        if before.body.is_some() {
            return self.problem(name.span, format!("`{}` is defined twice", name.node.name));
        }
        // Even if it has the name of a library function that never returns, it is a different function.
        self.program.functions[id.index()].no_return = self.text.no_return;
        let graph = Graph::new();
        self.body = Some(Body {
            current: graph.entry,
            graph,
            function: id,
            locals: Vec::new(),
            result: ty.result.clone(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: HashMap::new(),
            defined: Vec::new(),
            wanted: Vec::new(),
            addressed: Vec::new(),
            computed: Vec::new(),
            sizes: HashMap::new(),
        });
        self.remark_attributes();
        self.scopes.push(Scope::default());
        let result = self.function_body(&parameters, definition);
        self.scopes.truncate(1);
        let body = self.body.take();
        let entry = &mut self.program.functions[id.index()];
        (entry.place, entry.ty, entry.internal) = (place, *ty, internal);
        match (result, body) {
            (Ok(variables), Some(body)) => {
                entry.parameters = variables;
                entry.locals = body.locals;
                entry.body = Some(tidy(&body.graph));
            }
            (Err(Problem { message, place }), _) => {
                self.not_understood(id, message, place);
            }
            (Ok(_), None) => {}
        }
        Ok(())
    }

    /// Records that a function has no graph.
    pub fn not_understood(
        &mut self,
        function: crate::model::FunctionId,
        message: String,
        place: Option<crate::model::Place>,
    ) {
        self.program.diagnostics.push(crate::model::Diagnostic {
            message,
            place,
            function: Some(function),
            effect: Effect::NoBody,
        });
    }

    fn function_body(
        &mut self,
        parameters: &Parameters<'_>,
        definition: &FunctionDefinition,
    ) -> Lowered<Vec<VariableId>> {
        let mut variables = Vec::new();
        for (name, ty) in parameters {
            let span = name.map_or(definition.declarator.span, |name| name.span);
            let text = name.map(|name| name.node.name.clone()).unwrap_or_default();
            let lvalue = self.local(text.clone(), ty.clone(), Storage::Parameter, span)?;
            if let LvalueBase::Variable(id) = lvalue.base {
                variables.push(id);
                self.bind(text, Symbol::Variable(id));
            }
        }
        let span = definition.statement.span;
        self.body(span)?.locals.clear();
        self.statement(&definition.statement)?;
        let exit = self.body(span)?.graph.exit;
        self.jump(exit, span)?;
        self.resolve_jumps()?;
        Ok(variables)
    }

    /// Checks that labels are defined, and adds the edges of computed jumps.
    fn resolve_jumps(&mut self) -> Lowered<()> {
        let Some(body) = &mut self.body else { return Ok(()) };
        for (label, place) in &body.wanted {
            if !body.defined.contains(label) {
                let message = format!("no label is called `{label}`");
                return Err(Problem { message, place: *place });
            }
        }
        // The initial values of static tables are not examined, so any label may occur in one.
        let named = body.addressed.iter().chain(&body.defined);
        let mut targets: Vec<NodeId> =
            named.filter_map(|label| body.labels.get(label).copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        for from in body.computed.clone() {
            for to in &targets {
                body.graph.add_edge(from, *to, Action::Nothing, None, []);
            }
        }
        Ok(())
    }

    fn parameters<'d>(
        &mut self,
        declarator: &'d Node<Declarator>,
        declarations: &'d [Node<Declaration>],
    ) -> Lowered<Option<Parameters<'d>>> {
        // The parameters next to the name belong to the function; others belong to its result.
        if let DeclaratorKind::Declarator(inner) = &declarator.node.kind.node
            && let Some(found) = self.parameters(inner, declarations)?
        {
            return Ok(Some(found));
        }
        for derived in &declarator.node.derived {
            match &derived.node {
                DerivedDeclarator::Function(function) => {
                    let mut all = Vec::new();
                    for parameter in &function.node.parameters {
                        sizes_without_effects(self, parameter)?;
                        all.push(self.parameter(parameter)?);
                    }
                    if matches!(&all[..], [(None, Type::Void)]) {
                        all.clear();
                    }
                    return Ok(Some(all));
                }
                DerivedDeclarator::KRFunction(names) => {
                    return self.old_style(names, declarations).map(Some);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Lowers the parameters of a definition in the style before C89. Those without a declaration are `int`.
    fn old_style<'d>(
        &mut self,
        names: &'d [Node<Identifier>],
        declarations: &[Node<Declaration>],
    ) -> Lowered<Parameters<'d>> {
        let mut types = HashMap::new();
        for declaration in declarations {
            let base = self.declared(&declaration.node.specifiers, declaration.span)?;
            for declarator in &declaration.node.declarators {
                let (name, ty) = self.declarator(base.clone(), &declarator.node.declarator)?;
                types.extend(name.map(|name| (name.node.name.clone(), decayed(ty))));
            }
        }
        let of = |name: &'d Node<Identifier>| {
            (Some(name), types.get(&name.node.name).cloned().unwrap_or(Type::INT))
        };
        Ok(names.iter().map(of).collect())
    }
}

trait OldStyle {
    fn declarator_is_old_style(&self) -> bool;
}

impl OldStyle for FunctionDefinition {
    fn declarator_is_old_style(&self) -> bool {
        let mut declarator = &self.declarator;
        let old = |d: &Node<DerivedDeclarator>| matches!(d.node, DerivedDeclarator::KRFunction(_));
        loop {
            if declarator.node.derived.iter().any(old) {
                return true;
            }
            let DeclaratorKind::Declarator(inner) = &declarator.node.kind.node else {
                return false;
            };
            declarator = inner;
        }
    }
}

/// Checks that the sizes of a parameter's arrays have no effects, because they are calculated when the function is
/// entered and are omitted here.
fn sizes_without_effects(
    lowerer: &Lowerer<'_>,
    parameter: &Node<ParameterDeclaration>,
) -> Lowered<()> {
    let mut declarator = parameter.node.declarator.as_ref();
    while let Some(at) = declarator {
        for derived in &at.node.derived {
            if let DerivedDeclarator::Array(array) = &derived.node
                && let ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) =
                    &array.node.size
                && has_effects(&size.node)
            {
                return lowerer.problem(derived.span, "the size of a parameter that has effects");
            }
        }
        declarator = match &at.node.kind.node {
            DeclaratorKind::Declarator(inner) => Some(inner),
            _ => None,
        };
    }
    Ok(())
}
