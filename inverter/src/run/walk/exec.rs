//! The statements of a walk, run on unknown bytes.

use std::collections::BTreeSet;

use super::decide::Purpose;
use super::eval::encoded;
use super::linear::{Linear, Unknown};
use super::plan::{Block, Kind, Node, Rest, mentions};
use super::state::{Cell, Dead, Deferred, Made, PendingSum, Step};
use super::walker::{Mode, Walker};
use crate::program::codes::{Code, Summed};
use crate::program::views::Form;
use crate::program::walk::{Encoding, Read};
use crate::program::{Cmp, Expr, FieldId, Op, Pred, Ref, VarId};
use crate::run::store::Slot;

/// The number of statements that are examined ahead for requirements on an unknown.
const AHEAD: usize = 48;

/// Returns true if an expression has a value without a decision, and reads no bytes.
pub fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Int(_) | Expr::Var(_) => true,
        Expr::Ref(r) => r.index.is_empty(),
        Expr::Bin(op, a, b) => {
            let either =
                |a: &Expr, b: &Expr| matches!(a, Expr::Int(_)) || matches!(b, Expr::Int(_));
            let linear = match op {
                Op::Add | Op::Sub => true,
                Op::Mul => either(a, b),
                Op::Div | Op::Rem | Op::DivCeil => matches!(**b, Expr::Int(_)),
                Op::Min | Op::Max => false,
            };
            linear && is_plain(a) && is_plain(b)
        }
    }
}

impl<'a> Walker<'a> {
    /// Runs statements.
    pub fn block(&mut self, block: &'a Block) -> Step<()> {
        for (k, node) in block.nodes.iter().enumerate() {
            self.steps = self.steps.checked_sub(1).ok_or(Dead::Spent)?;
            self.rest.push(Rest::Nodes(&block.nodes[k + 1..]));
            self.node(node)?;
            self.rest.pop();
        }
        Ok(())
    }

    fn node(&mut self, node: &'a Node) -> Step<()> {
        self.last = node.span;
        match &node.kind {
            Kind::Assign { value, .. } if self.any => self.eval(value).map(|_| ()),
            Kind::Assign { target, value } => {
                let at = self.output(target)?;
                let value = self.eval(value)?;
                self.assign(target.field, at, &value)
            }
            Kind::Assume(p) => self.demand(p, true),
            Kind::If { cond, then, els } => self.branch(cond, then, els),
            Kind::Loop(l) => self.a_loop(l),
            Kind::Set { var, value } => {
                let value = self.eval(value)?;
                self.state.set_var(*var, value);
                Ok(())
            }
            Kind::Read { read, site } => self.read(read, *site),
            Kind::Sum { number, of } => self.sum(number, of),
        }
    }

    /// Returns the place of an output element among the cells of its array.
    pub fn output(&mut self, target: &Ref) -> Step<usize> {
        let mut index = [0; 3];
        for (slot, e) in index.iter_mut().zip(&target.index) {
            let i = self.eval(e)?;
            *slot = self.settled(&i, Purpose::Place)?;
        }
        self.output_at(target.field, &index[..target.index.len()])
    }

    /// Returns the place of an output element, if its indices are known without a decision.
    pub fn known_output(&mut self, target: &Ref) -> Step<Option<usize>> {
        let mut index = [0; 3];
        for (slot, e) in index.iter_mut().zip(&target.index) {
            let known = if is_plain(e) { self.eval(e)?.known() } else { None };
            let Some(i) = known else { return Ok(None) };
            *slot = i;
        }
        self.output_at(target.field, &index[..target.index.len()]).map(Some)
    }

    fn output_at(&self, field: FieldId, index: &[i128]) -> Step<usize> {
        match &self.y.slots[field] {
            Slot::Array(array, _) => array.place(index).ok_or(Dead::End),
            _ => Ok(0),
        }
    }

