use inverter::check::{assigned_once, completeness};
use inverter::run::explore::Bounds;
use inverter::run::from_json;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = match inverter::program::parse(&path, &text) {
            Ok(p) => p,
            Err(e) => {
                println!("{path}: {e}");
                continue;
            }
        };
        let t = std::time::Instant::now();
        match assigned_once(&program) {
            Ok(c) => print!("{path}: {c:?} {:?} ", t.elapsed()),
            Err(e) => println!("{path}: {e}"),
        }
        let inverse = match inverter::invert::invert(&program) {
            Ok(p) => p,
            Err(e) => {
                println!("{path}: {e}");
                continue;
            }
        };
        println!();
        if !text.contains("//@ y ") {
            for y in inverter::check::small_values(&program, 6, 1) {
                let t = std::time::Instant::now();
                let c = completeness(&inverse, &y, 8, Bounds { runs: 20_000, steps: 2_000_000 });
                println!(
                    "   {}/{} window {} whole {} {:?}",
                    c.reached,
                    c.all,
                    c.window,
                    c.whole,
                    t.elapsed()
                );
                for (why, (n, example)) in c.missed.iter().take(4) {
                    println!("      {n} x {why}: {example}");
                }
            }
        }
        for line in text.lines().filter_map(|l| l.trim().strip_prefix("//@ y ")) {
            let y = from_json(&program.output, &serde_json::from_str(line).unwrap()).unwrap();
            let t = std::time::Instant::now();
            let c = completeness(&inverse, &y, 8, Bounds { runs: 20_000, steps: 2_000_000 });
            println!(
                "   {}/{} window {} whole {} {:?}",
                c.reached,
                c.all,
                c.window,
                c.whole,
                t.elapsed()
            );
            for (why, (n, example)) in c.missed.iter().take(4) {
                println!("      {n} x {why}: {example}");
            }
        }
    }
}
