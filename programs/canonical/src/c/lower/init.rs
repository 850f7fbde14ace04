//! Lowers initializers: lists with designators and without inner braces, and strings (C11, 6.7.9).

use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};

use super::{Lowered, Lowerer};
use crate::model::{
    CompositeKind, Effect, Expr, ExprKind, IntRank, IntType, Lvalue, Projection, Type,
};

/// Parts of an object and their values, in order.
pub(super) type Values = Vec<(Lvalue, Expr)>;

/// The maximum number of elements that one `[a ... b] =` sets.
const RANGE: i128 = 1 << 16;

impl Lowerer<'_> {
    /// Returns the values of an initializer and the type of the object, which completes the size of an array.
    pub(super) fn initial(
        &mut self,
        target: Lvalue,
        initializer: &Node<Initializer>,
    ) -> Lowered<(Values, Type)> {
        match &initializer.node {
            Initializer::List(list) => self.list_values(target, list),
            Initializer::Expression(expression) => {
                if let Some((value, ty)) = self.string_value(&target.ty, expression)? {
                    return Ok((vec![(Lvalue { ty: ty.clone(), ..target }, value)], ty));
                }
                let value = self.expression(expression)?;
                let value = self.convert(value, &target.ty, initializer.span)?;
                let ty = target.ty.clone();
                Ok((vec![(target, value)], ty))
            }
        }
    }

    /// A string as the value of an array of characters.
    fn string_value(
        &mut self,
        ty: &Type,
        expression: &Node<Expression>,
    ) -> Lowered<Option<(Expr, Type)>> {
        let (Type::Array(element, count), Expression::StringLiteral(literal)) =
            (ty, &expression.node)
        else {
            return Ok(None);
        };
        let Some(int) = element.int() else { return Ok(None) };
        if !matches!(int.rank, IntRank::Char | IntRank::Int) {
            return Ok(None);
        }
        let (bytes, _) = self.string_bytes(literal)?;
        let size = u64::from(int.bits() / 8);
        let count = count.unwrap_or(bytes.len() as u64 / size);
        let ty = Type::Array(element.clone(), Some(count));
        let id = self.intern(bytes);
        Ok(Some((Expr { kind: ExprKind::Bytes(id), ty: ty.clone() }, ty)))
    }

    /// The values of a list in braces.
    pub(super) fn list_values(
        &mut self,
        target: Lvalue,
        list: &[Node<InitializerListItem>],
    ) -> Lowered<(Values, Type)> {
        if let [item] = list
            && item.node.designation.is_empty()
            && let Initializer::Expression(expression) = &item.node.initializer.node
            && let Some((value, ty)) = self.string_value(&target.ty, expression)?
        {
            return Ok((vec![(Lvalue { ty: ty.clone(), ..target }, value)], ty));
        }
        if target.ty.is_scalar() {
            return match list.first() {
                Some(item) => self.initial(target, &item.node.initializer),
                None => Ok((Vec::new(), target.ty)),
            };
        }
        let mut values = Vec::new();
        let length = self.fill(&target, list, &mut values)?;
        let ty = match target.ty {
            Type::Array(element, None) => Type::Array(element, Some(length)),
            ty => ty,
        };
        Ok((values, ty))
    }

    /// Collects the values of a list; returns the number of elements that it reaches.
    fn fill(
        &mut self,
        root: &Lvalue,
        list: &[Node<InitializerListItem>],
        values: &mut Values,
    ) -> Lowered<u64> {
        let mut length = 0;
        // Aggregates, outermost first, each with the position of its member.
        let mut stack = vec![(root.clone(), 0u64)];
        let mut evaluated = Vec::new();
        for item in list {
            let span = item.span;
            let (begin, known) = (self.edge_count(), values.len());
            let mut last = None;
            let part = if item.node.designation.is_empty() {
                self.next(&mut stack, span)?
            } else {
                let part = self.designated(root, &item.node.designation, &mut stack)?;
                // The list replaces the whole part, so earlier values of its members do not count.
                let within =
                    |value: &Lvalue| value.base == part.base && value.path.starts_with(&part.path);
                let whole = matches!(part.ty, Type::Array(..) | Type::Composite(_));
                if whole && values.iter().any(|(value, _)| within(value)) {
                    let why = "a designator that sets a struct or an array again";
                    self.remark(self.place(span), why, Effect::Unsound);
                }
                if let Some(Designator::Range(range)) =
                    item.node.designation.last().map(|d| &d.node)
                {
                    last = Some(self.constant_value(&range.node.to)?);
                }
                part
            };
            match &item.node.initializer.node {
                Initializer::List(inner) => values.extend(self.list_values(part, inner)?.0),
                Initializer::Expression(value) => {
                    self.place_value(part, value, &mut stack, values)?
                }
            }
            if let (Some(last), Some((aggregate, position))) = (last, stack.last_mut()) {
                let first = i128::from(*position);
                if last < first || last - first > RANGE {
                    return self.problem(span, "a range of elements that is too long");
                }
                let aggregate = aggregate.clone();
                *position = u64::try_from(last).unwrap_or(u64::MAX);
                for k in first + 1..=last {
                    let k = u64::try_from(k).unwrap_or(u64::MAX);
                    let Some(part) = self.part(&aggregate, k) else { continue };
                    values.extend(self.initial(part, &item.node.initializer)?.0);
                }
            }
            let new = values[known..].iter().map(|(_, value)| value.clone()).collect();
            evaluated.push((begin, self.edge_count(), new));
            length = length.max(stack.first().map_or(0, |(_, k)| k + 1));
            if let Some((_, position)) = stack.last_mut() {
                *position += 1;
            }
        }
        if let Some(first) = list.first() {
            self.unsequenced(evaluated, None, first.span);
        }
        Ok(length)
    }

    /// The part that follows the one that was set last.
    fn next(&mut self, stack: &mut Vec<(Lvalue, u64)>, span: Span) -> Lowered<Lvalue> {
        while let Some((aggregate, position)) = stack.last() {
            // Only the first member of a union is set without its name.
            let full = *position > 0 && self.is_union(&aggregate.ty);
            if !full && let Some(part) = self.part(aggregate, *position) {
                return Ok(part);
            }
            stack.pop();
            if let Some((_, position)) = stack.last_mut() {
                *position += 1;
            }
        }
        self.problem(span, "more values than the object has parts")
    }

    /// The part that designators name.
    fn designated(
        &mut self,
        root: &Lvalue,
        designation: &[Node<Designator>],
        stack: &mut Vec<(Lvalue, u64)>,
    ) -> Lowered<Lvalue> {
        stack.clear();
        let mut part = root.clone();
        for designator in designation {
            let index = match &designator.node {
                Designator::Member(name) => {
                    let found = self.field(part.clone(), &name.node.name, designator.span)?;
                    for step in &found.path[part.path.len()..] {
                        if let Projection::Field(_, k) = step {
                            let aggregate = part.clone();
                            let inner = self.part(&aggregate, u64::from(*k));
                            stack.push((aggregate, u64::from(*k)));
                            part = inner.unwrap_or(found.clone());
                        }
                    }
                    part = found;
                    continue;
                }
                Designator::Index(index) => index,
                Designator::Range(range) => &range.node.from,
            };
            let value = self.constant_value(index)?;
            let k = u64::try_from(value).unwrap_or(u64::MAX);
            let Some(inner) = self.part(&part, k) else {
                return self.problem(designator.span, "a designator of a part that does not exist");
            };
            stack.push((part, k));
            part = inner;
        }
        Ok(part)
    }

    /// Sets a part, or the first of its parts that accepts the value.
    fn place_value(
        &mut self,
        mut part: Lvalue,
        expression: &Node<Expression>,
        stack: &mut Vec<(Lvalue, u64)>,
        values: &mut Values,
    ) -> Lowered<()> {
        let mut value = None;
        while !part.ty.is_scalar() {
            if let Some((string, ty)) = self.string_value(&part.ty, expression)? {
                values.push((Lvalue { ty, ..part }, string));
                return Ok(());
            }
            if let Type::Composite(_) = part.ty {
                let found = match value.take() {
                    Some(found) => found,
                    None => self.expression(expression)?,
                };
                if let Type::Composite(_) = found.ty {
                    let found = self.convert(found, &part.ty, expression.span)?;
                    values.push((part, found));
                    return Ok(());
                }
                value = Some(found);
            }
            let Some(inner) = self.part(&part, 0) else {
                return self.problem(expression.span, "a value for an object without parts");
            };
            stack.push((part, 0));
            part = inner;
        }
        let value = match value {
            Some(value) => value,
            None => self.expression(expression)?,
        };
        let value = self.convert(value, &part.ty, expression.span)?;
        values.push((part, value));
        Ok(())
    }

    fn is_union(&self, ty: &Type) -> bool {
        match ty {
            Type::Composite(id) => self.composite(*id).kind == CompositeKind::Union,
            _ => false,
        }
    }

    /// A member of an aggregate by its position.
    fn part(&self, aggregate: &Lvalue, position: u64) -> Option<Lvalue> {
        let (step, ty) = match &aggregate.ty {
            Type::Array(element, count) => {
                let inside = count.is_none_or(|count| position < count);
                let limit = u64::try_from(i64::MAX).unwrap_or(0);
                if !inside || position >= limit {
                    return None;
                }
                let index = Expr::int(position.into(), IntType::LONG);
                (Projection::Index(index), (**element).clone())
            }
            Type::Composite(id) => {
                let composite = self.composite(*id);
                let k = usize::try_from(position).ok()?;
                let field = composite.fields.get(k)?;
                (Projection::Field(*id, u32::try_from(position).ok()?), field.ty.clone())
            }
            _ => return None,
        };
        let mut part = aggregate.clone();
        part.path.push(step);
        part.ty = ty;
        Some(part)
    }

    /// Adds the assignments of an initializer, after zeros if it omits parts.
    pub(super) fn assign_all(&mut self, target: Lvalue, values: Values, span: Span) -> Lowered<()> {
        let whole = matches!(&values[..], [(part, _)] if part.path == target.path);
        if !whole {
            let zero = Expr { kind: ExprKind::Zero, ty: target.ty.clone() };
            self.assign(target, zero, span)?;
        }
        for (part, value) in values {
            self.assign(part, value, span)?;
        }
        Ok(())
    }
}
