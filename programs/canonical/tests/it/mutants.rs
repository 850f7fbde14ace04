//! Mutated C: tokens of the programs of `tests/c` are dropped, doubled, swapped and replaced. The front
//! end and the interpreter must not panic.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use canonical::c::{Limits, Options, read_text};
use canonical::interpret::{Bounds, Library, Machine};
use canonical::{Effect, Program};

/// A generator of numbers (Marsaglia's xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Splits a text at white space and between words and signs.
fn tokens(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    for c in text.chars() {
        match all.last_mut() {
            Some(last)
                if last.chars().last().is_some_and(|l| class(l) == class(c) && class(c) < 2) =>
            {
                last.push(c);
            }
            _ => all.push(c.to_string()),
        }
    }
    all
}

const ODD: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    "*",
    "&",
    "&&",
    "goto",
    "case 1:",
    "default:",
    "sizeof",
    "-1",
    "18446744073709551615",
    "struct",
    "typedef",
    "asm(\"x\" : \"=r\"(x));",
    "__func__",
    "?:",
    "...",
    "({1;})",
    "static",
];

fn mutate(list: &mut Vec<String>, random: &mut Random) {
    let at = random.below(list.len());
    match random.below(5) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[at].clone()),
        2 => {
            let other = random.below(list.len());
            list.swap(at, other);
        }
        3 => list[at] = ODD[random.below(ODD.len())].to_owned(),
        _ => list[at] = list[random.below(list.len())].clone(),
    }
}

/// Reads and runs mutants for a time, or up to a number of them; returns that number.
fn mutants(seed: u64, most: usize, time: Duration) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("programs").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    // Headers would be most of the work; what they declare is declared implicitly.
    let texts: Vec<String> = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("text"))
        .map(|text| {
            text.lines().filter(|l| !l.starts_with("#include")).collect::<Vec<_>>().join("\n")
        })
        .collect();
    let started = Instant::now();
    let mut random = Random(seed);
    let limits = Limits { stack: 256 << 20, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut count = 0;
    while count < most && started.elapsed() < time {
        let mut list = tokens(&texts[random.below(texts.len())]);
        for _ in 0..=random.below(4) {
            if !list.is_empty() {
                mutate(&mut list, &mut random);
            }
        }
        let text = list.concat();
        let program = read_text("t.c", &text, &options);
        let panicked = program
            .diagnostics
            .iter()
            .any(|d| d.effect == Effect::LeftOut && d.message.starts_with("internal error"));
        assert!(!panicked, "seed {seed}, mutant {count}:\n{text}");
        run(&program, &text);
        count += 1;
    }
    count
}

/// Runs the main function, if there is one; any end will do.
fn run(program: &Program, text: &str) {
    let Some(main) = program.function_named("main") else { return };
    let bounds = Bounds { steps: 20_000, depth: 500, memory: 16 << 20 };
    let run = || {
        let mut machine = Machine::new(program, bounds);
        machine.run(&mut Library::new(b"input"), main, &[]);
    };
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    assert!(ended.is_ok(), "the interpreter panicked:\n{text}");
}

#[test]
fn mutants_do_not_crash() {
    assert!(mutants(1, 60, Duration::MAX) > 0);
}

#[test]
#[ignore = "slow: five minutes of mutants"]
fn five_minutes_of_mutants_do_not_crash() {
    let count = mutants(20, usize::MAX, Duration::from_secs(300));
    println!("{count} mutants");
    assert!(count > 100);
}
