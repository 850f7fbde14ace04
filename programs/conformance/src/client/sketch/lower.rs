//! Lowers expressions to edges. Calls, assignments and branches inside them come first.

use canonical::{
    Action, Binary, Callee, Expr, ExprKind, Lvalue, LvalueBase, NodeId, Place, Projection, Unary,
};

use super::body::Body;
use super::tables::{ANY, Lowering};
use super::tree::Tree;

fn int(value: i128) -> Expr {
    Expr { kind: ExprKind::Int(value), ty: ANY }
}

impl Body<'_, '_> {
    /// Adds edges for what a tree does; returns its value.
    pub fn lower(&mut self, tree: &Tree) -> Expr {
        match tree {
            Tree::Int(value) => int(*value),
            Tree::Name(name) => self.name(name),
            Tree::Unknown(parts) => {
                self.effects(parts);
                Expr::unknown(ANY)
            }
            Tree::Unary(operator, operand) => {
                let operand = self.lower(operand);
                Expr::unary(*operator, operand, ANY)
            }
            Tree::Binary(operator, left, right) => {
                let (left, right) = (self.lower(left), self.lower(right));
                Expr::binary(*operator, left, right, ANY)
            }
            Tree::Both(..) | Tree::Choice(..) => self.chosen(tree),
            Tree::Assign(target, value, old) => self.assign(target, value, *old),
            Tree::Call(function, arguments, at) => self.called(function, arguments, *at),
            Tree::Field(..) | Tree::Index(..) | Tree::Deref(_) => match self.lvalue(tree) {
                Some(lvalue) => Expr::load(lvalue),
                None => Expr::unknown(ANY),
            },
            Tree::Address(inner) => self.address(inner),
            Tree::Comma(left, right) => {
                self.lower(left);
                self.lower(right)
            }
        }
    }

    fn address(&mut self, inner: &Tree) -> Expr {
        match inner {
            // The address of an element is a pointer to the array.
            Tree::Index(array, index) => {
                let index = self.lower(index);
                let array = self.lower(array);
                if matches!(index.kind, ExprKind::Int(_)) {
                    return array;
                }
                Expr::binary(Binary::Add, array, index, ANY)
            }
            Tree::Deref(pointer) => self.lower(pointer),
            Tree::Name(name) if !self.names.contains_key(name) => self.name(name),
            _ => match self.lvalue(inner) {
                Some(lvalue) => Expr { kind: ExprKind::AddressOf(Box::new(lvalue)), ty: ANY },
                None => Expr::unknown(ANY),
            },
        }
    }

    fn name(&mut self, name: &str) -> Expr {
        if let Some(variable) = self.names.get(name) {
            return Expr::load(Lowering::whole(*variable));
        }
        if let Some(value) = self.lowering.constants.get(name) {
            return int(*value);
        }
        if let Some(function) = self.lowering.known(name) {
            return Expr { kind: ExprKind::Function(function), ty: ANY };
        }
        Expr::load(Lowering::whole(self.lowering.global(name.to_owned())))
    }

    /// Returns the part of memory that a tree names; `None` if it does not name one.
    fn lvalue(&mut self, tree: &Tree) -> Option<Lvalue> {
        match tree {
            Tree::Name(name) => match self.name(name).kind {
                ExprKind::Load(lvalue) => Some(*lvalue),
                _ => None,
            },
            Tree::Field(object, name) => {
                // The object is kept as an index, so that its dependencies are not lost.
                let path = vec![Projection::Index(self.lower(object))];
                let base = LvalueBase::Variable(self.lowering.global(format!(".{name}")));
                Some(Lvalue { base, path, ty: ANY })
            }
            Tree::Deref(pointer) => {
                let base = LvalueBase::Deref(Box::new(self.lower(pointer)));
                Some(Lvalue { base, path: Vec::new(), ty: ANY })
            }
            Tree::Index(array, index) => {
                let base = LvalueBase::Deref(Box::new(self.lower(array)));
                let path = vec![Projection::Index(self.lower(index))];
                Some(Lvalue { base, path, ty: ANY })
            }
            other => {
                self.lower(other);
                None
            }
        }
    }

    fn assign(&mut self, target: &Tree, value: &Tree, old: bool) -> Expr {
        let before = if old {
            let before = self.lower(target);
            Some(self.kept(before))
        } else {
            None
        };
        let value = self.lower(value);
        let Some(target) = self.lvalue(target) else { return Expr::unknown(ANY) };
        let after = Expr::load(target.clone());
        self.step(Action::Assign { target, value }, None);
        before.unwrap_or(after)
    }

    fn called(&mut self, function: &Tree, arguments: &[Tree], at: usize) -> Expr {
        let arguments: Vec<Expr> = arguments.iter().map(|a| self.lower(a)).collect();
        let callee = match function {
            Tree::Name(name) if !self.names.contains_key(name) => {
                Callee::Function(self.lowering.function(name))
            }
            // A method, or a member that points to a function; it is identified by its name.
            Tree::Field(object, name)
                if name.starts_with("TIFF")
                    || (self.lowering.methods && self.lowering.known(name).is_some()) =>
            {
                self.lower(object);
                Callee::Function(self.lowering.function(name))
            }
            other => {
                let pointer = self.lower(other);
                Callee::Pointer { pointer, targets: Vec::new(), complete: false }
            }
        };
        self.call(callee, arguments, at)
    }

    /// The value of `&&`, `||` and `?:`.
    fn chosen(&mut self, tree: &Tree) -> Expr {
        let target = Lowering::whole(self.lowering.temporary());
        let (yes, no, after) = (self.node(), self.node(), self.node());
        let (condition, values) = match tree {
            Tree::Choice(condition, a, b) => (&**condition, Some((a, b))),
            _ => (tree, None),
        };
        self.test(condition, yes, no, None);
        for (node, first) in [(yes, true), (no, false)] {
            self.now = node;
            let value = match values {
                Some((a, b)) => self.lower(if first { a } else { b }),
                None => int(i128::from(first)),
            };
            self.add(after, Action::Assign { target: target.clone(), value }, None);
        }
        self.now = after;
        Expr::load(target)
    }

    /// Branches on a condition.
    pub fn test(&mut self, tree: &Tree, yes: NodeId, no: NodeId, place: Option<Place>) {
        match tree {
            Tree::Unary(Unary::Not, inner) => self.test(inner, no, yes, place),
            Tree::Both(and, left, right) => {
                let middle = self.node();
                let (first_yes, first_no) = if *and { (middle, no) } else { (yes, middle) };
                self.test(left, first_yes, first_no, place);
                self.now = middle;
                self.test(right, yes, no, place);
            }
            other => {
                let condition = self.lower(other);
                for (to, holds) in [(yes, true), (no, false)] {
                    self.add(to, Action::Guard { condition: condition.clone(), holds }, place);
                }
            }
        }
    }
}
