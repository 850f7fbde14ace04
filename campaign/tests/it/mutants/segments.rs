//! Assembles samples from strips and tiles.

use super::container::File;
use super::image::Image;
use super::{Failure, Fault, Faults, codec, refused};

/// Returns all stored samples of a picture, pixel by pixel.
pub fn samples(file: &File<'_>, image: &Image) -> Result<Vec<u32>, Failure> {
    let faults = file.faults;
    let places = places(image, faults);
    let (across, down) = grid(image, faults)?;
    let planes = if image.planar { image.samples } else { 1 };
    let in_plane = match image.planar {
        // This reader was written for three planes only.
        true if faults.has(Fault::ThreePlanes) => places.len() / image.colors(),
        _ => across * down,
    };
    if places.len() < across * down * planes {
        return refused("too few strips or tiles");
    }
    let mut raster = vec![0; image.width * image.height * image.samples];
    for plane in 0..planes {
        for k in 0..across * down {
            let mut place = plane * in_plane + k;
            if image.planar {
                if image.bits == 16 && faults.has(Fault::DeepPlanesReversed) {
                    place = (planes - 1 - plane) * in_plane + k;
                }
                if faults.has(Fault::PlanesInterleaved)
                    || (image.tiled && faults.has(Fault::PlanesInterleavedTiles))
                {
                    place = k * planes + plane;
                }
                if image.tiled && image.compression == PACK_BITS {
                    place = if faults.has(Fault::PlanarTilesPackBits) { k } else { place };
                }
            }
            let Some(&(offset, count)) = places.get(place) else {
                return refused("no such strip or tile");
            };
            let end = offset.checked_add(count).map(|end| end as usize);
            if offset < 8 {
                return refused("a segment in the header");
            }
            let stored = end.and_then(|end| file.data.get(offset as usize..end));
            let Some(stored) = stored else { return refused("a segment outside the file") };
            let (column, row) = match faults.has(Fault::TilesDownwards) && image.tiled {
                false => (k % across, k / across),
                true => (k / down, k % down),
            };
            let at = Segment {
                image,
                faults,
                plane,
                x: column * image.segment.0,
                y: row * image.segment.1,
            };
            at.decode(stored, file.big_endian, &mut raster)?;
        }
    }
    Ok(raster)
}

const PACK_BITS: u64 = 32773;

/// Returns the positions of the segments as this reader computes them.
fn places(image: &Image, faults: &Faults) -> Vec<(u64, u64)> {
    let mut places: Vec<(u64, u64)> =
        image.offsets.iter().copied().zip(image.counts.iter().copied()).collect();
    let in_file_order =
        faults.has(Fault::StripsInFileOrder) && image.compression == 1 && !image.tiled;
    if faults.has(Fault::OffsetsSorted) || in_file_order {
        places.sort_unstable();
    }
    places
}

fn grid(image: &Image, faults: &Faults) -> Result<(usize, usize), Failure> {
    let (across, down) = image.grid();
    if image.tiled {
        if faults.has(Fault::TallTiles) && image.segment.1 > image.height {
            return Err(Failure::Crash("index out of bounds"));
        }
        return Ok((across, down));
    }
    if faults.has(Fault::RowsOverflow) {
        let rows = image.segment.1 as u32;
        let sum = (image.height as u32).wrapping_add(rows).wrapping_sub(1);
        return Ok((1, (sum / rows) as usize));
    }
    if faults.has(Fault::WholeStrips)
        && image.segment.1 < image.height
        && !image.height.is_multiple_of(image.segment.1)
    {
        return refused("a strip is cut short");
    }
    Ok((across, down))
}

/// The position of a segment in its picture.
struct Segment<'s> {
    image: &'s Image,
    faults: &'s Faults,
    plane: usize,
    x: usize,
    y: usize,
}

