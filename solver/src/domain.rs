//! The set of values of one unknown that satisfy a predicate, in closed form.
//!
//! Comparisons that are linear in the unknown, residues, quotients, `min` and `max` have a closed form, and so do their
//! conjunctions and disjunctions, if the residues can be combined.

use super::interval::IntervalSet;
use super::piecewise;
use language::program::{Atom, Cmp, Expr, Op, Poly, Pred};

/// The maximum number of `min` and `max` that are solved by cases.
const MOST_CASES: usize = 8;

/// The members of `set` that are `residue` modulo `modulus`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// The integers from which the residue selects the members.
    pub set: IntervalSet,
    /// The modulus, at least 1.
    pub modulus: i128,
    /// The residue, from 0 to below `modulus`.
    pub residue: i128,
}

impl Domain {
    /// All integers from `lo` to `hi`, inclusive.
    pub fn range((lo, hi): (i128, i128)) -> Self {
        Self::of(IntervalSet::range(lo, hi))
    }

    /// All members of `set`.
    pub fn of(set: IntervalSet) -> Self {
        Self { set, modulus: 1, residue: 0 }
    }

    /// Returns true if `value` is a member.
    pub fn contains(&self, value: i128) -> bool {
        self.set.contains(value) && self.above(value) == self.residue
    }

    /// The least member that is at least `from`.
    pub fn at_least(&self, from: i128) -> Option<i128> {
        self.set.spans().iter().find_map(|&(lo, hi)| {
            let start = lo.max(from);
            start.checked_add(self.above(self.residue - start)).filter(|v| *v <= hi)
        })
    }

    /// The greatest member that is at most `upto`.
    pub fn at_most(&self, upto: i128) -> Option<i128> {
        self.set.spans().iter().rev().find_map(|&(lo, hi)| {
            let start = hi.min(upto);
            start.checked_sub(self.above(start - self.residue)).filter(|v| *v >= lo)
        })
    }

    /// `distance` modulo the modulus. The mask is faster, and nearly every modulus is a power of
    /// two.
    fn above(&self, distance: i128) -> i128 {
        match self.modulus {
            1 => 0,
            m if m & (m - 1) == 0 => distance & (m - 1),
            m => distance.rem_euclid(m),
        }
    }

    /// The members as intervals; `None` if there are too many.
    fn intervals(self) -> Option<IntervalSet> {
        const MOST: u128 = 4096;
        if self.modulus == 1 {
            return Some(self.set);
        }
        Some(IntervalSet::from_spans(self.members(MOST)?.into_iter().map(|n| (n, n))))
    }

    /// The members in ascending order, if there are at most `most`.
    pub fn members(&self, most: u128) -> Option<Vec<i128>> {
        let mut left = most;
        for (least, last) in self.spans_of_quotients() {
            let count = last.abs_diff(least).checked_add(1).filter(|count| *count <= left)?;
            left -= count;
        }
        let mut all = Vec::with_capacity((most - left) as usize);
        let members = self.spans_of_quotients().flat_map(|(least, last)| least..=last);
        all.extend(members.map(|q| self.member(q)));
        Some(all)
    }

    /// The members at these positions in ascending order, up to the first position that has none.
    pub fn members_at(
        &self,
        positions: impl IntoIterator<Item = u128>,
    ) -> impl Iterator<Item = i128> {
        let quotients = self.quotients();
        positions.into_iter().map_while(move |n| Some(self.member(quotients.nth(n)?)))
    }

    /// The least member of a nonempty set.
    pub fn least(&self) -> i128 {
        self.member(self.quotients().min().unwrap_or(0))
    }

    /// The least and the greatest member; `None` if the set is empty.
    pub fn ends(&self) -> Option<(i128, i128)> {
        Some((self.at_least(self.set.min()?)?, self.at_most(self.set.max()?)?))
    }

    /// Returns true if it has no members.
    pub fn is_empty(&self) -> bool {
        self.ends().is_none()
    }

    /// The members of both; `None` if the residues cannot be combined in closed form.
    pub fn intersect(&self, other: &Self) -> Option<Self> {
        let set = self.set.intersect(&other.set);
        let (small, large) =
            if self.modulus <= other.modulus { (self, other) } else { (other, self) };
        if large.modulus % small.modulus != 0 {
            return None;
        }
        if large.residue.rem_euclid(small.modulus) != small.residue {
            return Some(Self::of(IntervalSet::empty()));
        }
        Some(Self { set, modulus: large.modulus, residue: large.residue })
    }

