//! Chooses conventions by probes.

use std::io;
use std::{iter, slice};

use tiff_harness::Picture;

use super::files::{self, ProbeFile};
use super::reading::{Reading, Readings, difference};
use crate::Client;
use crate::contract::Contract;
use crate::contract::convention::{
    Alpha, Channels, Depth, Orientation, Packed, Pages, Palette, Photometric, Unspecified,
};

/// The result of probing a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learned {
    /// The conventions that were found; properties without one are in its `unknown`.
    pub contract: Contract,
    /// Set if the client fails on the plainest files: its description or glue is then at fault, and nothing else was
    /// probed.
    pub fault: Option<String>,
    /// Files on which the client deviates from the contract. They do not change the contract, because each may show a
    /// bug.
    pub remarks: Vec<Remark>,
}

/// A plain file on which a client deviates from its contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The file: `orientation 5`.
    pub probe: String,
    /// The output that was seen instead.
    pub seen: String,
}

/// Probes a client, in fresh processes.
///
/// # Errors
///
/// Only for failures on the side of repfuzz, as in [`Client::run`].
pub fn learn(client: &dyn Client) -> io::Result<Learned> {
    let mut learner = Learner { readings: Readings::new(client), contract: Contract::default() };
    if let Some(fault) = learner.fault()? {
        let contract = Contract::default();
        return Ok(Learned { contract, fault: Some(fault), remarks: Vec::new() });
    }
    learner.pages()?;
    learner.depths()?;
    learner.packed()?;
    learner.alphas()?;
    learner.photometric()?;
    learner.palette()?;
    learner.unspecified()?;
    learner.orientation()?;
    let remarks = learner.remarks()?;
    Ok(Learned { contract: learner.contract, fault: None, remarks })
}

struct Learner<'c> {
    readings: Readings<'c>,
    contract: Contract,
}

/// A convention that fits so far.
struct Fit {
    /// Its position in the list of all conventions.
    at: usize,
    /// True if all predictions are equal to the output, not only within their tolerance.
    equal: bool,
}

/// A convention for a property, or the reason why there is none.
type Found<T> = Result<(T, bool), String>;

