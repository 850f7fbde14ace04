//! Lowers literals, and evaluates expressions that must be constants.

use lang_c::ast::{
    Constant, Expression, Float, FloatBase, FloatFormat, Integer, IntegerBase, IntegerSize,
};
use lang_c::span::{Node, Span};

use super::types::named_float;
use super::{Lowered, Lowerer};
use crate::fold;
use crate::model::{Expr, ExprKind, FloatType, IntRank, IntType, StringId, Type};

impl Lowerer<'_> {
    /// Returns the value of an expression that must be an integer constant.
    pub(super) fn constant_value(&mut self, expression: &Node<Expression>) -> Lowered<i128> {
        let value = self.expression(expression)?;
        match value.constant() {
            Some(value) => Ok(value),
            None => self.problem(expression.span, "not a constant"),
        }
    }

    /// Lowers a literal that is not a string.
    pub(super) fn literal(&mut self, literal: &Node<Constant>) -> Lowered<Expr> {
        match &literal.node {
            Constant::Integer(integer) => self.integer(integer, literal.span),
            Constant::Float(float) => self.float(float, literal.span),
            Constant::Character(text) => self.character(text, literal.span),
        }
    }

    fn integer(&mut self, integer: &Integer, span: Span) -> Lowered<Expr> {
        if integer.suffix.imaginary {
            return self.problem(span, "complex numbers");
        }
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let Ok(value) = i128::from_str_radix(&integer.number, radix) else {
            return self.problem(span, "a number that no type has");
        };
        let least = match integer.suffix.size {
            IntegerSize::Int => IntRank::Int,
            IntegerSize::Long => IntRank::Long,
            IntegerSize::LongLong => IntRank::LongLong,
        };
        let decimal = integer.base == IntegerBase::Decimal;
        for rank in [IntRank::Int, IntRank::Long, IntRank::LongLong] {
            for signed in [true, false] {
                let allowed = if signed {
                    !integer.suffix.unsigned
                } else {
                    integer.suffix.unsigned || !decimal
                };
                let ty = IntType { rank, signed };
                if rank >= least && allowed && ty.contains(value) {
                    return Ok(Expr::int(value, ty));
                }
            }
        }
        self.problem(span, "a number that no type has")
    }

    fn float(&mut self, float: &Float, span: Span) -> Lowered<Expr> {
        if float.suffix.imaginary {
            return self.problem(span, "complex numbers");
        }
        let ty = match &float.suffix.format {
            FloatFormat::Float => FloatType::Float,
            FloatFormat::Double => FloatType::Double,
            FloatFormat::LongDouble => FloatType::LongDouble,
            FloatFormat::TS18661Format(format) => match named_float(format) {
                Some(Type::Float(ty)) => ty,
                _ => return self.problem(span, "a floating type of this width"),
            },
        };
        let value = match float.base {
            FloatBase::Decimal => float.number.parse().ok(),
            FloatBase::Hexadecimal => hexadecimal(&float.number),
        };
        match value {
            // The value is known only if a `double` represents it exactly.
            Some(value) if ty == FloatType::LongDouble && !fold::is_whole(value) => {
                Ok(Expr::unknown(Type::Float(ty)))
            }
            Some(value) => Ok(Expr::float(fold::round(value, ty), ty)),
            None => self.problem(span, "a number that cannot be read"),
        }
    }

    fn character(&mut self, text: &str, span: Span) -> Lowered<Expr> {
        let wide = !text.starts_with('\'');
        let Some(units) = characters(text, wide) else {
            return self.problem(span, "a character that cannot be read");
        };
        let value = match units[..] {
            [unit] if !wide => {
                IntType { rank: IntRank::Char, signed: self.char_signed }.convert(unit.into())
            }
            // Several characters have one byte each, as in gcc.
            _ => units.iter().fold(0, |value, unit| value << 8 | i128::from(*unit)),
        };
        let ty = match text.as_bytes().first() {
            Some(b'u') if text.starts_with("u8") => IntType::BYTE,
            Some(b'u') => IntType { rank: IntRank::Short, signed: false },
            Some(b'U') => IntType::UNSIGNED,
            _ => IntType::INT,
        };
        Ok(Expr::int(ty.convert(value), ty))
    }

    /// Returns the bytes of adjacent string literals with a terminating zero, and the type of an element.
    pub(super) fn string_bytes(
        &mut self,
        literals: &Node<Vec<String>>,
    ) -> Lowered<(Vec<u8>, Type)> {
        let wide = literals.node.iter().any(|l| l.starts_with(['L', 'U']));
        if literals.node.iter().any(|l| l.starts_with('u') && !l.starts_with("u8")) {
            return self.problem(literals.span, "strings of 16-bit characters");
        }
        let mut units = Vec::new();
        for literal in &literals.node {
            match characters(literal, wide) {
                Some(more) => units.extend(more),
                None => return self.problem(literals.span, "a string that cannot be read"),
            }
        }
        units.push(0);
        if wide {
            let bytes = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let signed = !literals.node.iter().any(|l| l.starts_with('U'));
            return Ok((bytes, Type::Int(IntType { rank: IntRank::Int, signed })));
        }
        let char = IntType { rank: IntRank::Char, signed: self.char_signed };
        let bytes = units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
        Ok((bytes, Type::Int(char)))
    }

    /// Adds a string to the table.
    pub(super) fn intern(&mut self, bytes: Vec<u8>) -> StringId {
        self.program.strings.push(bytes);
        StringId::new(self.program.strings.len() - 1)
    }

    /// A string literal as a pointer to its first character.
    pub(super) fn string(&mut self, literals: &Node<Vec<String>>) -> Lowered<Expr> {
        let (bytes, element) = self.string_bytes(literals)?;
        let id = self.intern(bytes);
        Ok(Expr { kind: ExprKind::String(id), ty: element.pointer() })
    }
}