    /// This set moved by `by`.
    #[must_use]
    pub fn shifted(&self, by: i128) -> Self {
        let spans = self.set.spans().iter();
        let moved = spans.map(|(lo, hi)| (lo.saturating_add(by), hi.saturating_add(by)));
        Self {
            set: IntervalSet::from_spans(moved),
            modulus: self.modulus,
            residue: self.above(self.residue + by),
        }
    }

    /// The members times `by`, which is at least 1.
    #[must_use]
    pub fn scaled(&self, by: i128) -> Self {
        let spans = self.set.spans().iter();
        let set = spans.map(|(lo, hi)| (lo.saturating_mul(by), hi.saturating_mul(by)));
        Self {
            set: IntervalSet::from_spans(set),
            modulus: self.modulus.saturating_mul(by),
            residue: self.residue.saturating_mul(by),
        }
    }

    /// The numbers whose product with `by`, which is at least 1, is a member: the inverse of [`scaled`](Self::scaled),
    /// if the modulus and the residue are multiples of it.
    #[must_use]
    pub fn divided(&self, by: i128) -> Self {
        let spans = self.set.spans().iter();
        let set = spans.map(|(lo, hi)| (-(-lo).div_euclid(by), hi.div_euclid(by)));
        Self {
            set: IntervalSet::from_spans(set),
            modulus: (self.modulus / by).max(1),
            residue: self.residue / by,
        }
    }

    /// The quotients `(v - residue) / modulus` of the members, for drawing: every integer in their
    /// intervals belongs to a member.
    pub fn quotients(&self) -> IntervalSet {
        if self.modulus == 1 {
            return self.set.clone();
        }
        IntervalSet::from_spans(self.spans_of_quotients())
    }

    /// The quotients of the members of each interval, without those that have none.
    fn spans_of_quotients(&self) -> impl Iterator<Item = (i128, i128)> {
        let quotients = |&(lo, hi): &(i128, i128)| match self.modulus {
            // Divisions of 128 bits are slow, and nearly every domain has no modulus.
            1 => (lo, hi),
            m => (-(self.residue - lo).div_euclid(m), (hi - self.residue).div_euclid(m)),
        };
        self.set.spans().iter().map(quotients).filter(|(up, down)| up <= down)
    }

    /// The only member, if there is just one.
    pub fn single(&self) -> Option<i128> {
        let mut all = self.spans_of_quotients();
        match (all.next(), all.next()) {
            (Some((up, down)), None) if up == down => Some(self.member(up)),
            _ => None,
        }
    }

    /// The member that has this quotient.
    pub fn member(&self, quotient: i128) -> i128 {
        quotient * self.modulus + self.residue
    }

    /// Describes it for messages: `1 to 8`, `8 to 4096, and even`.
    pub fn describe(&self) -> String {
        let set = describe(&self.set);
        match (self.modulus, self.residue) {
            (1, _) => set,
            (2, 0) => format!("{set}, and even"),
            (m, 0) => format!("{set}, and a multiple of {m}"),
            (m, r) => format!("{set}, and {r} modulo {m}"),
        }
    }
}

/// Describes a set for messages: `1 to 8`, `2 or 4`.
pub fn describe(domain: &IntervalSet) -> String {
    let span = |&(lo, hi): &(i128, i128)| match hi - lo {
        0 => format!("{lo}"),
        1 => format!("{lo} or {hi}"),
        _ => format!("{lo} to {hi}"),
    };
    match domain.spans() {
        [] => "impossible".to_owned(),
        spans => {
            let (shown, rest) = spans.split_at(spans.len().min(8));
            let mut text = shown.iter().map(span).collect::<Vec<_>>().join(" or ");
            if !rest.is_empty() {
                text.push_str(" or …");
            }
            text
        }
    }
}

