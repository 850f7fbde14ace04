//! Temporary.
use equivalents::Format;
fn main() {
    let mut args = std::env::args().skip(1);
    let what = args.next().unwrap();
    let n: usize = args.next().unwrap().parse().unwrap();
    let file = std::fs::read(args.next().unwrap()).unwrap();
    if what == "strips" {
        return strips(n, file);
    }
    let format = if what == "tiff" { Format::Tiff } else { Format::shipped(&what).unwrap() };
    let mut files = format.equivalents(&file).unwrap();
    let start = std::time::Instant::now();
    let mut sum = 0;
    for _ in 0..n {
        sum += files.next().unwrap().len();
    }
    let t = start.elapsed();
    eprintln!("{sum} bytes, {:.1} us a file", t.as_secs_f64() * 1e6 / n as f64);
}

fn strips(n: usize, file: Vec<u8>) {
    use inverter::solve::{ChoiceSource, Vary};
    let seed = tiff_harness::Seed::open(file).unwrap();
    let names = ["orientation", "byte order", "rows_per_strip", "segment"];
    let vary =
        Vary::only(seed.dimensions().iter().filter(|d| names.iter().any(|n| d.starts_with(n))));
    let start = std::time::Instant::now();
    let mut sum = 0;
    for k in 0..n {
        sum +=
            seed.choices(ChoiceSource::seeded(1, k as u64).with_vary(vary.clone())).unwrap().len();
    }
    let t = start.elapsed();
    eprintln!("{sum} bytes, {:.1} us a file", t.as_secs_f64() * 1e6 / n as f64);
}