impl Segment<'_> {
    fn decode(&self, stored: &[u8], big_endian: bool, raster: &mut [u32]) -> Result<(), Failure> {
        let Segment { image, faults, plane, x, y } = *self;
        let chunky = if image.planar { 1 } else { image.samples };
        let rows =
            if image.tiled { image.segment.1 } else { image.segment.1.min(image.height - y) };
        let columns = self.columns();
        let row_bytes = (columns * chunky * image.bits as usize).div_ceil(8);
        let size = codec::Size { columns, rows, bytes: row_bytes * rows };
        let bytes = codec::decode(stored, image, size, faults)?;
        if bytes.len() < size.bytes {
            return refused("a segment is too short");
        }
        // This reader confuses the width of the picture with that of a segment.
        let step = match faults.has(Fault::WideTiles) && image.tiled && columns > image.width {
            true => (image.width * chunky * image.bits as usize).div_ceil(8),
            false => row_bytes,
        };
        for row in 0..rows.min(image.height - y) {
            let bytes = &bytes[row * step..row * step + row_bytes];
            let mut values = self.unpack(bytes, columns * chunky, big_endian);
            if image.predictor && takes_predictor(image.compression) {
                self.undo_predictor(&mut values);
            }
            let stride = match faults.has(Fault::ExtraSamplesSkipped) && !image.planar {
                true => image.colors(),
                false => chunky,
            };
            for column in 0..columns.min(image.width - x) {
                for k in 0..chunky {
                    let at = (y + row) * image.width + x + column;
                    let to = if image.planar { plane } else { k };
                    let from = (column * stride + k).min(values.len() - 1);
                    raster[at * image.samples + to] = values[from];
                }
            }
        }
        Ok(())
    }

    /// Returns the pixels of a stored row.
    fn columns(&self) -> usize {
        let Segment { image, faults, x, .. } = *self;
        match image.tiled && faults.has(Fault::EdgeTilesCut) {
            true => image.segment.0.min(image.width - x),
            false => image.segment.0,
        }
    }

    fn unpack(&self, bytes: &[u8], count: usize, mut big_endian: bool) -> Vec<u32> {
        let Segment { image, faults, .. } = *self;
        let bits = image.bits as usize;
        if bits == 16 {
            let (tiled, packed) = (image.tiled, image.compression != 1);
            let forgotten = faults.has(Fault::NotSwapped)
                || (tiled && faults.has(Fault::NotSwappedTiles))
                || (image.planar && faults.has(Fault::NotSwappedPlanar))
                || (packed && faults.has(Fault::NotSwappedCompressed))
                || (packed && tiled && faults.has(Fault::NotSwappedCompressedTiles))
                || (packed && image.predictor && faults.has(Fault::SwappedTwice));
            big_endian = big_endian && !forgotten;
        }
        let value = |k: usize| match bits {
            8 => u32::from(bytes[k]),
            16 | 32 => {
                let bytes = &bytes[k * bits / 8..(k + 1) * bits / 8];
                let join = |n: u32, byte: &u8| n << 8 | u32::from(*byte);
                match big_endian {
                    true => bytes.iter().fold(0, join),
                    false => bytes.iter().rev().fold(0, join),
                }
            }
            _ => {
                let k = if bits == 4 && image.photometric != 3 && faults.has(Fault::Nibbles) {
                    k ^ 1
                } else {
                    k
                };
                let byte = bytes.get(k * bits / 8).copied().unwrap_or(0);
                u32::from(byte) >> (8 - bits - k * bits % 8) & ((1 << bits) - 1)
            }
        };
        (0..count).map(value).collect()
    }

    fn undo_predictor(&self, values: &mut [u32]) {
        let Segment { image, faults, .. } = *self;
        let palette = image.photometric == 3;
        if faults.has(Fault::PredictorIgnored)
            || (palette && faults.has(Fault::PalettePredictor))
            || (image.tiled && faults.has(Fault::PredictorTiles))
        {
            return;
        }
        let mut stride = if image.planar { 1 } else { image.samples };
        if faults.has(Fault::PredictorOneSample)
            || (image.planar && faults.has(Fault::PredictorPlanar))
        {
            stride = if image.planar { image.samples } else { 1 };
        }
        if !image.planar && faults.has(Fault::PredictorColors) {
            stride = image.colors();
        }
        for k in stride..values.len() {
            let sum = values[k].wrapping_add(values[k - stride]);
            values[k] = match image.bits {
                16 if faults.has(Fault::PredictorBytes) => {
                    let bytes = |mask: u32| (values[k] & mask) + (values[k - stride] & mask);
                    bytes(0xff) & 0xff | bytes(0xff00) & 0xff00
                }
                32 => sum,
                bits => sum & ((1 << bits) - 1),
            };
        }
    }
}

fn takes_predictor(compression: u64) -> bool {
    [5, 8, 32946].contains(&compression)
}
