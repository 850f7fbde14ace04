//! Small files a second, as fuzzers need them: through the library, on one core.

use equivalents::{Format, Mutator};

use crate::generators::stored;
use crate::measure::{median, rate};
use crate::peers::here;
use crate::table::Report;
use crate::variants::{RGB, seed};

/// Files of one run of a measurement.
const FILES: u32 = 2000;

/// The maximum number of bytes of a mutated file, which is libFuzzer's default for small seeds.
const LARGEST: usize = 4096;

/// The goal for mutated files a second.
const MUTATED: u32 = 30_000;

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "Small files",
        "Files of all dimensions, read back and compared with the seed, through the library on one core. The mutator is \
         that of the libFuzzer and AFL++ packages: it begins with a file and a number.",
    );
    let picture = std::fs::read(here("corpus/picture.ppm")).map_err(|e| e.to_string())?;
    let tiff = seed(RGB, 7, 5)?.bytes().to_vec();
    let bmp = Format::shipped("bmp").map_err(|e| e.to_string())?;
    for (what, format, file, goal) in
        [("BMP, 7 x 5", bmp, stored(&picture), 50_000), ("TIFF, 7 x 5", Format::Tiff, tiff, 10_000)]
    {
        let mut files = format.equivalents(&file).map_err(|e| e.to_string())?;
        let next = |_| files.next().ok_or_else(|| "no file".to_owned());
        let checked = median(FILES, next)?;
        let figure = format!("{:.0} a second", rate(checked));
        report.row(format!("{what}: checked"), figure, format!("goal {goal}"));
        let mut mutator = Mutator::new(format);
        // A fuzzer leaves a mutation that does not fit to its own mutators.
        let mutated = median(FILES, |k| Ok(mutator.mutate(&file, LARGEST, k)))?;
        let ratio = checked.as_secs_f64() / mutated.as_secs_f64();
        let figure = format!("{:.0} a second", rate(mutated));
        report.row(
            format!("{what}: mutated"),
            figure,
            format!("{ratio:.2} of those checked; goal {MUTATED}"),
        );
    }
    Ok(())
}
