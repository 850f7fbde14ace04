//! Reads and writes the blocks of GIF files.

use inverter::primitive::{
    EncodeError, Encoding, Primitive, PrimitiveError, Signature, Unfit, of_length,
};
use inverter::solve::{ChoiceError, ChoiceSource, Choices};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::policy::{Policy, number, pieces};

/// `gif_blocks(x.file)`: returns the parts of a GIF file of one opaque image that fills the screen:
///
/// | bytes | |
/// |---|---|
/// | 2, 2 | width and height, least significant byte first |
/// | 1 | 1 if the image is interlaced |
/// | 1 | the number of palette entries as a power of two: 1 to 8 |
/// | 1 | the code size |
/// | 3 for each entry | the palette |
/// | the rest | the codes, without their division into sub-blocks |
///
/// Source: Graphics Interchange Format, version 89a (CompuServe). Comments, application extensions and
/// graphic controls without transparency do not affect the picture. Not covered: transparency, several
/// images, plain text, and an aspect ratio.
///
/// | dimension | value | |
/// |---|---|---|
/// | `color table` | `global`, `local`, `random:N` | the table with the palette; `random:N`: local beside another global one |
/// | `sub-blocks` | `full`, `random:N` | 255 bytes each, or other lengths |
/// | `extensions` | `none`, `random:N` | comments, application extensions and a graphic control |
/// | `version` | `89a`, `87a` | `87a` only without extensions |
/// | `resolution` | 0 to 7 | the bits of the original's samples, less 1: a note |
/// | `background` | `zero`, `random:N` | the background color, which opaque images that fill the screen hide |
pub struct GifBlocks;

/// The names of the dimensions.
const DIMENSIONS: [&str; 6] =
    ["color table", "sub-blocks", "extensions", "version", "resolution", "background"];
const TABLES: [&str; 2] = ["global", "local"];
const TABLE_FLAG: u8 = 0x80;
const INTERLACED: u8 = 0x40;
const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2C;
const TRAILER: u8 = 0x3B;
const GRAPHIC_CONTROL: u8 = 0xF9;
const COMMENT: u8 = 0xFE;
const APPLICATION: u8 = 0xFF;

/// An image, as a file stores it.
struct Image<'a> {
    width: [u8; 2],
    height: [u8; 2],
    interlaced: bool,
    /// The base-2 logarithm of the number of palette entries: 1 to 8.
    exponent: u8,
    code_size: u8,
    palette: &'a [u8],
    codes: std::borrow::Cow<'a, [u8]>,
}

/// A file, read from its start.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], PrimitiveError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("the file is cut off")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, PrimitiveError> {
        Ok(self.take(1)?[0])
    }

    /// Reads sub-blocks up to the empty one, and returns their content.
    fn sub_blocks(&mut self) -> Result<Vec<u8>, PrimitiveError> {
        let mut content = Vec::new();
        loop {
            let length = self.byte()?;
            if length == 0 {
                return Ok(content);
            }
            content.extend_from_slice(self.take(length.into())?);
        }
    }

    /// Reads a color table, if the flags of a descriptor announce one.
    fn table(&mut self, flags: u8) -> Result<Option<(u8, &'a [u8])>, PrimitiveError> {
        if flags & TABLE_FLAG == 0 {
            return Ok(None);
        }
        let exponent = (flags & 7) + 1;
        Ok(Some((exponent, self.take(3 << exponent)?)))
    }
}

fn read(file: &[u8]) -> Result<Image<'_>, PrimitiveError> {
    let mut reader = Reader(file);
    let signature = reader.take(6)?;
    if signature != b"GIF87a" && signature != b"GIF89a" {
        return Err("it is no GIF file".into());
    }
    let screen = reader.take(7)?;
    if screen[6] != 0 {
        return Err("it has an aspect ratio, which is not supported".into());
    }
    let global = reader.table(screen[4])?;
    let mut image = None;
    loop {
        match reader.byte()? {
            EXTENSION => extension(&mut reader)?,
            IMAGE if image.is_some() => {
                return Err("it has several images, which is not supported".into());
            }
            IMAGE => image = Some(read_image(&mut reader, &screen[..4], global)?),
            TRAILER if reader.0.is_empty() => {
                return image.ok_or_else(|| "it has no image".into());
            }
            TRAILER => return Err("bytes follow the trailer".into()),
            other => return Err(format!("{other:#04x} begins no block").into()),
        }
    }
}

/// Passes over an extension that does not affect the picture.
fn extension(reader: &mut Reader<'_>) -> Result<(), PrimitiveError> {
    let label = reader.byte()?;
    let content = reader.sub_blocks()?;
    match label {
        GRAPHIC_CONTROL if content.first().is_some_and(|flags| flags & 1 == 1) => {
            Err("it has a transparent color, which is not supported".into())
        }
        GRAPHIC_CONTROL | COMMENT | APPLICATION => Ok(()),
        _ => Err(format!("the extension {label:#04x} is not supported").into()),
    }
}

