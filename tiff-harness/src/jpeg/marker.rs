//! Markers and marker segments (T.81, B.1.1).

/// Start of image.
pub(super) const SOI: u8 = 0xD8;
/// End of image.
pub(super) const EOI: u8 = 0xD9;
/// Start of scan.
pub(super) const SOS: u8 = 0xDA;
/// Definition of quantization tables.
pub(super) const DQT: u8 = 0xDB;
/// Definition of Huffman tables.
pub(super) const DHT: u8 = 0xC4;
/// Definition of the restart interval.
pub(super) const DRI: u8 = 0xDD;
/// Comment.
pub(super) const COM: u8 = 0xFE;
/// The first marker for data of applications.
pub(super) const APP0: u8 = 0xE0;
/// The last marker for data of applications.
pub(super) const APP15: u8 = 0xEF;
/// Start of a frame of the baseline process. The next three are extended sequential, progressive and
/// lossless, all with Huffman coding.
pub(super) const SOF0: u8 = 0xC0;

/// A marker with its parameters; those of SOI and EOI are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment<'s> {
    /// The marker's second byte.
    pub marker: u8,
    /// The parameters, without their length.
    pub parameters: &'s [u8],
}

impl Segment<'_> {
    /// Returns true if it is a comment or data of an application.
    pub fn is_note(&self) -> bool {
        self.marker == COM || (APP0..=APP15).contains(&self.marker)
    }
}

/// Reads a stream from its beginning.
pub(super) struct Reader<'s> {
    rest: &'s [u8],
}

impl<'s> Reader<'s> {
    /// Starts after SOI; `None` if the stream does not begin with it.
    pub fn new(stream: &'s [u8]) -> Option<Self> {
        Some(Self { rest: stream.strip_prefix(&[0xFF, SOI])? })
    }

    /// Returns the next marker segment; `None` if there is none, or if it is truncated.
    pub fn segment(&mut self) -> Option<Segment<'s>> {
        let marker_at = self.rest.iter().position(|byte| *byte != 0xFF).filter(|at| *at >= 1)?;
        let marker = self.rest[marker_at];
        self.rest = &self.rest[marker_at + 1..];
        if matches!(marker, 0x00 | 0x01 | 0xD0..=0xD7) {
            return None;
        }
        if matches!(marker, SOI | EOI) {
            return Some(Segment { marker, parameters: &[] });
        }
        let (length, _) = self.rest.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_be_bytes(*length));
        let parameters = self.rest.get(2..length)?;
        self.rest = &self.rest[length..];
        Some(Segment { marker, parameters })
    }

    /// Returns the entropy-coded data up to the next marker that does not belong to it, including restart markers.
    /// `None` if there is no such marker, or if fill bytes are inside the data.
    pub fn entropy_coded(&mut self) -> Option<&'s [u8]> {
        let mut at = 0;
        loop {
            at += self.rest.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
            let fills = self.rest[at..].iter().position(|byte| *byte != 0xFF)?;
            match self.rest[at + fills] {
                0x00 | 0xD0..=0xD7 if fills == 1 => at += 2,
                0x00 | 0xD0..=0xD7 => return None,
                _ => break,
            }
        }
        let (data, rest) = self.rest.split_at(at);
        self.rest = rest;
        Some(data)
    }
}

/// Appends a marker segment; `false` if its parameters are too long for one.
pub(super) fn put(out: &mut Vec<u8>, marker: u8, parameters: &[u8]) -> bool {
    let Ok(length) = u16::try_from(parameters.len() + 2) else { return false };
    out.extend([0xFF, marker]);
    out.extend(length.to_be_bytes());
    out.extend(parameters);
    true
}
