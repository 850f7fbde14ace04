//! The types in formats of `printf` and `scanf` (section 4.1 of the paper, point 2).

use crate::program::Part;

/// The kind of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Formats of `printf`: `%f` is a `double`, `*` is a number that is not written.
    Print,
    /// Formats of `scanf`: `%f` is a `float`, `*` does not store anything.
    Scan,
}

/// Returns the C names of the types that a format writes or reads, in order. Ignores other text, and conversions that
/// are not in C11.
pub fn types(format: &str, kind: Kind) -> Vec<Part> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        let (flags, after) = split(rest, |c| "-+ #0123456789.*'".contains(c));
        let (length, after) = split(after, |c| "hlLqjzt".contains(c));
        let mut chars = after.chars();
        let Some(conversion) = chars.next() else { break };
        rest = chars.as_str();
        if conversion == '[' {
            // `]` may be the first character of the set.
            let set = rest.strip_prefix('^').unwrap_or(rest);
            let first = set.chars().next().map_or(0, char::len_utf8);
            rest = set[first..].split_once(']').map_or("", |(_, rest)| rest);
        }
        let _ = flags;
        if let Some(name) = name(conversion, length, kind) {
            found.push(Part::one(name));
        }
    }
    found
}

/// Returns true if a format of `printf` has text besides its conversions.
pub fn has_text(format: &str) -> bool {
    let mut rest = format;
    while let Some(after) = rest.strip_prefix('%') {
        let after = after.trim_start_matches(|c| "-+ #0123456789.*'hlLqjzt".contains(c));
        let mut chars = after.chars();
        if chars.next() == Some('%') {
            return true;
        }
        rest = chars.as_str();
    }
    !rest.is_empty()
}

/// Returns true for the name of a type that may occur in a format.
pub fn is_name(kind: &str) -> bool {
    const LENGTHS: [&str; 9] = ["hh", "h", "", "l", "ll", "j", "z", "t", "L"];
    LENGTHS.iter().any(|length| {
        "duacsp".chars().any(|conversion| {
            [Kind::Print, Kind::Scan].iter().any(|k| name(conversion, length, *k) == Some(kind))
        })
    })
}

fn split(text: &str, inside: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !inside(c)).unwrap_or(text.len()))
}

/// Returns the type of a conversion; `None` for `%%` and `%n`, which do not write or read anything.
fn name(conversion: char, length: &str, kind: Kind) -> Option<&'static str> {
    let unsigned = |signed: &'static str| match signed {
        "char" => "unsigned char",
        "short" => "unsigned short",
        "int" => "unsigned int",
        "long" => "unsigned long",
        "long long" => "unsigned long long",
        other => other,
    };
    let integer = match length {
        "hh" => "char",
        "h" => "short",
        "l" => "long",
        "ll" | "q" | "L" => "long long",
        "j" => "intmax_t",
        "z" => "size_t",
        "t" => "ptrdiff_t",
        _ => "int",
    };
    match conversion {
        'd' | 'i' => Some(integer),
        'u' | 'o' | 'x' | 'X' => Some(unsigned(integer)),
        'a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => Some(match (length, kind) {
            ("L", _) => "long double",
            ("", Kind::Scan) => "float",
            _ => "double",
        }),
        'c' if length == "l" => Some("wint_t"),
        'c' => Some("char"),
        's' | '[' => Some("string"),
        'p' => Some("pointer"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, types};
    use crate::program::Part;

    fn text(format: &str, kind: Kind) -> String {
        types(format, kind).iter().map(|part| part.kind.clone()).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn formats_of_printf() {
        assert_eq!(text("%d items: %-8.3f%% of %s\n", Kind::Print), "int,double,string");
        assert_eq!(text("%08lx %hhu %*d %n", Kind::Print), "unsigned long,unsigned char,int");
        assert_eq!(text("%", Kind::Print), "");
        assert_eq!(text("%k%c", Kind::Print), "char");
    }

    #[test]
    fn formats_of_scanf() {
        assert_eq!(text("%f %lf %Lf", Kind::Scan), "float,double,long double");
        assert_eq!(text("%*d %[^]a]%c", Kind::Scan), "int,string,char");
        assert_eq!(text("%[]]%d", Kind::Scan), "string,int");
    }

    #[test]
    fn a_sequence_of_parts_is_read_as_it_is_written() {
        for written in ["byte", "byte*", "byte=31|139 long* x?", "byte!=1|2", ""] {
            assert_eq!(Part::text(&Part::sequence(written)), written);
        }
    }
}
