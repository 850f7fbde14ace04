//! Reads a [`Stream`] from bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::marker::{DHT, DQT, DRI, EOI, Reader, SOF0, SOS, Segment};
use super::stream::{Component, Form, Frame, Note, Scan, ScanComponent, Stream};
use super::table::{self, Kind, Slot, Table};

/// The number of the first marker segment of a stream in [`Form::definitions`].
const OF_STREAM: usize = 1000;

/// The maximum number of tables of JPEGTables, each of which takes memory for each stream. Twelve are enough.
const MOST_TABLES: usize = 64;

/// The maximum number of scans of a stream. Progressive streams have about ten.
const MOST_SCANS: usize = 256;

/// Reads the value of JPEGTables: definitions of tables, in order, each with the ordinal of its marker segment. Returns
/// `None` if it contains anything else on which a decoder may act, or is damaged.
pub fn parse_tables(bytes: &[u8]) -> Option<Vec<(Table, usize)>> {
    let mut reader = Reader::new(bytes)?;
    let mut tables = Vec::new();
    for ordinal in 0..OF_STREAM {
        let segment = reader.segment()?;
        match segment.marker {
            EOI => return (tables.len() <= MOST_TABLES).then_some(tables),
            DQT | DHT => {
                let found = table::read(segment.marker, segment.parameters)?;
                tables.extend(found.into_iter().map(|table| (table, ordinal)));
            }
            _ if segment.is_note() && !note(&segment).is_heeded() => {}
            _ => return None,
        }
    }
    None
}

/// Reads a stream whose `common` tables are in JPEGTables. Returns `None` if it is not understood. Bytes after EOI are
/// ignored.
pub fn parse(bytes: &[u8], common: &[(Table, usize)]) -> Option<Stream> {
    let mut reader = Reader::new(bytes)?;
    let mut state = State::new(common);
    for ordinal in OF_STREAM.. {
        let segment = reader.segment()?;
        match segment.marker {
            EOI => break,
            SOS => {
                let data = reader.entropy_coded()?.to_vec();
                state.scan(segment.parameters, data)?;
            }
            DQT | DHT => {
                for table in table::read(segment.marker, segment.parameters)? {
                    state.define(table, ordinal)?;
                }
            }
            DRI => state.restart(segment.parameters)?,
            _ if segment.is_note() => state.notes.push(note(&segment)),
            SOF0..=0xC3 if state.frame.is_none() => {
                state.frame = Some(frame(segment.marker - SOF0, segment.parameters)?);
            }
            _ => return None,
        }
    }
    state.finish()
}

fn note(segment: &Segment<'_>) -> Note {
    Note { marker: segment.marker, parameters: segment.parameters.to_vec() }
}

/// The state of a decoder.
struct State {
    notes: Vec<Note>,
    tables: BTreeMap<Slot, Arc<[u8]>>,
    /// The slots that the stream itself has defined.
    own: BTreeSet<Slot>,
    interval: u16,
    frame: Option<Frame>,
    scans: Vec<Scan>,
    form: Form,
}

impl State {
    fn new(common: &[(Table, usize)]) -> Self {
        let definitions = common.iter().map(|(table, ordinal)| (table.slot, *ordinal)).collect();
        let tables = common.iter().map(|(table, _)| (table.slot, table.values.clone()));
        Self {
            notes: Vec::new(),
            tables: tables.collect(),
            own: BTreeSet::new(),
            interval: 0,
            frame: None,
            scans: Vec::new(),
            form: Form { definitions, ..Form::default() },
        }
    }

    fn define(&mut self, table: Table, ordinal: usize) -> Option<()> {
        let Table { slot, values } = table;
        let behind = self.frame.is_some();
        if self.scans.is_empty() {
            match slot.kind {
                Kind::Quantization => self.form.quantization_behind = behind,
                _ => self.form.huffman_behind = behind,
            }
            self.form.definitions.push((slot, ordinal));
            self.own.insert(slot);
        } else if slot.kind == Kind::Quantization && self.tables.get(&slot) != Some(&values) {
            // Otherwise, components of one frame would have different tables with the same number.
            return None;
        }
        self.tables.insert(slot, values);
        Some(())
    }

