//! Interprets the fields of a directory.

use super::container::{Directory, File};
use super::{Failure, Fault, refused};

pub const STRIP_OFFSETS: u16 = 273;
pub const STRIP_BYTE_COUNTS: u16 = 279;
pub const TILE_OFFSETS: u16 = 324;
const TILE_BYTE_COUNTS: u16 = 325;

/// The layout of a stored picture.
#[derive(Debug, Clone)]
pub struct Image {
    pub width: usize,
    pub height: usize,
    pub bits: u32,
    pub samples: usize,
    pub photometric: u64,
    /// The ExtraSamples.
    pub extra: Vec<u64>,
    pub planar: bool,
    pub orientation: u64,
    pub compression: u64,
    pub predictor: bool,
    pub reversed_bits: bool,
    pub t4_options: u64,
    pub color_map: Vec<u64>,
    pub tiled: bool,
    /// The pixels of a segment's row, and the number of its rows.
    pub segment: (usize, usize),
    pub offsets: Vec<u64>,
    pub counts: Vec<u64>,
}

impl Image {
    /// Returns the number of samples without the extra ones: three for RGB, one for gray or an index.
    pub fn colors(&self) -> usize {
        if self.photometric == 2 { 3 } else { 1 }
    }

    /// Returns the number of segments in a row, and in a column.
    pub fn grid(&self) -> (usize, usize) {
        (self.width.div_ceil(self.segment.0), self.height.div_ceil(self.segment.1))
    }

    /// Reads the fields and checks them.
    pub fn of(file: &File<'_>, directory: &Directory) -> Result<Self, Failure> {
        let has = |fault| file.faults.has(fault);
        let one = |tag: u16, default: u64| Ok(file.value(directory, tag)?.unwrap_or(default));
        let list = |tag: u16| Ok(file.values(directory, tag)?.unwrap_or_default());
        let side = |tag| match file.side(directory, tag, Fault::SidesAsShort)? {
            None | Some(0) => refused("no width or height"),
            Some(n) if n > 1 << 20 => refused("too large"),
            Some(n) => Ok(n as usize),
        };
        let needed = |tag: u16, fault| match directory.entry(tag) {
            None if has(fault) => refused(format!("tag {tag} is missing")),
            _ => one(tag, 1),
        };
        let (width, height) = (side(256)?, side(257)?);
        let samples = one(277, 1)? as usize;
        let bits = list(258)?;
        let bits = if bits.is_empty() { vec![1; samples.min(1 << 16)] } else { bits };
        if bits.iter().any(|b| *b != bits[0]) || bits.len() != samples {
            return refused("different bits");
        }
        if ![1, 2, 4, 8, 16, 32].contains(&bits[0]) {
            return refused(format!("{} bits", bits[0]));
        }
        if (bits[0] == 32 && has(Fault::Bits32Refused))
            || (bits[0] == 2 && directory.entry(320).is_none() && has(Fault::Bits2Refused))
        {
            return refused(format!("{} bits are not supported", bits[0]));
        }
        let tiled = directory.entry(TILE_OFFSETS).is_some();
        if tiled && has(Fault::TilesRefused) {
            return refused("tiles");
        }
        let (offsets, counts) = match tiled {
            true => (TILE_OFFSETS, TILE_BYTE_COUNTS),
            false => (STRIP_OFFSETS, STRIP_BYTE_COUNTS),
        };
        let image = Image {
            width,
            height,
            bits: bits[0] as u32,
            samples,
            photometric: match file.value(directory, 262)? {
                None => return refused("no PhotometricInterpretation"),
                Some(n @ 0..=3) => n,
                Some(n) => return refused(format!("PhotometricInterpretation {n}")),
            },
            extra: list(338)?,
            planar: needed(284, Fault::PlanarMissing)? == 2,
            orientation: one(274, 1)?,
            compression: needed(259, Fault::CompressionMissing)?,
            predictor: one(317, 1)? == 2,
            reversed_bits: one(266, 1)? == 2,
            t4_options: one(292, 0)?,
            color_map: list(320)?,
            tiled,
            segment: if tiled { tile(file, directory)? } else { strip(file, directory, width)? },
            offsets: file.places(directory, offsets)?,
            counts: file.places(directory, counts)?,
        };
        if image.extra.contains(&1) && has(Fault::AssociatedRefused) {
            return refused("associated alpha");
        }
        if has(Fault::DirectoryBeforeData) && image.offsets.iter().any(|o| *o > directory.at as u64)
        {
            return Err(Failure::Crash("attempt to subtract with overflow"));
        }
        Ok(image)
    }
}

fn tile(file: &File<'_>, directory: &Directory) -> Result<(usize, usize), Failure> {
    let side = |tag| match file.side(directory, tag, Fault::TileSidesAsShort)? {
        None | Some(0) => refused("tiles without a side"),
        Some(n) => Ok(n as usize),
    };
    Ok((side(322)?, side(323)?))
}

/// Returns the pixels of a strip's row, and the number of its rows.
fn strip(file: &File<'_>, directory: &Directory, width: usize) -> Result<(usize, usize), Failure> {
    let rows = file.side(directory, 278, Fault::RowsAsShort)?;
    let rows = match rows {
        None if file.faults.has(Fault::RowsMissing) => {
            return Err(Failure::Crash("attempt to divide by zero"));
        }
        Some(0) => return refused("strips without rows"),
        rows => rows.unwrap_or(u32::MAX.into()) as usize,
    };
    Ok((width, rows))
}
