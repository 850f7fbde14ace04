//! What is refused because it is no picture of the supported kinds: by name.

use crate::coding;
use crate::container::meaning::describe;
use crate::container::{Entry, Tag};
use crate::error::TiffError;

use super::fields::Fields;

/// What is not supported yet.
pub(super) fn unsupported(what: String, hint: &'static str) -> TiffError {
    TiffError::Unsupported { what, hint: Some(hint).filter(|h| !h.is_empty()) }
}

/// What decides how samples are read.
pub(super) struct Kind {
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

/// Takes gray, bilevel, palette and RGB pictures of unsigned samples, without loss.
pub(super) fn kind(fields: &Fields<'_>) -> Result<Kind, TiffError> {
    let only = |tag: Tag, value: u64, taken: &[u64], hint| match taken.contains(&value) {
        true => Ok(value as u16),
        false => Err(unsupported(describe(tag, value), hint)),
    };
    let one = |tag: Tag, taken: &[u64], hint| only(tag, fields.one(tag)?, taken, hint);

    let codes: Vec<u64> = coding::Compression::ALL.iter().map(|c| c.code().into()).collect();
    let compression = one(Tag::COMPRESSION, &codes, "")?;
    let photometric = one(Tag::PHOTOMETRIC_INTERPRETATION, &[0, 1, 2, 3], "")?;
    // 4: a mask for another picture (section 8, NewSubfileType).
    let subfile = fields.one(Tag::NEW_SUBFILE_TYPE)?;
    if subfile & 4 != 0 {
        return Err(unsupported(describe(Tag::NEW_SUBFILE_TYPE, subfile), "it is a mask"));
    }
    let colors: u16 = if photometric == 2 { 3 } else { 1 };
    let samples = fields.one(Tag::SAMPLES_PER_PIXEL)?;
    let extra = fields.extra(Tag::EXTRA_SAMPLES)?;
    if samples < colors.into()
        || samples != u64::from(colors) + extra.len() as u64
        || extra.len() > 3
    {
        let what = format!(
            "{} with {} and {} extra samples told by {}",
            describe(Tag::SAMPLES_PER_PIXEL, samples),
            describe(Tag::PHOTOMETRIC_INTERPRETATION, photometric.into()),
            extra.len(),
            Tag::EXTRA_SAMPLES
        );
        return Err(unsupported(what, ""));
    }
    let samples_per_pixel = samples as u16;
    let mut extra_samples = Vec::new();
    for (k, value) in extra.into_iter().enumerate() {
        let taken: &[u64] = if k == 0 && photometric != 3 { &[0, 1, 2] } else { &[0] };
        extra_samples.push(only(Tag::EXTRA_SAMPLES, value, taken, "")?);
    }
    if photometric == 3 && !extra_samples.is_empty() {
        return Err(unsupported("a palette picture with extra samples".to_owned(), ""));
    }

    let bits = fields.per_sample(Tag::BITS_PER_SAMPLE, samples_per_pixel)?;
    let taken: &[u64] = if photometric == 3 { &[1, 2, 4, 8] } else { &[1, 2, 4, 8, 16, 32] };
    let first = bits.first().copied().unwrap_or(1);
    for value in &bits {
        only(Tag::BITS_PER_SAMPLE, *value, taken, "")?;
        if *value != first {
            let what = format!("{} = {first} and {value}", Tag::BITS_PER_SAMPLE);
            return Err(unsupported(what, "all samples must have the same bits"));
        }
    }
    let bits = first as u16;
    let mut sample_format = 1;
    for value in fields.per_sample(Tag::SAMPLE_FORMAT, samples_per_pixel)? {
        sample_format = only(Tag::SAMPLE_FORMAT, value, &[1, 4], "")?;
    }

    let predictor = one(Tag::PREDICTOR, &[1, 2], "")?;
    let coder = coding::Compression::of_code(compression);
    let differences = coder.is_some_and(coding::Compression::takes_predictor);
    if predictor == 2 && !(differences && bits >= 8) {
        let what = format!(
            "{} with {} and {}",
            describe(Tag::PREDICTOR, 2),
            describe(Tag::COMPRESSION, compression.into()),
            describe(Tag::BITS_PER_SAMPLE, bits.into())
        );
        return Err(unsupported(what, ""));
    }
    let fill_order = one(Tag::FILL_ORDER, &[1, 2], "")?;
    let t4_options = fields.extra(Tag::T4_OPTIONS)?.first().copied().unwrap_or(0);
    // Uncompressed mode (section 11).
    if compression == 3 && t4_options & !5 != 0 {
        return Err(unsupported(describe(Tag::T4_OPTIONS, t4_options), ""));
    }
    let t6_options = fields.extra(Tag::T6_OPTIONS)?.first().copied().unwrap_or(0);
    if compression == 4 && t6_options != 0 {
        return Err(unsupported(describe(Tag::T6_OPTIONS, t6_options), ""));
    }
    let bilevel = bits == 1 && samples_per_pixel == 1;
    if coder.is_some_and(|c| c.is_bilevel()) && !bilevel {
        let what = format!(
            "{} with {} and {}",
            describe(Tag::COMPRESSION, compression.into()),
            describe(Tag::BITS_PER_SAMPLE, bits.into()),
            describe(Tag::SAMPLES_PER_PIXEL, samples)
        );
        return Err(unsupported(what, ""));
    }
    // Private forerunners of tags that are read above, and a palette by another name.
    for (tag, taken) in
        [(Tag::MATTEING, 0), (Tag::DATA_TYPE, 2), (Tag::IMAGE_DEPTH, 1), (Tag::INDEXED, 0)]
    {
        for value in fields.extra(tag)? {
            only(tag, value, &[taken], "")?;
        }
    }
    Ok(Kind {
        bits,
        samples_per_pixel,
        photometric,
        extra_samples,
        sample_format,
        compression,
        predictor,
        fill_order,
        t4_options: if compression == 3 { t4_options as u32 } else { 0 },
    })
}

/// The color map of a palette picture (section 8, ColorMap).
pub(super) fn color_map(entry: Option<&Entry>, bits: u16, ifd: u64) -> Result<Vec<u16>, TiffError> {
    let tag = Tag::COLOR_MAP;
    let entry = entry.ok_or(TiffError::Missing { tag, ifd })?;
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
    // Some writers scale to 255, against section 5, and some readers guess that they did.
    if map.iter().all(|v| *v < 256) && map.iter().any(|v| *v > 0) {
        let what = format!("{tag} with no value above 255, of which readers guess the scale,");
        return Err(unsupported(what, ""));
    }
    Ok(map)
}
