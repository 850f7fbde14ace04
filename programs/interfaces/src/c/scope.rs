//! The names that the code of a function may use, and the known facts about its pointers.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use canonical::{
    Expr, ExprKind, Graph, LvalueBase, Program, Projection, Storage, Type, VariableId,
};

use super::alias::{Aliased, derives, of_client};
use super::memory::{Binding, Bindings};

/// The names that the code of a function may use.
#[derive(Debug, Clone)]
pub(super) struct Scope<'p> {
    pub(super) program: &'p Program,
    pub(super) bindings: Bindings,
    /// Temporaries that hold an address, such as that of `a` in `a[n++]`.
    pub(super) addresses: Rc<HashMap<VariableId, Expr>>,
    /// Local pointers into memory of the client.
    pub(super) clients: Rc<HashSet<VariableId>>,
    pub(super) aliased: Rc<Aliased>,
}

impl<'p> Scope<'p> {
    pub(super) fn new(program: &'p Program, bindings: Bindings, aliased: &Rc<Aliased>) -> Self {
        let (addresses, clients) = (Rc::default(), Rc::default());
        Self { program, bindings, addresses, clients, aliased: aliased.clone() }
    }

    /// Finds the temporaries of a function that hold a constant address, and its pointers into memory of the client.
    pub(super) fn find_addresses(&mut self, graph: &Graph) {
        self.clients = Rc::new(of_client(self.program, graph, &self.bindings, &self.clients));
        let mut found: HashMap<VariableId, Option<Expr>> = HashMap::new();
        for (v, value) in graph.assigned() {
            let variable = self.program.variable(v);
            if variable.storage == Storage::Temporary && !variable.address_taken {
                let value = value.filter(|value| self.is_constant(value)).cloned();
                // A temporary that is assigned twice may hold either address.
                found.entry(v).and_modify(|known| *known = None).or_insert(value);
            }
        }
        let known = found.into_iter().filter_map(|(v, value)| Some((v, value?)));
        self.addresses = Rc::new(known.collect());
    }

    /// Returns true for an address that does not change while the function runs.
    fn is_constant(&self, pointer: &Expr) -> bool {
        match &pointer.kind {
            ExprKind::AddressOf(lvalue) => {
                let base = match &lvalue.base {
                    LvalueBase::Variable(_) => true,
                    LvalueBase::Deref(inner) => self.is_constant(inner),
                };
                let step = |step: &Projection| match step {
                    Projection::Field(..) => true,
                    Projection::Index(index) => index.constant().is_some(),
                };
                base && lvalue.path.iter().all(step)
            }
            ExprKind::Load(lvalue) => {
                let binding = lvalue.whole_variable().and_then(|v| self.binding(v));
                matches!(binding, Some(Binding::Points(_) | Binding::Client))
            }
            ExprKind::String(_) => true,
            _ => false,
        }
    }

    /// The address that a temporary holds, or the expression itself.
    pub(super) fn resolved<'e>(&'e self, pointer: &'e Expr) -> &'e Expr {
        match &pointer.kind {
            ExprKind::Load(lvalue) => {
                let address = lvalue.whole_variable().and_then(|v| self.addresses.get(&v));
                address.unwrap_or(pointer)
            }
            _ => pointer,
        }
    }

    pub(super) fn binding(&self, v: VariableId) -> Option<&Binding> {
        self.bindings.get(&v)
    }

    /// Returns true if a pointer to this type may point into memory of the library.
    pub(super) fn is_aliased(&self, ty: &Type) -> bool {
        matches!(ty, Type::Composite(_)) || self.aliased.contains(ty)
    }

    /// Returns true if a pointer points into memory of the client.
    pub(super) fn is_of_client(&self, pointer: &Expr) -> bool {
        let of_client = |v: VariableId| {
            self.clients.contains(&v) || matches!(self.binding(v), Some(Binding::Client))
        };
        derives(pointer, &of_client)
    }
}
