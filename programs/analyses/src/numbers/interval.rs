//! Nonempty intervals of integers.

use canonical::IntType;

/// All integers from the least to the greatest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The least integer.
    pub lo: i128,
    /// The greatest integer, which is at least the least.
    pub hi: i128,
}

impl Interval {
    /// One number.
    pub fn point(value: i128) -> Self {
        Self { lo: value, hi: value }
    }

    /// Returns all numbers from one to another; `None` if there are none.
    pub fn new(lo: i128, hi: i128) -> Option<Self> {
        (lo <= hi).then_some(Self { lo, hi })
    }

    /// All values of a type.
    pub fn of(ty: IntType) -> Self {
        let (lo, hi) = ty.range();
        Self { lo, hi }
    }

    /// Returns true if it has a number.
    pub fn contains(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Returns true if all of its numbers are in another interval.
    pub fn within(self, other: Self) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The numbers of both.
    pub fn meet(self, other: Self) -> Option<Self> {
        Self::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The least interval with the numbers of both.
    pub fn join(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The sums of their numbers.
    pub fn plus(self, other: Self) -> Self {
        Self { lo: self.lo.saturating_add(other.lo), hi: self.hi.saturating_add(other.hi) }
    }

    /// The differences of their numbers.
    pub fn subtract(self, other: Self) -> Self {
        Self { lo: self.lo.saturating_sub(other.hi), hi: self.hi.saturating_sub(other.lo) }
    }

    /// The products of their numbers.
    pub fn multiply(self, other: Self) -> Self {
        let (a, b) = (self.lo.saturating_mul(other.lo), self.lo.saturating_mul(other.hi));
        let (c, d) = (self.hi.saturating_mul(other.lo), self.hi.saturating_mul(other.hi));
        Self { lo: a.min(b).min(c).min(d), hi: a.max(b).max(c).max(d) }
    }

    /// Returns the quotients, rounded toward zero; `None` if the only divisor is zero.
    pub fn divide(self, by: Self) -> Option<Self> {
        let mut found: Option<Self> = None;
        let parts = [Self::new(by.lo, by.hi.min(-1)), Self::new(by.lo.max(1), by.hi)];
        for part in parts.into_iter().flatten() {
            // The quotient is monotone in each operand while the divisor keeps its sign.
            for (a, b) in
                [(self.lo, part.lo), (self.lo, part.hi), (self.hi, part.lo), (self.hi, part.hi)]
            {
                let point = Self::point(a.wrapping_div(b));
                found = Some(found.map_or(point, |known| known.join(point)));
            }
            if self.contains(0) {
                found = found.map(|known| known.join(Self::point(0)));
            }
        }
        found
    }

    /// Returns the remainders with the sign of the dividend; `None` if the only divisor is zero.
    pub fn remainder(self, by: Self) -> Option<Self> {
        if by == Self::point(0) {
            return None;
        }
        if let (true, true) = (self.lo == self.hi, by.lo == by.hi) {
            return Some(Self::point(self.lo.wrapping_rem(by.lo)));
        }
        let most = by.lo.saturating_abs().max(by.hi.saturating_abs()) - 1;
        // A dividend that is less than every divisor equals the remainder.
        if self.lo >= 0 && by.lo > self.hi {
            return Some(self);
        }
        let lo = if self.lo >= 0 { 0 } else { self.lo.max(-most) };
        let hi = if self.hi <= 0 { 0 } else { self.hi.min(most) };
        Some(Self { lo, hi })
    }

    /// The values after a conversion to a type.
    pub fn convert(self, ty: IntType) -> Self {
        let all = Self::of(ty);
        if self.within(all) {
            return self;
        }
        // The type now has at most 64 bits.
        if ty == IntType::BOOL {
            return if self.contains(0) { all } else { Self::point(1) };
        }
        // If no multiple of the modulus lies between the ends, the order is kept.
        let modulus = 1_i128 << ty.bits();
        let block = |value: i128| (value - all.lo).div_euclid(modulus);
        if self.lo > -(1 << 100) && self.hi < 1 << 100 && block(self.lo) == block(self.hi) {
            let shift = block(self.lo) * modulus;
            return Self { lo: self.lo - shift, hi: self.hi - shift };
        }
        all
    }
}