/// Returns the code units of a literal with its quotes: bytes, or the characters of a wide literal.
fn characters(literal: &str, wide: bool) -> Option<Vec<u32>> {
    let open = literal.find(['"', '\''])?;
    let inner = literal.get(open + 1..literal.len().checked_sub(1)?)?;
    let mut units = Vec::new();
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            let mut buffer = [0; 4];
            match wide {
                true => units.push(c as u32),
                false => units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from)),
            }
            continue;
        }
        let escape = rest.next()?;
        let simple = "abfnrtv".find(escape).map(|k| [7, 8, 12, 10, 13, 9, 11][k]);
        if let Some(unit) = simple {
            units.push(unit);
            continue;
        }
        let (radix, most, first) = match escape {
            'x' => (16, usize::MAX, None),
            'u' => (16, 4, None),
            'U' => (16, 8, None),
            '0'..='7' => (8, 2, escape.to_digit(8)),
            'e' | 'E' => {
                units.push(27);
                continue;
            }
            other => {
                units.push(other as u32);
                continue;
            }
        };
        let mut value = first.unwrap_or(0);
        for _ in 0..most {
            let Some(digit) = rest.peek().and_then(|c| c.to_digit(radix)) else { break };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            rest.next();
        }
        match char::from_u32(value).filter(|_| matches!(escape, 'u' | 'U') && !wide) {
            Some(c) => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
            None => units.push(value),
        }
    }
    Some(units)
}

/// Returns the value of the digits of a hexadecimal floating number, such as `1.8p3`.
fn hexadecimal(number: &str) -> Option<f64> {
    let number = number.trim_start_matches("0x").trim_start_matches("0X");
    let (digits, exponent) = number.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value = 0.0f64;
    for c in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(c.to_digit(16)?);
    }
    let shift = exponent.parse::<i32>().ok()?;
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(value * 2f64.powi(shift.checked_sub(places)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read() {
        let of = |text| characters(text, false);
        assert_eq!(of(r#""a\n\x41\101\0""#), Some(vec![97, 10, 65, 65, 0]));
        assert_eq!(of(r"'\''"), Some(vec![39]));
        assert_eq!(of("\"é\""), Some(vec![0xc3, 0xa9]));
        assert_eq!(characters("L\"é\"", true), Some(vec![0xe9]));
        assert_eq!(of("\"\\\""), None);
    }

    #[test]
    fn hexadecimal_floats_are_read() {
        assert_eq!(hexadecimal("1.8p3"), Some(12.0));
        assert_eq!(hexadecimal("1p-2"), Some(0.25));
        assert_eq!(hexadecimal("q"), None);
    }
}