fn read_image<'a>(
    reader: &mut Reader<'a>,
    screen: &[u8],
    global: Option<(u8, &'a [u8])>,
) -> Result<Image<'a>, PrimitiveError> {
    let descriptor = reader.take(9)?;
    if descriptor[..4] != [0; 4] || descriptor[4..8] != *screen {
        return Err("its image does not fill the screen, which is not supported".into());
    }
    let flags = descriptor[8];
    let table = reader.table(flags)?.or(global);
    let (exponent, palette) = table.ok_or("it has no color table")?;
    let code_size = reader.byte()?;
    let codes = reader.sub_blocks()?.into();
    let [width, height] = [[screen[0], screen[1]], [screen[2], screen[3]]];
    let interlaced = flags & INTERLACED != 0;
    Ok(Image { width, height, interlaced, exponent, code_size, palette, codes })
}

/// Returns the image described by `data`, the result of decoding.
fn parts(data: &[u8]) -> Result<Image<'_>, PrimitiveError> {
    let short = || PrimitiveError::from(format!("{} bytes are too few", data.len()));
    let (head, rest) = data.split_first_chunk::<7>().ok_or_else(short)?;
    let [w0, w1, h0, h1, interlaced, exponent, code_size] = *head;
    if interlaced > 1 || !(1..=8).contains(&exponent) {
        return Err(format!("no image has {interlaced} and {exponent} in bytes 4 and 5").into());
    }
    let (palette, codes) = rest.split_at_checked(3 << exponent).ok_or_else(short)?;
    Ok(Image {
        width: [w0, w1],
        height: [h0, h1],
        interlaced: interlaced == 1,
        exponent,
        code_size,
        palette,
        codes: codes.into(),
    })
}

/// The choices of the encoder.
struct Policies {
    table: Policy,
    sub_blocks: Policy,
    extensions: Policy,
    old: bool,
    resolution: u8,
    background: Policy,
}

impl Policies {
    /// The simplest file.
    const PLAIN: Policies = Policies {
        table: Policy::Word(0),
        sub_blocks: Policy::Word(0),
        extensions: Policy::Word(0),
        old: false,
        resolution: 7,
        background: Policy::Word(0),
    };

    fn choose(source: &mut ChoiceSource) -> Result<Self, ChoiceError> {
        let [table, sub_blocks, extensions, version, resolution, background] = DIMENSIONS;
        let table = Policy::choose(source, table, &TABLES)?;
        let sub_blocks = Policy::choose(source, sub_blocks, &["full"])?;
        let extensions = Policy::choose(source, extensions, &["none"])?;
        let versions = if extensions == Policy::Word(0) { &["89a", "87a"][..] } else { &["89a"] };
        let old = source.named(version, versions)? == 1;
        let resolution = number(source, resolution, 0..=7, 7)? as u8;
        let background = Policy::choose(source, background, &["zero"])?;
        Ok(Self { table, sub_blocks, extensions, old, resolution, background })
    }

    fn write(&self, image: &Image<'_>) -> Vec<u8> {
        let mut out = if self.old { b"GIF87a" } else { b"GIF89a" }.to_vec();
        out.extend([image.width, image.height].concat());
        let own = image.exponent - 1;
        let global = match self.table {
            Policy::Word(0) => Some((own, image.palette.to_vec())),
            Policy::Word(_) => None,
            Policy::Random(_) => self.table.rng().map(|mut rng| {
                let other = rng.random_range(0..8);
                (other, (0..3 << (other + 1)).map(|_| rng.random()).collect())
            }),
        };
        // It is an index into the global table.
        let background = match (self.background.rng(), &global) {
            (Some(mut rng), Some((size, _))) => rng.random_range(0..1u16 << (size + 1)) as u8,
            _ => 0,
        };
        let flags = global.as_ref().map_or(0, |(size, _)| TABLE_FLAG | size);
        out.extend([flags | self.resolution << 4, background, 0]);
        out.extend(global.map(|(_, table)| table).unwrap_or_default());
        let mut rng = self.extensions.rng();
        if let Some(rng) = &mut rng {
            extensions(&mut out, rng);
            if rng.random() {
                let [delay, more] = rng.random::<[u8; 2]>();
                // The flags have no transparency, and any disposal that is defined.
                let disposal = rng.random_range(0..4) << 2;
                out.extend([EXTENSION, GRAPHIC_CONTROL, 4, disposal, delay, 0, more, 0]);
            }
        }
        let local = self.table != Policy::Word(0);
        let flags = if local { TABLE_FLAG | own } else { 0 };
        out.extend([IMAGE, 0, 0, 0, 0]);
        out.extend([image.width, image.height].concat());
        out.push(flags | if image.interlaced { INTERLACED } else { 0 });
        out.extend(if local { image.palette } else { &[] });
        out.push(image.code_size);
        match self.sub_blocks {
            Policy::Word(_) => image.codes.chunks(255).for_each(|part| sub_block(&mut out, part)),
            random => {
                let parts = pieces(&image.codes, random).flat_map(|piece| piece.chunks(255));
                parts.for_each(|part| sub_block(&mut out, part));
            }
        }
        out.push(0);
        if let Some(rng) = &mut rng {
            extensions(&mut out, rng);
        }
        out.push(TRAILER);
        out
    }
}

