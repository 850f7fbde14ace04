//! Pieces as files have them: entries that indices pick, kinds, keys, tables of places, trailers.

use super::super::dice::Dice;
use super::Maker;

impl<D: Dice> Maker<'_, D> {
    pub(super) fn structure(&mut self) {
        match self.dice.below(9) {
            0 => self.entries(),
            1 => self.nibbles(),
            2 => self.kinds(),
            3 => self.exception(),
            4 => self.rising(),
            5 => self.distinct(),
            6 => self.table_of_places(),
            7 => self.trailer(),
            _ => self.counted_from(),
        }
    }

    /// Entries of several elements, side by side or in planes.
    fn entries(&mut self) {
        let n = self.size();
        let entries = self.dice.between(2, 6);
        let map = self.array("m", "u8", &[(2 * entries).to_string()], false);
        let index = self.array("p", "u8", std::slice::from_ref(&n), true);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; 2]; {n}],\n"));
        let k = self.begin(&format!("x.{n}"));
        let c = self.begin("2");
        let at = match self.dice.below(3) {
            0 => format!("2 * x.{index}[{k}] + {c}"),
            1 => format!("{entries} * {c} + x.{index}[{k}]"),
            _ => format!("x.{index}[{k}] + {c}"),
        };
        self.line(&format!("y.{to}[{k}][{c}] = x.{map}[{at}];"));
        self.end();
        self.end();
    }

    /// Two indices in one byte.
    fn nibbles(&mut self) {
        let n = self.size();
        let palette = self.array("m", "u8", &["16".to_owned()], false);
        let pairs = self.array("p", "u8", std::slice::from_ref(&n), true);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; 2]; {n}],\n"));
        let k = self.begin(&format!("x.{n}"));
        self.line(&format!("y.{to}[{k}][0] = x.{palette}[x.{pairs}[{k}] >> 4];"));
        self.line(&format!("y.{to}[{k}][1] = x.{palette}[x.{pairs}[{k}] & 0x0f];"));
        self.end();
    }

    /// Rows of three kinds.
    fn kinds(&mut self) {
        let n = self.size();
        let kind = self.array("f", "u8", std::slice::from_ref(&n), true);
        let one = self.array("d", "u8", std::slice::from_ref(&n), false);
        let pattern = self.array("d", "u8", &["2".to_owned()], false);
        let all = self.array("d", "u8", &[n.clone(), "2".to_owned()], false);
        let to = self.name("y");
        self.output.push(format!("    {to}: [[u8; 2]; {n}],\n"));
        let r = self.begin(&format!("x.{n}"));
        let c = self.begin("2");
        self.open(&format!("match x.{kind}[{r}]"));
        self.line(&format!("0 => {{ y.{to}[{r}][{c}] = x.{one}[{r}]; }}"));
        self.line(&format!("1..=3 => {{ y.{to}[{r}][{c}] = x.{pattern}[{c}]; }}"));
        self.line(&format!("_ => {{ y.{to}[{r}][{c}] = x.{all}[{r}][{c}]; }}"));
        self.close();
        self.end();
        self.end();
    }

    /// One index means something else.
    fn exception(&mut self) {
        let (n, special) = (self.size(), self.fresh_scalar("u8"));
        let palette = self.array("m", "u8", &["4".to_owned()], false);
        let index = self.array("p", "u8", std::slice::from_ref(&n), true);
        let to = self.name("y");
        self.output.push(format!("    {to}: [u8; {n}],\n"));
        let k = self.begin(&format!("x.{n}"));
        self.open(&format!("if x.{index}[{k}] == {special}"));
        self.line(&format!("y.{to}[{k}] = 0;"));
        self.other("else");
        self.line(&format!("y.{to}[{k}] = x.{palette}[x.{index}[{k}]];"));
        self.close();
        self.end();
    }

    /// An array that rises, or the sums of one.
    fn rising(&mut self) {
        let n = self.size();
        let bounds = self.array("t", "u16", &[format!("{n} + 1")], true);
        let to = self.name("y");
        self.output.push(format!("    {to}: [u16; {n}],\n"));
        let k = self.begin(&format!("x.{n}"));
        self.line(&format!("assume(x.{bounds}[{k}] <= x.{bounds}[{k} + 1]);"));
        if self.dice.chance(50) {
            self.line(&format!("y.{to}[{k}] = x.{bounds}[{k} + 1] - x.{bounds}[{k}];"));
        } else {
            self.line(&format!("y.{to}[{k}] = x.{bounds}[{k}];"));
        }
        self.end();
    }

    /// Keys that all differ.
    fn distinct(&mut self) {
        let n = self.size();
        let int = self.dice.of(&["u8", "i16", "u32"]);
        let key = self.array("t", int, std::slice::from_ref(&n), true);
        let k = self.begin(&format!("x.{n}"));
        let other = self.begin(&k);
        self.line(&format!("assume(x.{key}[{k}] != x.{key}[{other}]);"));
        self.end();
        self.end();
    }

    /// Places that are read from the bytes that they are in.
    fn table_of_places(&mut self) {
        let (n, w) = (self.size(), self.size());
        let file = self.array("d", "u8", &[String::new()], true);
        let (place, to) = (self.name("q"), self.name("y"));
        let form = self.dice.of(&["u16le", "u16be", "u32le"]);
        self.output.push(format!("    {to}: [[u8; {w}]; {n}],\n"));
        let r = self.begin(&format!("x.{n}"));
        self.line(&format!("let {place} = {form}(x.{file}, 3 + 4 * {r});"));
        if self.dice.chance(30) {
            self.line(&format!("assume(x.{file}[{place} + x.{w}] == 7);"));
        }
        let c = self.begin(&format!("x.{w}"));
        self.line(&format!("y.{to}[{r}][{c}] = x.{file}[{place} + {c}];"));
        self.end();
        self.end();
    }

    /// The end of the bytes says where the rest is.
    fn trailer(&mut self) {
        let n = self.size();
        let file = self.array("d", "u8", &[String::new()], true);
        let (end, place, to) = (self.name("q"), self.name("q"), self.name("y"));
        self.output.push(format!("    {to}: [u8; {n}],\n"));
        let size = self.dice.between(3, 6);
        self.line(&format!("let {end} = len(x.{file}) - {size};"));
        self.line(&format!("assume(bytes(x.{file}, {end}) == b\"T\");"));
        self.line(&format!("let {place} = u16be(x.{file}, {end} + 1);"));
        let k = self.begin(&format!("x.{n}"));
        self.line(&format!("y.{to}[{k}] = x.{file}[{place} + {k}];"));
        self.end();
    }

    /// Places count from another place.
    fn counted_from(&mut self) {
        let n = self.size();
        let file = self.array("d", "u8", &[String::new()], true);
        let (section, place, to) = (self.name("q"), self.name("q"), self.name("y"));
        self.output.push(format!("    {to}: [[u8; 2]; {n}],\n"));
        self.line(&format!("let {section} = u16le(x.{file}, 0);"));
        let r = self.begin(&format!("x.{n}"));
        self.line(&format!("let {place} = u16le(x.{file}, {section} + 2 * {r});"));
        let c = self.begin("2");
        self.line(&format!("y.{to}[{r}][{c}] = x.{file}[{section} + {place} + {c}];"));
        self.end();
        self.end();
    }
}
