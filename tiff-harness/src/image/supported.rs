//! Checks that a picture is of a supported kind, and names the unsupported feature otherwise.

use crate::coding::{Compression, Predictor};
use crate::container::Tag;
use crate::container::meaning::describe;
use crate::error::TiffError;
use crate::palette::has_certain_scale;

use super::Content;
use super::fields::Fields;

/// The maximum number of samples of a pixel.
const MAX_SAMPLES: u64 = 4096;

/// Compressions whose streams are kept as they are stored: none of them depends on the byte order of the
/// file. JPEG by section 22 and by TIFF technical note 2; WebP and Zstandard are [`Compression`]s.
const OPAQUE: [u16; 12] = [6, 7, 9, 10, 32766, 32809, 34661, 34676, 34677, 34712, 34887, 50002];

/// Returns the error for an unsupported feature; an empty hint is left out.
pub(super) fn unsupported(what: String, hint: &'static str) -> TiffError {
    TiffError::Unsupported { what, hint: Some(hint).filter(|h| !h.is_empty()) }
}

/// The values of tags that decide how samples are read.
pub(super) struct PictureKind {
    pub content: Content,
    pub color_map: Vec<u16>,
    pub bits: u16,
    pub samples_per_pixel: u16,
    pub photometric: u16,
    pub extra_samples: Vec<u16>,
    pub sample_format: u16,
    pub compression: u16,
    pub predictor: u16,
    pub fill_order: u16,
    pub t4_options: u32,
}

/// Reads the kind of a picture.
///
/// # Errors
///
/// Returns an error if a tag violates the rules, or the picture has an unsupported feature.
pub(super) fn picture_kind(fields: &Fields<'_>) -> Result<PictureKind, TiffError> {
    let compression = short(fields, Tag::COMPRESSION)?;
    let coder = Compression::of_code(compression);
    if coder.is_none() && !OPAQUE.contains(&compression) {
        return Err(unsupported(describe(Tag::COMPRESSION, compression.into()), ""));
    }
    let photometric = short(fields, Tag::PHOTOMETRIC_INTERPRETATION)?;
    let samples = fields.one(Tag::SAMPLES_PER_PIXEL)?;
    if !(1..=MAX_SAMPLES).contains(&samples) {
        return Err(unsupported(describe(Tag::SAMPLES_PER_PIXEL, samples), "1 to 4096"));
    }
    let samples_per_pixel = samples as u16;
    let all_bits = fields.per_sample(Tag::BITS_PER_SAMPLE, samples_per_pixel)?;
    let formats = fields.per_sample(Tag::SAMPLE_FORMAT, samples_per_pixel)?;
    for tag in [Tag::IMAGE_DEPTH, Tag::TILE_DEPTH] {
        for found in fields.extra(tag)? {
            accept(tag, found, &[1])?;
        }
    }
    let extra = fields.extra(Tag::EXTRA_SAMPLES)?;
    let extra_samples: Vec<u16> = extra.iter().map(|v| (*v).min(u16::MAX.into()) as u16).collect();
    let first = |values: &[u64]| values.first().copied().unwrap_or(1).min(u16::MAX.into()) as u16;
    let mut kind = PictureKind {
        content: Content::Colors,
        color_map: Vec::new(),
        bits: first(&all_bits),
        samples_per_pixel,
        photometric,
        extra_samples,
        sample_format: first(&formats),
        compression,
        predictor: 1,
        fill_order: one_of(fields, Tag::FILL_ORDER, &[1, 2])?,
        t4_options: 0,
    };
    if kind.extra_samples.len() >= usize::from(samples_per_pixel) {
        return Err(unsupported(described(&kind), ""));
    }
    if let Some(why) = opaque(fields, &kind, &all_bits)? {
        kind.content = Content::Streams(why);
        return Ok(kind);
    }
    same_for_all(Tag::BITS_PER_SAMPLE, &all_bits, 1..=64)?;
    same_for_all(Tag::SAMPLE_FORMAT, &formats, 1..=6)?;
    kind.predictor = predictor(fields, &kind)?;
    if kind.bits == 24 && kind.sample_format != 3 {
        let what = describe(Tag::BITS_PER_SAMPLE, kind.bits.into());
        return Err(unsupported(what, "readers differ on the order of their bytes"));
    }
    kind.t4_options = fax_options(fields, compression)?;
    check_bilevel(compression, kind.bits, samples_per_pixel)?;
    if photometric == 3 {
        kind.color_map = color_map(fields, kind.bits)?;
    }
    if let Err(why) = check_colors(fields, &kind) {
        kind.content = Content::Samples(why.to_string());
    }
    Ok(kind)
}

