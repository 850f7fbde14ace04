//! Pieces of a program: outputs that belong together, and whole layouts.

use super::super::dice::Dice;
use super::{Array, Maker, Point};

impl<D: Dice> Maker<'_, D> {
    // --- pieces ---

    pub(super) fn piece(&mut self) {
        match self.dice.below(26) {
            0..8 => self.covered(),
            8 | 9 => self.scalar_outputs(),
            10 => self.assumption(),
            11 => self.reservation(),
            12 => self.pitched(),
            13 => self.segments(),
            14 => self.interleaved(),
            15 => self.permuted_rows(),
            16 => self.two_regions(),
            17 => self.chunks(),
            18 => self.flagged(),
            19 => self.shared(),
            _ => self.structure(),
        }
    }

    pub(super) fn nowhere() -> Point {
        Point { dims: Vec::new(), index: Vec::new() }
    }

    pub(super) fn scalar_outputs(&mut self) {
        let names: Vec<String> = (0..=self.dice.below(2)).map(|_| self.output(&[])).collect();
        self.scalar_values(&names, 2);
    }

    pub(super) fn scalar_values(&mut self, names: &[String], guards: usize) {
        if guards > 0 && self.dice.chance(40) {
            let p = self.predicate(&Self::nowhere());
            self.open(&format!("if {p}"));
            self.scalar_values(names, guards - 1);
            if self.dice.chance(30) {
                let q = self.predicate(&Self::nowhere());
                // A `let` may not stand between the branches.
                if q.starts_with('v') {
                    self.other("else");
                    self.scalar_values(names, guards - 1);
                    return self.close();
                }
                self.other(&format!("else if {q}"));
                self.scalar_values(names, guards - 1);
            }
            self.other("else");
            self.scalar_values(names, guards - 1);
            return self.close();
        }
        for name in names {
            let e = self.linear();
            let e = self.named(e);
            self.line(&format!("y.{name} = {e};"));
        }
    }

    pub(super) fn assumption(&mut self) {
        let p = self.predicate(&Self::nowhere());
        self.line(&format!("assume({p});"));
    }

    /// Part of an array that something has been read from belongs to somebody else.
    pub(super) fn reservation(&mut self) {
        let lines: Vec<&Array> = self.arrays.iter().filter(|a| a.rank == 1 && !a.places).collect();
        let free = |a: &&&Array| {
            self.input.iter().any(|f| f.contains(&format!(" {}: [", a.name)) && !f.contains(';'))
        };
        let Some(array) = lines.iter().rfind(free).map(|a| a.name.clone()) else {
            return self.covered();
        };
        match self.dice.below(3) {
            0 => self.line(&format!("reserve(x.{array}[0..{}]);", self.next % 7)),
            1 => {
                let at = self.fresh_scalar("u16");
                self.line(&format!("reserve(x.{array}[{at}..{at} + 4]);"));
            }
            _ => {
                let n = self.size();
                let p = self.array("p", "u16", std::slice::from_ref(&n), true);
                let i = self.begin(&format!("x.{n}"));
                self.line(&format!("reserve(x.{array}[x.{p}[{i}]..x.{p}[{i}] + 2]);"));
                self.end();
            }
        }
    }

    // --- pieces as formats have them ---

    pub(super) fn pitched(&mut self) {
        let (h, w, pitch) = (self.size(), self.size(), self.fresh_scalar("u16"));
        let d = self.array("d", "u8", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        let i = self.begin(&format!("x.{h}"));
        let j = self.begin(&format!("x.{w}"));
        let row = if self.dice.chance(50) { format!("(x.{h} - 1 - {i})") } else { i.clone() };
        self.line(&format!("y.{to}[{i}][{j}] = x.{d}[{row} * {pitch} + {j}];"));
        self.end();
        self.end();
    }

    pub(super) fn segments(&mut self) {
        let (h, w) = (self.size(), self.size());
        let at = self.array("p", "u16", std::slice::from_ref(&h), true);
        let d = self.array("d", "u8", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        if self.dice.chance(30) {
            self.line(&format!("reserve(x.{d}[0..{}]);", self.next % 7));
        }
        let i = self.begin(&format!("x.{h}"));
        if self.dice.chance(40) {
            self.line(&format!("assume(x.{at}[{i}] % 2 == 0);"));
        }
        let j = self.begin(&format!("x.{w}"));
        self.line(&format!("y.{to}[{i}][{j}] = x.{d}[x.{at}[{i}] + {j}];"));
        self.end();
        self.end();
    }

    pub(super) fn interleaved(&mut self) {
        let (h, w) = (self.size(), self.size());
        let d = self.array("d", "u8", &[String::new()], false);
        let planes: Vec<String> = (0..self.dice.between(2, 3)).map(|_| self.name("y")).collect();
        for plane in &planes {
            self.output.push(format!("    {plane}: [[u8; {w}]; {h}],\n"));
        }
        let i = self.begin(&format!("x.{h}"));
        let j = self.begin(&format!("x.{w}"));
        for (k, plane) in planes.iter().enumerate() {
            let n = planes.len();
            self.line(&format!("y.{plane}[{i}][{j}] = x.{d}[({i} * x.{w} + {j}) * {n} + {k}];"));
        }
        self.end();
        self.end();
    }

    pub(super) fn permuted_rows(&mut self) {
        let (h, w) = (self.size(), self.size());
        let order = self.array("p", "u8", std::slice::from_ref(&h), true);
        let d = self.array("d", "u8", &[h.clone(), w.clone()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; {w}]; {h}],\n"));
        let i = self.begin(&format!("x.{h}"));
        let j = self.begin(&format!("x.{w}"));
        self.line(&format!("y.{to}[{i}][{j}] = x.{d}[x.{order}[{i}]][{j}];"));
        self.end();
        self.end();
    }

    pub(super) fn two_regions(&mut self) {
        let d = self.array("d", "u8", &[String::new()], false);
        for _ in 0..2 {
            let (n, p) = (self.size(), self.fresh_scalar("u16"));
            let to = self.name("y");
            self.output.push(format!("    {to}: [u8; {n}],\n"));
            let i = self.begin(&format!("x.{n}"));
            self.line(&format!("y.{to}[{i}] = x.{d}[{p} + {i}];"));
            self.end();
        }
    }

    pub(super) fn chunks(&mut self) {
        let (n, per) = (self.size(), self.fresh_scalar("u8"));
        let bare = per.trim_start_matches("x.").to_owned();
        let at = self.array("p", "u16", &[format!("div_ceil({n}, {bare})")], true);
        let d = self.array("d", "u8", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [u8; {n}],\n"));
        if self.dice.chance(50) {
            self.line(&format!("assume({per} >= 1);"));
        }
        let s = self.begin(&format!("div_ceil(x.{n}, {per})"));
        let r = self.begin(&format!("min({per}, x.{n} - {s} * {per})"));
        self.line(&format!("y.{to}[{s} * {per} + {r}] = x.{d}[x.{at}[{s}] + {r}];"));
        self.end();
        self.end();
    }

    /// The guard is an element of the input.
    pub(super) fn flagged(&mut self) {
        let n = self.size();
        let flag = self.array("f", "u8", std::slice::from_ref(&n), true);
        let a = self.array("d", "u8", &[String::new()], false);
        let b = self.array("d", "i16", &[String::new()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [i16; {n}],\n"));
        let i = self.begin(&format!("x.{n}"));
        self.open(&format!("if x.{flag}[{i}] == 1"));
        self.line(&format!("y.{to}[{i}] = x.{a}[{i}];"));
        self.other("else");
        self.line(&format!("y.{to}[{i}] = x.{b}[{i}];"));
        self.close();
        self.end();
    }

    /// One element for two outputs.
    pub(super) fn shared(&mut self) {
        let n = self.size();
        let d = self.array("d", "u8", std::slice::from_ref(&n), false);
        let (a, b) = (self.name("y"), self.name("y"));
        self.output.push(format!("    {a}: [u8; {n}],\n    {b}: [u8; {n}],\n"));
        let i = self.begin(&format!("x.{n}"));
        let back = if self.dice.chance(50) { format!("x.{n} - 1 - {i}") } else { i.clone() };
        self.line(&format!("y.{a}[{i}] = x.{d}[{i}];"));
        self.line(&format!("y.{b}[{i}] = x.{d}[{back}];"));
        self.end();
    }
}