fn sub_block(out: &mut Vec<u8>, content: &[u8]) {
    // Callers pass at most 255 bytes.
    out.push(content.len() as u8);
    out.extend(content);
}

/// Writes up to two extensions that do not affect the picture.
fn extensions(out: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    for _ in 0..rng.random_range(0..=2) {
        if rng.random() {
            out.extend([EXTENSION, COMMENT]);
            for _ in 0..rng.random_range(1..=3) {
                let text: Vec<u8> =
                    (0..rng.random_range(1..=255)).map(|_| rng.random_range(b' '..=b'~')).collect();
                sub_block(out, &text);
            }
        } else {
            out.extend([EXTENSION, APPLICATION]);
            sub_block(out, b"REPFUZZ 1.0");
            let any: Vec<u8> = (0..rng.random_range(1..=60)).map(|_| rng.random()).collect();
            sub_block(out, &any);
        }
        out.push(0);
    }
}

impl Primitive for GifBlocks {
    fn signature(&self) -> Signature<'_> {
        Signature::new("gif_blocks").dimensions(&DIMENSIONS)
    }

    fn decode(&self, stored: &[u8], _: &[i128], _: usize) -> Result<Vec<u8>, PrimitiveError> {
        let image = read(stored)?;
        let mut data = [image.width, image.height].concat();
        data.extend([u8::from(image.interlaced), image.exponent, image.code_size]);
        data.extend(image.palette);
        data.extend(&*image.codes);
        Ok(data)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        let image = parts(data)?;
        of_length(Policies::choose(source)?.write(&image), lengths)
    }

    fn accepts(&self, data: &[u8], _: &[i128]) -> Result<(), Unfit> {
        parts(data).map(drop).map_err(|why| Unfit { argument: None, why })
    }

    fn own_choices(&self, stored: &[u8], data: &[u8], _: &[i128]) -> Option<Choices> {
        let image = parts(data).ok()?;
        let resolution = stored.get(10)? >> 4 & 7;
        for (table, name) in TABLES.iter().enumerate() {
            for (old, version) in [(false, "89a"), (true, "87a")] {
                let table = Policy::Word(table);
                let policies = Policies { table, old, resolution, ..Policies::PLAIN };
                if policies.write(&image) == stored {
                    let words = [*name, "full", "none", version];
                    let pairs = DIMENSIONS.iter().zip(words);
                    let mut own: Choices =
                        pairs.map(|(d, w)| ((*d).to_owned(), w.into())).collect();
                    own.set(DIMENSIONS[4], i128::from(resolution));
                    own.set(DIMENSIONS[5], "zero");
                    return Some(own);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use inverter::primitive::test::encodings;

    use super::*;

    /// The decoded form of one pixel of two colors.
    const ONE: [u8; 15] = [1, 0, 1, 0, 0, 1, 2, 0, 0, 0, 255, 255, 255, 0x4C, 0x01];

    #[test]
    fn files_are_made_in_many_ways() {
        let made = encodings(&GifBlocks, &[], &ONE, 100).unwrap();
        assert!(made.len() > 60, "{}", made.len());
    }

    #[test]
    fn files_that_mean_more_than_a_picture_are_refused() {
        let file = Policies::PLAIN.write(&parts(&ONE).unwrap());
        assert_eq!(GifBlocks.decode(&file, &[], 99).unwrap(), ONE);
        let own = GifBlocks.own_choices(&file, &ONE, &[]).unwrap();
        assert_eq!(own.get("color table"), Some(&"global".into()));
        let refused = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut file = file.clone();
            change(&mut file);
            GifBlocks.decode(&file, &[], 99).unwrap_err().to_string()
        };
        let transparent = |file: &mut Vec<u8>| {
            let control = [EXTENSION, GRAPHIC_CONTROL, 4, 1, 0, 0, 1, 0];
            file.splice(19..19, control);
        };
        assert!(refused(&transparent).contains("transparent"));
        assert!(refused(&|file| file[12] = 1).contains("aspect ratio"));
        assert!(refused(&|file| file[20] = 1).contains("fill the screen"));
        assert!(refused(&|file| file.truncate(file.len() - 1)).contains("cut off"));
        assert!(refused(&|file| file[5] = b'b').contains("no GIF"));
        assert!(refused(&|file| file[10] = 0).contains("begins no block"));
    }
}
