//! Verdicts on programs in C.

use crate::over::{Over, read};
use analyses::protocol::server::Settings;
use analyses::run::{Analysis, Kind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn run(over: &Over, text: &str, clients: &[Kind], communicate: bool) -> Analysis {
    over.run(&read(text), clients, &[], Settings { communicate, ..Settings::default() })
}

/// `p` if all assertions are proved, `r` if one is refuted, `?` else.
fn verdict(analysis: &Analysis) -> char {
    match (analysis.refuted(), analysis.proved()) {
        (true, _) => 'r',
        (_, true) => 'p',
        _ => '?',
    }
}

/// Programs, the verdict of intervals alone, and that of all clients with symbolic execution.
const PROGRAMS: &[(char, char, &str)] = &[
    (
        'p',
        'p',
        "int main(void) { int i; for (i = 0; i < 10; i++) {} __VERIFIER_assert(i == 10); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x != 1234567); return 0; }",
    ),
    (
        'p',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 7) __VERIFIER_assert(x * 2 <= 12); return 0; }",
    ),
    (
        'p',
        'p',
        "unsigned char c; int main(void) { c = __VERIFIER_nondet_int(); __VERIFIER_assert(c <= 255); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { unsigned char c = __VERIFIER_nondet_int(); __VERIFIER_assert(c <= 254); return 0; }",
    ),
    // Unsigned arithmetic wraps.
    (
        '?',
        'r',
        "int main(void) { unsigned int u = __VERIFIER_nondet_uint(); __VERIFIER_assert(u + 1 > u); return 0; }",
    ),
    // Signed overflow ends a run.
    (
        'p',
        'p',
        "int main(void) { int u = __VERIFIER_nondet_int(); __VERIFIER_assert(u + 1 > u); return 0; }",
    ),
    (
        'p',
        'p',
        "void set(int *p) { *p = 7; } int main(void) { int a = 1; set(&a); __VERIFIER_assert(a == 7); return 0; }",
    ),
    (
        '?',
        'r',
        "void set(int *p) { *p = 7; } int main(void) { int a = 1; set(&a); __VERIFIER_assert(a == 1); return 0; }",
    ),
    (
        'p',
        'p',
        "struct s { int a; struct { int b; } in; }; int main(void) { struct s x = {1, {2}}, y = x; __VERIFIER_assert(y.in.b == 2); return 0; }",
    ),
    (
        '?',
        'p',
        "int a[4]; int main(void) { a[1] = 5; a[2] = 6; __VERIFIER_assert(a[1] == 5); return 0; }",
    ),
    (
        'p',
        'p',
        "int a[4]; int main(void) { int i = __VERIFIER_nondet_uint() % 4; a[i] = 5; __VERIFIER_assert(a[2] >= 0); return 0; }",
    ),
    (
        '?',
        'p',
        "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { __VERIFIER_assert(f(5) == 5); return 0; }",
    ),
    (
        '?',
        'r',
        "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { __VERIFIER_assert(f(5) == 4); return 0; }",
    ),
    (
        'p',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); __VERIFIER_assert(x >= 1); return 0; }",
    ),
    // Equalities of two values are beyond intervals.
    (
        '?',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(), y = x; __VERIFIER_assert(x == y); return 0; }",
    ),
    (
        '?',
        'p',
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } __VERIFIER_assert(x == y); return 0; }",
    ),
    ('p', 'p', "int main(void) { int *p = 0; if (p) __VERIFIER_assert(0); return 0; }"),
    (
        'p',
        'p',
        "int g; int get(void) { return g; } int main(void) { int (*f)(void) = get; g = 3; __VERIFIER_assert(f() == 3); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { char c = __VERIFIER_nondet_char(); if ((c & 15) == 9 && c < 0) reach_error(); return 0; }",
    ),
    (
        '?',
        '?',
        "void unknown(int *); int main(void) { int x = 1; unknown(&x); __VERIFIER_assert(x == 1); return 0; }",
    ),
    (
        'p',
        'p',
        "void unknown(int); int main(void) { int x = 1; unknown(x); __VERIFIER_assert(x == 1); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int x = __VERIFIER_nondet_int(), n = 0; while (x > 0 && n < 5) { x = x - 3; n++; } __VERIFIER_assert(n != 4); return 0; }",
    ),
    (
        'p',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(); switch (x) { case 1: case 2: __VERIFIER_assert(x < 3); break; default: x = 9; } return 0; }",
    ),
    (
        'p',
        'p',
        "union u { int a; char b[4]; }; int main(void) { union u x; x.a = 1; int y = x.b[0]; __VERIFIER_assert(y < 128); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int a[3] = {1, 2, 3}; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3 && a[i] == 3) reach_error(); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int a = __VERIFIER_nondet_int(); __VERIFIER_assert(3 * a != -9); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int a = __VERIFIER_nondet_int(); int b = 5 * a; __VERIFIER_assert(a != -1); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int a = __VERIFIER_nondet_int(); __VERIFIER_assert(a * -3 != 9); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { long a = __VERIFIER_nondet_long(), b = __VERIFIER_nondet_long(); if (b == -3) __VERIFIER_assert(a * b != -9); return 0; }",
    ),
    // A function that is not there may call one whose address it finds in a global variable, or behind an argument.
    (
        '?',
        '?',
        "static int s; static void cb(void) { s = 1; } void (*hook)(void) = cb; void go(void);\n\
        int main(void) { go(); __VERIFIER_assert(s == 0); return 0; }",
    ),
    (
        '?',
        '?',
        "static int s; static void cb(void) { s = 1; } struct ops { void (*f)(void); }; void go(struct ops *);\n\
        int main(void) { struct ops o; o.f = cb; go(&o); __VERIFIER_assert(s == 0); return 0; }",
    ),
    (
        'p',
        'p',
        "static int s; static void cb(void) { s = 1; } static void (*hook)(void) = cb; void go(int);\n\
        int main(void) { go(1); __VERIFIER_assert(s == 0); hook(); return 0; }",
    ),
];