/// Returns the values of `unknown` in `within` for which `p` holds, if they have a closed form. `p` must not contain
/// other unknowns.
pub fn solutions(p: &Pred, unknown: &Atom, within: (i128, i128)) -> Option<Domain> {
    match p {
        Pred::Const(true) => Some(Domain::range(within)),
        Pred::Const(false) => Some(Domain::of(IntervalSet::empty())),
        Pred::Cmp(cmp, a, b) => comparison(*cmp, a, b, unknown, within),
        Pred::And(ps) => ps.iter().try_fold(Domain::range(within), |all, p| {
            all.intersect(&solutions(p, unknown, within)?)
        }),
        Pred::Or(ps) => {
            let mut set = IntervalSet::empty();
            for p in ps {
                set = set.union(&solutions(p, unknown, within)?.intervals()?);
            }
            Some(Domain::of(set))
        }
        Pred::All(..) => None,
    }
}

fn comparison(
    cmp: Cmp,
    a: &Expr,
    b: &Expr,
    unknown: &Atom,
    within: (i128, i128),
) -> Option<Domain> {
    if let Some(domain) = plain(cmp, a, b, unknown, within) {
        return Some(domain);
    }
    let difference = Poly::of(a).sub(&Poly::of(b));
    if let Some((coefficient, rest)) = difference.linear_in(unknown)
        && let (Some(c), Some(k)) = (coefficient.as_int(), rest.as_int())
    {
        return linear(cmp, c, k, within);
    }
    if let Some(set) = piecewise::solutions(cmp, &difference, unknown, within) {
        return Some(Domain::of(set));
    }
    if let Some(domain) = residue(cmp, &difference, unknown, within) {
        return Some(domain);
    }
    if let Some(domain) = by_cases(cmp, &difference, unknown, within) {
        return domain;
    }
    by_quotient(cmp, &difference, unknown, within)?
}

/// Solves the most frequent forms: a comparison of the unknown, or of its remainder, with a numeral.
fn plain(cmp: Cmp, a: &Expr, b: &Expr, unknown: &Atom, within: (i128, i128)) -> Option<Domain> {
    let is_unknown = |e: &Expr| match (e, unknown) {
        (Expr::Var(v), Atom::Var(unknown)) => v == unknown,
        (Expr::Ref(r), Atom::Ref(side, field, index)) => {
            let same = |(e, p): (&Expr, &Poly)| matches!(e, Expr::Int(n) if p.as_int() == Some(*n));
            r.side == *side
                && r.field == *field
                && r.index.len() == index.len()
                && r.index.iter().zip(index).all(same)
        }
        _ => false,
    };
    match (a, b) {
        (a, Expr::Int(n)) if is_unknown(a) => linear(cmp, 1, n.checked_neg()?, within),
        (Expr::Int(n), b) if is_unknown(b) => linear(cmp.mirrored(), 1, n.checked_neg()?, within),
        (Expr::Bin(Op::Rem, v, m), Expr::Int(r)) if cmp == Cmp::Eq && is_unknown(v) => match **m {
            Expr::Int(m) if m > 0 => Some(remainder(m, *r, within)),
            _ => None,
        },
        _ => None,
    }
}

/// Solves `c * v + k cmp 0`.
fn linear(cmp: Cmp, c: i128, k: i128, within: (i128, i128)) -> Option<Domain> {
    if c == 0 {
        let holds = cmp.holds(k.cmp(&0));
        return Some(Domain::of(if holds {
            IntervalSet::range(within.0, within.1)
        } else {
            IntervalSet::empty()
        }));
    }
    // From here on, c > 0.
    let (c, k, cmp) = if c > 0 { (c, k, cmp) } else { (-c, k.checked_neg()?, cmp.mirrored()) };
    let floor = k.checked_neg()?.div_euclid(c);
    let exact = k % c == 0;
    let (lo, hi) = within;
    let set = match cmp {
        Cmp::Ge => IntervalSet::range(if exact { floor } else { floor + 1 }.max(lo), hi),
        Cmp::Gt => IntervalSet::range((floor + 1).max(lo), hi),
        Cmp::Le => IntervalSet::range(lo, floor.min(hi)),
        Cmp::Lt => IntervalSet::range(lo, if exact { floor - 1 } else { floor }.min(hi)),
        Cmp::Eq if exact => IntervalSet::range(floor.max(lo), floor.min(hi)),
        Cmp::Eq => IntervalSet::empty(),
        Cmp::Ne if exact => IntervalSet::point(floor).complement(within),
        Cmp::Ne => IntervalSet::range(lo, hi),
    };
    Some(Domain::of(set))
}

