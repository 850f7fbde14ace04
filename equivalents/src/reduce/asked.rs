//! A search that calls back, turned into one that is asked for its questions.

use super::Answer;

/// The question that `search` comes to when its first ones are answered by `answers`; `None` if it ends
/// before. A search must ask the same if it is answered the same, and ask no more after
/// [`Answer::Stop`]. It is run from the start each time, which costs nothing next to trying a file.
pub fn next_question<Q>(
    answers: &[Answer],
    search: impl FnOnce(&mut dyn FnMut(&Q) -> Answer),
) -> Option<Q>
where
    Q: Clone,
{
    let (mut known, mut question) = (answers.iter(), None);
    search(&mut |asked: &Q| match known.next() {
        Some(answer) => *answer,
        None => {
            question.get_or_insert_with(|| asked.clone());
            Answer::Stop
        }
    });
    question
}

#[cfg(test)]
mod tests {
    use super::super::minimize;
    use super::*;

    #[test]
    fn questions_come_one_at_a_time() {
        let search = |ask: &mut dyn FnMut(&Vec<u32>) -> Answer| {
            minimize(&[1, 2, 3, 4, 5], &mut |part: &[u32]| ask(&part.to_vec()));
        };
        let (mut answers, mut kept) = (Vec::new(), Vec::new());
        while let Some(asked) = next_question(&answers, search) {
            let needed = [2, 5].iter().all(|n| asked.contains(n));
            answers.push(if needed { Answer::Yes } else { Answer::No });
            if needed {
                kept = asked;
            }
            assert!(answers.len() < 50);
        }
        assert_eq!(kept, [2, 5]);
    }
}
