//! The stages give the same results by code and interpreted.

use std::path::Path;

use inverter::program::RecordType;
use inverter::run::{
    Array, Cells, Executable, FieldValue, Limits, Record, Room, invert_value, normalize,
    normalize_with,
};
use inverter::solve::ChoiceSource;
use normalizers::Stage;
use normalizers::tiff::{ORIENTATION, PHOTOMETRIC, PLACEMENT, SAMPLES, SEGMENTS};
use tiff_harness::Seed;

/// Returns a stage that is interpreted.
fn plain(stage: &Stage) -> Executable {
    stage.inverse().clone().interpreted()
}

/// Builds a record from the fields of `from`, and from `more` for the others.
fn value(record: &RecordType, from: (&RecordType, &Record), more: &[(&str, FieldValue)]) -> Record {
    let field = |name: &str| {
        let given = more.iter().find(|(n, _)| *n == name).map(|(_, d)| d.clone());
        given
            .or_else(|| Some(from.1.fields[from.0.field(name)?].clone()))
            .unwrap_or_else(|| panic!("nothing gives {name}"))
    };
    Record { fields: record.fields.iter().map(|f| field(&f.name)).collect() }
}

/// Checks that representations of `y` are the same in both forms. Returns the last one.
fn both(stage: &Stage, plain: &Executable, y: &Record, seed: u64) -> Record {
    let by_code = stage.inverse();
    let mut last = None;
    for k in 0..12 {
        let [mut one, mut two] = [(); 2].map(|()| ChoiceSource::seeded(seed, k));
        let limits = Limits::default();
        let a = invert_value(plain, y, &mut one, &limits).map_err(|e| e.to_string());
        let b = invert_value(by_code, y, &mut two, &limits).map_err(|e| e.to_string());
        assert!(a == b, "{} of seed {seed}, variant {k}", stage.name);
        assert_eq!(one.recorded(), two.recorded());
        let x = a.unwrap();
        assert_eq!(normalize(&plain.program, &x).unwrap(), *y);
        // The code ran.
        let made = by_code.normalize_by_code(&x, None, Room::UNLIMITED);
        assert!(made.is_some_and(|made| made.as_ref() == Ok(y)));
        let mut wrong = x.clone();
        for field_value in &mut wrong.fields {
            if let FieldValue::Scalar(n) = field_value
                && *n > 0
            {
                *n -= 1;
                let a = normalize(&plain.program, &wrong).map_err(|e| e.to_string());
                let b = normalize_with(by_code, &wrong).map_err(|e| e.to_string());
                assert!(a == b, "{} of seed {seed}, variant {k}: {a:?}", stage.name);
                break;
            }
        }
        last = Some(x);
    }
    last.unwrap()
}

#[test]
fn seeds_come_out_the_same() {
    let stages = [&ORIENTATION, &PHOTOMETRIC, &SAMPLES, &SEGMENTS, &PLACEMENT];
    let [orientation, photometric, samples, segments, placement] = stages.map(plain);
    for (k, name) in (0..).zip(["tiny.tif", "gray.tif", "rgb.tif", "square.tif"]) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds");
        let seed = Seed::open(std::fs::read(corpus.join(name)).unwrap()).unwrap();
        let picture = seed.picture();
        let (width, height) = (picture.width(), picture.height());
        let rgba = Cells::U16(picture.rgba().to_vec());
        let array = Array { lengths: vec![height as usize, width as usize, 4], cells: rgba };
        let display = Record {
            fields: vec![
                FieldValue::Scalar(width.into()),
                FieldValue::Scalar(height.into()),
                FieldValue::Array(array),
            ],
        };
        let stored = both(&ORIENTATION, &orientation, &display, k);
        let (from, to) = (&orientation.program.input, &photometric.program.output);
        let levels = both(&PHOTOMETRIC, &photometric, &value(to, (from, &stored), &[]), k);
        let (from, to) = (&photometric.program.input, &samples.program.output);
        let more = [("little_endian", FieldValue::Scalar(1)), ("indexed", FieldValue::Scalar(0))];
        let sampled = both(&SAMPLES, &samples, &value(to, (from, &levels), &more), k);
        let (from, to) = (&samples.program.input, &segments.program.output);
        let number = |name: &str| sampled.scalar(from, name).unwrap();
        let more = [
            ("sample_bytes", FieldValue::Scalar((number("bits") + 7) / 8)),
            ("most_width", FieldValue::Scalar(64)),
            ("most_length", FieldValue::Scalar(64)),
        ];
        let decoded = both(&SEGMENTS, &segments, &value(to, (from, &sampled), &more), k);
        // The data is taken for two segments of the same length.
        let data = decoded.array(&segments.program.input, "data").unwrap();
        let half = data.cells.len() / 2;
        let Cells::U8(bytes) = &data.cells else { panic!("data are bytes") };
        let data =
            Array { lengths: vec![2, half], cells: Cells::U8(bytes[..2 * half].to_vec().into()) };
        let scalar = |n: usize| FieldValue::Scalar(n as i128);
        let list =
            |v: Vec<u64>| FieldValue::Array(Array { lengths: vec![v.len()], cells: Cells::U64(v) });
        let more = [
            ("header_bytes", scalar(8)),
            ("inline_bytes", scalar(4)),
            ("alignment", scalar(2)),
            ("tiled", scalar(0)),
            ("no_counts", scalar(0)),
            ("ifd_bytes", scalar(150)),
            ("blocks", scalar(2)),
            ("block_bytes", list(vec![8, 13])),
            ("page_segments", scalar(3)),
            ("page_segment_bytes", list(vec![5, 0, 7])),
            ("reach", scalar(60_000)),
            ("segments", scalar(2)),
            ("byte_counts", list(vec![half as u64; 2])),
            ("longest", scalar(half)),
            ("others", scalar(half)),
            ("data", FieldValue::Array(data)),
        ];
        let to = &placement.program.output;
        both(&PLACEMENT, &placement, &value(to, (from, &sampled), &more), k);
    }
}
