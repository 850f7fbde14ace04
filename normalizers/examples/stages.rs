//! Measures the time of each TIFF stage per element, interpreted and as code, next to a copy of the same bytes:
//! `cargo run --release -p repfuzz-normalizers --example stages`. The pictures' sizes may follow (`64x64 4000x3000`).

use std::time::Instant;

use inverter::run::{
    Array, Cells, Executable, FieldValue, Limits, Record, invert_value, normalize, normalize_with,
};
use inverter::solve::{ChoiceSource, Choices};
use normalizers::Stage;
use normalizers::tiff::{ORIENTATION, PHOTOMETRIC, PLACEMENT, SAMPLES, SEGMENTS};

static STAGES: [&Stage; 5] = [&ORIENTATION, &PHOTOMETRIC, &SAMPLES, &SEGMENTS, &PLACEMENT];

struct Case {
    name: &'static str,
    stage: usize,
    /// The canonical value's scalars, in JSON, and its arrays.
    scalars: String,
    arrays: Vec<Cells>,
    choices: Vec<(&'static str, i128)>,
}

fn cases(w: usize, h: usize) -> Vec<Case> {
    let mut seed = 1u32;
    let mut byte = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    };
    let rgba: Vec<u16> =
        (0..w * h * 4).map(|k| if k % 4 == 3 { 65535 } else { byte().into() }).collect();
    let levels: Vec<u16> = (0..w * h * 3).map(|_| u16::from(byte()) * 257).collect();
    let bytes: Vec<u8> = (0..w * h * 3).map(|_| byte()).collect();
    let size = format!("\"width\": {w}, \"height\": {h}");
    let mut out = Vec::new();
    let turned = [
        ("orientation 1", 1),
        ("orientation 2", 2),
        ("orientation 3", 3),
        ("orientation 4", 4),
        ("orientation 5", 5),
        ("orientation 6", 6),
        ("orientation 7", 7),
        ("orientation 8", 8),
    ];
    for (name, k) in turned {
        let (scalars, arrays) = (size.clone(), vec![Cells::U16(rgba.clone())]);
        out.push(Case { name, stage: 0, scalars, arrays, choices: vec![("orientation", k)] });
    }
    out.push(Case {
        name: "photometric RGB",
        stage: 1,
        scalars: size.clone(),
        arrays: vec![Cells::U16(rgba)],
        choices: vec![("photometric", 2), ("alpha", 0)],
    });
    for (name, bits) in [("samples 8 bit", 8), ("samples 16 bit", 16)] {
        out.push(Case {
            name,
            stage: 2,
            scalars: format!("{size}, \"little_endian\": 1, \"indexed\": 0, \"samples\": 3"),
            arrays: vec![Cells::U16(levels.clone())],
            choices: vec![("bits", bits), ("samples_per_pixel", 3)],
        });
    }
    let most = "\"most_width\": 64, \"most_length\": 64";
    let sampled = format!("{size}, \"samples_per_pixel\": 3, \"sample_bytes\": 1, {most}");
    for (name, tiled, planar) in [
        ("segments strips", 0, 1),
        ("segments planar strips", 0, 2),
        ("segments tiles", 1, 1),
        ("segments planar tiles", 1, 2),
    ] {
        let (rows, tile) = if tiled == 1 { (0, 64) } else { (16, 0) };
        out.push(Case {
            name,
            stage: 3,
            scalars: sampled.clone(),
            arrays: vec![Cells::U8(bytes.clone().into())],
            choices: vec![
                ("tiled", tiled),
                ("planar", planar),
                ("rows_per_strip", rows),
                ("tile_width", tile),
                ("tile_length", tile),
            ],
        });
    }
    let strips = h / 16;
    let longest = bytes.len() / strips;
    out.push(Case {
        name: "placement",
        stage: 4,
        scalars: format!(
            "\"header_bytes\": 8, \"inline_bytes\": 8, \"alignment\": 2, \"tiled\": 0, \
             \"no_counts\": 0, \"ifd_bytes\": 200, \"blocks\": 0, \"page_segments\": 0, \
             \"reach\": 4294967295, \"segments\": {strips}, \
             \"longest\": {longest}, \"others\": {}",
            (strips - 1) * longest
        ),
        arrays: vec![
            Cells::U64(Vec::new()),
            Cells::U64(Vec::new()),
            Cells::U64(vec![longest as u64; strips]),
            Cells::U8(bytes[..strips * longest].to_vec().into()),
        ],
        choices: vec![("offset bytes", 8), ("count bytes", 8)],
    });
    out
}