/// Solves a comparison with a `min` or `max` of the unknown that is not piecewise linear: one case for each operand.
/// The outer `None` means that the comparison contains neither.
fn by_cases(
    cmp: Cmp,
    difference: &Poly,
    unknown: &Atom,
    within: (i128, i128),
) -> Option<Option<Domain>> {
    let depends = |atom: &&Atom| match atom {
        Atom::Op(Op::Min | Op::Max, a, b) => a.mentions(unknown) || b.mentions(unknown),
        _ => false,
    };
    // Each doubles the cases.
    let mut operators = 0;
    difference.any_atom(&mut |atom| {
        operators += usize::from(depends(&atom));
        operators > MOST_CASES
    });
    if operators > MOST_CASES {
        return Some(None);
    }
    let atom = difference.terms().flat_map(|(m, _)| m).find(depends)?.clone();
    let Atom::Op(op, a, b) = &atom else { return None };
    let (first, second) = if *op == Op::Min { (Cmp::Le, Cmp::Gt) } else { (Cmp::Ge, Cmp::Lt) };
    let case = |order: Cmp, operand: &Poly| {
        let zero = Expr::Int(0);
        let chosen = solutions(&Pred::Cmp(order, a.to_expr(), b.to_expr()), unknown, within)?;
        let rest = difference.replace(&atom, operand).to_expr();
        chosen.intersect(&solutions(&Pred::Cmp(cmp, rest, zero), unknown, within)?)
    };
    let both = || {
        let (x, y) = (case(first, a)?, case(second, b)?);
        (x.modulus == 1 && y.modulus == 1).then(|| Domain::of(x.set.union(&y.set)))
    };
    Some(both())
}

/// Solves a comparison with a quotient of the unknown by a numeral: first for the quotient, then for the unknown. The
/// outer `None` means that the comparison contains no quotient.
fn by_quotient(
    cmp: Cmp,
    difference: &Poly,
    unknown: &Atom,
    within: (i128, i128),
) -> Option<Option<Domain>> {
    const WIDE: i128 = 1 << 70;
    let depends =
        |atom: &&Atom| matches!(atom, Atom::Op(Op::Div | Op::DivCeil, a, _) if a.mentions(unknown));
    let atom = difference.terms().flat_map(|(m, _)| m).find(depends)?.clone();
    let Atom::Op(op, dividend, divisor) = &atom else { return None };
    let solve = || {
        let m = divisor.as_int().filter(|m| *m > 0)?;
        let quotient = difference.to_expr();
        let quotients = solutions(&Pred::Cmp(cmp, quotient, Expr::Int(0)), &atom, (-WIDE, WIDE))?;
        let mut set = IntervalSet::empty();
        for &(lo, hi) in quotients.set.spans() {
            // floor(a / m) in lo..=hi, or ceil(a / m).
            let (least, most) = match op {
                Op::Div => (lo * m, hi * m + m - 1),
                _ => ((lo - 1) * m + 1, hi * m),
            };
            let a = dividend.to_expr();
            let both = Pred::And(vec![
                Pred::Cmp(Cmp::Ge, a.clone(), Expr::Int(least)),
                Pred::Cmp(Cmp::Le, a, Expr::Int(most)),
            ]);
            let part = solutions(&both, unknown, within)?;
            if part.modulus != 1 {
                return None;
            }
            set = set.union(&part.set);
        }
        (quotients.modulus == 1).then(|| Domain::of(set))
    };
    Some(solve())
}

/// Solves `(v + k) % m = r`.
fn residue(cmp: Cmp, p: &Poly, unknown: &Atom, within: (i128, i128)) -> Option<Domain> {
    if cmp != Cmp::Eq {
        return None;
    }
    let mut atoms = p.terms().filter(|(m, _)| !m.is_empty());
    let ((monomial, c), None) = (atoms.next()?, atoms.next()) else { return None };
    let [Atom::Op(Op::Rem, v, m)] = &monomial[..] else { return None };
    let (coefficient, rest) = v.linear_in(unknown)?;
    let (1, k, m) = (coefficient.as_int()?, rest.as_int()?, m.as_int()?) else { return None };
    let r = match c {
        1 => -p.constant(),
        -1 => p.constant(),
        _ => return None,
    };
    let domain = remainder(m, r, within);
    Some(Domain { residue: (domain.residue - k).rem_euclid(domain.modulus), ..domain })
}

