//! Programs that show the results of the linked-in crates without repfuzz.

use crate::description::{Decoder, Facts, Script};

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

/// Returns the facts of the crate whose client has this name.
pub fn facts(name: &str) -> Facts {
    let crate_name = name.strip_prefix("rust-").unwrap_or(name);
    let text = match name {
        "rust-image" => Some(IMAGE),
        "rust-tiff" => Some(TIFF),
        _ => None,
    };
    Facts {
        unsupported: Vec::new(),
        decoder: Decoder::Own,
        // The crate image reads TIFF by the crate tiff.
        library: "the crate tiff".to_owned(),
        package: format!("the crate {crate_name} of crates.io"),
        script: text.map(|text| Script { language: "rust".to_owned(), text: text.to_owned() }),
    }
}
