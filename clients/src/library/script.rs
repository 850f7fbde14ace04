//! Programs and tests that show the results of the linked-in crates without repfuzz.

use crate::description::{Decoder, Facts, Framework, Script, TestCode};

const IMAGE: &str = r#"// cargo add image
use image::{DynamicImage, ImageDecoder, ImageReader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut decoder = ImageReader::open("{file}")?.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    let samples = image.to_rgba16().into_raw();
    println!("{} x {} {:?}", image.width(), image.height(), image.color());
    println!("RGBA of 16 bits: {:?}", &samples[..samples.len().min(64)]);
    Ok(())
}
"#;

const TIFF: &str = r#"// cargo add tiff
use tiff::decoder::{Decoder, DecodingResult};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut decoder = Decoder::new(std::fs::File::open("{file}")?)?;
    println!("{:?} {:?}", decoder.dimensions()?, decoder.colortype()?);
    let mut samples = DecodingResult::U8(Vec::new());
    decoder.read_image_to_buffer(&mut samples)?;
    println!("{samples:?}");
    Ok(())
}
"#;

const TEST_IMAGE: &str = r#"use image::{DynamicImage, ImageDecoder, ImageReader};

fn read(path: &std::path::Path) -> Result<Vec<Vec<[u16; 4]>>, Box<dyn std::error::Error>> {
    let mut decoder = ImageReader::open(path)?.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    let image = image.to_rgba16();
    Ok(image.rows().map(|row| row.map(|pixel| pixel.0).collect()).collect())
}
"#;

const TEST_TIFF: &str = r#"use tiff::ColorType;
use tiff::decoder::{Decoder, DecodingResult};
use tiff::tags::Tag;

fn read(path: &std::path::Path) -> Result<Vec<Vec<[u16; 4]>>, Box<dyn std::error::Error>> {
    let mut decoder = Decoder::new(std::fs::File::open(path)?)?;
    let (width, height) = decoder.dimensions()?;
    let (width, height) = (width as usize, height as usize);
    let color = decoder.colortype()?;
    let mut samples = DecodingResult::U8(Vec::new());
    let planes = decoder.read_image_to_buffer(&mut samples)?.planes.max(1);
    let channels = usize::from(color.num_samples());
    let samples: Vec<u16> = match samples {
        DecodingResult::U8(bytes) if color.bit_depth() < 8 => {
            // Rows are padded to bytes.
            let (bits, row) = (usize::from(color.bit_depth()), width * channels / planes);
            let most = (1 << bits) - 1;
            let sample = |line: &[u8], x: usize| {
                let at = x * bits;
                u16::from(line[at / 8] >> (8 - bits - at % 8)) & most
            };
            let lines = bytes.chunks((row * bits).div_ceil(8));
            let scale = u16::MAX / most;
            lines.flat_map(|line| (0..row).map(move |x| sample(line, x) * scale)).collect()
        }
        DecodingResult::U8(bytes) => bytes.iter().map(|v| u16::from(*v) * 257).collect(),
        DecodingResult::U16(words) => words,
        DecodingResult::U32(words) => words.iter().map(|v| (v >> 16) as u16).collect(),
        _ => return Err("samples with a sign or a fraction".into()),
    };
    let mut first = |tag| -> Option<u16> {
        decoder.find_tag_unsigned_vec::<u16>(tag).ok()??.first().copied()
    };
    let rgb = matches!(color, ColorType::RGB(_) | ColorType::RGBA(_))
        || first(Tag::PhotometricInterpretation) == Some(2);
    let alpha = matches!(color, ColorType::GrayA(_) | ColorType::RGBA(_))
        || first(Tag::ExtraSamples).is_some_and(|kind| kind != 0);
    let pixel = |x: usize, y: usize| {
        let sample = |k: usize| {
            let plain = y * width + x;
            samples[if planes > 1 { k * width * height + plain } else { plain * channels + k }]
        };
        let [r, g, b] = if rgb { [0, 1, 2].map(sample) } else { [sample(0); 3] };
        [r, g, b, if alpha { sample(if rgb { 3 } else { 1 }) } else { u16::MAX }]
    };
    Ok((0..height).map(|y| (0..width).map(|x| pixel(x, y)).collect()).collect())
}
"#;

/// Returns the facts of the crate whose client has this name.
pub fn facts(name: &str) -> Facts {
    let crate_name = name.strip_prefix("rust-").unwrap_or(name);
    let texts = match name {
        "rust-image" => Some((IMAGE, TEST_IMAGE, env!("REPFUZZ_IMAGE_VERSION"))),
        "rust-tiff" => Some((TIFF, TEST_TIFF, env!("REPFUZZ_TIFF_VERSION"))),
        _ => None,
    };
    let script = |text: &str| Script { language: "rust".to_owned(), text: text.to_owned() };
    let test = |read: &str, version: &str| TestCode {
        framework: Framework::Cargo,
        read: read.to_owned(),
        needs: vec![format!("{crate_name}@={version}")],
        bytes: false,
    };
    Facts {
        unsupported: Vec::new(),
        decoder: Decoder::Own,
        // The crate image reads TIFF with the crate tiff.
        library: "the crate tiff".to_owned(),
        package: format!("the crate {crate_name} of crates.io"),
        script: texts.map(|(text, _, _)| script(text)),
        has_contract: true,
        test: texts.map(|(_, read, version)| test(read, version)),
    }
}