impl Learner<'_> {
    /// Chooses among `all` by their predictions on `probes`; the flag is true if several fit.
    ///
    /// An exact prediction outranks one that is equal within its tolerance. The first of `all` is the one that TIFF
    /// prescribes; if a file of `further` deviates from it, that is only a remark. Every other convention must also
    /// hold for `further`, unless the client returns no picture for these files, because a client that does two
    /// different things follows no convention.
    fn choose<T: Copy>(
        &mut self,
        probes: &[ProbeFile],
        further: &[ProbeFile],
        all: &[T],
        with: impl Fn(&mut Contract, T),
    ) -> io::Result<Found<T>> {
        let mut fits: Vec<Fit> = (0..all.len()).map(|at| Fit { at, equal: true }).collect();
        let demanded = |fits: &[Fit]| fits.first().is_some_and(|fit| fit.at == 0);
        for (probe, decides) in
            probes.iter().map(|probe| (probe, true)).chain(further.iter().map(|f| (f, false)))
        {
            let got = match self.readings.of(probe)? {
                Reading::Picture(_) if !decides && demanded(&fits) => break,
                Reading::Picture(picture) => picture.clone(),
                Reading::Other(_) if !decides => continue,
                Reading::Other(seen) => return Ok(Err(format!("{}: {seen}", probe.name))),
            };
            fits.retain_mut(|fit| {
                let mut contract = self.contract.clone();
                with(&mut contract, all[fit.at]);
                let expected = contract.expected(&probe.canonical, &probe.facts);
                fit.equal &= expected.as_ref().is_none_or(|e| *e.picture() == got);
                // A file affected by another unknown convention decides nothing here.
                expected.map_or(!decides, |e| e.matches(&got))
            });
            if fits.is_empty() {
                let seen = difference(&probe.canonical, &got);
                return Ok(Err(format!("{}: {seen}", probe.name)));
            }
            if fits.iter().any(|fit| fit.equal) {
                fits.retain(|fit| fit.equal);
            }
        }
        Ok(fits.first().map(|fit| (all[fit.at], fits.len() > 1)).ok_or_else(String::new))
    }

    /// Records a choice under the property's name.
    fn record<T>(&mut self, name: &str, found: Found<T>) -> Option<T> {
        match found {
            Ok((convention, several)) => {
                if several {
                    self.contract.undistinguished.push(name.to_owned());
                }
                Some(convention)
            }
            Err(seen) => {
                self.contract.unknown.insert(name.to_owned(), seen);
                None
            }
        }
    }

    /// Reads the plainest files. Returns a description of the fault if they are misread.
    fn fault(&mut self) -> io::Result<Option<String>> {
        let probe = files::gray_ramp(8, 1);
        match self.readings.of(&probe)? {
            Reading::Picture(got) if *got == probe.canonical => {}
            Reading::Picture(got) => {
                let seen = difference(&probe.canonical, got);
                return Ok(Some(format!("{}: {seen}", probe.name)));
            }
            Reading::Other(seen) => return Ok(Some(format!("{}: {seen}", probe.name))),
        }
        let found = self.choose(&[files::rgb(1)], &[], Channels::ALL, |contract, channels| {
            contract.channels = Some(channels);
        })?;
        Ok(match found {
            Ok((channels, _)) => {
                self.contract.channels = Some(channels);
                None
            }
            Err(seen) => Some(seen),
        })
    }

    fn pages(&mut self) -> io::Result<()> {
        let found = self.choose(&[files::two_pages()], &[], Pages::ALL, |contract, pages| {
            contract.pages = Some(pages);
        })?;
        self.contract.pages = self.record("pages", found);
        Ok(())
    }

    fn depths(&mut self) -> io::Result<()> {
        let with = |contract: &mut Contract, depth| contract.depth = Some(depth);
        let found = self.choose(&[files::rgb_deep()], &[], Depth::ALL, with)?;
        let general = self.record("depth", found);
        let found = self.choose(&[files::gray_deep(1)], &[], Depth::ALL, with)?;
        let gray = self.record("gray_depth", found);
        self.contract.depth = general;
        self.contract.gray_depth = gray.filter(|_| gray != general);
        Ok(())
    }

    /// Numbers of 2 and 4 bits; without them, TIFF's scale is expected.
    fn packed(&mut self) -> io::Result<()> {
        let probes = [2, 4].map(|bits| files::gray_ramp(bits, 1));
        let found = self.choose(&probes, &[], &[Packed::Numbers], |contract, packed| {
            contract.packed = Some(packed);
        })?;
        self.contract.packed = found.ok().map(|found| found.0);
        Ok(())
    }

    /// A palette has 16 bits, so the depth of the output shows whether the palette is applied.
    fn palette(&mut self) -> io::Result<()> {
        let probe = files::palette(8);
        let found = self.choose(slice::from_ref(&probe), &[], Depth::ALL, |contract, depth| {
            contract.palette = Some(Palette::Applied);
            contract.palette_depth = Some(depth);
        })?;
        let found = match (found, self.picture(&probe)?) {
            (Ok((depth, several)), _) => {
                let depth = self.record("palette_depth", Ok((depth, several)));
                self.contract.palette_depth = depth.filter(|_| depth != self.contract.depth);
                Ok((Palette::Applied, false))
            }
            (Err(seen), Ok(got)) if got == files::indices(&probe) => {
                let all = self.returns_indices()?;
                if all { Ok((Palette::Indices, false)) } else { Err(seen) }
            }
            (Err(seen), _) => Err(seen),
        };
        self.contract.palette = self.record("palette", found);
        Ok(())
    }

    /// Returns true if all palette files with a picture are read as indices.
    fn returns_indices(&mut self) -> io::Result<bool> {
        for probe in [1, 2, 4].map(files::palette) {
            if self.picture(&probe)?.is_ok_and(|got| got != files::indices(&probe)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn alphas(&mut self) -> io::Result<()> {
        let with = |contract: &mut Contract, alpha| contract.alpha = Some(alpha);
        let found =
            self.choose(&[files::rgb_alpha(2)], &[files::rgb_alpha_deep()], Alpha::ALL, with)?;
        let general = self.record("alpha", found);
        self.contract.alpha = general;
        // A gray output may be right, or may have no room for alpha. Any other difference is not a convention.
        let others = [Alpha::Kept, Alpha::Dropped, Alpha::OverBlack, Alpha::OverWhite];
        let all: Vec<Alpha> = match general {
            Some(general) => {
                iter::once(general).chain(others.into_iter().filter(|o| *o != general)).collect()
            }
            None => Alpha::ALL.to_vec(),
        };
        let found = self.choose(&[files::gray_alpha()], &[], &all, |contract, alpha| {
            contract.gray_alpha = Some(alpha);
        })?;
        let gray = self.record("gray_alpha", found);
        self.contract.gray_alpha = gray.filter(|_| gray != general);
        Ok(())
    }

    fn photometric(&mut self) -> io::Result<()> {
        let further = [files::gray_ramp(1, 0), files::gray_deep(0)];
        let probes = [files::gray_ramp(8, 0)];
        let found = self.choose(&probes, &further, Photometric::ALL, |contract, photometric| {
            contract.photometric = Some(photometric);
        })?;
        self.contract.photometric = self.record("photometric", found);
        // Several readers convert WhiteIsZero separately, to 8 bits. If none of these conventions fits, that of gray is
        // expected.
        let probe = files::gray_deep(0);
        let found = self.choose(slice::from_ref(&probe), &[], Depth::ALL, |contract, depth| {
            contract.inverted_depth = Some(depth);
        })?;
        let gray = self.contract.depth_of(&probe.facts);
        self.contract.inverted_depth = found.ok().map(|f| f.0).filter(|depth| Some(*depth) != gray);
        Ok(())
    }

    fn unspecified(&mut self) -> io::Result<()> {
        let probe = files::unspecified(2);
        let with = |contract: &mut Contract, unspecified| {
            contract.unspecified = Some(unspecified);
        };
        let found = match self.choose(slice::from_ref(&probe), &[], Unspecified::ALL, with)? {
            Err(seen) => match self.picture(&probe)? {
                Ok(got) if self.reads_alpha(&got) => Ok((Unspecified::Alpha, false)),
                _ => Err(seen),
            },
            found => found,
        };
        self.contract.unspecified = self.record("unspecified", found);
        Ok(())
    }

    /// Returns true if `got` is the file with an unspecified sample, read with that sample as alpha: unassociated, or
    /// associated, in which case the colors are already premultiplied.
    fn reads_alpha(&self, got: &Picture) -> bool {
        let ProbeFile { canonical, facts, .. } = files::unspecified_as_alpha();
        let expected = [
            self.contract.expected(&canonical, &facts),
            self.contract.associated(&canonical, &facts),
        ];
        expected.into_iter().flatten().any(|expected| expected.matches(got))
    }

    /// Orientations 3 and 6 decide: one is mirrored, and one is turned.
    fn orientation(&mut self) -> io::Result<()> {
        let probes = [files::rgb(3), files::rgb(6)];
        let further = [2, 4, 5, 7, 8].map(files::rgb);
        let found = self.choose(&probes, &further, Orientation::ALL, |contract, orientation| {
            contract.orientation = Some(orientation);
        })?;
        self.contract.orientation = self.record("orientation", found);
        Ok(())
    }

    fn picture(&mut self, probe: &ProbeFile) -> io::Result<Result<Picture, String>> {
        Ok(match self.readings.of(probe)? {
            Reading::Picture(picture) => Ok(picture.clone()),
            Reading::Other(seen) => Err(seen.clone()),
        })
    }

    /// Reads all other files and compares them with the contract.
    fn remarks(&mut self) -> io::Result<Vec<Remark>> {
        let mut remarks = Vec::new();
        for probe in files::all() {
            let Some(expected) = self.contract.expected(&probe.canonical, &probe.facts) else {
                continue;
            };
            let seen = match self.picture(&probe)? {
                Ok(got) if expected.matches(&got) => continue,
                Ok(got) => difference(expected.picture(), &got),
                Err(seen) => seen,
            };
            remarks.push(Remark { probe: probe.name, seen });
        }
        Ok(remarks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reply;
    use crate::contract::Facts;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A reader with its own conventions, or with a bug. It computes in floating point from the stored samples, and
    /// shares no code with [`Contract::expected`].
    #[derive(Clone, Copy)]
    struct Reader {
        /// Rounds a level from 0 to 1 of a sample with this number of bits; 0 for a palette.
        round: fn(f64, u16) -> f64,
        gray_round: fn(f64, u16) -> f64,
        inverted_round: Option<fn(f64, u16) -> f64>,
        /// Applies the treatment of alpha to a pixel with levels from 0 to 1, for this number of levels.
        alpha: fn([f64; 4]) -> [f64; 4],
        /// The alpha as which an unspecified sample is read.
        unspecified: fn(f64) -> f64,
        raw: bool,
        numbers: bool,
        indices: bool,
        /// The place of stored pixel `k` in a file with this orientation.
        place: fn(u32, u16) -> u32,
        turns: bool,
        reply: fn(&ProbeFile, Picture, u32) -> Reply,
    }

    struct Fake(Reader, AtomicU32);

    const WIDTH: u32 = 12;
    const HEIGHT: u32 = 10;

    fn exact(level: f64, _: u16) -> f64 {
        level
    }

    fn applied(k: u32, orientation: u16) -> u32 {
        let (row, column) = (k / WIDTH, k % WIDTH);
        let (up, left) = (HEIGHT - 1 - row, WIDTH - 1 - column);
        match orientation {
            1 => k,
            2 => row * WIDTH + left,
            3 => up * WIDTH + left,
            4 => up * WIDTH + column,
            5 => column * HEIGHT + row,
            6 => column * HEIGHT + up,
            7 => left * HEIGHT + up,
            _ => left * HEIGHT + row,
        }
    }

    const PLAIN: Reader = Reader {
        round: exact,
        gray_round: exact,
        inverted_round: None,
        alpha: |pixel| pixel,
        unspecified: |_| 1.0,
        raw: false,
        numbers: false,
        indices: false,
        place: applied,
        turns: true,
        reply: |_, picture, _| Reply::Picture(picture),
    };

    impl Reader {
        fn pixel(&self, file: &ProbeFile, k: u32) -> [f64; 4] {
            let Facts { photometric, bits, .. } = file.facts;
            let most = f64::from((1u32 << bits) - 1);
            let samples: Vec<f64> =
                file.stored[k as usize].iter().map(|v| f64::from(*v) / most).collect();
            let gray = |level: f64| [level; 3];
            let (colors, bits, round) = match photometric {
                3 if self.indices => (gray(samples[0]), 8, self.gray_round),
                3 => {
                    let at = 4 * k as usize;
                    let color = |c| f64::from(file.canonical.rgba()[at + c]) / 65535.0;
                    ([color(0), color(1), color(2)], 0, self.round)
                }
                2 => ([samples[0], samples[1], samples[2]], bits, self.round),
                0 if !self.raw => {
                    let round = self.inverted_round.unwrap_or(self.gray_round);
                    (gray(1.0 - samples[0]), bits, round)
                }
                _ => (gray(samples[0]), bits, self.gray_round),
            };
            let [r, g, b] = colors.map(|level| match bits {
                2 | 4 if self.numbers => level * most / 255.0,
                _ => round(level, bits),
            });
            let extra = samples.get(if photometric == 2 { 3 } else { 1 }).copied();
            match (file.facts.extra_samples.first(), extra) {
                (Some(0), Some(level)) => match (self.unspecified)(level) {
                    1.0 => [r, g, b, 1.0],
                    alpha => (self.alpha)([r, g, b, alpha]),
                },
                (_, Some(level)) => (self.alpha)([r, g, b, round(level, bits)]),
                _ => [r, g, b, 1.0],
            }
        }

        fn picture(&self, file: &ProbeFile) -> Picture {
            let orientation = file.facts.orientation;
            let turned = self.turns && orientation >= 5;
            let (width, height) = if turned { (HEIGHT, WIDTH) } else { (WIDTH, HEIGHT) };
            let mut rgba = vec![0; 4 * (WIDTH * HEIGHT) as usize];
            for k in 0..WIDTH * HEIGHT {
                let at = 4 * (self.place)(k, orientation) as usize;
                let pixel = self.pixel(file, k).map(|level| (level * 65535.0).round() as u16);
                rgba[at..at + 4].copy_from_slice(&pixel);
            }
            Picture::new(width, height, rgba)
        }
    }

    impl Client for Fake {
        fn name(&self) -> &'static str {
            "fake"
        }

        fn version(&self) -> &'static str {
            ""
        }

        fn run(&self, bytes: &[u8]) -> io::Result<Reply> {
            let file = files::all().into_iter().find(|file| file.bytes == bytes).unwrap();
            let run = self.1.fetch_add(1, Ordering::Relaxed);
            Ok((self.0.reply)(&file, self.0.picture(&file), run))
        }
    }

    fn learned(reader: Reader) -> Learned {
        learn(&Fake(reader, AtomicU32::new(0))).unwrap()
    }

    /// Returns the nearest, or the next lower, of this number of levels.
    fn to_levels(level: f64, levels: f64, down: bool) -> f64 {
        let scaled = level * (levels - 1.0);
        (if down { (scaled + 1e-6).floor() } else { scaled.round() }) / (levels - 1.0)
    }

    fn nearest(level: f64, _: u16) -> f64 {
        to_levels(level, 256.0, false)
    }

    fn floor(level: f64, _: u16) -> f64 {
        to_levels(level, 256.0, true)
    }

    fn high_byte(level: f64, _: u16) -> f64 {
        ((level * 65535.0).round() / 256.0).floor() / 255.0
    }

    fn times_alpha<const LEVELS: u32>([r, g, b, a]: [f64; 4]) -> [f64; 4] {
        let times = |level: f64| to_levels(level * a, LEVELS.into(), false);
        [times(r), times(g), times(b), a]
    }

    fn there_and_back<const LEVELS: u32>(pixel: [f64; 4]) -> [f64; 4] {
        let [r, g, b, a] = times_alpha::<LEVELS>(pixel);
        let back = |level: f64| match a {
            0.0 => 0.0,
            a => to_levels((level / a).min(1.0), LEVELS.into(), false),
        };
        [back(r), back(g), back(b), a]
    }

    fn over<const LEVELS: u32>(background: f64, [r, g, b, a]: [f64; 4]) -> [f64; 4] {
        let mixed = |level: f64| level * a + background * (1.0 - a);
        let cut = |level: f64| to_levels(mixed(level), LEVELS.into(), true);
        [cut(r), cut(g), cut(b), 1.0]
    }

    #[test]
    fn each_convention_is_recognized() {
        let exact = Contract::exact;
        let none = |k: u32, _: u16| k;
        let flips = |k: u32, orientation: u16| applied(k, (orientation - 1) % 4 + 1);
        let depth = |depth| Contract { depth: Some(depth), ..exact() };
        let alpha = |alpha| Contract { alpha: Some(alpha), ..exact() };
        let screen = Reader { round: nearest, gray_round: nearest, ..PLAIN };
        let cases: Vec<(Reader, Contract)> = vec![
            (PLAIN, exact()),
            (screen, depth(Depth::Nearest)),
            (Reader { round: floor, gray_round: floor, ..PLAIN }, depth(Depth::Floor)),
            (Reader { round: high_byte, gray_round: high_byte, ..PLAIN }, depth(Depth::HighByte)),
            (
                Reader { round: high_byte, ..PLAIN },
                Contract { gray_depth: Some(Depth::Exact), ..depth(Depth::HighByte) },
            ),
            (
                Reader { round: |v, bits| if bits == 0 { nearest(v, 0) } else { v }, ..PLAIN },
                Contract { palette_depth: Some(Depth::Nearest), ..exact() },
            ),
            (Reader { alpha: times_alpha::<65536>, ..PLAIN }, alpha(Alpha::Premultiplied)),
            (
                Reader { alpha: times_alpha::<256>, ..screen },
                Contract { alpha: Some(Alpha::Premultiplied), ..depth(Depth::Nearest) },
            ),
            (Reader { alpha: there_and_back::<65536>, ..PLAIN }, alpha(Alpha::KeptWhereVisible)),
            (
                Reader { alpha: there_and_back::<256>, ..screen },
                Contract { alpha: Some(Alpha::KeptWhereVisible), ..depth(Depth::Nearest) },
            ),
            (Reader { alpha: |[r, g, b, _]| [r, g, b, 1.0], ..PLAIN }, alpha(Alpha::Dropped)),
            (Reader { alpha: |p| over::<65536>(0.0, p), ..PLAIN }, alpha(Alpha::OverBlack)),
            (Reader { alpha: |p| over::<65536>(1.0, p), ..PLAIN }, alpha(Alpha::OverWhite)),
            (
                Reader { alpha: |p| over::<256>(1.0, p), ..screen },
                Contract { alpha: Some(Alpha::OverWhite), ..depth(Depth::Nearest) },
            ),
            (
                Reader { unspecified: |level| level, ..PLAIN },
                Contract { unspecified: Some(Unspecified::Alpha), ..exact() },
            ),
            (
                Reader { raw: true, ..PLAIN },
                Contract { photometric: Some(Photometric::Raw), ..exact() },
            ),
            (
                Reader { inverted_round: Some(nearest), ..PLAIN },
                Contract { inverted_depth: Some(Depth::Nearest), ..exact() },
            ),
            (
                Reader { numbers: true, ..PLAIN },
                Contract { packed: Some(Packed::Numbers), ..exact() },
            ),
            (
                Reader { indices: true, ..PLAIN },
                Contract { palette: Some(Palette::Indices), ..exact() },
            ),
            (
                Reader { place: none, turns: false, ..PLAIN },
                Contract { orientation: Some(Orientation::Stored), ..exact() },
            ),
            (
                Reader { place: flips, turns: false, ..PLAIN },
                Contract { orientation: Some(Orientation::Flips), ..exact() },
            ),
        ];
        for (reader, contract) in cases {
            let learned = learned(reader);
            assert_eq!(learned.fault, None, "{contract:?}");
            assert_eq!(learned.contract, contract);
            assert_eq!(learned.remarks, [], "{contract:?}");
        }
    }

    /// Changes the picture of the files whose names contain a text.
    fn spoilt(file: &ProbeFile, picture: Picture, what: &str, spoil: fn(&mut [u16])) -> Reply {
        let mut rgba = picture.rgba().to_vec();
        if file.name.contains(what) {
            spoil(&mut rgba);
        }
        Reply::Picture(Picture::new(picture.width(), picture.height(), rgba))
    }

    fn invert_colors(rgba: &mut [u16]) {
        rgba.chunks_mut(4).for_each(|p| p[..3].iter_mut().for_each(|v| *v = 65535 - *v));
    }

    fn swap_channels(rgba: &mut [u16]) {
        rgba.chunks_mut(4).for_each(|p| p.swap(0, 2));
    }

    fn mirror(rgba: &mut [u16]) {
        let rows: Vec<Vec<u16>> =
            rgba.chunks(4 * WIDTH as usize).rev().map(<[u16]>::to_vec).collect();
        rgba.copy_from_slice(&rows.concat());
    }

    #[test]
    fn a_bug_is_not_taken_for_a_convention() {
        type Bug = fn(&ProbeFile, Picture, u32) -> Reply;
        let unsteady = |file: &ProbeFile, picture: Picture, run: u32| match run % 2 {
            0 => Reply::Picture(picture),
            _ => spoilt(file, picture, "RGB and alpha", invert_colors),
        };
        let refused = |file: &ProbeFile, picture: Picture, _| match file.name.contains("16 bits") {
            true => Reply::Refused { message: "no".to_owned() },
            false => Reply::Picture(picture),
        };
        // Inverted as TIFF requires at one bit, but not at 8 bits: this is not a convention.
        let partly_raw = |f: &ProbeFile, p: Picture, _: u32| match f.name.as_str() {
            "WhiteIsZero, 8 bits" | "WhiteIsZero, 16 bits" => spoilt(f, p, "", invert_colors),
            _ => Reply::Picture(p),
        };
        let cases: [(&str, Bug, &[&str]); 10] = [
            ("partly raw", partly_raw, &["photometric"]),
            ("inverted", |f, p, _| spoilt(f, p, "RGB, 16 bits", invert_colors), &["depth"]),
            ("mirrored", |f, p, _| spoilt(f, p, "gray, 16 bits", mirror), &["gray_depth"]),
            ("swapped", |f, p, _| spoilt(f, p, "RGB and alpha", swap_channels), &["alpha"]),
            ("mirrored alpha", |f, p, _| spoilt(f, p, "gray and alpha", mirror), &["gray_alpha"]),
            ("turned", |f, p, _| spoilt(f, p, "orientation 6", mirror), &["orientation"]),
            ("palette", |f, p, _| spoilt(f, p, "palette, 8", swap_channels), &["palette"]),
            ("extra", |f, p, _| spoilt(f, p, "RGB, unspecified", mirror), &["unspecified"]),
            ("unsteady", unsteady, &["alpha"]),
            ("refused", refused, &["depth", "gray_depth"]),
        ];
        for (bug, reply, properties) in cases {
            let learned = learned(Reader { reply, ..PLAIN });
            let unknown: Vec<&str> = learned.contract.unknown.keys().map(String::as_str).collect();
            assert_eq!(unknown, properties, "{bug}");
            assert_eq!(learned.fault, None, "{bug}");
        }
    }

    #[test]
    fn a_wrong_plain_file_is_a_fault_of_the_glue() {
        for what in ["gray, 8 bits", "RGB, 8 bits"] {
            let swap: fn(&ProbeFile, Picture, u32) -> Reply = match what {
                "gray, 8 bits" => |f, p, _| spoilt(f, p, "gray, 8 bits", invert_colors),
                _ => |f, p, _| spoilt(f, p, "RGB, 8 bits", swap_channels),
            };
            let fault = learned(Reader { reply: swap, ..PLAIN }).fault.unwrap();
            assert!(fault.starts_with(what), "{fault}");
        }
    }

    #[test]
    fn deviations_from_a_contract_are_remarks() {
        for name in ["orientation 5", "WhiteIsZero, 16 bits", "gray, unspecified sample"] {
            let reply: fn(&ProbeFile, Picture, u32) -> Reply = match name {
                "orientation 5" => |f, p, _| spoilt(f, p, "orientation 5", mirror),
                "gray, unspecified sample" => {
                    |f, p, _| spoilt(f, p, "gray, unspecified sample", mirror)
                }
                _ => |f, p, _| spoilt(f, p, "WhiteIsZero, 16 bits", invert_colors),
            };
            let learned = learned(Reader { reply, ..PLAIN });
            assert_eq!(learned.contract, Contract::exact());
            let probes: Vec<&str> = learned.remarks.iter().map(|r| r.probe.as_str()).collect();
            assert_eq!(probes, [name]);
        }
    }
}
