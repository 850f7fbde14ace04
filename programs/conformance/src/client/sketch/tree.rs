//! Parses expressions into trees without knowing any types.

use canonical::{Binary, Unary};

use super::words::{Word, behind};

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// An integer.
    Int(i128),
    /// A name. For a qualified name, its last part.
    Name(String),
    /// Any other expression, with the parts whose effects matter.
    Unknown(Vec<Tree>),
    /// An operator with one operand.
    Unary(Unary, Box<Tree>),
    /// An operator with two operands.
    Binary(Binary, Box<Tree>, Box<Tree>),
    /// `&&`, or `||` if the flag is false.
    Both(bool, Box<Tree>, Box<Tree>),
    /// `?:`.
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
    /// An assignment. The flag is true if the value is the old one, as in `x++`.
    Assign(Box<Tree>, Box<Tree>, bool),
    /// A call, with the position of the token before the bracket.
    Call(Box<Tree>, Vec<Tree>, usize),
    /// A member, of any object.
    Field(Box<Tree>, String),
    /// An element.
    Index(Box<Tree>, Box<Tree>),
    /// The object that a pointer points to.
    Deref(Box<Tree>),
    /// An address.
    Address(Box<Tree>),
    /// `a, b`.
    Comma(Box<Tree>, Box<Tree>),
}

/// The maximum number of operators in one expression, and of nested brackets. They are limited because trees are walked
/// by recursion.
const OPERATORS: usize = 2_000;
const DEPTH: usize = 64;

/// Parses the expression from `start` to `end`. Parts that cannot be parsed are unknown.
pub fn expression(words: &[Word<'_>], start: usize, end: usize) -> Tree {
    let mut reader = Reader { words, at: start, end, depth: 0, operators: 0 };
    let mut tree = reader.comma();
    while reader.at < end && reader.operators < OPERATORS {
        // Parse the rest separately, so that its calls count.
        reader.at += 1;
        reader.operators += 1;
        let next = reader.comma();
        tree = Tree::Comma(Box::new(tree), Box::new(next));
    }
    tree
}

struct Reader<'a> {
    words: &'a [Word<'a>],
    at: usize,
    end: usize,
    depth: usize,
    operators: usize,
}

/// Returns the precedence and the meaning of an operator between two operands.
fn operator(text: &str) -> Option<(u8, Option<Binary>)> {
    let (priority, operator) = match text {
        "||" => (1, None),
        "&&" => (2, None),
        "|" => (3, Some(Binary::Or)),
        "^" => (4, Some(Binary::Xor)),
        "&" => (5, Some(Binary::And)),
        "==" => (6, Some(Binary::Equal)),
        "!=" => (6, Some(Binary::NotEqual)),
        "<" => (7, Some(Binary::Less)),
        ">" => (7, Some(Binary::Greater)),
        "<=" => (7, Some(Binary::LessEqual)),
        ">=" => (7, Some(Binary::GreaterEqual)),
        "<<" => (8, Some(Binary::ShiftLeft)),
        ">>" => (8, Some(Binary::ShiftRight)),
        "+" => (9, Some(Binary::Add)),
        "-" => (9, Some(Binary::Subtract)),
        "*" => (10, Some(Binary::Multiply)),
        "/" => (10, Some(Binary::Divide)),
        "%" => (10, Some(Binary::Remainder)),
        _ => return None,
    };
    Some((priority, operator))
}

