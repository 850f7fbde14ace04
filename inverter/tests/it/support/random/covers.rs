//! Covers: loops that reach every index of an output array once.

use super::super::dice::Dice;
use super::{Dim, Maker, Point};

impl<D: Dice> Maker<'_, D> {
    /// Assigns each of `outputs` at this point, once.
    pub(super) fn leaf(&mut self, outputs: &[String], at: &Point) {
        self.read.clear();
        let index: String = at.settled().iter().map(|(i, _)| format!("[{i}]")).collect();
        if self.dice.chance(12) {
            let p = self.predicate(at);
            self.line(&format!("assume({p});"));
        }
        let targets: Vec<String> = outputs.iter().map(|o| format!("y.{o}{index}")).collect();
        let guards = self.fuel.min(2);
        self.settle(&targets, at, guards);
    }

    /// `targets` get values, under guards or not.
    pub(super) fn settle(&mut self, targets: &[String], at: &Point, guards: usize) {
        if guards > 0 && self.dice.chance(25) {
            self.fuel = self.fuel.saturating_sub(1);
            let p = self.predicate(at);
            let read = self.read.clone();
            self.open(&format!("if {p}"));
            self.settle(targets, at, guards - 1);
            self.read = read.clone();
            self.other("else");
            self.settle(targets, at, guards - 1);
            self.close();
            self.read = read;
            return;
        }
        for target in targets {
            let value = self.value(at);
            self.line(&format!("{target} = {value};"));
        }
    }

    pub(super) fn output(&mut self, dims: &[Dim]) -> String {
        let int = self.dice.of(&["i64", "u8", "i32", "u16", "i16", "u32"]);
        let name = self.name("y");
        let ty = dims.iter().rev().fold(int.to_owned(), |ty, d| format!("[{ty}; {}]", d.length));
        self.output.push(format!("    {name}: {ty},\n"));
        name
    }

    /// Reaches every index of the dimensions that are not settled yet, once each.
    pub(super) fn cover(&mut self, outputs: &[String], rows: &[String], at: &Point) {
        let open: Vec<usize> = (0..at.dims.len()).filter(|d| at.index[*d].is_none()).collect();
        if open.is_empty() {
            return self.leaf(outputs, at);
        }
        // Arrays of fewer dimensions, on the way.
        if open.len() == 1 && !rows.is_empty() {
            let prefix = at.index.len() - 1;
            let index: String =
                at.index[..prefix].iter().flatten().map(|i| format!("[{i}]")).collect();
            let targets: Vec<String> = rows.iter().map(|r| format!("y.{r}{index}")).collect();
            self.read.clear();
            self.settle(&targets, at, 1);
            return self.cover(outputs, &[], at);
        }
        self.fuel = self.fuel.saturating_sub(1);
        // Rows ask for the dimensions in their order.
        let dimension = match rows.is_empty() && self.dice.chance(20) {
            true => self.dice.of(&open),
            false => open[0],
        };
        let dim = at.dims[dimension].clone();
        let n = &dim.count;
        let with = |index: String| {
            let mut at = at.clone();
            at.index[dimension] = Some(index);
            at
        };
        match if self.fuel == 0 { 0 } else { self.dice.below(16) } {
            0..5 => {
                let i = self.begin(n);
                self.cover(outputs, rows, &with(i));
                self.end();
            }
            5 => {
                let i = self.begin(n);
                self.cover(outputs, rows, &with(format!("{n} - 1 - {i}")));
                self.end();
            }
            6 | 7 => {
                let half = match self.dice.below(3) {
                    0 => format!("{n} / 2"),
                    1 => format!("min(2, {n})"),
                    _ => format!("min({}, {n})", self.fresh_scalar("u8")),
                };
                let i = self.begin(&half);
                self.cover(outputs, rows, &with(i));
                self.end();
                let i = self.begin(&format!("{n} - {half}"));
                self.cover(outputs, rows, &with(format!("{half} + {i}")));
                self.end();
            }
            8 => {
                let i = self.begin(&format!("div_ceil({n}, 2)"));
                self.cover(outputs, rows, &with(format!("2 * {i}")));
                self.end();
                let i = self.begin(&format!("{n} / 2"));
                self.cover(outputs, rows, &with(format!("2 * {i} + 1")));
                self.end();
            }
            9..12 => {
                let per = match self.dice.below(3) {
                    0 => "3".to_owned(),
                    _ => self.fresh_scalar("u8"),
                };
                let s = self.begin(&format!("div_ceil({n}, {per})"));
                let r = self.begin(&format!("min({per}, {n} - {s} * {per})"));
                self.cover(outputs, rows, &with(format!("{s} * {per} + {r}")));
                self.end();
                self.end();
            }
            12 => {
                self.open(&format!("if {n} >= 1"));
                self.cover(outputs, rows, &with("0".to_owned()));
                self.close();
                let i = self.begin(&format!("{n} - 1"));
                self.cover(outputs, rows, &with(format!("{i} + 1")));
                self.end();
            }
            13 | 14 => {
                let p = self.predicate(at);
                self.open(&format!("if {p}"));
                self.cover(outputs, rows, at);
                self.other("else");
                self.cover(outputs, rows, at);
                self.close();
            }
            _ => match n.parse::<u8>() {
                Ok(n) => (0..n).for_each(|k| self.cover(outputs, rows, &with(k.to_string()))),
                Err(_) => {
                    let i = self.begin(n);
                    let i = self.named(i);
                    self.cover(outputs, rows, &with(i));
                    self.end();
                }
            },
        }
    }

    pub(super) fn begin(&mut self, count: &str) -> String {
        let var = self.name("i");
        self.open(&format!("for {var} in 0..{count}"));
        self.vars.push(var.clone());
        self.read.clear();
        var
    }

    pub(super) fn end(&mut self) {
        self.vars.pop();
        self.read.clear();
        self.close();
    }

    pub(super) fn covered(&mut self) {
        let rank = [1, 1, 1, 2, 2, 3][self.dice.below(6) as usize];
        let dims: Vec<Dim> = (0..rank).map(|_| self.dim()).collect();
        let outputs: Vec<String> =
            (0..=self.dice.below(3) / 2).map(|_| self.output(&dims)).collect();
        let rows = match rank > 1 && self.dice.chance(25) {
            true => vec![self.output(&dims[..rank - 1])],
            false => Vec::new(),
        };
        let at = Point { index: vec![None; rank], dims };
        self.fuel = 6;
        self.cover(&outputs, &rows, &at);
    }
}
