//! The syntax of guarded updates, which is based on that of TICC. `docs/interface.md` describes it.

use std::collections::HashMap;

use super::lexer::{Token, tokens};
use super::{
    BinaryOp, Expr, Function, Library, Place, Places, Problem, Rule, UnaryOp, Update, VarId,
    Variable,
};

/// The maximum nesting depth of expressions. A file with deeper ones is refused.
const DEEPEST: usize = 200;

/// The maximum number of operators in one expression, and of variables in one scope. A file with more is refused.
const MOST: usize = 1000;

/// Reads a library. The result is not [checked](super::check()) yet.
///
/// # Errors
///
/// The first problem of the text, with its place.
pub fn parse(text: &str) -> Result<Library, Problem> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
        operators: 0,
        constants: HashMap::new(),
    };
    parser.module()
}

/// The names that an expression may use.
struct Scope<'a> {
    /// Globals, then locals.
    names: Vec<&'a str>,
}

impl<'a> Scope<'a> {
    fn new(globals: &'a [Variable], locals: &'a [Variable]) -> Self {
        Self { names: globals.iter().chain(locals).map(|v| v.name.as_str()).collect() }
    }

    fn find(&self, name: &str) -> Option<VarId> {
        self.names.iter().position(|n| *n == name).map(VarId)
    }
}

struct Parser {
    tokens: Vec<(Token, Place)>,
    next: usize,
    depth: usize,
    operators: usize,
    constants: HashMap<String, i64>,
}