#[test]
fn verdicts_are_as_expected() {
    let mut wrong = Vec::new();
    for over in Over::all() {
        let place = over.name();
        for (alone, together, text) in PROGRAMS {
            let found = verdict(&run(&over, text, &[Kind::Box], true));
            if found != *alone {
                wrong.push(format!("box {place}: {found} instead of {alone}: {text}"));
            }
            if Kind::ALL.len() > 2 {
                let all = verdict(&run(&over, text, Kind::ALL, true));
                if all != *together {
                    wrong.push(format!("all {place}: {all} instead of {together}: {text}"));
                }
                let apart = verdict(&run(&over, text, Kind::ALL, false));
                if apart != *together {
                    wrong.push(format!("apart {place}: {apart} instead of {together}: {text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs of which an assertion fails at a known input, of small numbers with both signs.
const FAILING: u64 = 60;

/// An expression of two variables with its value, none of whose parts overflows an `int`.
fn expression(random: &mut ChaCha8Rng, depth: u32, inputs: [i64; 2]) -> (String, i64) {
    let leaf = |random: &mut ChaCha8Rng| match random.random_range(0..3) {
        0 => ("a".to_owned(), inputs[0]),
        1 => ("b".to_owned(), inputs[1]),
        _ => {
            let value = random.random_range(-40..40);
            (format!("({value})"), value)
        }
    };
    if depth == 0 {
        return leaf(random);
    }
    let (left, x) = expression(random, depth - 1, inputs);
    let (right, y) = expression(random, depth - 1, inputs);
    let (operator, value) = match random.random_range(0..8) {
        0 => ("+", x + y),
        1 => ("-", x - y),
        2..=4 => ("*", x * y),
        5 if y != 0 => ("/", x / y),
        6 if y != 0 => ("%", x % y),
        _ => ("^", x ^ y),
    };
    match i32::try_from(value) {
        Ok(_) => (format!("({left} {operator} {right})"), value),
        Err(_) => leaf(random),
    }
}

#[test]
fn programs_that_fail_at_a_known_input_are_not_proved() {
    let mut wrong = Vec::new();
    let over = Over::all().swap_remove(0);
    for seed in 0..FAILING {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let inputs = [random.random_range(-50..50), random.random_range(-50..50)];
        let (text, value) = expression(&mut random, 2, inputs);
        let [a, b] = inputs;
        let guard = match random.random_range(0..3) {
            0 => format!("a == ({a}) && b == ({b})"),
            1 => format!("b == ({b})"),
            _ => "1".to_owned(),
        };
        let program = format!(
            "int main(void) {{ int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); \
             if ({guard}) __VERIFIER_assert({text} != ({value})); return 0; }}"
        );
        let sets =
            if Kind::ALL.len() > 2 { vec![Kind::ALL, &Kind::ALL[2..]] } else { vec![Kind::ALL] };
        for clients in sets {
            if verdict(&run(&over, &program, clients, true)) == 'p' {
                wrong.push(format!("{clients:?} at {a}, {b}: {program}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