/// Returns the reason why the segments are kept as they are stored, if there is one.
fn opaque(
    fields: &Fields<'_>,
    kind: &PictureKind,
    bits: &[u64],
) -> Result<Option<String>, TiffError> {
    if Compression::of_code(kind.compression).is_none() {
        let differ = bits.iter().any(|other| Some(other) != bits.first());
        let most = if differ { 16 } else { 64 };
        if !bits.iter().all(|bits| (1..=most).contains(bits)) {
            return Err(unsupported(format!("{} = {bits:?}", Tag::BITS_PER_SAMPLE), ""));
        }
        return Ok(Some(describe(Tag::COMPRESSION, kind.compression.into())));
    }
    let narrow = bits.iter().all(|bits| *bits <= 8);
    // Section 21: several pixels share two color samples, and data come in units of these.
    let subsampling = match fields.extra(Tag::YCBCR_SUB_SAMPLING)? {
        values if values.is_empty() => vec![2, 2],
        values => values,
    };
    if kind.photometric == 6 && kind.samples_per_pixel == 3 && subsampling != [1, 1] {
        let what = format!("YCbCr with {} = {subsampling:?}", Tag::YCBCR_SUB_SAMPLING);
        return if narrow { Ok(Some(what)) } else { Err(unsupported(what, "")) };
    }
    let differ = bits.iter().any(|other| Some(other) != bits.first());
    Ok((differ && narrow).then(|| format!("{} = {bits:?}", Tag::BITS_PER_SAMPLE)))
}

/// Checks the values of a tag that must be the same for all samples and within `range`.
fn same_for_all(
    tag: Tag,
    values: &[u64],
    range: std::ops::RangeInclusive<u64>,
) -> Result<(), TiffError> {
    for value in values {
        if !range.contains(value) {
            return Err(unsupported(describe(tag, *value), ""));
        }
        if Some(value) != values.first() {
            let what = format!("{tag} = {} and {value}", values[0]);
            return Err(unsupported(what, "all samples must have the same"));
        }
    }
    Ok(())
}

/// Checks that every sample has an exact level or color: gray, bilevel, palette and RGB pictures of
/// unsigned samples.
fn check_colors(fields: &Fields<'_>, kind: &PictureKind) -> Result<(), TiffError> {
    let PictureKind { photometric, bits, .. } = *kind;
    accept(Tag::PHOTOMETRIC_INTERPRETATION, photometric.into(), &[0, 1, 2, 3])?;
    // 4: a mask for another picture (section 8, NewSubfileType).
    let subfile = fields.one(Tag::NEW_SUBFILE_TYPE)?;
    if subfile & 4 != 0 {
        return Err(unsupported(describe(Tag::NEW_SUBFILE_TYPE, subfile), "it is a mask"));
    }
    check_extra_samples(kind)?;
    let accepted: &[u64] = if photometric == 3 { &[1, 2, 4, 8] } else { &[1, 2, 4, 8, 16, 32] };
    accept(Tag::BITS_PER_SAMPLE, bits.into(), accepted)?;
    accept(Tag::SAMPLE_FORMAT, kind.sample_format.into(), &[1, 4])?;
    accept(Tag::PREDICTOR, kind.predictor.into(), &[1, 2])?;
    if photometric == 3 && !has_certain_scale(kind.color_map.iter().copied()) {
        let what =
            format!("{} with no value above 255, whose scale readers guess,", Tag::COLOR_MAP);
        return Err(unsupported(what, ""));
    }
    check_forerunners(fields)
}

/// Returns `value` if it is one of `accepted`.
fn accept(tag: Tag, value: u64, accepted: &[u64]) -> Result<u16, TiffError> {
    match accepted.contains(&value) {
        true => Ok(value as u16),
        false => Err(unsupported(describe(tag, value), "")),
    }
}

/// Reads a tag of one value of 16 bits.
fn short(fields: &Fields<'_>, tag: Tag) -> Result<u16, TiffError> {
    let value = fields.one(tag)?;
    u16::try_from(value).map_err(|_| fields.bad(tag, value, "at most 65535"))
}

/// Reads a tag of one value, which must be one of `accepted`.
fn one_of(fields: &Fields<'_>, tag: Tag, accepted: &[u64]) -> Result<u16, TiffError> {
    accept(tag, fields.one(tag)?, accepted)
}

/// Describes the number of samples and of those described by ExtraSamples in words.
fn described(kind: &PictureKind) -> String {
    format!(
        "{} with {} and {} extra samples described by {}",
        describe(Tag::SAMPLES_PER_PIXEL, kind.samples_per_pixel.into()),
        describe(Tag::PHOTOMETRIC_INTERPRETATION, kind.photometric.into()),
        kind.extra_samples.len(),
        Tag::EXTRA_SAMPLES
    )
}