/// A result of the parser.
type Parsed<T> = Result<T, Problem>;

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn place(&self) -> Place {
        self.tokens[self.next].1
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
        token
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match self.peek() {
            Token::Name(n) => format!("`{n}`"),
            Token::Int(n) => format!("`{n}`"),
            Token::Sign(s) => format!("`{s}`"),
            Token::End => "the end of the file".to_owned(),
        };
        Err(Problem::new(self.place(), format!("expected {what}, found {found}")))
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(s) if *s == sign);
        if found {
            self.advance();
        }
        found
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(n) if n == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn name(&mut self, what: &str) -> Parsed<String> {
        match self.peek().clone() {
            Token::Name(n) => {
                self.advance();
                Ok(n)
            }
            _ => self.expected(what),
        }
    }

    fn module(&mut self) -> Parsed<Library> {
        let begin = self.place();
        if !self.eat_word("module") {
            return self.expected("`module`");
        }
        let name = self.name("the name of the module")?;
        self.eat(":");
        let mut library = Library {
            name,
            globals: Vec::new(),
            initial: Expr::Int(1),
            error: Expr::Int(0),
            functions: Vec::new(),
            places: Places { module: begin, initial: begin, error: begin },
        };
        let mut error = None;
        let mut functions = Vec::new();
        while !self.eat_word("endmodule") {
            self.operators = 0;
            let place = self.place();
            if self.eat_word("const") {
                self.constant()?;
            } else if self.is_word("var") {
                self.global(&mut library)?;
            } else if self.eat_word("init") {
                let scope = Scope::new(&library.globals, &[]);
                let initial = self.expr(&scope)?;
                if library.places.initial == begin {
                    library.places.initial = place;
                }
                library.initial = Expr::and(library.initial, initial);
                self.sign(";")?;
            } else if self.eat_word("error") {
                error = Some(self.expr(&Scope::new(&library.globals, &[]))?);
                library.places.error = place;
                self.sign(";")?;
            } else if self.eat_word("output") {
                let function = self.function(&library)?;
                if functions.iter().any(|f: &Function| f.name == function.name) {
                    let message = format!("`{}` is defined already", function.name);
                    return Err(Problem::new(function.place, message));
                }
                functions.push(function);
            } else {
                return self.expected("`var`, `const`, `init`, `error`, `output` or `endmodule`");
            }
        }
        if *self.peek() != Token::End {
            return self.expected("nothing after `endmodule`");
        }
        let err = Scope::new(&library.globals, &[]).find("err");
        library.error = match (error, err) {
            (Some(e), _) => e,
            (None, Some(v)) => {
                library.places.error = library.globals[v.0].place;
                Expr::equals(Expr::Var(v), Expr::Int(1))
            }
            (None, None) => {
                let message = "no error condition: declare `var err : [0..1]` or write `error`";
                return Err(Problem::new(self.place(), message));
            }
        };
        library.functions = functions;
        Ok(library)
    }

    fn constant(&mut self) -> Parsed<()> {
        let name = self.name("the name of the constant")?;
        self.sign("=")?;
        let value = self.number()?;
        self.eat(";");
        self.constants.insert(name, value);
        Ok(())
    }

    /// A constant expression.
    fn number(&mut self) -> Parsed<i64> {
        let place = self.place();
        let scope = Scope { names: Vec::new() };
        let expr = self.comparison(&scope)?;
        let bounds = super::interval(&expr, &|_| super::Interval::new(0, 0));
        match bounds.low.unsigned_abs().max(bounds.high.unsigned_abs()) <= 1 << 60 {
            true => Ok(expr.value(&|_| 0)),
            false => Err(Problem::new(place, "this constant is too large")),
        }
    }

    /// `[low..high]`.
    fn range(&mut self) -> Parsed<(i64, i64)> {
        let place = self.place();
        self.sign("[")?;
        let low = self.number()?;
        self.sign("..")?;
        let high = self.number()?;
        self.sign("]")?;
        match low <= high && high.abs_diff(low) <= 1 << 60 {
            true => Ok((low, high)),
            false => Err(Problem::new(place, format!("[{low}..{high}] is no range of values"))),
        }
    }

    /// `var a, b : [low..high] = value;`. Returns the variables, and true if a value was given.
    fn variables(&mut self, taken: &[&[Variable]]) -> Parsed<(Vec<Variable>, bool)> {
        self.advance();
        let mut names = Vec::new();
        loop {
            let place = self.place();
            let name = self.name("the name of a variable")?;
            let is_taken = taken.iter().any(|vs| vs.iter().any(|v| v.name == name));
            if is_taken || names.iter().any(|(n, _)| *n == name) || self.is_constant(&name) {
                return Err(Problem::new(place, format!("`{name}` is declared already")));
            }
            names.push((name, place));
            if names.len() + taken.iter().map(|vs| vs.len()).sum::<usize>() > MOST {
                return Err(Problem::new(place, format!("more than {MOST} variables")));
            }
            if !self.eat(",") {
                break;
            }
        }
        self.sign(":")?;
        let (low, high) = self.range()?;
        let place = self.place();
        let given = self.eat("=");
        let initial = if given { self.number()? } else { low.max(0).min(high) };
        if !(low..=high).contains(&initial) {
            let message = format!("the value {initial} is outside of [{low}..{high}]");
            return Err(Problem::new(place, message));
        }
        self.eat(";");
        let variable = |(name, place)| Variable { name, low, high, initial, place };
        Ok((names.into_iter().map(variable).collect(), given))
    }

    fn is_constant(&self, name: &str) -> bool {
        self.constants.contains_key(name)
    }

    fn global(&mut self, library: &mut Library) -> Parsed<()> {
        let (variables, given) = self.variables(&[&library.globals])?;
        for v in variables {
            let id = VarId(library.globals.len());
            if given {
                let is = Expr::equals(Expr::Var(id), Expr::Int(v.initial));
                library.initial = Expr::and(library.initial.clone(), is);
            }
            library.globals.push(v);
        }
        Ok(())
    }

    fn function(&mut self, library: &Library) -> Parsed<Function> {
        let place = self.place();
        let name = self.name("the name of a function")?;
        let mut locals: Vec<Variable> = Vec::new();
        if self.eat("(") {
            while !self.eat(")") {
                let place = self.place();
                let name = self.name("a parameter")?;
                if library.globals.iter().chain(&locals).any(|v| v.name == name) {
                    return Err(Problem::new(place, format!("`{name}` is declared already")));
                }
                self.sign(":")?;
                let (low, high) = self.range()?;
                locals.push(Variable { name, low, high, initial: low.max(0).min(high), place });
                if !self.eat(",") {
                    self.sign(")")?;
                    break;
                }
            }
        }
        let parameters = locals.len();
        self.eat(":");
        self.sign("{")?;
        let mut rules = Vec::new();
        while !self.eat("}") {
            if self.is_word("var") {
                let (more, _) = self.variables(&[&library.globals, &locals])?;
                locals.extend(more);
            } else {
                let scope = Scope::new(&library.globals, &locals);
                rules.push(self.rule(&scope)?);
            }
        }
        Ok(Function { name, locals, parameters, rules, place })
    }

    fn rule(&mut self, scope: &Scope<'_>) -> Parsed<Rule> {
        let place = self.place();
        self.operators = 0;
        let guard = self.expr(scope)?;
        self.sign("==>")?;
        let mut updates: Vec<(VarId, Update)> = Vec::new();
        loop {
            let place = self.place();
            let name = self.name("a variable to update")?;
            let Some(id) = scope.find(&name) else {
                return Err(Problem::new(place, format!("no variable `{name}`")));
            };
            if updates.iter().any(|(v, _)| *v == id) {
                return Err(Problem::new(place, format!("`{name}` is updated twice")));
            }
            self.sign("'")?;
            if self.eat_word("in") {
                let (low, high) = self.range()?;
                updates.push((id, Update::Any(low, high)));
            } else {
                self.sign("=")?;
                updates.push((id, Update::Value(self.comparison(scope)?)));
            }
            if !(self.eat("&") || self.eat("&&") || self.eat(",")) {
                break;
            }
        }
        self.sign(";")?;
        Ok(Rule { guard, updates, place })
    }

    fn expr(&mut self, scope: &Scope<'_>) -> Parsed<Expr> {
        let mut left = self.conjunction(scope)?;
        while self.eat("|") || self.eat("||") || self.eat_word("or") {
            let right = self.conjunction(scope)?;
            left = self.join(BinaryOp::Or, left, right)?;
        }
        Ok(left)
    }

    fn join(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Parsed<Expr> {
        self.operators += 1;
        match self.operators > MOST {
            true => Err(Problem::new(
                self.place(),
                format!("this rule or condition has more than {MOST} operators"),
            )),
            false => Ok(Expr::binary(op, a, b)),
        }
    }

    fn conjunction(&mut self, scope: &Scope<'_>) -> Parsed<Expr> {
        let mut left = self.comparison(scope)?;
        while self.eat("&") || self.eat("&&") || self.eat_word("and") {
            let right = self.comparison(scope)?;
            left = self.join(BinaryOp::And, left, right)?;
        }
        Ok(left)
    }

    fn comparison(&mut self, scope: &Scope<'_>) -> Parsed<Expr> {
        let left = self.level(0, scope)?;
        for (sign, op, swap) in [
            ("=", BinaryOp::Eq, false),
            ("==", BinaryOp::Eq, false),
            ("!=", BinaryOp::Ne, false),
            ("<=", BinaryOp::Le, false),
            (">=", BinaryOp::Le, true),
            ("<", BinaryOp::Lt, false),
            (">", BinaryOp::Lt, true),
        ] {
            if self.eat(sign) {
                let right = self.level(0, scope)?;
                let (a, b) = if swap { (right, left) } else { (left, right) };
                return self.join(op, a, b);
            }
        }
        Ok(left)
    }

    /// Parses arithmetic, starting with the operators of lowest precedence.
    fn level(&mut self, level: usize, scope: &Scope<'_>) -> Parsed<Expr> {
        const LEVELS: [&[(&str, BinaryOp)]; 5] = [
            &[("bor", BinaryOp::BitOr), ("bxor", BinaryOp::BitXor)],
            &[("band", BinaryOp::BitAnd)],
            &[("<<", BinaryOp::Shl), (">>", BinaryOp::Shr)],
            &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
            &[("*", BinaryOp::Mul), ("/", BinaryOp::Div), ("%", BinaryOp::Rem)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary(scope) };
        let mut left = self.level(level + 1, scope)?;
        'more: loop {
            for (sign, op) in *operators {
                if self.eat(sign) || self.eat_word(sign) {
                    let right = self.level(level + 1, scope)?;
                    left = self.join(*op, left, right)?;
                    continue 'more;
                }
            }
            return Ok(left);
        }
    }

    fn unary(&mut self, scope: &Scope<'_>) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::new(self.place(), "this expression is nested too deeply"));
        }
        let expr = if self.eat("-") {
            Expr::Unary(UnaryOp::Neg, Box::new(self.unary(scope)?))
        } else if self.eat("!") {
            Expr::negated(self.unary(scope)?)
        } else if self.eat("(") {
            let inner = self.expr(scope)?;
            self.sign(")")?;
            inner
        } else {
            self.atom(scope)?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn atom(&mut self, scope: &Scope<'_>) -> Parsed<Expr> {
        let place = self.place();
        if let Token::Int(n) = *self.peek() {
            self.advance();
            return Ok(Expr::Int(n));
        }
        let name = self.name("an expression")?;
        if let Some(v) = scope.find(&name) {
            return Ok(Expr::Var(v));
        }
        if let Some(value) = self.constants.get(&name) {
            return Ok(Expr::Int(*value));
        }
        match name.as_str() {
            "true" => Ok(Expr::Int(1)),
            "false" => Ok(Expr::Int(0)),
            "not" => Ok(Expr::Unary(UnaryOp::Complement, Box::new(self.unary(scope)?))),
            "if" => {
                let condition = self.expr(scope)?;
                let mut branches = Vec::new();
                for word in ["then", "else"] {
                    if !self.eat_word(word) {
                        return self.expected(&format!("`{word}`"));
                    }
                    branches.push(self.comparison(scope)?);
                }
                let (otherwise, then) = (branches.pop(), branches.pop());
                Ok(Expr::If(Box::new((
                    condition,
                    then.unwrap_or(Expr::Int(0)),
                    otherwise.unwrap_or(Expr::Int(0)),
                ))))
            }
            "wrap" | "swrap" => {
                self.sign("(")?;
                let bits = self.number()?;
                self.sign(",")?;
                let of = Box::new(self.expr(scope)?);
                self.sign(")")?;
                let Some(bits) = u32::try_from(bits).ok().filter(|b| (1..=62).contains(b)) else {
                    return Err(Problem::new(place, format!("{bits} bits are not 1 to 62")));
                };
                Ok(Expr::Wrap { bits, signed: name == "swrap", of })
            }
            _ => Err(Problem::new(place, format!("no variable or constant `{name}`"))),
        }
    }
}
