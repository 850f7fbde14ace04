//! Compares extra reads with what they must equal.

use std::io;

use tiff_harness::Picture;

use super::reference::{from_page, plainest};
use super::{Answer, ExtraDifference, ExtraRead, ExtraReader, Request};
use crate::description::Rectangle;
use crate::{GlueFailure, Reply};

/// Does the extra `reads` of a file of which the client shows `whole`, until one is wrong.
pub(crate) fn first_difference(
    reader: &dyn ExtraReader,
    reads: impl IntoIterator<Item = ExtraRead>,
    file: &[u8],
    whole: &Picture,
) -> io::Result<Option<ExtraDifference>> {
    let region = inner(whole.width(), whole.height());
    for read in reads {
        match difference(reader, Request { read, region }, file, whole) {
            Ok(Some(message)) => return Ok(Some(ExtraDifference { read, message })),
            Ok(None) => {}
            // The glue cannot say what this read returns.
            Err(error) if GlueFailure::in_error(&error).is_some() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Does an extra read, and describes how it differs from what it must give.
fn difference(
    reader: &dyn ExtraReader,
    request: Request,
    file: &[u8],
    whole: &Picture,
) -> io::Result<Option<String>> {
    let Some(expected) = expected(reader, request, file, whole)? else {
        return Ok(None);
    };
    let answer = reader.extra(request, file)?;
    Ok(match (&expected, &answer) {
        (Expected::Pictures(all), Answer::Pictures(got)) => of_pictures(request, all, got),
        (Expected::Text(text), Answer::Text(got)) => of_text(text, got),
        (Expected::Same, Answer::File(file)) => match reader.whole(file)? {
            Reply::Picture(got) => {
                of_picture(whole, &got).map(|why| format!("of the file that it writes {why}"))
            }
            failed => Some(format!("the file that it writes {}", failure(&failed))),
        },
        (_, Answer::Failed(failed)) => Some(format!("{} {}", name(request, None), failure(failed))),
        _ => Some(format!("{} are answered by something else", name(request, None))),
    })
}

/// What an extra read must give.
enum Expected {
    Pictures(Vec<Picture>),
    Text(String),
    /// A file of the same picture.
    Same,
}

/// Returns what the extra read must give; `None` if the client does not say it of itself.
fn expected(
    reader: &dyn ExtraReader,
    request: Request,
    file: &[u8],
    whole: &Picture,
) -> io::Result<Option<Expected>> {
    Ok(match request.read {
        ExtraRead::Threads => Some(Expected::Pictures(vec![whole.clone(); 2])),
        ExtraRead::Rewrite => Some(Expected::Same),
        ExtraRead::Region => {
            let Rectangle { width, height, x, y } = request.region;
            whole.part((x, y), (width, height)).map(|part| Expected::Pictures(vec![part]))
        }
        ExtraRead::Pages => {
            let Some(files) = from_page(file) else { return Ok(None) };
            let mut pages = vec![whole.clone()];
            for file in files {
                match reader.whole(&file)? {
                    Reply::Picture(page) => pages.push(page),
                    // It cannot read that page at all.
                    _ => return Ok(None),
                }
            }
            Some(Expected::Pictures(pages))
        }
        ExtraRead::Metadata => {
            let Some(plain) = plainest(file) else { return Ok(None) };
            match reader.extra(request, &plain)? {
                Answer::Text(text) => Some(Expected::Text(text)),
                _ => None,
            }
        }
    })
}

/// Returns the region to read of a picture of this size: it touches no edge unless the picture is tiny, and neither
/// begins nor ends with a segment.
fn inner(width: u32, height: u32) -> Rectangle {
    let (x, y) = (width / 3, height / 3);
    Rectangle { x, y, width: width.div_ceil(2), height: height.div_ceil(2) }
}

/// Returns a phrase for what was read: all of it, or the picture at one place.
fn name(request: Request, at: Option<usize>) -> String {
    let Rectangle { width, height, x, y } = request.region;
    let number = at.unwrap_or(0) + 1;
    match (request.read, at) {
        (ExtraRead::Region, _) => {
            format!("{width}x{height} pixels at ({x}, {y}), read by themselves,")
        }
        (ExtraRead::Threads, Some(_)) => format!("decode {number} of two at once"),
        (ExtraRead::Threads, None) => "two decodes at once".to_owned(),
        (ExtraRead::Pages, Some(_)) => format!("page {number} of all"),
        (ExtraRead::Pages, None) => "all pages".to_owned(),
        (ExtraRead::Rewrite, _) => "the file that it writes".to_owned(),
        (ExtraRead::Metadata, _) => "the metadata".to_owned(),
    }
}

fn of_pictures(request: Request, all: &[Picture], got: &[Picture]) -> Option<String> {
    if all.len() != got.len() {
        let what = name(request, None);
        return Some(format!("{what} are {} pictures instead of {}", got.len(), all.len()));
    }
    let mut pairs = all.iter().zip(got).enumerate();
    pairs.find_map(|(at, (expected, got))| {
        of_picture(expected, got).map(|why| format!("of {} {why}", name(request, Some(at))))
    })
}

/// Describes how a picture differs from the one that is expected.
fn of_picture(expected: &Picture, got: &Picture) -> Option<String> {
    let (size, is) = ((expected.width(), expected.height()), (got.width(), got.height()));
    if size != is {
        return Some(format!("the size is {}x{} instead of {}x{}", is.0, is.1, size.0, size.1));
    }
    let pixels = expected.rgba().chunks(4).zip(got.rgba().chunks(4));
    let count = pixels.filter(|(expected, got)| expected != got).count();
    (count > 0).then(|| format!("{count} pixels differ"))
}

/// Describes the first line that differs.
fn of_text(expected: &str, got: &str) -> Option<String> {
    let (mut all, mut lines) = (expected.lines(), got.lines());
    loop {
        let pair = (all.next(), lines.next());
        if pair == (None, None) {
            return None;
        }
        if pair.0 != pair.1 {
            let quoted = |line: Option<&str>| {
                let line = line.map(|line| crate::message::Scrubber::new().line(line));
                line.map_or("nothing".to_owned(), |line| format!("`{line}`"))
            };
            let (plain, line) = (quoted(pair.0), quoted(pair.1));
            return Some(format!("the metadata have {line} instead of {plain}"));
        }
    }
}

/// A phrase for a failure, after what failed.
fn failure(reply: &Reply) -> String {
    match reply {
        Reply::Picture(_) => "gave a picture".to_owned(),
        Reply::Refused { message } | Reply::Empty { message } => format!("was refused: {message}"),
        Reply::Crash { message } => format!("crashed it: {message}"),
        Reply::Resource { message } => format!("exceeded a limit: {message}"),
        Reply::Hang => "took longer than the time limit".to_owned(),
    }
}
