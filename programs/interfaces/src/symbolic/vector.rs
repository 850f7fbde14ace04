//! Values as bits, each of which is a diagram.

use std::rc::Rc;

use biodivine_lib_bdd::{Bdd, BddValuation};

use crate::library::Interval;

/// A value: bits from the least significant one, and the value of all further bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Vector {
    pub(super) bits: Vec<Bdd>,
    pub(super) sign: Bdd,
}

impl Vector {
    pub(super) fn bit(&self, k: usize) -> &Bdd {
        self.bits.get(k).unwrap_or(&self.sign)
    }

    pub(super) fn width(&self) -> usize {
        self.bits.len()
    }

    /// The range of values that this number of bits can have.
    pub(super) fn range(&self) -> Interval {
        let width = self.bits.len().min(100);
        match self.sign.is_false() {
            true => Interval::new(0, (1 << width) - 1),
            false => Interval::new(-(1 << width), (1 << width) - 1),
        }
    }

    /// Returns the number for these values of the diagram variables.
    pub(crate) fn value(&self, at: &BddValuation) -> i64 {
        let bits = self.bits.iter().enumerate().map(|(k, b)| i64::from(b.eval_in(at)) << k);
        let sign = i64::from(self.sign.eval_in(at)).checked_shl(self.bits.len() as u32);
        bits.sum::<i64>() - sign.unwrap_or(0)
    }

    /// Returns the number, if it does not depend on diagram variables.
    fn number(&self) -> Option<i64> {
        let mut out = 0;
        for (k, bit) in self.bits.iter().enumerate() {
            out |= i64::from(bit.as_bool()?) << k;
        }
        match self.sign.as_bool()? {
            true => Some(out - 1_i64.checked_shl(self.bits.len() as u32)?),
            false => Some(out),
        }
    }
}

/// The value of a variable: a number, or bits that depend on diagram variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Datum {
    /// A number.
    Number(i64),
    /// Any other value.
    Bits(Rc<Vector>),
}

impl Datum {
    pub(super) fn new(vector: Vector) -> Self {
        match vector.number() {
            Some(n) => Self::Number(n),
            None => Self::Bits(Rc::new(vector)),
        }
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(n) => Some(*n),
            Self::Bits(_) => None,
        }
    }
}