impl<'a> Reader<'a> {
    fn peek(&self) -> &'a str {
        self.words[..self.end.min(self.words.len())].get(self.at).map_or("", |word| word.text)
    }

    fn ahead(&self, k: usize) -> &'a str {
        self.words[..self.end.min(self.words.len())].get(self.at + k).map_or("", |word| word.text)
    }

    fn take(&mut self, text: &str) -> bool {
        let is = self.peek() == text;
        self.at += usize::from(is);
        is
    }

    fn comma(&mut self) -> Tree {
        let mut left = self.assignment();
        while self.operators < OPERATORS && self.take(",") {
            self.operators += 1;
            let right = self.assignment();
            left = Tree::Comma(Box::new(left), Box::new(right));
        }
        left
    }

    fn assignment(&mut self) -> Tree {
        self.operators += 1;
        self.depth += 1;
        if self.depth > DEPTH || self.operators > OPERATORS {
            // The expression is too deep or too long, so it is unknown.
            self.at = self.end;
            self.depth -= 1;
            return Tree::Unknown(Vec::new());
        }
        let left = self.binary(1);
        let text = self.peek();
        let tree = if self.take("?") {
            let yes = self.assignment();
            self.take(":");
            let no = self.assignment();
            Tree::Choice(Box::new(left), Box::new(yes), Box::new(no))
        } else if self.take("=") {
            let right = self.assignment();
            Tree::Assign(Box::new(left), Box::new(right), false)
        } else if let Some((_, Some(operator))) =
            text.strip_suffix('=').filter(|_| operator(text).is_none()).and_then(operator)
        {
            self.at += 1;
            let right = self.assignment();
            let value = Tree::Binary(operator, Box::new(left.clone()), Box::new(right));
            Tree::Assign(Box::new(left), Box::new(value), false)
        } else {
            left
        };
        self.depth -= 1;
        tree
    }

    fn binary(&mut self, least: u8) -> Tree {
        let mut left = self.unary();
        while let Some((priority, meaning)) = operator(self.peek()) {
            self.operators += 1;
            if priority < least || self.operators > OPERATORS {
                break;
            }
            self.at += 1;
            let right = Box::new(self.binary(priority + 1));
            left = match meaning {
                Some(operator) => Tree::Binary(operator, Box::new(left), right),
                None => Tree::Both(priority == 2, Box::new(left), right),
            };
        }
        left
    }

    fn unary(&mut self) -> Tree {
        self.depth += 1;
        let tree = if self.depth > DEPTH {
            self.at = self.end;
            Tree::Unknown(Vec::new())
        } else {
            self.prefixed()
        };
        self.depth -= 1;
        tree
    }

    fn prefixed(&mut self) -> Tree {
        let text = self.peek();
        let unary = |operator, reader: &mut Self| {
            reader.at += 1;
            Tree::Unary(operator, Box::new(reader.unary()))
        };
        match text {
            "!" => unary(Unary::Not, self),
            "-" => unary(Unary::Minus, self),
            "~" => unary(Unary::Complement, self),
            "+" => {
                self.at += 1;
                self.unary()
            }
            "*" => {
                self.at += 1;
                Tree::Deref(Box::new(self.unary()))
            }
            "&" => {
                self.at += 1;
                Tree::Address(Box::new(self.unary()))
            }
            "++" | "--" => {
                self.at += 1;
                let target = self.unary();
                step(target, text, false)
            }
            "sizeof" | "new" | "delete" | "throw" | "alignof" => {
                self.at += 1;
                // `new` is followed by a type, and `sizeof` does not compute anything.
                Tree::Unknown(vec![self.unary()])
            }
            "(" if self.is_cast() => {
                self.at = behind(self.words, self.at).min(self.end);
                self.unary()
            }
            _ => self.postfix(),
        }
    }

    /// Returns true if the bracket here contains a type: two names, a `*` at the end, a keyword, or one name if an
    /// operand follows the bracket.
    fn is_cast(&self) -> bool {
        let close = behind(self.words, self.at);
        if close >= self.end || close < self.at + 3 {
            return false;
        }
        let inside = &self.words[self.at + 1..close - 1];
        let types =
            inside.iter().all(|w| w.is_name() || ["*", "&", "::", "<", ">"].contains(&w.text));
        let next = &self.words[close];
        let operand = next.is_name()
            || next.text == "("
            || next.text.starts_with(|c: char| c.is_ascii_digit() || c == '"' || c == '\'');
        let last = inside.last().is_some_and(|w| w.text == "*");
        let names = inside.len() > 1 && inside[..2].iter().all(Word::is_name);
        let known = inside.first().is_some_and(|w| KEYWORDS.contains(&w.text));
        types && inside[0].is_name() && (last || names || known || (inside.len() == 1 && operand))
    }

    fn postfix(&mut self) -> Tree {
        let mut tree = self.primary();
        loop {
            let before = self.at.saturating_sub(1);
            match self.peek() {
                "(" => {
                    let arguments = self.arguments();
                    tree = Tree::Call(Box::new(tree), arguments, before);
                }
                "[" => {
                    let close = behind(self.words, self.at).min(self.end);
                    self.at += 1;
                    let index = self.until(close);
                    tree = Tree::Index(Box::new(tree), Box::new(index));
                }
                "." | "->" => {
                    self.at += 1;
                    let name = self.peek().to_owned();
                    self.at += 1;
                    tree = Tree::Field(Box::new(tree), name);
                }
                "::" => {
                    self.at += 1;
                    tree = self.primary();
                }
                mark @ ("++" | "--") => {
                    self.at += 1;
                    tree = step(tree, mark, true);
                }
                "<" => match self.template() {
                    Some(close) => self.at = close,
                    None => return tree,
                },
                "{" => {
                    // An initializer, or a function without a name.
                    self.at = behind(self.words, self.at).min(self.end);
                }
                _ => return tree,
            }
            self.operators += 1;
            if self.operators > OPERATORS {
                self.at = self.end;
                return tree;
            }
        }
    }

    /// Returns the position after the template arguments, which are names, before a call.
    fn template(&self) -> Option<usize> {
        let mut k = 1;
        while self.at + k < self.end && k < 12 {
            let word = &self.words[self.at + k];
            match word.text {
                ">" => {
                    let call = ["(", "::", "{"].contains(&self.ahead(k + 1));
                    return (call && k > 1).then_some(self.at + k + 1);
                }
                "*" | "::" | "," | "&" => {}
                _ if word.is_name() => {}
                _ => return None,
            }
            k += 1;
        }
        None
    }

    fn arguments(&mut self) -> Vec<Tree> {
        let close = behind(self.words, self.at).min(self.end);
        let mut found = Vec::new();
        self.at += 1;
        while self.at + 1 < close {
            let start = self.at;
            found.push(self.assignment());
            while self.at + 1 < close && self.peek() != "," {
                self.at = if ["(", "[", "{"].contains(&self.peek()) {
                    behind(self.words, self.at)
                } else {
                    self.at + 1
                };
            }
            self.at = self.at.max(start) + 1;
        }
        self.at = close;
        found
    }

    /// Parses the expression up to the bracket before `close`, after which parsing continues.
    fn until(&mut self, close: usize) -> Tree {
        let outer = std::mem::replace(&mut self.end, close.saturating_sub(1).max(self.at));
        let tree = self.comma();
        self.end = outer;
        self.at = close;
        tree
    }

    fn primary(&mut self) -> Tree {
        let Some(word) = self.words[..self.end.min(self.words.len())].get(self.at) else {
            return Tree::Unknown(Vec::new());
        };
        match word.text {
            "(" => {
                let close = behind(self.words, self.at).min(self.end);
                self.at += 1;
                self.until(close)
            }
            "{" | "[" => {
                self.at = behind(self.words, self.at).min(self.end);
                Tree::Unknown(Vec::new())
            }
            // A token that ends an enclosing construct.
            ")" | "]" | "}" | "," | ";" | ":" => Tree::Unknown(Vec::new()),
            text if text.starts_with(|c: char| c.is_ascii_digit()) => {
                self.at += 1;
                if self.peek() == "." {
                    self.at += 1;
                    self.at += usize::from(self.peek().starts_with(|c: char| c.is_ascii_digit()));
                    return Tree::Unknown(Vec::new());
                }
                integer(text).map_or(Tree::Unknown(Vec::new()), Tree::Int)
            }
            _ if word.is_name() => {
                self.at += 1;
                Tree::Name(word.text.to_owned())
            }
            _ => {
                self.at += 1;
                Tree::Unknown(Vec::new())
            }
        }
    }
}

