//! Other decoders, and the comparison of their pictures: libtiff, through small programs in C that are
//! compiled here, the `tiff` crate for files that libtiff's RGBA interface refuses, and GraphicsMagick.
#![allow(dead_code, reason = "not every test takes all")]

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tiff::ColorType;
use tiff::decoder::DecodingResult;
use tiff::tags::Tag;
use tiff_harness::{ImageFile, Picture};

/// The result of a decoder: the picture in display orientation, with 8 bits a sample.
#[derive(Clone, PartialEq, Eq)]
pub struct Reference {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
    /// True if colors are multiplied by alpha.
    pub premultiplied: bool,
}

/// A decoder.
pub enum Decoder {
    /// The program.
    Libtiff(PathBuf),
    /// The program for samples: eight bytes each, big-endian, in place of 8-bit colors.
    LibtiffSamples(PathBuf),
    /// Pictures of one plane without alpha.
    TiffCrate,
    /// The program `gm`.
    GraphicsMagick,
}

/// Prints a line, bypassing the capture of the test harness.
pub fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

impl Decoder {
    /// Returns the decoders that are installed, the most reliable first. Prints a line if libtiff is not
    /// among them.
    pub fn all() -> Vec<Self> {
        Self::libtiff().into_iter().chain([Self::TiffCrate]).collect()
    }

    /// Returns libtiff if it is installed; else prints a line.
    pub fn libtiff() -> Option<Self> {
        static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        installed(PROGRAM.get_or_init(|| compile("decode"))).map(Self::Libtiff)
    }

    /// Returns libtiff for samples if it is installed; else prints a line.
    pub fn samples() -> Option<Self> {
        static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        installed(PROGRAM.get_or_init(|| compile("samples"))).map(Self::LibtiffSamples)
    }

    /// Returns GraphicsMagick if it is installed; else prints a line.
    pub fn graphics_magick() -> Option<Self> {
        if Command::new("gm").arg("version").output().is_ok() {
            return Some(Self::GraphicsMagick);
        }
        test_support::skipped("no GraphicsMagick (Debian: graphicsmagick)");
        None
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Libtiff(_) => "libtiff",
            Self::LibtiffSamples(_) => "libtiff's samples",
            Self::TiffCrate => "tiff crate",
            Self::GraphicsMagick => "GraphicsMagick",
        }
    }

    /// Decodes page `page` of a file, from 0, with libtiff; the error is the reason why there is no
    /// picture.
    pub fn decode_page(&self, path: &Path, page: usize) -> Result<Reference, String> {
        match self {
            Self::Libtiff(program) | Self::LibtiffSamples(program) => libtiff(program, path, page),
            _ => Err(format!("{} reads the first page only", self.name())),
        }
    }

    /// Decodes a file; the error is the reason why there is no picture.
    pub fn decode(&self, path: &Path) -> Result<Reference, String> {
        match self {
            Self::Libtiff(program) | Self::LibtiffSamples(program) => libtiff(program, path, 0),
            Self::TiffCrate => tiff_crate(path),
            Self::GraphicsMagick => graphics_magick(path),
        }
    }
}

fn installed(program: &Result<PathBuf, String>) -> Option<PathBuf> {
    match program {
        Ok(program) => Some(program.clone()),
        Err(why) => {
            test_support::skipped(format_args!("libtiff, {why}"));
            None
        }
    }
}

/// Compiles `decode.c` or `samples.c`, which needs a C compiler, and libtiff with its header.
fn compile(name: &str) -> Result<PathBuf, String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/reference");
    let source = tests.join(name).with_extension("c");
    let name = format!("libtiff-{name}-{}", std::process::id());
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    assert!(source.is_file(), "{} is missing", source.display());
    let cc = Command::new("cc")
        .arg("-O1")
        .arg(source)
        .arg("-o")
        .arg(&program)
        .args(["-ltiff", "-lm"])
        .output();
    match cc {
        Ok(output) if output.status.success() => Ok(program),
        Ok(_) => Err("no libtiff to compile with (Debian: libtiff-dev)".to_owned()),
        Err(e) => Err(format!("no C compiler: {e}")),
    }
}

fn libtiff(program: &Path, path: &Path, page: usize) -> Result<Reference, String> {
    let output = Command::new(program).arg(path).arg(page.to_string()).output();
    let output = output.map_err(|e| e.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|line| !line.contains("Warning")).unwrap_or("no picture");
        return Err(format!("libtiff: {last}"));
    }
    let end = output.stdout.iter().position(|b| *b == b'\n').ok_or("no header")?;
    let header = String::from_utf8_lossy(&output.stdout[..end]);
    let numbers: Vec<u32> = header.split(' ').filter_map(|n| n.parse().ok()).collect();
    let [width, height, orientation, last] = numbers[..] else {
        return Err(format!("strange header {header}"));
    };
    let rgba = output.stdout[end + 1..].to_vec();
    let stored = Reference { width, height, rgba, premultiplied: last == 1 };
    Ok(turned(stored, orientation))
}