/// Checks ExtraSamples, which must describe every sample that is not a color.
fn check_extra_samples(kind: &PictureKind) -> Result<(), TiffError> {
    let colors: u16 = if kind.photometric == 2 { 3 } else { 1 };
    let (samples, extra) = (kind.samples_per_pixel, &kind.extra_samples);
    if samples < colors || usize::from(samples - colors) != extra.len() || extra.len() > 3 {
        return Err(unsupported(described(kind), ""));
    }
    for (k, value) in extra.iter().enumerate() {
        let accepted: &[u64] = if k == 0 && kind.photometric != 3 { &[0, 1, 2] } else { &[0] };
        accept(Tag::EXTRA_SAMPLES, (*value).into(), accepted)?;
    }
    if kind.photometric == 3 && !extra.is_empty() {
        return Err(unsupported("a palette picture with extra samples".to_owned(), ""));
    }
    Ok(())
}

/// Reads Predictor, which only some compressions have, and only for some samples.
fn predictor(fields: &Fields<'_>, kind: &PictureKind) -> Result<u16, TiffError> {
    let predictor = one_of(fields, Tag::PREDICTOR, &[1, 2, 3])?;
    let coder = Compression::of_code(kind.compression);
    let takes = coder.is_some_and(Compression::takes_predictor);
    let suits = |p: Predictor| takes && p.suits(kind.bits, kind.sample_format);
    if predictor == 1 || Predictor::of_code(predictor).is_some_and(suits) {
        return Ok(predictor);
    }
    let what = format!(
        "{} with {} and {}",
        describe(Tag::PREDICTOR, predictor.into()),
        describe(Tag::COMPRESSION, kind.compression.into()),
        describe(Tag::BITS_PER_SAMPLE, kind.bits.into())
    );
    Err(unsupported(what, ""))
}

/// Reads T4Options and T6Options, which must not have uncompressed mode (section 11). Returns T4Options; 0 for other
/// compressions.
fn fax_options(fields: &Fields<'_>, compression: u16) -> Result<u32, TiffError> {
    let first = |tag| Ok::<_, TiffError>(fields.extra(tag)?.first().copied().unwrap_or(0));
    let t4_options = first(Tag::T4_OPTIONS)?;
    if compression == 3 && t4_options & !5 != 0 {
        return Err(unsupported(describe(Tag::T4_OPTIONS, t4_options), ""));
    }
    let t6_options = first(Tag::T6_OPTIONS)?;
    if compression == 4 && t6_options != 0 {
        return Err(unsupported(describe(Tag::T6_OPTIONS, t6_options), ""));
    }
    Ok(if compression == 3 { t4_options as u32 } else { 0 })
}

/// Refuses a bilevel compression for samples that are not bilevel.
fn check_bilevel(compression: u16, bits: u16, samples: u16) -> Result<(), TiffError> {
    let bilevel = bits == 1 && samples == 1;
    if bilevel || !Compression::of_code(compression).is_some_and(Compression::is_bilevel) {
        return Ok(());
    }
    let what = format!(
        "{} with {} and {}",
        describe(Tag::COMPRESSION, compression.into()),
        describe(Tag::BITS_PER_SAMPLE, bits.into()),
        describe(Tag::SAMPLES_PER_PIXEL, samples.into())
    );
    Err(unsupported(what, ""))
}

/// Refuses private predecessors of tags that are read elsewhere, and other tags for a palette, unless they have the
/// usual value.
fn check_forerunners(fields: &Fields<'_>) -> Result<(), TiffError> {
    for (tag, value) in [(Tag::MATTEING, 0), (Tag::DATA_TYPE, 2), (Tag::INDEXED, 0)] {
        for found in fields.extra(tag)? {
            accept(tag, found, &[value])?;
        }
    }
    Ok(())
}

/// Reads the color map of a palette picture (section 8, ColorMap).
fn color_map(fields: &Fields<'_>, bits: u16) -> Result<Vec<u16>, TiffError> {
    let tag = Tag::COLOR_MAP;
    if bits > 16 {
        let bits = describe(Tag::BITS_PER_SAMPLE, bits.into());
        return Err(unsupported(format!("a palette picture with {bits}"), ""));
    }
    let entry = fields.entry(tag).ok_or_else(|| fields.missing(tag))?;
    let wrong =
        TiffError::WrongType { tag, at: entry.at, kind: entry.values.kind(), must: "SHORT" };
    let values = entry.values.as_integers().ok_or(wrong.clone())?;
    let map: Vec<u16> =
        values.iter().map(|v| u16::try_from(*v)).collect::<Result<_, _>>().map_err(|_| wrong)?;
    let must = 3u64 << bits;
    if map.len() as u64 != must {
        let must = format!("{must}, by {} = {bits}", Tag::BITS_PER_SAMPLE);
        let count = map.len() as u64;
        return Err(TiffError::WrongCount { tag, at: entry.at, count, must });
    }
    Ok(map)
}