    fn restart(&mut self, parameters: &[u8]) -> Option<()> {
        self.interval = u16::from_be_bytes(parameters.try_into().ok()?);
        if self.scans.is_empty() {
            self.form.interval_behind = Some(self.frame.is_some());
        }
        Some(())
    }

    fn scan(&mut self, parameters: &[u8], data: Vec<u8>) -> Option<()> {
        let frame = self.frame.as_ref()?;
        let (count, rest) = parameters.split_first()?;
        let (selectors, selection) = rest.split_at_checked(2 * usize::from(*count))?;
        let selection: [u8; 3] = selection.try_into().ok()?;
        let components = selectors.chunks_exact(2).map(|selector| ScanComponent {
            id: selector[0],
            dc: selector[1] >> 4,
            ac: selector[1] & 15,
        });
        let components: Vec<ScanComponent> = components.collect();
        let mut needed = BTreeSet::new();
        for ScanComponent { id, dc, ac } in &components {
            let component = frame.components.iter().find(|component| component.id == *id)?;
            let quantization = Slot { kind: Kind::Quantization, number: component.table };
            if frame.is_dct() && !self.tables.contains_key(&quantization) {
                return None;
            }
            let (uses_dc, uses_ac) = coefficients(frame.process, selection);
            let slots = [(uses_dc, Kind::Dc, *dc), (uses_ac, Kind::Ac, *ac)];
            needed.extend(slots.iter().filter(|s| s.0).map(|s| Slot { kind: s.1, number: s.2 }));
        }
        let table = |slot| Some(Table { slot, values: self.tables.get(&slot)?.clone() });
        let tables = needed.into_iter().map(table).collect::<Option<Vec<Table>>>()?;
        if self.scans.is_empty() {
            self.form.defines_huffman = tables.iter().all(|table| self.own.contains(&table.slot));
        }
        let interval = self.interval;
        self.scans.push(Scan { components, selection, interval, tables, data });
        (count > &0 && self.scans.len() <= MOST_SCANS).then_some(())
    }

    fn finish(mut self) -> Option<Stream> {
        let frame = self.frame.filter(|_| !self.scans.is_empty())?;
        let numbers: BTreeSet<u8> = match frame.is_dct() {
            true => frame.components.iter().map(|component| component.table).collect(),
            false => BTreeSet::new(),
        };
        let table = |number| {
            let slot = Slot { kind: Kind::Quantization, number };
            Some(Table { slot, values: self.tables.get(&slot)?.clone() })
        };
        let quantization = numbers.into_iter().map(table).collect::<Option<Vec<Table>>>()?;
        self.form.defines_quantization = quantization.iter().all(|t| self.own.contains(&t.slot));
        let (notes, scans, form) = (self.notes, self.scans, self.form);
        Some(Stream { notes, frame, quantization, scans, form })
    }
}

/// Returns true for each kind of Huffman tables, DC and AC, that a scan uses (T.81, B.2.3 and G.1.2).
fn coefficients(process: u8, [start, _, approximation]: [u8; 3]) -> (bool, bool) {
    match process {
        2 => (start == 0 && approximation >> 4 == 0, start > 0),
        3 => (true, false),
        _ => (true, true),
    }
}

/// Reads a frame header; `None` if it is damaged, or if the number of lines follows later.
fn frame(process: u8, parameters: &[u8]) -> Option<Frame> {
    let (head, rest) = parameters.split_first_chunk::<6>()?;
    let [precision, h0, h1, w0, w1, count] = *head;
    let size = [u16::from_be_bytes([h0, h1]), u16::from_be_bytes([w0, w1])];
    if rest.len() != 3 * usize::from(count) || count == 0 || size.contains(&0) {
        return None;
    }
    let component = |c: &[u8]| Component { id: c[0], sampling: c[1], table: c[2] };
    let components: Vec<Component> = rest.chunks_exact(3).map(component).collect();
    let ids: BTreeSet<u8> = components.iter().map(|component| component.id).collect();
    (ids.len() == components.len()).then_some(Frame { process, precision, size, components })
}

#[cfg(test)]
mod tests;
