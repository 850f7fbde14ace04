//! Temporary.
use equivalents::Format;
fn main() {
    let mut args = std::env::args().skip(1);
    let what = args.next().unwrap();
    let n: usize = args.next().unwrap().parse().unwrap();
    let file = std::fs::read(args.next().unwrap()).unwrap();
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
