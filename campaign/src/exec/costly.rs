//! Finds the files that clients read correctly, but with far more time or memory than others of the same picture.
//!
//! The results of the plan have been measured already, where that is possible ([`clients::Spent`]). If no result of a
//! client stands out, the client is not run again. Otherwise it is given some files again, because all judgments of
//! costs come from processes that have read nothing before; the first judgment is confirmed five times.

use super::context::Context;
use crate::client_session::ClientSession;
use crate::oracle::{Outcome, Usual};
use crate::records::{ClientId, ExecutionResults, Judgment, Record, Row};
use crate::runtime::map;
use clients::Spent;

/// The number of fresh runs that confirm that a file is costly.
const CONFIRMATIONS: usize = 5;

/// The maximum number of files of a client that are confirmed. Afterwards its measurements count as noise.
const MOST_TRIES: usize = 3;

/// Changes the outcomes of costly files in `results`, and logs these results again. The sessions of their clients then
/// judge costs as well.
pub fn find_costly(context: &Context<'_>, results: &mut ExecutionResults) {
    let Context { sessions, settings, clients, log, .. } = context;
    let ids: Vec<ClientId> = ClientId::all(sessions.len()).collect();
    let rows = &results.rows;
    let found = map(settings.jobs, &ids, |_, id| {
        let Some(session) = &sessions[*id] else { return Vec::new() };
        let own = |(_, row): &(usize, &Row)| row.client == *id && row.outcome() == Outcome::Same;
        let own: Vec<(usize, &Row)> = rows.iter().enumerate().filter(own).collect();
        Weighing { context, session }.judgments(&own).unwrap_or_default()
    });
    for (place, judgment) in found.into_iter().flatten() {
        let row = &mut results.rows[place];
        log.write(&Record::result(row.variant, clients[row.client].name(), &judgment, None));
        row.judgment = judgment;
    }
}

/// The search for costly files of one client.
struct Weighing<'a> {
    context: &'a Context<'a>,
    session: &'a ClientSession<'a>,
}

impl Weighing<'_> {
    /// Returns the judgments of the costly files among `rows`, which the client read correctly. `None` if there are
    /// none, or if the search cannot continue.
    fn judgments(&self, rows: &[(usize, &Row)]) -> Option<Vec<(usize, Judgment)>> {
        let spent = |row: &Row| row.judgment.spent;
        let all: Vec<Spent> = rows.iter().filter_map(|(_, row)| spent(row)).collect();
        let hint = Usual::of(&all).unwrap_or(Usual::NOTHING);
        let stands_out =
            |row: &Row| spent(row).is_some_and(|spent| hint.exceeded(&spent).is_some());
        let (mut suspects, equals): (Vec<_>, Vec<_>) =
            rows.iter().partition(|(_, row)| stands_out(row));
        if suspects.is_empty() {
            return None;
        }
        let usual = self.usual(&equals)?;
        suspects.sort_by_key(|(_, row)| row.info.choices.len());
        let tries = suspects.iter().take(MOST_TRIES);
        tries.into_iter().find(|(_, row)| self.is_confirmed(row, &usual))?;
        self.session.expect_usual(usual);
        let judged = |(place, row): &(usize, &Row)| {
            let judgment = match row.judgment.is_weighable() {
                true => row.judgment.clone().weighed(&usual),
                false => self.session.judge(&self.file(row)?).ok()??.judgment,
            };
            judgment.outcome.is_cost().then_some((*place, judgment))
        };
        let going_on = suspects.iter().take_while(|_| !self.context.budget.ends_reduction());
        Some(going_on.filter_map(judged).collect())
    }

    /// Returns the resources that the client usually needs if it has read nothing before, as measured on `equals`, or
    /// by reading some of them again.
    fn usual(&self, equals: &[(usize, &Row)]) -> Option<Usual> {
        let alone = |(_, row): &(usize, &Row)| row.judgment.spent.filter(|spent| spent.alone);
        let measured: Option<Vec<Spent>> = equals.iter().map(alone).collect();
        if let Some(usual) = measured.as_deref().and_then(Usual::of) {
            return Some(usual);
        }
        let apart = (equals.len() / Usual::FILES).max(1);
        let mut files: Vec<Vec<u8>> = equals
            .iter()
            .step_by(apart)
            .take(Usual::FILES)
            .filter_map(|(_, row)| self.file(row))
            .collect();
        files.resize_with(Usual::FILES, || self.context.subject.seed_bytes().to_vec());
        let spent: Option<Vec<Spent>> = files.iter().map(|file| self.spent(file)).collect();
        Usual::of(&spent?)
    }

    fn is_confirmed(&self, row: &Row, usual: &Usual) -> bool {
        let Some(file) = self.file(row) else { return false };
        let exceeds = |_| self.spent(&file).is_some_and(|spent| usual.exceeded(&spent).is_some());
        (0..CONFIRMATIONS).all(exceeds)
    }

    /// Returns the resources that the client needs for `file` if it has read nothing before; `None` if it does not read
    /// the file correctly, if this cannot be measured, or if the search must end.
    fn spent(&self, file: &[u8]) -> Option<Spent> {
        if self.context.budget.ends_reduction() {
            return None;
        }
        let judgment = self.session.run_fresh(file).ok()??.judgment;
        judgment.spent.filter(|_| judgment.is_weighable())
    }

    fn file(&self, row: &Row) -> Option<Vec<u8>> {
        Some(self.context.subject.replay(&row.info.choices).ok()?.bytes)
    }
}
