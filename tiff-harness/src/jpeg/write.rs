//! Writes streams in another form.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use inverter::solve::{ChoiceError, ChoiceSource, Fill};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::file::JpegFile;
use super::filler;
use super::marker::{self, DRI, EOI, SOF0, SOI, SOS};
use super::rearrangement::{PerMarker, Rearrangement, Tables};
use super::stream::{Form, Scan, Stream};
use super::table::{Kind, Slot, Table};
use crate::container::Profile;

/// JPEGTables, if there is one, and the streams.
pub type Written = (Option<Vec<u8>>, Vec<Vec<u8>>);

impl JpegFile {
    /// Writes the streams in the form that `source` determines. Returns `None` if this is their present form.
    ///
    /// # Errors
    ///
    /// Returns an error if a given choice is not possible.
    pub fn rearranged(
        &self,
        source: &mut ChoiceSource,
        profile: Profile,
    ) -> Result<Option<Written>, ChoiceError> {
        Ok(self.choose(source, profile)?.map(|form| Writer::new(self, &form).write()))
    }
}

/// Writes all streams of a file.
struct Writer<'f> {
    file: &'f JpegFile,
    new: &'f Rearrangement,
    /// The new number of each slot.
    numbers: BTreeMap<Slot, u8>,
    /// New slots that nothing uses.
    unused: Vec<Slot>,
    order: Option<ChaCha8Rng>,
    decoys: Option<ChaCha8Rng>,
    spare: ChaCha8Rng,
    notes: Notes,
    fill: Option<ChaCha8Rng>,
}

/// The random streams of drawn notes.
struct Notes {
    comments: Option<ChaCha8Rng>,
    application_data: Option<ChaCha8Rng>,
    /// True once the first notes, one of each kind, have been drawn.
    begun: bool,
}

/// The bytes of a stream, and the tables that a decoder has at the end of the stream.
struct Out {
    bytes: Vec<u8>,
    tables: BTreeMap<Slot, Arc<[u8]>>,
}

impl<'f> Writer<'f> {
    fn new(file: &'f JpegFile, new: &'f Rearrangement) -> Self {
        let rng = |seed: Option<u64>| seed.map(Fill::rng);
        let mut numbers: BTreeMap<Slot, u8> = file.used.iter().map(|s| (*s, s.number)).collect();
        if let Some(mut rng) = rng(new.numbers) {
            for kind in [Kind::Quantization, Kind::Dc, Kind::Ac] {
                let of_kind = |slot: &Slot| slot.kind == kind;
                let old: Vec<Slot> = file.used.iter().copied().filter(of_kind).collect();
                let mut free: Vec<u8> = file.slots().filter(of_kind).map(|s| s.number).collect();
                // A slot is not renumbered to a number that the process does not allow.
                if old.iter().all(|slot| free.contains(&slot.number)) {
                    free.shuffle(&mut rng);
                    numbers.extend(old.into_iter().zip(free));
                }
            }
        }
        let taken: BTreeSet<Slot> =
            numbers.iter().map(|(slot, number)| Slot { number: *number, ..*slot }).collect();
        let mut spare = Fill::rng(new.unused.unwrap_or(0));
        let mut unused: Vec<Slot> = file.slots().filter(|slot| !taken.contains(slot)).collect();
        unused.shuffle(&mut spare);
        let count = if new.unused.is_some() { spare.random_range(1..=2) } else { 0 };
        unused.truncate(count);
        let notes = Notes {
            comments: rng(new.comments),
            application_data: rng(new.application_data),
            begun: false,
        };
        let (order, decoys, fill) = (rng(new.order), rng(new.redefined), rng(new.fill));
        Self { file, new, numbers, unused, order, decoys, spare, notes, fill }
    }

    fn write(mut self) -> Written {
        let apart = self.write_tables();
        let (tables, state) = match apart {
            Some(Out { bytes, tables }) => (Some(bytes), tables),
            None => (None, BTreeMap::new()),
        };
        let file = self.file;
        let streams = file.streams.iter().map(|stream| self.write_stream(stream, state.clone()));
        (tables, streams.collect())
    }

    fn place_of(&self, kind: Kind) -> Tables {
        match kind {
            Kind::Quantization => self.new.quantization,
            Kind::Dc | Kind::Ac => self.new.huffman,
        }
    }

