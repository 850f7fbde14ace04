//! The meaning of a stream.

use sha2::{Digest, Sha256};

use super::table::{Kind, Slot, Table};

/// A comment, or data of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The marker.
    pub marker: u8,
    /// Its parameters.
    pub parameters: Vec<u8>,
}

/// Markers on which some decoders act: JFIF, Exif, color profiles, SPIFF, JPEG XT, Ducky, Photoshop and Adobe. TIFF
/// readers must ignore all of these (technical note 2), but not all readers do.
const HEEDED: [u8; 8] = [0xE0, 0xE1, 0xE2, 0xE8, 0xEB, 0xEC, 0xED, 0xEE];

/// Markers on which no decoder acts.
pub(super) const IDLE: [u8; 7] = [0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE9, 0xEA];

impl Note {
    /// Returns true if some decoder acts on the marker.
    pub fn is_heeded(&self) -> bool {
        HEEDED.contains(&self.marker)
    }
}

/// A component of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Its identifier.
    pub id: u8,
    /// Its horizontal and vertical sampling factors, of four bits each.
    pub sampling: u8,
    /// The number of its quantization table.
    pub table: u8,
}

/// The header of the frame (T.81, B.2.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// 0 baseline, 1 extended sequential, 2 progressive, 3 lossless.
    pub process: u8,
    /// Bits of a sample.
    pub precision: u8,
    /// Lines, then samples of a line.
    pub size: [u16; 2],
    /// The components, in order.
    pub components: Vec<Component>,
}

impl Frame {
    /// Returns true if it uses quantization tables.
    pub fn is_dct(&self) -> bool {
        self.process < 3
    }
}

/// A component of a scan, and the numbers of its Huffman tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanComponent {
    /// The component's identifier.
    pub id: u8,
    /// The number of its table of DC coefficients.
    pub dc: u8,
    /// The number of its table of AC coefficients.
    pub ac: u8,
}

/// A scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// Its components, in order.
    pub components: Vec<ScanComponent>,
    /// The start and end of spectral selection, and the bit positions of successive approximation.
    pub selection: [u8; 3],
    /// The restart interval.
    pub interval: u16,
    /// The Huffman tables that it uses, by slot.
    pub tables: Vec<Table>,
    /// The entropy-coded data.
    pub data: Vec<u8>,
}

/// The form of a stream, which does not affect its meaning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    /// The slots of all definitions before the first scan, in order, each with the ordinal of its marker segment. The
    /// definitions of JPEGTables come first, with ordinals from 0; those of the stream follow, with ordinals from 1000.
    pub definitions: Vec<(Slot, usize)>,
    /// True if quantization tables are defined after the frame header.
    pub quantization_behind: bool,
    /// True if Huffman tables are defined after the frame header.
    pub huffman_behind: bool,
    /// The place of a definition of the restart interval, if there is one: true if it is after the frame header.
    pub interval_behind: Option<bool>,
    /// True if the stream defines each quantization table that it uses.
    pub defines_quantization: bool,
    /// True if the stream defines each Huffman table that it uses in its first scan.
    pub defines_huffman: bool,
}

/// A stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Comments and data of applications, in order.
    pub notes: Vec<Note>,
    /// The frame header.
    pub frame: Frame,
    /// The quantization tables of the frame, by slot.
    pub quantization: Vec<Table>,
    /// The scans, in order; at least one.
    pub scans: Vec<Scan>,
    /// Its form.
    pub form: Form,
}

impl Stream {
    /// Returns all of its tables, one for each use.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.quantization.iter().chain(self.scans.iter().flat_map(|scan| &scan.tables))
    }

    /// Returns true if its frame may be declared baseline as well as extended sequential: 8 bits, and
    /// Huffman tables 0 and 1 (T.81, table B.2 and B.5).
    pub fn is_baseline(&self) -> bool {
        let two = |scan: &Scan| scan.components.iter().all(|c| c.dc <= 1 && c.ac <= 1);
        self.frame.process <= 1 && self.frame.precision == 8 && self.scans.iter().all(two)
    }

    /// Returns the maximum number of a Huffman table that its process allows.
    pub fn max_huffman(&self) -> u8 {
        if self.is_baseline() { 1 } else { 3 }
    }

    /// Returns bytes that are the same for two streams if and only if they mean the same to a decoder: each component
    /// has the same tables, whatever their numbers.
    pub fn meaning(&self) -> Vec<u8> {
        let Frame { process, precision, size, components } = &self.frame;
        let process = if self.is_baseline() { 0 } else { *process };
        let mut out = Vec::new();
        let mut put = |part: &[u8]| {
            out.extend((part.len() as u64).to_be_bytes());
            out.extend(part);
        };
        for note in self.notes.iter().filter(|note| note.is_heeded()) {
            put(&[note.marker]);
            put(&note.parameters);
        }
        put(&[process, *precision]);
        put(&[size[0].to_be_bytes(), size[1].to_be_bytes()].concat());
        for Component { id, sampling, table } in components {
            put(&[*id, *sampling]);
            put(&digest(&self.quantization, Kind::Quantization, *table));
        }
        for scan in &self.scans {
            put(&scan.selection);
            put(&scan.interval.to_be_bytes());
            for ScanComponent { id, dc, ac } in &scan.components {
                put(&[*id]);
                put(&digest(&scan.tables, Kind::Dc, *dc));
                put(&digest(&scan.tables, Kind::Ac, *ac));
            }
            put(&scan.data);
        }
        out
    }
}

/// Returns the SHA-256 digest of the table in a slot, which takes little memory even if a table has many uses; empty if
/// there is no such table.
fn digest(tables: &[Table], kind: Kind, number: u8) -> Vec<u8> {
    let slot = Slot { kind, number };
    let table = tables.iter().find(|table| table.slot == slot);
    table.map(|table| Sha256::digest(&*table.values).to_vec()).unwrap_or_default()
}
