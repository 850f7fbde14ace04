//! The picture as it is to be seen to the decoded segments of a file of it.

use inverter::run::{Limits, Value, invert_value};
use inverter::solve::ChoiceSource;
use normalizers::tiff::{ORIENTATION, PHOTOMETRIC, SAMPLES, SEGMENTS};

use super::records::{byte_cells, forward, number, record, scalar, short_cells, shorts};
use crate::coding::sample_bytes;
use crate::container::ByteOrder;
use crate::image::{Grid, Layout};
use crate::palette;
use crate::seed::VariantError;

/// A picture as a file stores it: everything but its coding and its container.
#[derive(Debug, Clone)]
pub struct Representation {
    /// How samples lie in segments.
    pub grid: Grid,
    /// Orientation.
    pub orientation: u16,
    /// PhotometricInterpretation.
    pub photometric: u16,
    /// ExtraSamples.
    pub extra_samples: Vec<u16>,
    /// ColorMap; none if there is no palette.
    pub color_map: Vec<u16>,
    /// The decoded segments, one after the other.
    pub data: Vec<u8>,
}

/// A representation of `display` with samples in byte order `order`, as `source` decides.
///
/// # Errors
///
/// [`VariantError`].
pub fn represent(
    display: &Value,
    order: ByteOrder,
    source: &mut ChoiceSource,
) -> Result<Representation, VariantError> {
    let limits = Limits { sharing: false, ..Limits::default() };
    let stage = &ORIENTATION.inverse().program.input;
    let turned = invert_value(ORIENTATION.inverse(), display, source, &limits)?;
    let orientation = scalar(&turned, stage, "orientation") as u16;

    let leveled = level(&turned, source, &limits)?;
    let order = number(i128::from(order == ByteOrder::Little));
    let target = &SAMPLES.inverse().program.output;
    let more = |name: &str| match name {
        "little_endian" => order.clone(),
        "indexed" => number(i128::from(leveled.colors.is_some())),
        _ => None,
    };
    let y = forward(leveled.levels, &PHOTOMETRIC.inverse().program.input, target, more)
        .map_err(VariantError::Defect)?;
    let sampled = invert_value(SAMPLES.inverse(), &y, source, &limits)?;
    drop(y);
    let stage = &SAMPLES.inverse().program.input;
    let bits = scalar(&sampled, stage, "bits") as u16;
    let extra = scalar(&sampled, stage, "samples_per_pixel")
        .saturating_sub(scalar(&sampled, stage, "samples"));
    let mut extra_samples: Vec<u16> = Some(leveled.alpha).filter(|a| *a > 0).into_iter().collect();
    extra_samples.extend(std::iter::repeat_n(0, extra as usize));
    let color_map = match &leveled.colors {
        Some(colors) => palette::color_map(source, colors, bits)?,
        None => Vec::new(),
    };

    let target = &SEGMENTS.inverse().program.output;
    let most = |side: u64| number(i128::from(side.next_multiple_of(16) + 16));
    let (width, height) = (scalar(&sampled, stage, "width"), scalar(&sampled, stage, "height"));
    let more = |name: &str| match name {
        "sample_bytes" => number(sample_bytes(bits)),
        "most_width" => most(width),
        "most_length" => most(height),
        _ => None,
    };
    let y = forward(sampled, stage, target, more).map_err(VariantError::Defect)?;
    let x = invert_value(SEGMENTS.inverse(), &y, source, &limits)?;
    drop(y);
    let stage = &SEGMENTS.inverse().program.input;
    let field = |name: &str| scalar(&x, stage, name);
    let layout = match field("tiled") {
        0 => Layout::Strips { rows_per_strip: field("rows_per_strip") as u32 },
        _ => {
            Layout::Tiles { width: field("tile_width") as u32, length: field("tile_length") as u32 }
        }
    };
    // What follows from the others is no choice.
    let idle: &[&str] = match layout {
        Layout::Strips { .. } => &["bytes", "tile_width", "tile_length"],
        Layout::Tiles { .. } => &["bytes", "rows_per_strip"],
    };
    for name in idle {
        if !source.is_given(name) {
            source.retract(name);
        }
    }
    Ok(Representation {
        grid: Grid {
            width: width as u32,
            height: height as u32,
            bits,
            samples_per_pixel: field("samples_per_pixel") as u16,
            planar: field("planar") == 2,
            layout,
        },
        orientation,
        photometric: leveled.photometric,
        extra_samples,
        color_map,
        data: byte_cells(&x, stage, "data").to_vec(),
    })
}

/// Levels or indices, of the input record of the photometric stage.
struct Leveled {
    levels: Value,
    photometric: u16,
    alpha: u16,
    colors: Option<Vec<[u16; 3]>>,
}

/// Stored pixels as levels, or as indices of a palette.
fn level(
    turned: &Value,
    source: &mut ChoiceSource,
    limits: &Limits,
) -> Result<Leveled, VariantError> {
    let from = &ORIENTATION.inverse().program.input;
    let stage = &PHOTOMETRIC.inverse().program;
    let rgba = short_cells(turned, from, "rgba");
    if let Some(indexed) = palette::choose(source, rgba)? {
        let side = |name: &str| scalar(turned, from, name);
        let lengths = vec![side("height") as usize, side("width") as usize, 1];
        let mut indices = Some(indexed.indices);
        let levels = record(&stage.input, |name| match name {
            "width" | "height" => number(side(name)),
            "photometric" => number(1),
            "alpha" => number(0),
            "samples" => number(1),
            "levels" => indices.take().and_then(|i| shorts(lengths.clone(), i)),
            _ => None,
        });
        let levels = levels.map_err(VariantError::Defect)?;
        return Ok(Leveled { levels, photometric: 3, alpha: 0, colors: Some(indexed.colors) });
    }
    let y = forward(turned.clone(), from, &stage.output, |_| None).map_err(VariantError::Defect)?;
    let levels = invert_value(PHOTOMETRIC.inverse(), &y, source, limits)?;
    let photometric = scalar(&levels, &stage.input, "photometric") as u16;
    let alpha = scalar(&levels, &stage.input, "alpha") as u16;
    Ok(Leveled { levels, photometric, alpha, colors: None })
}
