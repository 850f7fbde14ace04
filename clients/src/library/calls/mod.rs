//! Drivers of the linked-in libraries: they replay sequences of calls (`repfuzz fuzz --calls`).
//!
//! A call that reads must return what it returns in the plain order, that is, on a new decoder after only the calls
//! that it requires.

mod image_crate;
mod session;
mod tiff_crate;

use std::collections::HashMap;

use interfaces::replay::{self, Answer, Answers, Requested, Step};
use tiff_harness::Picture;

use super::failure::Failure;
use session::{Read, Session};

/// Replays the sequences of a request on the crate `tiff`.
pub(super) fn tiff(request: &[u8]) -> Result<Picture, Failure> {
    answer(request, tiff_crate::Session::new)
}

/// Replays the sequences of a request on the crate `image`.
pub(super) fn image(request: &[u8]) -> Result<Picture, Failure> {
    answer(request, image_crate::Session::new)
}

/// Answers a request with text in place of a picture, like clients whose output is bytes.
fn answer<'r, S: Session>(request: &'r [u8], new: fn(&'r [u8]) -> S) -> Result<Picture, Failure> {
    let (sequences, file) = replay::read_request(request)
        .ok_or_else(|| Failure::Glue("this is no request of sequences".to_owned()))?;
    let picture = whole(new(file)).map_err(Failure::Refused)?;
    let mut expected: HashMap<(Vec<Requested>, Requested), Read> = HashMap::new();
    let answers = sequences.iter().map(|calls| {
        let mut session = new(file);
        let mut answer = Answer { steps: Vec::new(), why: String::new() };
        for call in calls {
            let before = session.plain(call);
            let plain = before.map(|before| {
                let key = (before, call.clone());
                expected.entry(key).or_insert_with_key(|(before, call)| {
                    let mut fresh = new(file);
                    before.iter().for_each(|call| drop(fresh.call(call)));
                    fresh.call(call)
                })
            });
            let (step, why) = judged(session.call(call), plain.as_deref())?;
            answer.steps.push(step);
            if matches!(step, Step::Differs | Step::Refused) {
                answer.why = why;
                break;
            }
        }
        Ok(answer)
    });
    let sequences = answers.collect::<Result<Vec<Answer>, Failure>>()?;
    let text =
        replay::write_answers(&Answers { plain: Some(format!("{picture:016x}")), sequences });
    Ok(Picture::of_bytes(text.into_bytes()))
}

/// Reads a file in the plain order: a digest of its picture.
fn whole<S: Session>(mut session: S) -> Result<u64, String> {
    let [open, read] = S::whole();
    session.call(&open);
    match session.call(&read) {
        Read::Data(digest) => Ok(digest),
        Read::Failed(why) => Err(why),
        Read::Nothing | Read::Unknown => Err("no picture".to_owned()),
    }
}

/// Compares a call with the same call in the plain order.
fn judged(read: Read, plain: Option<&Read>) -> Result<(Step, String), Failure> {
    Ok(match (read, plain) {
        (Read::Unknown, _) => return Err(Failure::Glue("there is no such call".to_owned())),
        (Read::Failed(_), Some(Read::Failed(_))) => (Step::NotHere, String::new()),
        (Read::Failed(why), _) => (Step::Refused, why),
        (read, Some(plain)) if !matches!(plain, Read::Failed(_)) && read != *plain => {
            (Step::Differs, "other data".to_owned())
        }
        _ => (Step::Same, String::new()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &[u8] = include_bytes!("../../../../corpus/seeds/rgb.tif");

    /// The answers to sequences, without the line of the picture.
    fn answers(driver: fn(&[u8]) -> Result<Picture, Failure>, sequences: &str) -> Vec<String> {
        let request = [format!("repfuzz calls 1\n{sequences}\n").as_bytes(), SEED].concat();
        let Ok(picture) = driver(&request) else { panic!("no answer to {sequences}") };
        let text = String::from_utf8(picture.bytes().unwrap()).unwrap();
        text.trim_end().lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn tiff_reads_alike_in_any_order() {
        let sequences = "open_decoder(0) read_image() read_chunk(1) read_image_bytes()\n\
                         open_decoder(2) move_reader() read_chunk(0) read_all_chunks()\n\
                         open_decoder(1) read_no_chunk() dimensions() seek_to_image(0)\n\
                         open_decoder(0) next_image()\n\
                         open_decoder(0) drop_decoder() dimensions()\n";
        let found = answers(tiff, sequences);
        assert_eq!(&found[..3], ["....", "....", "...."]);
        assert!(found[3].starts_with(".E format error: "), "{}", found[3]);
        assert_eq!(found[4], "..E not open");
    }

    #[test]
    fn image_reads_alike_in_any_order() {
        let sequences = "open_reader(1) into_decoder() orientation() icc_profile() read_image()\n\
                         open_reader(0) reader_limits() decode()\n\
                         open_decoder() set_limits() total_bytes() from_decoder()\n\
                         open_reader(0) decode() decode()\n";
        let found = answers(image, sequences);
        assert_eq!(found, [".....", "...", "....", "..E no reader"]);
    }

    #[test]
    fn what_a_call_reads_is_compared() {
        let (one, other) = (Read::Data(1), Read::Data(2));
        let failed = || Read::Failed("no".to_owned());
        let step = |read, plain: Option<&Read>| judged(read, plain).ok().unwrap().0;
        assert_eq!(step(one.clone(), Some(&one)), Step::Same);
        assert_eq!(step(other, Some(&one)), Step::Differs);
        assert_eq!(step(failed(), Some(&one)), Step::Refused);
        assert_eq!(step(failed(), Some(&failed())), Step::NotHere);
        assert_eq!(step(failed(), None), Step::Refused);
        assert!(judged(Read::Unknown, None).is_err());
    }

    #[test]
    fn calls_that_there_are_not_are_refused() {
        for driver in [tiff, image] {
            let request = [&b"repfuzz calls 1\nfly()\n\n"[..], SEED].concat();
            assert!(matches!(driver(&request), Err(Failure::Glue(_))));
            assert!(matches!(driver(SEED), Err(Failure::Glue(_))));
        }
    }
}