    /// Returns the slot that corresponds to `slot` in the new form.
    fn renumbered(&self, slot: Slot) -> Slot {
        Slot { number: self.numbers.get(&slot).copied().unwrap_or(slot.number), ..slot }
    }

    /// Writes JPEGTables; `None` if it would contain no table.
    fn write_tables(&mut self) -> Option<Out> {
        let mut tables = Vec::new();
        for slot in self.file.used.clone() {
            match self.place_of(slot.kind) {
                Tables::Inside => {}
                Tables::Overridden => tables.push(filler::table(&mut self.spare, slot)),
                Tables::Apart | Tables::Repeated => {
                    tables.extend(self.file.common.iter().find(|t| t.slot == slot).cloned());
                }
            }
        }
        if tables.is_empty() {
            return None;
        }
        let mut out = Out { bytes: vec![0xFF, SOI], tables: BTreeMap::new() };
        let form = self.file.streams.first().map(|stream| stream.form.clone()).unwrap_or_default();
        self.define(&mut out, tables, &form, |place| place == Tables::Apart);
        self.note(&mut out);
        self.marker(&mut out, EOI);
        Some(out)
    }

    fn write_stream(&mut self, stream: &Stream, tables: BTreeMap<Slot, Arc<[u8]>>) -> Vec<u8> {
        let mut out = Out { bytes: vec![0xFF, SOI], tables };
        for note in &stream.notes {
            self.segment(&mut out, note.marker, &note.parameters);
        }
        let first = &stream.scans[0];
        let Rearrangement { quantization_behind, huffman_behind, interval_behind, .. } = *self.new;
        let explicit = first.interval > 0 || self.new.explicit_zero;
        for behind in [false, true] {
            if explicit && interval_behind == behind {
                self.interval(&mut out, first.interval);
            }
            let mut tables = Vec::new();
            if quantization_behind == behind {
                tables.extend(self.missing(&out, &stream.quantization));
            }
            if huffman_behind == behind {
                tables.extend(self.missing(&out, &first.tables));
            }
            self.define(&mut out, tables, &stream.form, Tables::are_inside);
            if !behind {
                self.frame(&mut out, stream);
            }
        }
        let mut interval = first.interval;
        for (k, scan) in stream.scans.iter().enumerate() {
            if scan.interval != interval {
                self.interval(&mut out, scan.interval);
                interval = scan.interval;
            }
            if k > 0 {
                for table in &scan.tables {
                    let table = self.new_table(table);
                    if out.tables.get(&table.slot) != Some(&table.values) {
                        self.segment_of_tables(&mut out, &[table]);
                    }
                }
            }
            self.scan(&mut out, scan);
        }
        self.marker(&mut out, EOI);
        out.bytes
    }

    /// Returns those of `tables` that the stream has to define, because a decoder does not have them, or because the
    /// form requires it.
    fn missing(&self, out: &Out, tables: &[Table]) -> Vec<Table> {
        let is_missing = |table: &&Table| {
            let new = self.renumbered(table.slot);
            self.place_of(table.slot.kind).are_inside()
                || out.tables.get(&new) != Some(&table.values)
        };
        tables.iter().filter(is_missing).cloned().collect()
    }

    fn new_table(&self, table: &Table) -> Table {
        Table { slot: self.renumbered(table.slot), values: table.values.clone() }
    }

    /// Defines tables in the order and the marker segments of the form. Unused tables of a kind are defined with them
    /// if `has_unused` is true for the place of this kind.
    fn define(
        &mut self,
        out: &mut Out,
        mut tables: Vec<Table>,
        form: &Form,
        has_unused: impl Fn(Tables) -> bool,
    ) {
        if tables.is_empty() {
            return;
        }
        let place = |slot: Slot| form.definitions.iter().rposition(|d| d.0 == slot);
        tables.sort_by_key(|table| (place(table.slot).unwrap_or(usize::MAX), table.slot));
        if let Some(rng) = &mut self.order {
            tables.shuffle(rng);
        }
        let kinds: Vec<Kind> = tables.iter().map(|table| table.slot.kind).collect();
        for slot in self.unused.clone().into_iter().filter(|slot| kinds.contains(&slot.kind)) {
            if has_unused(self.place_of(slot.kind)) {
                let table = filler::table(&mut self.spare, slot);
                self.segment_of_tables(out, &[table]);
            }
        }
        if let Some(mut rng) = self.decoys.take() {
            for (k, table) in tables.iter().enumerate() {
                if k == 0 || rng.random_bool(0.5) {
                    let decoy = filler::table(&mut rng, self.renumbered(table.slot));
                    self.segment_of_tables(out, &[decoy]);
                }
            }
            self.decoys = Some(rng);
        }
        let segment = |slot: Slot| place(slot).map(|k| form.definitions[k].1);
        let per_marker = self.new.per_marker;
        let together = |a: &Table, b: &Table| {
            a.slot.kind.marker() == b.slot.kind.marker()
                && match per_marker {
                    PerMarker::One => false,
                    PerMarker::All => true,
                    PerMarker::Kept => {
                        segment(a.slot).is_some() && segment(a.slot) == segment(b.slot)
                    }
                }
        };
        for group in tables.chunk_by(together) {
            let group: Vec<Table> = group.iter().map(|table| self.new_table(table)).collect();
            self.segment_of_tables(out, &group);
        }
    }

