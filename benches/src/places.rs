//! Placing many strips.

use std::borrow::Cow;

use inverter::run::Bytes;
use inverter::solve::{ChoiceSource, Vary};
use tiff_harness::coding::Segments;
use tiff_harness::container::Format;
use tiff_harness::pipeline::{ANYWHERE, FileParts, place};

use crate::measure::median;
use crate::plot::{Curve, plot};
use crate::table::Report;

/// Measures the section.
pub fn measure(report: &mut Report) -> Result<(), String> {
    report.section(
        "Places for strips",
        "Strips of 3 bytes in random order with random gaps, with a directory and three blocks of \
         values: the whole placement stage, which also copies the strips into the file.",
    );
    let mut before: Option<f64> = None;
    let (mut measured, mut compared) = (Curve::new(), Curve::new());
    for (n, times) in [(100usize, 40), (1_000, 10), (10_000, 2), (100_000, 1)] {
        let mut parts = FileParts {
            format: Format::Big,
            word_aligned: true,
            tiled: false,
            counts: true,
            ifd_bytes: 300,
            blocks: vec![8, 8, 6],
            page_segments: Vec::new(),
            reach: ANYWHERE,
            byte_counts: vec![3; n],
        };
        let mut lengths = vec![3; n];
        let names = ["segment order", "segment gaps"];
        let vary = Vary::only(names);
        let took = median(times, |k| {
            // Lengths never repeat: otherwise a cached layout would be used.
            parts.byte_counts[0] = 4 + k;
            let mut source = ChoiceSource::seeded(3, k).with_vary(vary.clone());
            lengths[0] = 4 + k as usize;
            let samples = Bytes::from(vec![1; lengths.iter().sum()]);
            let stored = Segments::Plain(lengths.clone());
            let data = |longest| stored.padded(Cow::Owned(samples), longest);
            place(&parts, data, &mut source, false).map_err(|e| e.to_string())
        })?;
        let each = took.as_secs_f64() / (n as f64 * (n as f64).log2());
        let ratio = before.map_or("1".to_owned(), |b| format!("{:.2}", each / b));
        let first = *before.get_or_insert(each);
        measured.push((n as f64, took.as_secs_f64() * 1e3));
        compared.push((n as f64, first * n as f64 * (n as f64).log2() * 1e3));
        report.row(
            format!("{n} strips"),
            format!("{:.2} ms", took.as_secs_f64() * 1e3),
            format!("{ratio} by n log n"),
        );
    }
    let axes = ["strips", "milliseconds"];
    let svg = plot(axes, ("measured", &measured), ("n log n from the first on", &compared))?;
    report.figure("places.svg", "Milliseconds by the number of strips, next to n log n", svg);
    Ok(())
}
