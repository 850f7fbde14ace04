//! Prints the inverse of a spec.
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        match inverter::program::parse(&path, &text).and_then(|p| inverter::invert::invert(&p)) {
            Ok(inverse) => println!("{inverse}\n{}", inverse.explain_ensures()),
            Err(e) => {
                for e in e.each() {
                    println!("{:?}", miette::Report::new(e));
                }
            }
        }
    }
}