fn graphics_magick(path: &Path) -> Result<Reference, String> {
    let first = format!("{}[0]", path.display());
    let turned = ["-auto-orient", "+profile", "*", "PNG:-"];
    let output = Command::new("gm").args(["convert", &first]).args(turned).output();
    let output = output.map_err(|e| e.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("gm: {}", said.lines().next().unwrap_or("no picture")));
    }
    let picture = image::load_from_memory(&output.stdout).map_err(|e| format!("gm: {e}"))?;
    let (width, height) = (picture.width(), picture.height());
    Ok(Reference { width, height, rgba: picture.into_rgba8().into_raw(), premultiplied: false })
}

fn tiff_crate(path: &Path) -> Result<Reference, String> {
    let told = |e: tiff::TiffError| format!("tiff crate: {e}");
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(bytes)).map_err(told)?;
    let (width, height) = decoder.dimensions().map_err(told)?;
    let color = decoder.colortype().map_err(told)?;
    let (ColorType::Gray(8 | 16 | 32) | ColorType::RGB(8 | 16 | 32)) = color else {
        return Err(format!("tiff crate: {color:?} is not compared"));
    };
    let orientation = decoder.find_tag_unsigned::<u32>(Tag::Orientation).map_err(told)?;
    let samples: Vec<u8> = match decoder.read_image().map_err(told)? {
        DecodingResult::U8(samples) => samples,
        DecodingResult::U16(samples) => samples.iter().map(|v| (v >> 8) as u8).collect(),
        DecodingResult::U32(samples) => samples.iter().map(|v| (v >> 24) as u8).collect(),
        _ => return Err("tiff crate: samples of another kind".to_owned()),
    };
    let channels = usize::from(color.num_samples());
    if samples.len() != width as usize * height as usize * channels {
        return Err("tiff crate: not one plane".to_owned());
    }
    let pixel = |p: &[u8]| match *p {
        [r, g, b] => [r, g, b, 255],
        _ => [p[0], p[0], p[0], 255],
    };
    let rgba = samples.chunks_exact(channels).flat_map(pixel).collect();
    let stored = Reference { width, height, rgba, premultiplied: false };
    Ok(turned(stored, orientation.unwrap_or(1)))
}

/// Converts a stored picture to display orientation (TIFF 6.0, section 8, "Orientation").
fn turned(stored: Reference, orientation: u32) -> Reference {
    let (w, h) = (stored.width as usize, stored.height as usize);
    let pixel = stored.rgba.len() / (w * h);
    let across = (5..=8).contains(&orientation);
    let (width, height) = if across { (h, w) } else { (w, h) };
    let mut rgba = Vec::with_capacity(stored.rgba.len());
    for y in 0..height {
        for x in 0..width {
            let (row, column) = match orientation {
                2 => (y, w - 1 - x),
                3 => (h - 1 - y, w - 1 - x),
                4 => (h - 1 - y, x),
                5 => (x, y),
                6 => (h - 1 - x, y),
                7 => (h - 1 - x, w - 1 - y),
                8 => (x, w - 1 - y),
                _ => (y, x),
            };
            let at = (row * w + column) * pixel;
            rgba.extend_from_slice(&stored.rgba[at..at + pixel]);
        }
    }
    Reference { width: width as u32, height: height as u32, rgba, ..stored }
}

/// Returns true if libtiff takes the fourth sample of RGB for associated alpha although ExtraSamples
/// declares it unspecified (tif_getimage.c, TIFFRGBAImageBegin). Its colors are right.
pub fn guesses_alpha(file: &ImageFile) -> bool {
    file.photometric == 2 && file.extra_samples.first() == Some(&0)
}

/// Describes the first difference. The reference has 8 bits a sample and its colors are multiplied by
/// alpha; the picture is converted to that.
pub fn difference(picture: &Picture, reference: &Reference) -> Option<String> {
    let size = (picture.width(), picture.height());
    if size != (reference.width, reference.height) {
        let other = (reference.width, reference.height);
        return Some(format!("{size:?} pixels, and not {other:?}"));
    }
    let pixels = picture.rgba().chunks_exact(4).zip(reference.rgba.chunks_exact(4));
    for (k, (ours, theirs)) in pixels.enumerate() {
        let at = (k as u32 % size.0, k as u32 / size.0);
        let alpha = f64::from(ours[3]) / 65535.0;
        for channel in 0..4 {
            let share = if channel < 3 && reference.premultiplied { alpha } else { 1.0 };
            // No color exceeds its alpha.
            let most = if share < 1.0 { theirs[3] } else { u8::MAX };
            let expected = f64::from(ours[channel]) / 257.0 * share;
            // Decoders truncate or round 16 bits and products to 8 bits.
            let slack = if share < 1.0 { 1.5 } else { 1.0 };
            if (expected - f64::from(theirs[channel].min(most))).abs() > slack {
                return Some(format!("pixel {at:?} is {ours:?} (16 bits), and not {theirs:?}"));
            }
        }
    }
    None
}
