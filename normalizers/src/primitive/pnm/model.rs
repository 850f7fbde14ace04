//! A PNM or PAM picture, and the bytes to which [`PnmText`](super::PnmText) decodes it.

use inverter::primitive::PrimitiveError;

pub(super) const TUPLES: [&str; 7] = [
    "",
    "BLACKANDWHITE",
    "GRAYSCALE",
    "RGB",
    "BLACKANDWHITE_ALPHA",
    "GRAYSCALE_ALPHA",
    "RGB_ALPHA",
];
/// The number of bytes before the samples.
const HEADER: usize = 13;

/// A picture as it is stored.
pub(super) struct Pnm {
    /// 1 to 7.
    pub(super) kind: u8,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The number of samples of a pixel.
    pub(super) depth: u8,
    /// An index into [`TUPLES`].
    pub(super) tuple: u8,
    /// At least 1.
    pub(super) maxval: u16,
    pub(super) samples: Vec<u8>,
}

impl Pnm {
    /// The number of bytes of a sample.
    pub(super) fn size(&self) -> usize {
        if self.maxval > 255 { 2 } else { 1 }
    }

    /// The number of samples.
    pub(super) fn count(&self) -> Result<usize, PrimitiveError> {
        let pixels = u64::from(self.width).checked_mul(self.height.into());
        let count = pixels.and_then(|n| n.checked_mul(self.depth.into()));
        let fits = count.filter(|n| *n < 1 << 40).and_then(|n| usize::try_from(n).ok());
        fits.ok_or_else(|| format!("{} by {} pixels", self.width, self.height).into())
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Pnm, PrimitiveError> {
        let Some((&[kind, a, b, c, d, e, f, g, h, depth, tuple, i, j], samples)) =
            bytes.split_first_chunk::<HEADER>()
        else {
            return Err(format!("{} bytes are too few for a picture", bytes.len()).into());
        };
        let pnm = Pnm {
            kind,
            width: u32::from_be_bytes([a, b, c, d]),
            height: u32::from_be_bytes([e, f, g, h]),
            depth,
            tuple,
            maxval: u16::from_be_bytes([i, j]),
            samples: samples.to_vec(),
        };
        let usual = match kind {
            1 | 4 => depth == 1 && pnm.maxval == 1,
            2 | 5 => depth == 1,
            3 | 6 => depth == 3,
            7 => depth >= 1,
            _ => false,
        };
        let typed = if kind == 7 { usize::from(tuple) < TUPLES.len() } else { tuple == 0 };
        if !usual || !typed || pnm.maxval == 0 {
            return Err(format!("kind {kind} with {depth} samples up to {}", pnm.maxval).into());
        }
        let count = pnm.count()?;
        let value = |s: &[u8]| s.iter().fold(0, |n, b| n << 8 | u16::from(*b));
        if pnm.samples.len() != count * pnm.size() {
            return Err(format!("{} bytes of {count} samples", pnm.samples.len()).into());
        }
        match pnm.samples.chunks(pnm.size()).map(value).find(|v| *v > pnm.maxval) {
            Some(v) => Err(format!("a sample of {v}, above {}", pnm.maxval).into()),
            None => Ok(pnm),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.kind];
        out.extend(self.width.to_be_bytes());
        out.extend(self.height.to_be_bytes());
        out.extend([self.depth, self.tuple]);
        out.extend(self.maxval.to_be_bytes());
        out.extend(&self.samples);
        out
    }
}
