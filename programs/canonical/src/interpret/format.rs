//! The formats of `printf`.

use super::{Fault, Memory, Value};

/// A conversion, `%-08lx`.
#[derive(Debug, Default)]
struct Conversion {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// The size of an argument in bits.
    bits: u32,
    kind: u8,
}

/// The maximum width of a field that is written.
const WIDEST: usize = 10_000;

/// Formats arguments as `printf` does; conversions that do not exist are written unchanged.
///
/// # Errors
/// Returns an error for a string that is outside of memory.
pub fn format(memory: &Memory, format: &[u8], arguments: &[Value]) -> Result<Vec<u8>, Fault> {
    let mut out = Vec::new();
    let mut arguments = arguments.iter();
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let conversion = parse(format, &mut at, &mut || integer(arguments.next()));
        if conversion.kind == b'%' {
            out.push(b'%');
            continue;
        }
        one(&conversion, arguments.next(), memory, &mut out)?;
    }
    Ok(out)
}

fn integer(value: Option<&Value>) -> i128 {
    match value {
        Some(Value::Int(value)) => *value,
        _ => 0,
    }
}

fn parse(format: &[u8], at: &mut usize, star: &mut dyn FnMut() -> i128) -> Conversion {
    let mut out = Conversion { bits: 32, ..Conversion::default() };
    while let Some(&byte) = format.get(*at) {
        match byte {
            b'-' => out.left = true,
            b'0' => out.zero = true,
            b'+' => out.plus = true,
            b' ' => out.space = true,
            b'#' => out.alternate = true,
            _ => break,
        }
        *at += 1;
    }
    let mut number = |at: &mut usize| {
        if format.get(*at) == Some(&b'*') {
            *at += 1;
            return star();
        }
        let mut value = 0i128;
        while let Some(digit) = format.get(*at).filter(|b| b.is_ascii_digit()) {
            value = (value * 10 + i128::from(digit - b'0')).min(WIDEST as i128);
            *at += 1;
        }
        value
    };
    let width = number(at);
    out.left |= width < 0;
    out.width = usize::try_from(width.unsigned_abs()).unwrap_or(0).min(WIDEST);
    if format.get(*at) == Some(&b'.') {
        *at += 1;
        out.precision = usize::try_from(number(at)).ok().map(|p| p.min(WIDEST));
    }
    while let Some(&byte) = format.get(*at) {
        *at += 1;
        match byte {
            b'l' | b'j' | b'z' | b't' => out.bits = 64,
            b'h' => out.bits = (out.bits / 2).max(8),
            kind => {
                out.kind = kind;
                break;
            }
        }
    }
    out
}

fn one(
    conversion: &Conversion,
    argument: Option<&Value>,
    memory: &Memory,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    let mut sign = "";
    let mut digits: Vec<u8>;
    let mut number = true;
    match (conversion.kind, argument) {
        (b'd' | b'i', value) => {
            let bits = conversion.bits;
            let low = integer(value) & ((1 << bits) - 1);
            let value = if low >> (bits - 1) != 0 { low - (1 << bits) } else { low };
            sign = sign_of(value < 0, conversion);
            digits = value.unsigned_abs().to_string().into_bytes();
        }
        (b'u' | b'x' | b'X' | b'o', value) => {
            let value = integer(value) & ((1 << conversion.bits) - 1);
            digits = match conversion.kind {
                b'u' => format!("{value}"),
                b'x' => format!("{value:x}"),
                b'X' => format!("{value:X}"),
                _ => format!("{value:o}"),
            }
            .into_bytes();
            if conversion.alternate && value != 0 {
                sign = match conversion.kind {
                    b'x' => "0x",
                    b'X' => "0X",
                    b'o' => "0",
                    _ => "",
                };
            }
        }
        (b'c', value) => {
            number = false;
            digits = vec![integer(value).to_le_bytes()[0]];
        }
        (b's', value) => {
            number = false;
            let address = u64::try_from(integer(value)).map_err(|_| Fault::WildPointer)?;
            digits = match (address, conversion.precision) {
                (0, _) => b"(null)".to_vec(),
                (_, Some(most)) => limited(memory, address, most)?,
                _ => memory.text(address)?.to_vec(),
            };
        }
        (b'f', Some(Value::Float(value))) => {
            sign = sign_of(value.is_sign_negative(), conversion);
            let precision = conversion.precision.unwrap_or(6);
            digits = format!("{:.precision$}", value.abs()).into_bytes();
        }
        (kind, _) => {
            out.extend([b'%', kind]);
            return Ok(());
        }
    }
    if let (true, Some(least), true) = (number, conversion.precision, conversion.kind != b'f') {
        let missing = least.saturating_sub(digits.len());
        digits.splice(0..0, std::iter::repeat_n(b'0', missing));
    }
    pad(conversion, sign, &digits, number, out);
    Ok(())
}

fn sign_of(negative: bool, conversion: &Conversion) -> &'static str {
    match negative {
        true => "-",
        false if conversion.plus => "+",
        false if conversion.space => " ",
        false => "",
    }
}

/// Returns at most `most` bytes of a text, which need not have an end.
fn limited(memory: &Memory, address: u64, most: usize) -> Result<Vec<u8>, Fault> {
    let mut text = Vec::new();
    while text.len() < most {
        let byte = memory.read(address + text.len() as u64, 1)?[0];
        if byte == 0 {
            break;
        }
        text.push(byte);
    }
    Ok(text)
}

fn pad(conversion: &Conversion, sign: &str, digits: &[u8], number: bool, out: &mut Vec<u8>) {
    let missing = conversion.width.saturating_sub(sign.len() + digits.len());
    let exact = conversion.precision.is_some() && conversion.kind != b'f';
    let zeros = conversion.zero && number && !conversion.left && !exact;
    let fill = |out: &mut Vec<u8>, byte| out.extend(std::iter::repeat_n(byte, missing));
    if !conversion.left && !zeros {
        fill(out, b' ');
    }
    out.extend(sign.as_bytes());
    if zeros {
        fill(out, b'0');
    }
    out.extend(digits);
    if conversion.left {
        fill(out, b' ');
    }
}
