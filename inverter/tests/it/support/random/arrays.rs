//! Elements of input arrays, and how they are reached.

use std::fmt::Write;

use super::super::dice::Dice;
use super::{ANY, Array, Dim, Maker, Point, UNSIGNED};

impl<D: Dice> Maker<'_, D> {
    // --- elements of input arrays ---

    pub(super) fn array(
        &mut self,
        prefix: &str,
        int: &str,
        lengths: &[String],
        places: bool,
    ) -> String {
        let name = self.name(prefix);
        let ty = lengths.iter().rev().fold(int.to_owned(), |ty, l| match l.as_str() {
            "" => format!("[{ty}]"),
            l => format!("[{ty}; {l}]"),
        });
        self.declare(&name, &ty, places);
        self.arrays.push(Array { name: name.clone(), rank: lengths.len(), places });
        name
    }

    /// A new element for every point, mostly.
    pub(super) fn element(&mut self, at: &Point) -> String {
        if !self.read.is_empty() && self.dice.chance(15) {
            return self.dice.of(&self.read);
        }
        let points = at.settled();
        let old: Vec<Array> = self
            .arrays
            .iter()
            .filter(|a| !a.places && (a.rank == 1 || a.rank == points.len()))
            .cloned()
            .collect();
        let element = if !old.is_empty() && self.dice.chance(20) {
            let array = self.dice.of(&old);
            self.again(&array, &points)
        } else {
            self.fresh(&points)
        };
        self.read.push(element.clone());
        element
    }

    /// An element of an array that has been read elsewhere.
    pub(super) fn again(&mut self, array: &Array, points: &[(String, Dim)]) -> String {
        let mut text = format!("x.{}", array.name);
        for k in 0..array.rank {
            let (i, dim) = match (array.rank == points.len(), points.is_empty()) {
                (true, _) => points[k].clone(),
                (_, true) => ("0".to_owned(), Dim { length: "1".into(), count: "1".into() }),
                _ => self.dice.of(points),
            };
            let index = match self.dice.below(6) {
                0 => i,
                1 => format!("{i} + 1"),
                2 => format!("{} - 1 - ({i})", dim.count),
                3 => format!("({i}) / 2"),
                4 => format!("2 * ({i}) + 1"),
                _ => self.dice.between(0, 3).to_string(),
            };
            let _ = write!(text, "[{index}]");
        }
        text
    }

    /// An element of a new array.
    pub(super) fn fresh(&mut self, points: &[(String, Dim)]) -> String {
        let int = self.dice.of(&ANY);
        let lengths: Vec<String> = points.iter().map(|p| p.1.length.clone()).collect();
        let index: Vec<String> = points.iter().map(|p| p.0.clone()).collect();
        match self.dice.below(if points.is_empty() { 3 } else { 9 }) {
            // Of just the size, as it is or with a dimension reversed.
            0..3 if !points.is_empty() => {
                let d = self.array("d", int, &lengths, false);
                let back = self.dice.below(2 * points.len() as u64) as usize;
                let each = points.iter().enumerate().map(|(k, (i, dim))| {
                    if back == points.len() + k {
                        format!("[{} - 1 - ({i})]", dim.count)
                    } else {
                        format!("[{i}]")
                    }
                });
                format!("x.{d}{}", each.collect::<String>())
            }
            0..2 => {
                let d = self.array("d", int, &[String::new()], false);
                format!("x.{d}[{}]", self.dice.below(4))
            }
            2 => self.scalar(),
            // Strides.
            3 | 4 => {
                let d = self.array("d", int, &[String::new()], false);
                let e = self.strided(points);
                let e = self.named(e);
                format!("x.{d}[{e}]")
            }
            // Indirect, one to three deep, with the rest as an offset.
            5 | 6 => {
                let d = self.array("d", int, &[String::new()], false);
                let (base, rest) = self.indirect(&points[0]);
                let offset = if points.len() == 1 {
                    match rest {
                        true => String::new(),
                        false => self.dice.of(&["", " + 1"]).to_owned(),
                    }
                } else {
                    format!(" + {}", self.strided(&points[1..]))
                };
                format!("x.{d}[{base}{offset}]")
            }
            // Rows picked through a table.
            7 => {
                let d = self.array("d", int, &lengths, false);
                let (base, _) = self.indirect(&points[0]);
                let rest: String = index[1..].iter().map(|i| format!("[{i}]")).collect();
                format!("x.{d}[{base}]{rest}")
            }
            // Free lengths in some dimensions.
            _ => {
                let free: Vec<String> = lengths
                    .iter()
                    .map(|l| if self.dice.chance(50) { String::new() } else { l.clone() })
                    .collect();
                let d = self.array("d", int, &free, false);
                format!("x.{d}{}", index.iter().map(|i| format!("[{i}]")).collect::<String>())
            }
        }
    }

    /// `x.p[i]`, `x.p[x.q[i]]` or `x.p[x.q[x.r[i]]]`, and whether it is more than one deep.
    pub(super) fn indirect(&mut self, (i, dim): &(String, Dim)) -> (String, bool) {
        let deep = self.dice.below(8);
        let levels = 1 + usize::from(deep >= 5) + usize::from(deep >= 7);
        let mut index = i.clone();
        for _ in 0..levels {
            let length = if self.dice.chance(20) { String::new() } else { dim.length.clone() };
            let int = self.dice.of(&UNSIGNED);
            let p = self.array("p", int, &[length], true);
            index = format!("x.{p}[{index}]");
        }
        (index, levels > 1)
    }

    /// A linear index that should give every point an element of its own.
    pub(super) fn strided(&mut self, points: &[(String, Dim)]) -> String {
        let mut text = String::new();
        if self.dice.chance(25) {
            let base = self.fresh_scalar("u16");
            text = format!("{base} + ");
        }
        let k = self.dice.below(3) + 1;
        let times = if k > 1 { format!(" * {k}") } else { String::new() };
        let plus =
            if k > 1 && self.dice.chance(50) { format!(" + {}", k - 1) } else { String::new() };
        // The innermost first, each outer one by the size of what is inside or by a pitch.
        let back = self.dice.below(2 * points.len() as u64) as usize;
        let mut sum: Option<String> = None;
        for (n, (i, dim)) in points.iter().enumerate() {
            let i = if back == points.len() + n {
                format!("({} - 1 - ({i}))", dim.count)
            } else if i.chars().all(char::is_alphanumeric) {
                i.clone()
            } else {
                format!("({i})")
            };
            sum = Some(match sum {
                None => i,
                Some(outer) => {
                    let pitch = match self.dice.below(4) {
                        0 | 1 => dim.count.clone(),
                        2 => self.fresh_scalar("u16"),
                        _ => "9".to_owned(),
                    };
                    format!("({outer}) * {pitch} + {i}")
                }
            });
        }
        let sum = sum.unwrap_or_default();
        if points.len() == 1 && k == 1 && self.dice.chance(25) {
            let pitch = self.fresh_scalar("u16");
            return format!("{text}{sum} * {pitch}");
        }
        if times.is_empty() { text + &sum } else { format!("{text}({sum}){times}{plus}") }
    }
}
