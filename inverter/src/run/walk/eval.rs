//! Expressions and predicates over unknowns.

use super::decide::Purpose;
use super::linear::{Linear, Unknown};
use super::state::{Cell, Dead, Made, Step};
use super::walker::Walker;
use crate::program::eval::apply;
use crate::program::walk::Encoding;
use crate::program::{Cmp, Expr, FieldId, Op, Pred, Ref, Side};

/// The farthest place of a byte that a run may reach.
const FARTHEST: i128 = 1 << 26;

impl Walker<'_> {
    /// Returns the value of an expression.
    pub fn eval(&mut self, e: &Expr) -> Step<Linear> {
        match e {
            Expr::Int(n) => Ok((*n).into()),
            Expr::Var(v) => self.state.resolve(&self.state.vars[v.0]),
            Expr::Ref(r) => self.load(r),
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                if let (Some(a), Some(b)) = (a.known(), b.known()) {
                    return apply(*op, a, b).map(Linear::from).map_err(|_| Dead::End);
                }
                self.operation(*op, a, b)
            }
        }
    }

    fn operation(&mut self, op: Op, a: Linear, b: Linear) -> Step<Linear> {
        match op {
            Op::Add => a.plus(1, &b).ok_or(Dead::End),
            Op::Sub => a.plus(-1, &b).ok_or(Dead::End),
            Op::Mul => {
                let (k, sum) = match (a.known(), b.known()) {
                    (Some(k), _) => (k, b),
                    (_, Some(k)) => (k, a),
                    _ => (self.settled(&a, Purpose::Place)?, b),
                };
                sum.times(k).ok_or(Dead::End)
            }
            Op::Div | Op::Rem | Op::DivCeil => {
                let divisor = self.settled(&b, Purpose::Value)?;
                if divisor < 1 {
                    return Err(Dead::End);
                }
                let raised = (divisor - 1).into();
                match op {
                    Op::Div => Ok(self.state.parts(&a, divisor)?.0),
                    Op::Rem => Ok(self.state.parts(&a, divisor)?.1),
                    _ => Ok(self.state.parts(&a.plus(1, &raised).ok_or(Dead::End)?, divisor)?.0),
                }
            }
            Op::Min | Op::Max => {
                let distance = a.plus(-1, &b).ok_or(Dead::End)?;
                let lesser = self.decided(Cmp::Le, &distance)?;
                Ok(if lesser == (op == Op::Min) { a } else { b })
            }
        }
    }

    /// Returns the truth of a comparison, deciding it if it is unknown.
    fn decided(&mut self, cmp: Cmp, sum: &Linear) -> Step<bool> {
        if let Some(truth) = self.state.truth_of(cmp, sum)? {
            return Ok(truth);
        }
        let truth = self.pick(|walker| walker.shuffled(&[0, 1]))? == 1;
        let cmp = if truth { cmp } else { cmp.negated() };
        self.choose(|walker| walker.state.demand(cmp, sum))?;
        Ok(truth)
    }

    fn load(&mut self, r: &Ref) -> Step<Linear> {
        if r.side == Side::Output {
            return Err(Dead::End);
        }
        let Some(index) = r.index.first() else { return self.length(r.field) };
        let at = self.eval(index)?;
        let at = self.settled(&at, Purpose::Place)?;
        self.byte(r.field, at)
    }

    /// Returns the length of an array, from the hidden scalar that represents it.
    fn length(&mut self, field: FieldId) -> Step<Linear> {
        let of = |(array, _): &(usize, _)| self.program.length_of(FieldId(*array)) == Some(field);
        let array = self.state.arrays.iter().enumerate().find(of);
        let length = array.and_then(|(_, bytes)| Some(bytes.as_ref()?.length));
        self.state.resolve(&length.ok_or(Dead::End)?.into())
    }

    /// Returns a place of an array as an index, and requires the array to be longer.
    pub fn place(&mut self, array: FieldId, at: i128, width: usize) -> Step<usize> {
        if !(0..FARTHEST).contains(&at) {
            return Err(Dead::End);
        }
        let at = at as usize;
        self.state.touch(array, at + width)?;
        Ok(at)
    }

    /// Returns bytes of a known representation; empty if it is unknown.
    pub fn known(&self, array: FieldId, at: usize, width: usize) -> &[u8] {
        let known = self.state.arrays[array.0].as_ref().and_then(|bytes| bytes.known.as_deref());
        let known = known.unwrap_or_default();
        &known[at.min(known.len())..(at + width).min(known.len())]
    }

    /// Returns a byte of an array.
    pub fn byte(&mut self, array: FieldId, at: i128) -> Step<Linear> {
        let at = self.place(array, at, 1)?;
        match self.state.cell(array, at) {
            Cell::Byte(b) => Ok(i128::from(b).into()),
            Cell::Free => {
                let Some(site) = self.state.arrays[array.0].as_ref().map(|bytes| bytes.site) else {
                    return Err(Dead::End);
                };
                let ordinal = self.state.ordinals[site];
                let u = self.state.unknown(0, 255, None);
                self.state.domains[u.0].preferred = self.preferred_number(site, ordinal);
                self.state.set_cell(array, at, Cell::Digit(u, 0));
                self.state.make(Made { site, value: u.into(), width: None });
                if let Some(byte) = self.known(array, at, 1).first().copied() {
                    self.state.narrow(u, byte.into(), byte.into())?;
                }
                if let Some(given) = self.given_number(site, ordinal)? {
                    self.choose(|walker| walker.state.narrow(u, given, given))?;
                }
                self.state.resolve(&u.into())
            }
            Cell::Digit(u, k) => self.digit(u, k),
        }
    }

    /// Returns a byte of the encoding of an unknown.
    fn digit(&mut self, u: Unknown, k: u8) -> Step<Linear> {
        let number = Linear::from(u);
        let Some((encoding, width)) = self.state.encodings[u.0] else {
            return self.state.resolve(&number);
        };
        let form = match encoding {
            Encoding::Fixed(form) if !form.signed => form,
            _ => {
                let n = self.settled(&number, Purpose::Value)?;
                let bytes = encoded(encoding, width, n);
                return Ok(i128::from(bytes[usize::from(k)]).into());
            }
        };
        if form.bytes == 1 {
            return self.state.resolve(&number);
        }
        let weight = if form.big { form.bytes - 1 - usize::from(k) } else { usize::from(k) };
        let (above, _) = self.state.parts(&number, 1 << (8 * weight))?;
        Ok(self.state.parts(&above, 256)?.1)
    }

    /// Returns the truth of a predicate, as far as it is known. Parts that a conjunction or disjunction does not reach
    /// are not read.
    pub fn truth(&mut self, p: &Pred) -> Step<Option<bool>> {
        match p {
            Pred::Const(b) => Ok(Some(*b)),
            Pred::Cmp(cmp, a, b) => {
                let distance = self.distance(a, b)?;
                self.state.truth_of(*cmp, &distance)
            }
            Pred::And(ps) | Pred::Or(ps) => {
                let end = matches!(p, Pred::Or(_));
                for p in ps {
                    match self.truth(p)? {
                        Some(truth) if truth == end => return Ok(Some(end)),
                        Some(_) => {}
                        None => return Ok(None),
                    }
                }
                Ok(Some(!end))
            }
            // Specs have no quantifiers.
            Pred::All(..) => Err(Dead::End),
        }
    }

    fn distance(&mut self, a: &Expr, b: &Expr) -> Step<Linear> {
        let (a, b) = (self.eval(a)?, self.eval(b)?);
        a.plus(-1, &b).ok_or(Dead::End)
    }

    /// Demands that a predicate has this truth.
    pub fn demand(&mut self, p: &Pred, truth: bool) -> Step<()> {
        match p {
            Pred::Const(b) if *b == truth => Ok(()),
            Pred::Const(_) | Pred::All(..) => Err(Dead::End),
            Pred::Cmp(cmp, a, b) => {
                let distance = self.distance(a, b)?;
                let cmp = if truth { *cmp } else { cmp.negated() };
                self.state.demand(cmp, &distance)
            }
            // Either all parts must have this truth, or one part that has it is enough.
            Pred::And(ps) | Pred::Or(ps) => match matches!(p, Pred::And(_)) == truth {
                true => ps.iter().try_for_each(|p| self.demand(p, truth)),
                false => self.demand_any(ps, truth),
            },
        }
    }

    /// Requires that one of several predicates is the first to have this truth.
    fn demand_any(&mut self, ps: &[Pred], truth: bool) -> Step<()> {
        let mut open = Vec::new();
        for (k, p) in ps.iter().enumerate() {
            match self.truth(p)? {
                Some(found) if found == truth => {
                    if open.is_empty() {
                        return Ok(());
                    }
                    open.push(k);
                    break;
                }
                Some(_) => {}
                None => open.push(k),
            }
        }
        let preferred =
            open.iter().rev().copied().find(|k| self.preference(&ps[*k]) == Some(truth));
        let first = match &open[..] {
            [] => return Err(Dead::End),
            [one] => *one,
            _ => self.pick(|walker| {
                let all: Vec<i128> = open.iter().map(|k| *k as i128).collect();
                let mut all = walker.shuffled(&all);
                if let Some(k) = preferred {
                    all.retain(|other| *other != k as i128);
                    all.push(k as i128);
                }
                all
            })? as usize,
        };
        let one_of_several = open.len() > 1;
        let outer = std::mem::replace(&mut self.state.choosing, one_of_several);
        self.state.choosing |= outer;
        for k in open.into_iter().take_while(|k| *k < first) {
            self.demand(&ps[k], !truth)?;
        }
        self.demand(&ps[first], truth)?;
        self.state.choosing = outer;
        Ok(())
    }

    /// Returns the truth of a predicate for the preferred values of unknowns.
    pub fn preference(&mut self, p: &Pred) -> Option<bool> {
        match p {
            Pred::Const(b) => Some(*b),
            Pred::Cmp(cmp, a, b) => {
                let distance = self.distance(a, b).ok()?;
                let mut sum = distance.constant;
                for (u, c) in &distance.terms {
                    sum = sum.checked_add(self.preferred(*u)?.checked_mul(*c)?)?;
                }
                Some(cmp.holds(sum.cmp(&0)))
            }
            Pred::And(ps) | Pred::Or(ps) => {
                let end = matches!(p, Pred::Or(_));
                for p in ps {
                    if self.preference(p)? == end {
                        return Some(end);
                    }
                }
                Some(!end)
            }
            Pred::All(..) => None,
        }
    }

    fn preferred(&self, u: Unknown) -> Option<i128> {
        let d = &self.state.domains[u.0];
        if d.lo == d.hi { Some(d.lo) } else { d.preferred }
    }
}

/// Returns the bytes of a number.
pub fn encoded(encoding: Encoding, width: usize, n: i128) -> Vec<u8> {
    match encoding {
        Encoding::Fixed(form) => {
            let mut bytes = vec![0; form.bytes];
            form.write(n, &mut bytes);
            bytes
        }
        Encoding::Coded(code) => code.encode(n, width),
    }
}