    /// Returns the value that an output element has.
    pub fn wanted(&self, field: FieldId, at: usize) -> Step<i128> {
        match &self.y.slots[field] {
            Slot::Array(array, _) => array.cells.get(at).ok_or(Dead::End),
            Slot::Scalar(n) => Ok(*n),
            Slot::Unset => Err(Dead::End),
        }
    }

    /// Assigns an output element, which determines the unknowns in its value.
    fn assign(&mut self, field: FieldId, at: usize, value: &Linear) -> Step<()> {
        if !self.state.assign(field, at) {
            return Err(Dead::End);
        }
        let wanted = self.wanted(field, at)?;
        let distance = value.plus(-1, &wanted.into()).ok_or(Dead::End)?;
        self.state.demand(Cmp::Eq, &distance)
    }

    fn branch(&mut self, cond: &Pred, then: &'a Block, els: &'a Block) -> Step<()> {
        if let Some(truth) = self.truth(cond)? {
            return self.block(if truth { then } else { els });
        }
        let preference = self.preference(cond);
        let truth = self.pick(|walker| {
            let weights = [walker.weight(els), walker.weight(then)];
            let mut order = walker.weighted(weights);
            if let Some(preferred) = preference
                && let Some(at) = order.iter().position(|k| (*k == 1) == preferred)
            {
                let first = order.remove(at);
                order.push(first);
            }
            order
        })? == 1;
        self.choose(|walker| walker.demand(cond, truth))?;
        self.block(if truth { then } else { els })
    }

    /// Returns how often a block is taken among others; 0 if the block leads to a dead end.
    fn weight(&self, block: &Block) -> u32 {
        let assigned = |f: &FieldId| self.state.left[f.0] == 0;
        let useful = block.outputs.iter().any(|f| !assigned(f));
        let doomed = !self.any && block.scalars.iter().any(assigned)
            || !block.skippable && !useful && !self.any
            || self.mode == Mode::Skip && !block.skippable;
        match self.mode {
            _ if doomed => 0,
            Mode::Progress if useful => block.ways.saturating_mul(8),
            _ => block.ways,
        }
    }

    /// Applies the requirements on unknowns in the statements ahead, all of which will run.
    pub fn look_ahead(&mut self) -> Step<()> {
        let choosing = std::mem::replace(&mut self.state.choosing, false);
        let mut changed = BTreeSet::new();
        let mut left = AHEAD;
        for k in (0..self.rest.len()).rev() {
            match self.rest[k] {
                Rest::Loop(l) => l.sets(&mut changed),
                Rest::Nodes(nodes) => {
                    for node in nodes {
                        if left == 0 {
                            break;
                        }
                        left -= 1;
                        self.ahead(node, &mut changed)?;
                    }
                }
            }
        }
        self.state.choosing = choosing;
        Ok(())
    }

    fn ahead(&mut self, node: &Node, changed: &mut BTreeSet<VarId>) -> Step<()> {
        let known = |e: &Expr| is_plain(e) && !mentions(e, changed);
        match &node.kind {
            Kind::Assign { target, value } => {
                if self.any || !known(value) || !target.index.iter().all(known) {
                    return Ok(());
                }
                let value = self.eval(value)?;
                if value.known().is_some() {
                    return Ok(());
                }
                let Some(at) = self.known_output(target)? else { return Ok(()) };
                let wanted = self.wanted(target.field, at)?;
                let distance = value.plus(-1, &wanted.into()).ok_or(Dead::End)?;
                self.state.demand(Cmp::Eq, &distance)
            }
            Kind::Assume(p) => self.assume_ahead(p, changed),
            other => {
                other.sets(changed);
                Ok(())
            }
        }
    }