    /// Writes a marker segment that defines tables of one kind of marker.
    fn segment_of_tables(&mut self, out: &mut Out, tables: &[Table]) {
        let Some(first) = tables.first() else { return };
        let mut parameters = Vec::new();
        for table in tables {
            table.put(&mut parameters);
            out.tables.insert(table.slot, table.values.clone());
        }
        self.note(out);
        self.segment(out, first.slot.kind.marker(), &parameters);
    }

    fn interval(&mut self, out: &mut Out, interval: u16) {
        self.note(out);
        self.segment(out, DRI, &interval.to_be_bytes());
    }

    fn frame(&mut self, out: &mut Out, stream: &Stream) {
        let frame = &stream.frame;
        let process = match stream.is_baseline() {
            true => u8::from(self.new.extended),
            false => frame.process,
        };
        let [height, width] = frame.size.map(u16::to_be_bytes);
        let mut parameters = vec![frame.precision, height[0], height[1], width[0], width[1]];
        parameters.push(frame.components.len() as u8);
        for component in &frame.components {
            let slot = Slot { kind: Kind::Quantization, number: component.table };
            let table = self.renumbered(slot).number;
            parameters.extend([component.id, component.sampling, table]);
        }
        self.note(out);
        self.segment(out, SOF0 + process, &parameters);
    }

    fn scan(&mut self, out: &mut Out, scan: &Scan) {
        let mut parameters = vec![scan.components.len() as u8];
        for component in &scan.components {
            let number = |kind, number| {
                let slot = Slot { kind, number };
                // The number of a table that the scan does not use has no meaning.
                let used = scan.tables.iter().any(|table| table.slot == slot);
                if used { self.renumbered(slot).number } else { number }
            };
            let (dc, ac) = (number(Kind::Dc, component.dc), number(Kind::Ac, component.ac));
            parameters.extend([component.id, dc << 4 | ac]);
        }
        parameters.extend(scan.selection);
        self.note(out);
        self.segment(out, SOS, &parameters);
        out.bytes.extend(&scan.data);
    }

    /// Writes drawn notes, or none; the first time, one of each kind.
    fn note(&mut self, out: &mut Out) {
        let sure = !std::mem::replace(&mut self.notes.begun, true);
        let mut drawn = Vec::new();
        if let Some(rng) = &mut self.notes.comments
            && (sure || rng.random_ratio(1, 4))
        {
            drawn.push(filler::comment(rng));
        }
        if let Some(rng) = &mut self.notes.application_data
            && (sure || rng.random_ratio(1, 4))
        {
            drawn.push(filler::application_data(rng));
        }
        for note in drawn {
            self.segment(out, note.marker, &note.parameters);
        }
    }

    fn segment(&mut self, out: &mut Out, marker: u8, parameters: &[u8]) {
        self.fill(out);
        // Parsed parameters and drawn ones always fit.
        marker::put(&mut out.bytes, marker, parameters);
    }

    fn marker(&mut self, out: &mut Out, marker: u8) {
        self.fill(out);
        out.bytes.extend([0xFF, marker]);
    }

    /// Writes the fill bytes of a marker.
    fn fill(&mut self, out: &mut Out) {
        if let Some(rng) = &mut self.fill
            && rng.random_bool(0.5)
        {
            let len = out.bytes.len() + rng.random_range(1..=4usize);
            out.bytes.resize(len, 0xFF);
        }
    }
}
