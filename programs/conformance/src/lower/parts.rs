//! The elements that one call writes or reads.

use canonical::{Call, Expr, ExprKind};

use super::Lowering;
use super::constants::constants;
use crate::format;
use crate::program::Part;

/// The maximum number of elements of a call with a constant count. A larger count is treated as any number.
const COUNT: i128 = 1_000;

impl Lowering<'_> {
    /// Returns the elements that a call writes or reads; `None` if it does neither.
    pub(super) fn parts(
        &self,
        callee: &str,
        call: &Call,
        place: Option<canonical::Place>,
        graph: &canonical::Graph,
    ) -> Option<Vec<Part>> {
        if let Some(list) = self.list {
            let place = place?;
            let file = self.file(place);
            let listed = list.iter().find(|site| {
                site.role == self.role
                    && (site.line, &site.file, site.callee.as_str()) == (place.line, &file, callee)
                    && site.column.is_none_or(|column| column == place.column)
            });
            return listed.map(|site| site.parts.clone());
        }
        let note = self.note(callee, place);
        let known = self.settings.functions.get(callee);
        if let Some(note) = note {
            // A comment without a function name refers to the known functions; if there are none, to all functions.
            let direction = note.direction.filter(|direction| self.role.takes(*direction))?;
            if !note.parts.is_empty() {
                return Some(note.parts.clone());
            }
            let _ = direction;
        }
        let known = match known {
            Some(known) if note.is_some() || self.role.takes(known.direction) => known,
            Some(_) => return None,
            None => return note.map(|_| vec![Part::one(callee)]),
        };
        if known.standard.stream.is_some_and(|k| self.is_error(call.arguments.get(k - 1))) {
            return None;
        }
        if let Some(format) = known.format {
            let text = call.arguments.get(format.checked_sub(1)?).and_then(|a| self.text(a));
            return Some(text.map_or_else(
                || vec![Part { many: true, ..Part::one("any") }],
                |text| format::types(&text, self.role.formats()),
            ));
        }
        let mut parts = Part::sequence(known.kind.as_deref().unwrap_or(callee));
        let argument = |k: Option<usize>| call.arguments.get(k?.checked_sub(1)?);
        let size = argument(known.size).map(Expr::below_casts).and_then(Expr::constant);
        if let (Some(size), [only]) = (size, &mut parts[..]) {
            only.kind = format!("{}:{size}", only.kind);
        }
        if let (Some(argument), [only]) = (argument(known.value), &mut parts[..]) {
            only.values = constants(self.source, argument, graph);
            if known.standard.is_char {
                only.values.iter_mut().for_each(|value| *value &= 255);
                only.values.sort_unstable();
                only.values.dedup();
            }
        }
        if known.standard.is_block {
            let of = |k: usize| call.arguments.get(k)?.constant();
            let count = of(1).zip(of(2)).and_then(|(size, count)| size.checked_mul(count));
            parts = repeated(&parts, count);
        }
        if let Some(argument) = argument(known.count) {
            parts = repeated(&parts, argument.constant());
        }
        Some(parts)
    }

    /// Returns true if the producer writes the constant -1 of the only type of these elements.
    pub(super) fn writes_minus_one(&self, parts: &[Part]) -> bool {
        let [only] = parts else { return false };
        let all = [&self.settings.written, &self.settings.partly];
        all.iter().any(|of| of.get(&only.kind).is_some_and(|values| values.contains(&-1)))
    }

    /// The text of a string literal.
    fn text(&self, argument: &Expr) -> Option<String> {
        match &argument.kind {
            ExprKind::String(id) => {
                let bytes = self.source.string(*id);
                Some(
                    String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes)).into_owned(),
                )
            }
            ExprKind::Cast(inner) => self.text(inner),
            _ => None,
        }
    }
}

/// Repeats a sequence a constant number of times, or any number of times.
fn repeated(parts: &[Part], count: Option<i128>) -> Vec<Part> {
    match count.and_then(|count| usize::try_from(count.clamp(0, COUNT + 1)).ok()) {
        Some(count) if count as i128 <= COUNT => {
            parts.iter().cycle().take(parts.len() * count).cloned().collect()
        }
        _ => parts.iter().map(|part| Part { many: true, ..part.clone() }).collect(),
    }
}