/// Words that begin a type.
pub const KEYWORDS: [&str; 18] = [
    "int", "unsigned", "signed", "char", "short", "long", "float", "double", "void", "const",
    "struct", "static", "register", "enum", "volatile", "bool", "auto", "union",
];

/// `x++`, `++x`, `x--` or `--x`.
fn step(target: Tree, mark: &str, old: bool) -> Tree {
    let operator = if mark == "++" { Binary::Add } else { Binary::Subtract };
    let value = Tree::Binary(operator, Box::new(target.clone()), Box::new(Tree::Int(1)));
    Tree::Assign(Box::new(target), Box::new(value), old)
}

/// The value of an integer constant in C.
pub fn integer(text: &str) -> Option<i128> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return i128::from_str_radix(hex, 16).ok().filter(|v| i64::try_from(*v).is_ok());
    }
    let radix = if lower.len() > 1 && lower.starts_with('0') { 8 } else { 10 };
    i128::from_str_radix(&lower, radix).ok().filter(|v| i64::try_from(*v).is_ok())
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn read(text: &str) -> Tree {
        let words = words(text);
        expression(&words, 0, words.len())
    }

    #[test]
    fn priorities_casts_and_calls() {
        let name = |text: &str| Box::new(Tree::Name(text.to_owned()));
        let wanted = Tree::Both(
            true,
            Box::new(Tree::Binary(Binary::NotEqual, name("a"), Box::new(Tree::Int(8)))),
            Box::new(Tree::Unary(Unary::Not, name("b"))),
        );
        assert_eq!(read("(int) a != 0x8u && !b"), wanted);
        let call = read("f<uint8_t>(x, &s->y[2]) == (g) (z)");
        assert!(matches!(call, Tree::Binary(Binary::Equal, l, _) if matches!(*l, Tree::Call(..))));
        assert!(matches!(read("a = b ? c : d"), Tree::Assign(..)));
        assert!(matches!(read("a *= 2"), Tree::Assign(..)));
    }

    #[test]
    fn any_text_is_read() {
        let deep = "(".repeat(100_000);
        let long = "1 + ".repeat(100_000);
        let right = "a = ".repeat(100_000);
        let minus = "- ".repeat(100_000);
        let calls = "f(".repeat(100_000);
        let index = "a[1]".repeat(100_000);
        for text in ["", ")", "f(", "a[", "a ? b", "x.", "->", "::", "f(,)", "1.", "{", "<>"]
            .into_iter()
            .chain([&*deep, &*long, &*right, &*minus, &*calls, &*index])
        {
            read(text);
        }
    }
}
