//! Turns a search that calls a test function into one that returns its questions.

use super::Answer;

/// Returns the first question of `search` that `answers` do not answer; `None` if the search ends earlier.
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