    fn assume_ahead(&mut self, p: &Pred, changed: &BTreeSet<VarId>) -> Step<()> {
        match p {
            Pred::And(ps) => ps.iter().try_for_each(|p| self.assume_ahead(p, changed)),
            Pred::Cmp(cmp, a, b) if [a, b].iter().all(|e| is_plain(e) && !mentions(e, changed)) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let distance = a.plus(-1, &b).ok_or(Dead::End)?;
                match distance.terms.len() {
                    1 => self.state.demand(*cmp, &distance),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn read(&mut self, read: &Read, site: usize) -> Step<()> {
        let at = self.eval(&read.at)?;
        let ordinal = self.state.ordinals[site];
        let (value, width) = match (read.encoding, at.known()) {
            (Encoding::Fixed(form), Some(at)) => {
                let first = self.place(read.array, at, form.bytes)?;
                let cells = self.cells(read.array, first, form);
                let value = match cells[0] {
                    _ if cells.iter().all(|cell| *cell == Cell::Free) => {
                        let u = self.number(form, site);
                        self.put(u, read.array, first, form.bytes);
                        let known = self.known(read.array, first, form.bytes);
                        if known.len() == form.bytes {
                            let n = form.read(known);
                            self.state.narrow(u, n, n)?;
                        }
                        u.into()
                    }
                    Cell::Digit(u, 0) if self.is_whole(u.into(), read.encoding, &cells) => u.into(),
                    _ => self.composed(read.array, form, first)?,
                };
                (value, None)
            }
            (Encoding::Fixed(form), None) => {
                let number = self.number(form, site);
                self.state.defer(Deferred { array: read.array, at, number, form });
                (number.into(), None)
            }
            (Encoding::Coded(code), _) => {
                let at = self.settled(&at, Purpose::Place)?;
                self.read_coded(read, code, at, site)?
            }
        };
        if let Some(n) = self.given_number(site, ordinal)? {
            let exact = value.plus(-1, &n.into()).ok_or(Dead::End)?;
            self.choose(|walker| walker.state.demand(Cmp::Eq, &exact))?;
        }
        self.state.set_var(read.number, value.clone());
        self.state.make(Made { site, value, width });
        Ok(())
    }

    /// Adds an unknown for a number that is read.
    fn number(&mut self, form: Form, site: usize) -> Unknown {
        let (lo, hi) = form.range();
        let u = self.state.unknown(lo, hi, Some((Encoding::Fixed(form), form.bytes)));
        let ordinal = self.state.ordinals[site];
        self.state.domains[u.0].preferred = self.preferred_number(site, ordinal);
        u
    }

    /// Sets bytes to the encoding of an unknown.
    fn put(&mut self, u: Unknown, array: FieldId, first: usize, width: usize) {
        for k in 0..width {
            self.state.set_cell(array, first + k, Cell::Digit(u, k as u8));
        }
    }

    fn cells(&self, array: FieldId, first: usize, form: Form) -> Vec<Cell> {
        (0..form.bytes).map(|k| self.state.cell(array, first + k)).collect()
    }

    /// Places the deferred numbers with index `from` or greater, whose places depended on values that were unknown when
    /// they were read.
    pub fn place_deferred(&mut self, from: usize) -> Step<()> {
        for k in from..self.state.deferred.len() {
            let (deferred, open) = self.state.deferred[k].clone();
            if !open {
                continue;
            }
            let Deferred { array, at, number, form } = deferred;
            let at = self.settled(&at, Purpose::Place)?;
            let first = self.place(array, at, form.bytes)?;
            if self.cells(array, first, form).iter().all(|cell| *cell == Cell::Free) {
                self.put(number, array, first, form.bytes);
            } else {
                let found = self.composed(array, form, first)?;
                let distance = found.plus(-1, &number.into()).ok_or(Dead::End)?;
                self.state.demand(Cmp::Eq, &distance)?;
            }
            self.state.placed(k);
        }
        Ok(())
    }

    /// Returns true if these bytes represent one unknown, in order.
    fn is_whole(&self, number: Linear, encoding: Encoding, cells: &[Cell]) -> bool {
        let [(u, 1)] = number.terms[..] else { return false };
        let own = |(k, cell): (usize, &Cell)| *cell == Cell::Digit(u, k as u8);
        self.state.encodings[u.0] == Some((encoding, cells.len()))
            && cells.iter().enumerate().all(own)
    }

    /// Returns the number represented by bytes of which some are known.
    fn composed(&mut self, array: FieldId, form: Form, first: usize) -> Step<Linear> {
        let mut sum = Linear::default();
        let mut bytes = Vec::new();
        for k in 0..form.bytes {
            let byte = self.byte(array, (first + k) as i128)?;
            let weight = if form.big { form.bytes - 1 - k } else { k };
            if form.signed {
                bytes.push(self.settled(&byte, Purpose::Value)? as u8);
            }
            sum = sum.plus(1 << (8 * weight), &byte).ok_or(Dead::End)?;
        }
        Ok(if form.signed { form.read(&bytes).into() } else { sum })
    }

    /// Reads a number of variable length; returns it with its width, and true if the width is a choice.
    fn read_coded(
        &mut self,
        read: &Read,
        code: Code,
        at: i128,
        site: usize,
    ) -> Step<(Linear, Option<(usize, bool)>)> {
        let first = self.place(read.array, at, 1)?;
        let peeked = self.peeked(read.array, first, code);
        if self.state.cell(read.array, first) != Cell::Free && peeked.is_none() {
            let mut bytes = Vec::new();
            for k in 0..code.size(code.widths().last().copied().unwrap_or(0)) {
                let byte = self.byte(read.array, at + k as i128)?;
                bytes.push(self.settled(&byte, Purpose::Value)? as u8);
                if let Some((n, width)) = code.decode(&bytes) {
                    self.set_width(read, width);
                    return Ok((n.into(), Some((width, true))));
                }
            }
            return Err(Dead::End);
        }
        let ordinal = self.state.ordinals[site];
        let (lo, hi) = code.whole();
        let most = code.widths().last().copied().unwrap_or(1);
        let known = code.decode(self.known(read.array, first, code.size(most)));
        let u = self.state.unknown(lo, hi, None);
        self.state.domains[u.0].preferred = self.preferred_number(site, ordinal);
        self.state.set_var(read.number, u.into());
        // The statements ahead may mention the width, which is not known yet.
        if let Some((n, _)) = known {
            self.state.narrow(u, n, n)?;
        }
        let open_width = self.state.unknown(1, most as i128, None);
        if let Some(var) = read.width {
            self.state.set_var(var, open_width.into());
        }
        self.look_ahead()?;
        let number = self.state.resolve(&u.into())?;
        let wanted = self.given_number(site, ordinal)?.or(self.state.domains[u.0].preferred);
        let (lo, hi) = wanted.map_or_else(|| self.state.bounds(&number), |n| (n, n));
        let fits = |width: &usize| {
            let (least, most) = code.range(*width);
            least <= hi && lo <= most
        };
        let widths: Vec<i128> =
            code.widths().iter().copied().filter(fits).map(|w| w as i128).collect();
        let many = widths.len() > 1;
        let given = known.map(|(_, width)| width as i128).or(self.given_width(site, ordinal));
        let width = self.pick(|walker| match given {
            Some(width) => vec![width],
            None => walker.widths(site, ordinal, widths),
        })?;
        self.state.narrow(open_width, width, width)?;
        let width = usize::try_from(width).map_err(|_| Dead::End)?;
        if !code.widths().contains(&width) {
            return Err(Dead::End);
        }
        let size = code.size(width);
        self.place(read.array, at, size)?;
        if (1..size).any(|k| self.state.cell(read.array, first + k) != Cell::Free) {
            return Err(Dead::End);
        }
        let (least, most) = code.range(width);
        for (cmp, bound) in [(Cmp::Ge, least), (Cmp::Le, most)] {
            let distance = Linear::from(u).plus(-1, &bound.into()).ok_or(Dead::End)?;
            self.state.demand(cmp, &distance)?;
        }
        if let Some(byte) = peeked {
            let own = self.first_byte(code, u, width)?;
            let distance = own.plus(-1, &byte.into()).ok_or(Dead::End)?;
            self.state.demand(Cmp::Eq, &distance)?;
        }
        self.state.encodings[u.0] = Some((read.encoding, width));
        self.put(u, read.array, first, size);
        self.set_width(read, width);
        Ok((u.into(), Some((width, many))))
    }

    /// Returns the unknown that was read from only the first byte of a number of variable length, as a mark of its
    /// form.
    fn peeked(&self, array: FieldId, first: usize, code: Code) -> Option<Unknown> {
        let Cell::Digit(u, 0) = self.state.cell(array, first) else { return None };
        let alone = self.state.encodings[u.0].is_none_or(|(_, width)| width == 1);
        let coded = matches!(self.state.encodings[u.0], Some((Encoding::Coded(_), _)));
        let open = self.state.value(&u.into()).is_none();
        let text = matches!(code, Code::Text { .. });
        (alone && open && !coded && !text).then_some(u)
    }

    /// Returns the first byte of a number of variable length.
    fn first_byte(&mut self, code: Code, u: Unknown, width: usize) -> Step<Linear> {
        let number = Linear::from(u);
        let more = if width > 1 { 128 } else { 0 };
        let byte = match code {
            Code::Leb128 | Code::SignedLeb128 => self.state.parts(&number, 128)?.1,
            Code::Vlq => self.state.parts(&number, 1 << (7 * (width - 1)))?.0,
            Code::BerLength if width == 1 => number,
            Code::BerLength => ((width - 1) as i128).into(),
            Code::CborHead => {
                let (argument, major) = self.state.parts(&number, 8)?;
                let form =
                    if width > 1 { (24 + (width - 1).ilog2() as i128).into() } else { argument };
                return form.plus(32, &major).ok_or(Dead::End);
            }
            Code::Text { .. } => return Err(Dead::End),
        };
        byte.plus(1, &more.into()).ok_or(Dead::End)
    }

    fn set_width(&mut self, read: &Read, width: usize) {
        if let Some(var) = read.width {
            self.state.set_var(var, (width as i128).into());
        }
    }

    fn sum(&mut self, number: &Expr, of: &Summed) -> Step<()> {
        let (number, start, end) = (self.eval(number)?, self.eval(&of.start)?, self.eval(&of.end)?);
        self.state.sum(PendingSum { number, sum: of.sum, array: of.array, start, end });
        Ok(())
    }

    /// Writes a byte of the canonical value.
    pub fn write(&mut self, array: FieldId, at: usize, value: i128) -> Step<()> {
        let byte = u8::try_from(value).map_err(|_| Dead::End)?;
        match self.state.cell(array, at) {
            Cell::Free if self.known(array, at, 1).iter().any(|known| *known != byte) => {
                Err(Dead::End)
            }
            Cell::Free => {
                self.state.set_cell(array, at, Cell::Byte(byte));
                Ok(())
            }
            Cell::Byte(b) if b == byte => Ok(()),
            Cell::Byte(_) => Err(Dead::End),
            Cell::Digit(..) => {
                let own = self.byte(array, at as i128)?;
                let distance = own.plus(-1, &value.into()).ok_or(Dead::End)?;
                self.state.demand(Cmp::Eq, &distance)
            }
        }
    }

    /// Returns the bytes of an array whose unknowns all have values; free bytes are `None`.
    pub fn bytes(&self, array: FieldId, length: usize) -> Vec<Option<u8>> {
        let byte = |at: usize| match self.state.cell(array, at) {
            Cell::Free => None,
            Cell::Byte(b) => Some(b),
            Cell::Digit(u, k) => {
                let n = self.state.value(&u.into())?;
                match self.state.encodings[u.0] {
                    Some((encoding, width)) => {
                        encoded(encoding, width, n).get(usize::from(k)).copied()
                    }
                    None => u8::try_from(n).ok(),
                }
            }
        };
        (0..length).map(byte).collect()
    }
}