/// Solves `v % m = r`.
fn remainder(m: i128, r: i128, (lo, hi): (i128, i128)) -> Domain {
    if r < 0 || r >= m {
        return Domain::of(IntervalSet::empty());
    }
    Domain { set: IntervalSet::range(lo, hi), modulus: m, residue: r }
}

#[cfg(test)]
mod tests {
    use super::*;
    use language::program::VarId;
    use proptest::prelude::*;

    const V: VarId = VarId(0);

    fn eval(e: &Expr, v: i128) -> i128 {
        match e {
            Expr::Int(n) => *n,
            Expr::Bin(op, a, b) => {
                language::program::eval::apply(*op, eval(a, v), eval(b, v)).unwrap()
            }
            _ => v,
        }
    }

    fn holds(p: &Pred, v: i128) -> bool {
        match p {
            Pred::Const(b) => *b,
            Pred::Cmp(c, a, b) => c.holds(eval(a, v).cmp(&eval(b, v))),
            Pred::And(ps) => ps.iter().all(|p| holds(p, v)),
            Pred::Or(ps) => ps.iter().any(|p| holds(p, v)),
            Pred::All(..) => unreachable!(),
        }
    }

    fn any_pred() -> impl Strategy<Value = Pred> {
        let cmp = prop::sample::select(vec![Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]);
        let linear = (cmp, -4i128..5, -20i128..20).prop_map(|(cmp, c, k)| {
            let v = Expr::bin(Op::Mul, Expr::Int(c), Expr::Var(V));
            Pred::Cmp(cmp, v, Expr::Int(k))
        });
        let rem = (1i128..5, -3i128..6, -3i128..3).prop_map(|(m, r, k)| {
            let v = Expr::bin(Op::Add, Expr::Var(V), Expr::Int(k));
            Pred::Cmp(Cmp::Eq, Expr::bin(Op::Rem, v, Expr::Int(m)), Expr::Int(r))
        });
        let min = (any::<bool>(), -3i128..4, -20i128..20, -9i128..9).prop_map(|(min, c, k, m)| {
            let v = Expr::bin(Op::Mul, Expr::Int(c), Expr::Var(V));
            let op = if min { Op::Min } else { Op::Max };
            let inner = Expr::bin(op, v, Expr::bin(Op::Add, Expr::Var(V), Expr::Int(m)));
            Pred::Cmp(Cmp::Le, inner, Expr::Int(k))
        });
        let quotient = (any::<bool>(), 1i128..5, -3i128..4, -9i128..9).prop_map(|(up, m, c, k)| {
            let v =
                Expr::bin(Op::Add, Expr::bin(Op::Mul, Expr::Int(c), Expr::Var(V)), Expr::Int(k));
            let op = if up { Op::DivCeil } else { Op::Div };
            Pred::Cmp(Cmp::Eq, Expr::bin(op, v, Expr::Int(m)), Expr::Int(k / 2))
        });
        let leaf = prop_oneof![3 => linear, 1 => rem, 1 => min, 1 => quotient];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..4).prop_map(Pred::And),
                prop::collection::vec(inner, 1..4).prop_map(Pred::Or),
            ]
        })
    }

    proptest! {
        #[test]
        fn solutions_are_just_the_values_for_which_the_predicate_holds(p in any_pred()) {
            if let Some(domain) = solutions(&p, &Atom::Var(V), (-25, 25)) {
                for v in -25..=25 {
                    prop_assert_eq!(domain.contains(v), holds(&p, v), "{} of {:?}", v, p);
                }
                for v in -27..=27 {
                    let up = (v..=25).find(|w| domain.contains(*w));
                    prop_assert_eq!(domain.at_least(v), up);
                    let down = (-25..=v).rev().find(|w| domain.contains(*w));
                    prop_assert_eq!(domain.at_most(v), down);
                }
                let q = domain.quotients();
                let members: Vec<_> = (0..q.len()).map(|n| domain.member(q.nth(n).unwrap())).collect();
                let expected: Vec<_> = (-25..=25).filter(|v| domain.contains(*v)).collect();
                let single = if let [v] = expected[..] { Some(v) } else { None };
                prop_assert_eq!(domain.single(), single);
                prop_assert_eq!(members, expected);
            }
        }
    }
}
