//! Curves as SVG.

use std::fmt::Display;

use plotters::prelude::*;

/// The points of a curve.
pub type Curve = Vec<(f64, f64)>;

/// Plots a measured curve and one to compare it with, each with its name, on logarithmic axes.
pub fn plot(
    [x, y]: [&str; 2],
    measured: (&str, &Curve),
    compared: (&str, &Curve),
) -> Result<String, String> {
    let mut svg = String::new();
    draw(&mut svg, [x, y], measured, compared).map_err(|e| format!("no plot: {e}"))?;
    Ok(svg)
}

fn draw(
    svg: &mut String,
    [x, y]: [&str; 2],
    measured: (&str, &Curve),
    compared: (&str, &Curve),
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || measured.1.iter().chain(compared.1);
    let bounds = |of: fn(&(f64, f64)) -> f64| {
        let (lo, hi) =
            all().map(of).fold((f64::MAX, 0.0), |b: (f64, f64), v| (b.0.min(v), b.1.max(v)));
        lo / 1.3..hi * 1.3
    };
    let area = SVGBackend::with_string(svg, (640, 400)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(bounds(|p| p.0).log_scale(), bounds(|p| p.1).log_scale())?;
    let number = |n: &f64| -> String { format!("{}", Plain(*n)) };
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(x)
        .y_desc(y)
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .draw()?;
    let dashed = LineSeries::new(compared.1.iter().copied(), BLACK.mix(0.4).stroke_width(2));
    let entry = |color: RGBAColor| {
        move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2))
    };
    chart.draw_series(dashed)?.label(compared.0).legend(entry(BLACK.mix(0.4)));
    let line = LineSeries::new(measured.1.iter().copied(), BLUE.stroke_width(2)).point_size(4);
    chart.draw_series(line)?.label(measured.0).legend(entry(BLUE.to_rgba()));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .border_style(BLACK.mix(0.2))
        .draw()?;
    area.present()?;
    Ok(())
}

/// A number without an exponent and without trailing zeros.
struct Plain(f64);

impl Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = if self.0 < 1.0 { 2 } else { 0 };
        write!(f, "{:.digits$}", self.0)
    }
}
