//! Expressions and predicates.

use std::fmt::Write;

use super::super::dice::Dice;
use super::{Maker, Point};

impl<D: Dice> Maker<'_, D> {
    // --- expressions and predicates ---

    pub(super) fn linear(&mut self) -> String {
        let mut text = String::new();
        for k in 0..=self.dice.below(3) {
            let name = self.scalar();
            let sign = if self.dice.chance(30) { "-" } else { "+" };
            let times = self.dice.of(&["", "", "", "2 * ", "3 * "]);
            let sign = if k == 0 && sign == "+" { String::new() } else { format!("{sign} ") };
            let _ = write!(text, "{sign}{times}{name} ");
        }
        let text = text.trim_end().to_owned();
        match self.dice.below(8) {
            0 => text + " + 5",
            1 => text + " - 3",
            2 => format!("{} * {}", self.scalar(), self.scalar()),
            3 => format!("{} / {}", self.scalar(), self.dice.between(2, 4)),
            4 => format!("{} % {}", self.scalar(), self.dice.between(2, 4)),
            5 => format!("min({}, {})", self.scalar(), self.dice.between(3, 9)),
            _ => text,
        }
    }

    /// Something that a guard may compare.
    pub(super) fn subject(&mut self, at: &Point) -> String {
        let settled = at.settled();
        match self.dice.below(if settled.is_empty() { 4 } else { 10 }) {
            0 => self.scalar(),
            1 => format!("x.{}", self.size()),
            2 => format!("{} + {}", self.scalar(), self.scalar()),
            3 if !self.vars.is_empty() => self.dice.of(&self.vars),
            3 => format!("{} * {}", self.scalar(), self.scalar()),
            4..8 => self.dice.of(&settled).0,
            _ => self.element(at),
        }
    }

    pub(super) fn simple(&mut self, at: &Point) -> String {
        let subject = self.subject(at);
        let cmp = self.dice.of(&["==", "!=", "<", "<=", ">", ">="]);
        match self.dice.below(5) {
            0 => format!("{subject} == 1"),
            1 => format!("{subject} {cmp} {}", self.dice.between(0, 11)),
            2 => {
                let m = self.dice.between(2, 4);
                format!("{subject} % {m} == {}", self.dice.between(0, m - 1))
            }
            3 => {
                let other = self.subject(at);
                format!("{subject} {cmp} {other}")
            }
            _ => format!("{subject} / 2 {cmp} {}", self.dice.between(0, 4)),
        }
    }

    pub(super) fn predicate(&mut self, at: &Point) -> String {
        let first = self.simple(at);
        let p = match self.dice.below(6) {
            0 => {
                let second = self.simple(at);
                format!("{first} || {second}")
            }
            1 => {
                let second = self.simple(at);
                format!("{first} && {second}")
            }
            2 => format!("!({first})"),
            _ => first,
        };
        self.named(p)
    }

    // --- what is assigned ---

    /// The type of an output and a value for it.
    pub(super) fn value(&mut self, at: &Point) -> String {
        let value = match self.dice.below(20) {
            0..8 => self.element(at),
            8 => format!("{} + 1", self.element(at)),
            9 => format!("7 - {}", self.element(at)),
            10 => format!("{} + {}", self.element(at), self.element(at)),
            11 => format!("{} - {}", self.element(at), self.element(at)),
            12 => format!("{} * {}", self.dice.between(2, 3), self.element(at)),
            13 => format!("{} / {}", self.element(at), self.dice.between(2, 4)),
            14 => format!("{} % {}", self.element(at), self.dice.between(2, 4)),
            15 => format!("{} + {}", self.scalar(), self.element(at)),
            16 => format!("{} * {}", self.scalar(), self.element(at)),
            17 => format!("min({}, {})", self.element(at), self.dice.between(3, 300)),
            18 => {
                let i = self.dice.of(&at.settled()).0;
                format!("{} + {i}", self.element(at))
            }
            // The first elements of neighbouring pairs.
            _ => {
                let d = self.array("d", "i32", &[String::new()], false);
                let i = self.dice.of(&at.settled()).0;
                let op = self.dice.of(&["-", "+"]);
                format!("x.{d}[{i} + 1] {op} x.{d}[{i}]")
            }
        };
        self.named(value)
    }
}
