//! The inverse compared with a single query to Z3 for the whole representation.

use inverter::invert::invert;
use inverter::program::parse;
use inverter::run::{Array, Cells, Executable, FieldValue, Limits, Prepared, Record};
use inverter::solve::ChoiceSource;
use z3::ast::{Array as Terms, Int};
use z3::{SatResult, Solver, Sort, with_own_context};

use crate::measure::{median, rate};
use crate::table::Report;

/// The program of strips from the test suite.
const SPEC: &str = include_str!("../../inverter/tests/programs/strips.rs");

const SIDE: usize = 8;

fn pixel(i: usize, j: usize) -> u8 {
    (i * 31 + j * 7 + i * j) as u8
}

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "Staged and unstaged",
        "A gray picture of 8 x 8 in strips: find a file that normalizes to it. Once by the inverse, \
         once by a single query to Z3 for rows per strip, offsets and an array of bytes.",
    );
    let program = parse("strips.rs", SPEC).map_err(|e| e.to_string())?;
    let inverse = Executable::new(invert(&program).map_err(|e| e.to_string())?);
    let cells = (0..SIDE * SIDE).map(|k| pixel(k / SIDE, k % SIDE)).collect();
    let pixels = Array { lengths: vec![SIDE, SIDE], cells: Cells::U8(cells) };
    let side = FieldValue::Scalar(SIDE as i128);
    let y = Record { fields: vec![side.clone(), side, FieldValue::Array(pixels)] };
    let limits = Limits { slack: 256, sharing: false };
    let prepared = Prepared::new(&inverse, y, limits).map_err(|e| e.to_string())?;
    let by_inverse = median(500, |k| {
        prepared.invert(&mut ChoiceSource::seeded(4, k)).map_err(|e| e.to_string())
    })?;
    let by_z3 = median(1, |seed| with_own_context(|| whole(seed)).map_err(|e| e.to_string())?)?;
    let ratio = by_z3.as_secs_f64() / by_inverse.as_secs_f64();
    report.row("a single query to Z3", format!("{:.2} a second", rate(by_z3)), "1");
    report.row(
        "the inverse (interpreted)",
        format!("{:.0} a second", rate(by_inverse)),
        format!("{ratio:.0} times as many"),
    );
    Ok(())
}

/// Queries Z3 for a file.
fn whole(seed: u64) -> Result<i64, String> {
    let solver = Solver::new();
    let mut params = z3::Params::new();
    params.set_u32("random_seed", seed as u32);
    params.set_u32("timeout", 120_000);
    solver.set_params(&params);
    let (int, side) = (Sort::int(), Int::from_i64(SIDE as i64));
    let file = Terms::new_const("file", &int, &int);
    let offsets = Terms::new_const("offsets", &int, &int);
    let rows = Int::new_const("rows_per_strip");
    let length = Int::from_i64(320);
    solver.assert(rows.ge(Int::from_i64(1)));
    solver.assert(rows.le(&side));
    for i in 0..SIDE {
        let row = Int::from_i64(i as i64);
        let (s, r) = (row.div(&rows), row.rem(&rows));
        let offset = offsets.select(&s).as_int().ok_or("offsets are integers")?;
        solver.assert(offset.ge(Int::from_i64(0)));
        for j in 0..SIDE {
            let at = &offset + &r * &side + Int::from_i64(j as i64);
            solver.assert(at.lt(&length));
            let byte = file.select(&at).as_int().ok_or("bytes are integers")?;
            solver.assert(byte.eq(Int::from_i64(pixel(i, j).into())));
        }
    }
    match solver.check() {
        SatResult::Sat => {
            let model = solver.get_model().ok_or("no model")?;
            model.eval(&rows, true).and_then(|n| n.as_i64()).ok_or_else(|| "no value".to_owned())
        }
        other => Err(format!("Z3: {other:?}")),
    }
}
