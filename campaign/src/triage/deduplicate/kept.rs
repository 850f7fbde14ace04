//! Findings that are kept unreduced: those of the seed itself, irreproducible ones, and those for which no reduction is
//! left.

use super::*;

impl Triage<'_> {
    /// Adds a difference on the seed file that the file with the same choices does not show.
    pub(super) fn keep_seed_itself(
        &mut self,
        row: &Row,
        given: &Variant,
    ) -> Result<(), ReduceError> {
        let trial = Trial { variant: given.clone(), judgment: row.judgment.clone() };
        let again = self.oracle.confirm(&trial, &row.info.choices)?;
        let steady = again.judgment.agrees(&row.judgment);
        if row.outcome().is_cost() && !steady {
            return Ok(());
        }
        self.causes.push(Cause {
            count: 1,
            whole: WholeFile::SeedItself,
            file: given.bytes.clone(),
            got: again.picture.filter(|_| row.outcome() == Outcome::Wrong),
            message: row.judgment.message.clone(),
            ..Cause::empty(
                self.client,
                row.signature(),
                if steady { Depth::Minimal } else { Depth::Flaky },
                row.info.class,
            )
        });
        Ok(())
    }

    /// Keeps a finding, which counts for `count` variants, unreduced, together with those of the same outcome and
    /// depth.
    pub(super) fn keep_unreduced(&mut self, row: &Row, depth: Depth, count: usize) {
        let (info, message, outcome) = (&row.info, &row.judgment.message, row.outcome());
        let kept = self.unreduced(outcome, depth, message);
        if self.is_example(kept, (info.class, info.choices.len(), info.size)) {
            // The variant was made before; if it cannot be made now, the report has no file for it.
            let file = self.oracle.replay(&info.choices);
            let example = Cause {
                choices: info.choices.clone(),
                file: file.map(|variant| variant.bytes).unwrap_or_default(),
                message: message.clone(),
                ..Cause::empty(self.client, outcome.into(), depth, info.class)
            };
            self.keep_example(kept, example, count);
        } else if let Some(kept) = kept {
            self.causes[kept].count += count;
        }
    }

    /// Keeps a finding whose runs disagree, together with others that have the same outcome, where the outcome is the
    /// worst of all runs. The kept example is run until five results are known.
    pub(super) fn keep_flaky(
        &mut self,
        row: &Row,
        unsteady: Option<&Unsteady>,
        count: usize,
    ) -> Result<(), ReduceError> {
        let Some(Unsteady { trial, choices, judgments }) = unsteady else {
            self.keep_unreduced(row, Depth::Flaky, count);
            return Ok(());
        };
        let Trial { variant, .. } = trial;
        let worst = judgments.iter().map(|j| j.outcome).min();
        let outcome = worst.unwrap_or(row.outcome());
        let message = judgments.iter().find(|j| j.outcome == outcome);
        let message = message.map(|j| j.message.clone()).unwrap_or_default();
        let kept = self.unreduced(outcome, Depth::Flaky, &message);
        let rank = (variant.class, choices.len(), variant.bytes.len());
        if self.is_example(kept, rank) {
            let judgments = self.oracle.repeated(trial, choices, judgments.clone())?;
            let example = Cause {
                choices: choices.clone(),
                file: variant.bytes.clone(),
                message,
                runs: RunCount::of(&judgments),
                ..Cause::empty(self.client, outcome.into(), Depth::Flaky, variant.class)
            };
            self.keep_example(kept, example, count);
        } else if let Some(kept) = kept {
            self.causes[kept].count += count;
        }
        Ok(())
    }

    /// Returns the cause that represents all unreduced findings with this outcome and depth. An irreproducible crash is
    /// represented only by a cause with a similar message, because other signals and assertions are other faults.
    fn unreduced(&self, outcome: Outcome, depth: Depth, message: &str) -> Option<usize> {
        let of = |cause: &Cause| cause.outcome == outcome && cause.depth == depth;
        let mut all = (0..self.causes.len()).filter(|k| of(&self.causes[*k]));
        if (outcome, depth) != (Outcome::Crash, Depth::Flaky) {
            return all.next();
        }
        let all: Vec<usize> = all.collect();
        let said = shape(message);
        let same = all.iter().find(|k| shape(&self.causes[**k].message) == said);
        same.or(all.first().filter(|_| all.len() >= MAX_FLAKY_CRASHES)).copied()
    }

    /// Returns true if a file with this class, number of choices and size is a better example than the one that is
    /// `kept`.
    fn is_example(&self, kept: Option<usize>, rank: (Class, usize, usize)) -> bool {
        kept.map(|kept| &self.causes[kept])
            .is_none_or(|kept| rank < (kept.class, kept.choices.len(), kept.file.len()))
    }

    /// Replaces the `kept` example by `new`, and counts `count` variants for it.
    fn keep_example(&mut self, kept: Option<usize>, new: Cause, count: usize) {
        match kept {
            Some(kept) => {
                self.causes[kept] = Cause { count: self.causes[kept].count + count, ..new };
            }
            None => self.causes.push(Cause { count, ..new }),
        }
    }
}
