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
            failed => Some(format!("reading the file that it writes {}", failure(&failed))),
        },
        (_, Answer::Failed(failed)) => Some(format!("{} {}", act(request), failure(failed))),
        _ => Some(format!("{} gave something else", act(request))),
    })
}

/// The result that an extra read must give.
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

/// Returns a phrase for what the client did.
fn act(request: Request) -> String {
    let Rectangle { width, height, x, y } = request.region;
    match request.read {
        ExtraRead::Region => format!("reading {width}x{height} pixels at ({x}, {y})"),
        ExtraRead::Threads => "decoding by two threads at once".to_owned(),
        ExtraRead::Pages => "reading all pages".to_owned(),
        ExtraRead::Rewrite => "writing it again".to_owned(),
        ExtraRead::Metadata => "reading the metadata".to_owned(),
    }
}

/// Returns a phrase for the picture at a place of an answer.
fn name(request: Request, at: usize) -> String {
    let Rectangle { width, height, x, y } = request.region;
    match request.read {
        ExtraRead::Region => format!("{width}x{height} pixels at ({x}, {y}), read by themselves,"),
        ExtraRead::Threads => format!("decode {} of two at once", at + 1),
        ExtraRead::Pages => format!("page {} of all", at + 1),
        ExtraRead::Rewrite | ExtraRead::Metadata => "the answer".to_owned(),
    }
}

fn of_pictures(request: Request, all: &[Picture], got: &[Picture]) -> Option<String> {
    if all.len() != got.len() {
        let act = act(request);
        return Some(format!("{act} gave {} pictures instead of {}", got.len(), all.len()));
    }
    let mut pairs = all.iter().zip(got).enumerate();
    pairs.find_map(|(at, (expected, got))| {
        of_picture(expected, got).map(|why| format!("of {} {why}", name(request, at)))
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
        Reply::Refused { message } | Reply::Empty { message } => format!("failed: {message}"),
        Reply::Crash { message } => format!("crashed: {message}"),
        Reply::Resource { message } => format!("exceeded a limit: {message}"),
        Reply::Hang => "took longer than the time limit".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that answers all extra reads alike.
    struct Fixed(fn(&Picture) -> Answer);

    impl ExtraReader for Fixed {
        fn whole(&self, file: &[u8]) -> io::Result<Reply> {
            match file {
                b"broken" => Ok(Reply::Refused { message: "no".to_owned() }),
                _ => Ok(Reply::Picture(whole())),
            }
        }

        fn extra(&self, _: Request, _: &[u8]) -> io::Result<Answer> {
            Ok(self.0(&whole()))
        }
    }

    fn whole() -> Picture {
        Picture::new(4, 3, (0..48).collect())
    }

    fn found(read: ExtraRead, answer: fn(&Picture) -> Answer) -> Option<String> {
        let found = first_difference(&Fixed(answer), [read], b"file", &whole()).unwrap();
        assert!(found.iter().all(|found| found.read == read));
        found.map(|found| found.message)
    }

    #[test]
    fn answers_are_compared_with_the_picture() {
        use ExtraRead::{Metadata, Pages, Region, Rewrite, Threads};
        type Answers = fn(&Picture) -> Answer;
        let twice: Answers = |p| Answer::Pictures(vec![p.clone(), p.clone()]);
        let once: Answers = |p| Answer::Pictures(vec![p.clone()]);
        let part: Answers = |p| Answer::Pictures(vec![p.part((1, 1), (2, 2)).unwrap()]);
        let other: Answers = |p| Answer::Pictures(vec![p.part((0, 1), (2, 2)).unwrap()]);
        let hang: Answers = |_| Answer::Failed(Reply::Hang);
        let fine: Answers = |_| Answer::File(b"fine".to_vec());
        let broken: Answers = |_| Answer::File(b"broken".to_vec());
        let text: Answers = |_| Answer::Text(String::new());
        let region = "of 2x2 pixels at (1, 1), read by themselves,";
        for (read, answer, expected) in [
            (Threads, twice, None),
            (Threads, once, Some("decoding by two threads at once gave 1 pictures instead of 2")),
            (
                Threads,
                hang,
                Some("decoding by two threads at once took longer than the time limit"),
            ),
            (Region, part, None),
            (Region, other, Some(&*format!("{region} 4 pixels differ"))),
            (Region, once, Some(&*format!("{region} the size is 4x3 instead of 2x2"))),
            (Rewrite, fine, None),
            (Rewrite, broken, Some("reading the file that it writes failed: no")),
            (Rewrite, text, Some("writing it again gave something else")),
            // Nothing is known of the pages or the metadata of what is no TIFF file.
            (Pages, twice, None),
            (Metadata, text, None),
        ] {
            assert_eq!(found(read, answer).as_deref(), expected, "{read:?}");
        }
    }

    #[test]
    fn the_first_line_that_differs_is_shown() {
        assert_eq!(of_text("a\nb\n", "a\nb"), None);
        let differs = |got| of_text("a\nb", got).unwrap();
        assert_eq!(differs("a\nc"), "the metadata have `c` instead of `b`");
        assert_eq!(differs("a"), "the metadata have nothing instead of `b`");
    }
}
