//! Writes an npy file.

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::super::policy::Policy;
use super::model::Npy;

pub(super) const ORDERS: [&str; 2] = ["sorted", "reversed"];
pub(super) const QUOTES: [&str; 2] = ["single", "double"];
pub(super) const SPACES: [&str; 2] = ["usual", "none"];
pub(super) const COMMAS: [&str; 2] = ["usual", "opposite"];
pub(super) const MARKS: [&str; 3] = ["none", "little", "big"];
pub(super) const PADDINGS: [&str; 2] = ["64", "16"];

/// The form of a header.
pub(super) struct Style {
    pub(super) version: u8,
    pub(super) order: Policy,
    pub(super) quotes: Policy,
    pub(super) space: Policy,
    pub(super) commas: Policy,
    /// The byte order mark of elements of one byte.
    pub(super) mark: Policy,
    pub(super) padding: Policy,
}

/// White space between words: NumPy's own, none, or random.
struct Spaces(Policy, Option<ChaCha8Rng>);

impl Spaces {
    fn put(&mut self, out: &mut String, usual: &str) {
        let spaces = ["", "", " ", "  ", "\t"];
        out.push_str(match (&mut self.1, self.0) {
            (Some(rng), _) => spaces.choose(rng).copied().unwrap_or_default(),
            (None, Policy::Word(0)) => usual,
            (None, _) => "",
        });
    }
}

/// Decides by a policy with two words: returns true for the second one, or at random.
fn second(policy: Policy, rng: &mut Option<ChaCha8Rng>) -> bool {
    match rng {
        Some(rng) => rng.random(),
        None => policy == Policy::Word(1),
    }
}

fn type_code(npy: &Npy, mark: Policy) -> String {
    let marks = ['|', '<', '>'];
    let order = match (npy.size, mark) {
        (1, Policy::Word(k)) => marks[k.min(2)],
        (1, Policy::Random(seed)) => marks[(seed % 3) as usize],
        _ if npy.big == 1 => '>',
        _ => '<',
    };
    format!("{order}{}{}", char::from(npy.kind), npy.size)
}

fn dictionary(npy: &Npy, style: &Style) -> String {
    let mut spaces = Spaces(style.space, style.space.rng());
    let (mut quotes, mut commas) = (style.quotes.rng(), style.commas.rng());
    let mut quoted = |text: &str| {
        let mark = if second(style.quotes, &mut quotes) { '"' } else { '\'' };
        format!("{mark}{text}{mark}")
    };
    let mut keys = ["descr", "fortran_order", "shape"];
    match style.order {
        Policy::Word(0) => {}
        Policy::Word(_) => keys.reverse(),
        Policy::Random(_) => {
            if let Some(mut rng) = style.order.rng() {
                keys.shuffle(&mut rng);
            }
        }
    }
    let mut out = "{".to_owned();
    for (k, key) in keys.into_iter().enumerate() {
        spaces.put(&mut out, if k > 0 { " " } else { "" });
        out += &quoted(key);
        spaces.put(&mut out, "");
        out.push(':');
        spaces.put(&mut out, " ");
        match key {
            "descr" => out += &quoted(&type_code(npy, style.mark)),
            "shape" => {
                let sizes = &[npy.rows, npy.columns][..usize::from(npy.dims)];
                out.push('(');
                for (k, size) in sizes.iter().enumerate() {
                    spaces.put(&mut out, if k > 0 { " " } else { "" });
                    out += &size.to_string();
                    spaces.put(&mut out, "");
                    // NumPy writes no comma after the last of two numbers.
                    let last = k == 1 && !second(style.commas, &mut commas);
                    out += if last { "" } else { "," };
                }
                spaces.put(&mut out, "");
                out.push(')');
            }
            _ => out += if npy.fortran == 1 { "True" } else { "False" },
        }
        spaces.put(&mut out, "");
        if k < 2 || !second(style.commas, &mut commas) {
            out.push(',');
        }
    }
    spaces.put(&mut out, " ");
    out.push('}');
    out
}

pub(super) fn write(npy: &Npy, style: &Style) -> Vec<u8> {
    let mut text = dictionary(npy, style);
    let start = if style.version == 1 { 10 } else { 12 };
    let length = start + text.len() + 1;
    let padded = match (style.padding.rng(), style.padding) {
        (Some(mut rng), _) => length.next_multiple_of(64) + 64 * rng.random_range(0..=12),
        (None, Policy::Word(0)) => length.next_multiple_of(64),
        (None, _) => length.next_multiple_of(16),
    };
    text.extend(std::iter::repeat_n(' ', padded - length));
    text.push('\n');
    let mut out = b"\x93NUMPY".to_vec();
    out.extend([style.version, 0]);
    // Headers are far below 2^16 bytes.
    let digits = (text.len() as u32).to_le_bytes();
    out.extend(&digits[..start - 8]);
    out.extend(text.bytes());
    out.extend(&npy.elements);
    out
}