/// The canonical value of a case.
fn value(inverse: &Executable, case: &Case) -> Record {
    let record = &inverse.program.output;
    let scalars: serde_json::Value =
        serde_json::from_str(&format!("{{{}}}", case.scalars)).unwrap();
    let mut arrays = case.arrays.iter();
    let mut out = Record { fields: Vec::new() };
    for f in &record.fields {
        let field_value = match scalars.get(&f.name).and_then(|n| n.as_i64()) {
            Some(n) => FieldValue::Scalar(n.into()),
            None => FieldValue::Array(Array {
                lengths: Vec::new(),
                cells: arrays.next().unwrap().clone(),
            }),
        };
        out.fields.push(field_value);
    }
    for (k, f) in record.fields.iter().enumerate() {
        let lengths = f.lengths.iter().map(|l| match l {
            inverter::program::Length::Is(e) => out.length(e).unwrap() as usize,
            inverter::program::Length::Free => 0,
        });
        let lengths: Vec<usize> = lengths.collect();
        if let FieldValue::Array(a) = &mut out.fields[k] {
            a.lengths = lengths;
        }
    }
    out
}

/// The minimum time of a few runs, in nanoseconds.
fn time<T>(runs: usize, mut run: impl FnMut() -> T) -> f64 {
    let all = (0..runs).map(|_| {
        let began = Instant::now();
        let result = std::hint::black_box(run());
        let time = began.elapsed().as_nanos() as f64;
        drop(result);
        time
    });
    all.fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("ns an element        forward: interpreted    by code | memcpy");
    let given = std::env::args().skip(1).filter_map(|a| {
        let (w, h) = a.split_once('x')?;
        Some((w.parse().ok()?, h.parse().ok()?))
    });
    let given: Vec<(usize, usize)> = given.collect();
    let sizes = if given.is_empty() { vec![(64, 64), (4000, 3000)] } else { given };
    for (w, h) in sizes {
        println!("{w} x {h}");
        for case in cases(w, h) {
            let stage = STAGES[case.stage];
            let plain = stage.inverse();
            let y = value(plain, &case);
            let mut choices = Choices::new();
            for (name, n) in &case.choices {
                choices.set(name, inverter::solve::Choice::Int(*n));
            }
            let limits = Limits::default();
            let back = |inverse: &Executable| {
                let mut source = ChoiceSource::replaying(choices.clone());
                invert_value(inverse, &y, &mut source, &limits)
            };
            let small = w * h < 100_000;
            let runs = if small { 20 } else { 3 };
            let x = back(plain).unwrap();
            let elements = y.fields.iter().map(|d| match d {
                FieldValue::Array(a) => a.cells.len(),
                FieldValue::Scalar(_) => 0,
            });
            let elements = elements.sum::<usize>() as f64;
            let bytes = case.arrays.iter().map(|c| match c {
                Cells::U16(v) => 2 * v.len(),
                other => other.len(),
            });
            let from = vec![1u8; bytes.sum()];
            let copy = time(runs, || from.clone());
            let by_code = time(runs, || normalize_with(plain, &x).unwrap());
            let slow = match small {
                true => time(3, || normalize(&plain.program, &x).unwrap()) / elements,
                false => f64::NAN,
            };
            print!(
                "{:<24} {slow:>12.1} {:>10.2} | {:>6.2}",
                case.name,
                by_code / elements,
                copy / elements
            );
            let interpreted = plain.clone().interpreted();
            print!("   whole inverse, ms:");
            for inverse in [&interpreted, plain] {
                if small || std::ptr::eq(inverse, plain) {
                    print!(" {:.2}", time(3, || back(inverse).unwrap()) / 1e6);
                }
            }
            println!();
        }
    }
}
