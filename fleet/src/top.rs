//! A view of a fleet in the terminal: its queue, nights and workers.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use futures_util::StreamExt;

use super::link::{Link, NatsArgs};
use super::wire::{Beat, Progress, decode};
use reports::report::clean;

/// The time without a message after which a worker or a night is no longer listed.
const GONE: Duration = Duration::from_secs(15);

/// The maximum number of workers, and of nights, that are listed.
const MOST: usize = 10_000;

/// The known state of a fleet.
#[derive(Debug, Default)]
struct View {
    workers: BTreeMap<String, (Instant, Beat, f64)>,
    nights: BTreeMap<String, (Instant, Progress)>,
    /// The numbers of messages in the streams of jobs, results and dead letters; `None` for a stream that does not
    /// exist.
    streams: [Option<u64>; 3],
}

/// Calls `show` every second with the state of the fleet, until `show` returns false.
///
/// # Errors
///
/// Returns a one-line message: a server that cannot be reached.
pub fn top(args: &NatsArgs, mut show: impl FnMut(&str) -> bool) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let link = Link::connect(args, "top", Duration::ZERO).await?;
        let (beats, nights) = (link.names.beat("*"), link.names.night("*"));
        let mut beats = link.client.subscribe(beats).await.map_err(io::Error::other)?;
        let mut nights = link.client.subscribe(nights).await.map_err(io::Error::other)?;
        let mut view = View::default();
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        // Workers send a message every two seconds. The first view waits for all of them.
        let begun = Instant::now();
        loop {
            tokio::select! {
                Some(message) = beats.next() => {
                    let beat = decode::<Beat>(&message.payload).ok();
                    if let Some(beat) = beat.filter(|beat| beat.is_of(&message.subject)) {
                        view.beat(beat);
                    }
                }
                Some(message) = nights.next() => {
                    if let Ok(progress) = decode::<Progress>(&message.payload) {
                        view.night(progress);
                    }
                }
                _ = tick.tick() => {
                    if begun.elapsed() < Duration::from_millis(2_500) {
                        continue;
                    }
                    view.count(&link).await;
                    if view.streams == [None; 3]
                        && let Some(hint) = link.without_jetstream()
                    {
                        return Err(io::Error::other(hint));
                    }
                    if !show(&view.text()) {
                        return Ok(());
                    }
                }
                else => return Ok(()),
            }
        }
    })
}

impl View {
    fn night(&mut self, progress: Progress) {
        if self.nights.len() < MOST || self.nights.contains_key(&progress.night) {
            self.nights.insert(progress.night.clone(), (Instant::now(), progress));
        }
    }

    fn beat(&mut self, beat: Beat) {
        if self.workers.len() >= MOST && !self.workers.contains_key(&beat.worker) {
            return;
        }
        let now = Instant::now();
        let before = self.workers.get(&beat.worker);
        let rate = before.map_or(0.0, |(at, old, _)| {
            let runs = beat.runs.saturating_sub(old.runs) as f64;
            runs / at.elapsed().as_secs_f64().max(0.1)
        });
        self.workers.insert(beat.worker.clone(), (now, beat, rate));
    }

    async fn count(&mut self, link: &Link) {
        self.workers.retain(|_, (at, ..)| at.elapsed() < GONE);
        self.nights.retain(|_, (at, _)| at.elapsed() < GONE);
        let names = [link.names.jobs(), link.names.results(), link.names.dead()];
        for (name, count) in names.iter().zip(&mut self.streams) {
            let stream = link.stream.get_stream(name).await;
            *count = stream.ok().map(|stream| stream.cached_info().state.messages);
        }
    }

    fn text(&self) -> String {
        let count = |count: &Option<u64>| count.map_or("none".to_owned(), |n| n.to_string());
        let [jobs, results, dead] = self.streams.each_ref().map(count);
        let slots: usize = self.workers.values().map(|(_, beat, _)| beat.slots).sum();
        let busy: usize = self.workers.values().map(|(_, beat, _)| beat.busy).sum();
        let rate: f64 = self.workers.values().map(|(.., rate)| rate).sum();
        let mut text = format!(
            "jobs in the queue: {jobs}, results: {results}, dead letters: {dead}\n\
             workers: {}, slots: {busy} of {slots} busy, runs a second: {rate:.0}\n",
            self.workers.len()
        );
        let nights = self.nights.values().map(|(_, night)| {
            [
                clean(&night.night),
                night.waiting.to_string(),
                night.outstanding.to_string(),
                night.jobs.to_string(),
                night.runs.to_string(),
                format!("{:.0}", night.rate),
                night.dead.to_string(),
            ]
        });
        let head = ["night", "waiting", "under way", "jobs", "runs", "runs/s", "dead"];
        let _ = write!(text, "\n{}\n", table(head, nights));
        let workers = self.workers.values().map(|(_, beat, rate)| {
            [
                clean(&beat.worker),
                clean(&beat.group),
                format!("{}/{}", beat.busy, beat.slots),
                format!("{:.0} %", 100.0 * beat.load),
                beat.jobs.to_string(),
                beat.runs.to_string(),
                format!("{rate:.0}"),
            ]
        });
        let head = ["worker", "clients", "busy", "load", "jobs", "runs", "runs/s"];
        let _ = write!(text, "\n{}\n", table(head, workers));
        text
    }
}

/// A table in which all columns except the first are numbers.
fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head).add_rows(rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_are_cleaned() {
        let mut view = View { streams: [Some(3), None, Some(0)], ..View::default() };
        view.beat(Beat {
            worker: "a\x1b[2J".to_owned(),
            group: "g".to_owned(),
            process: String::new(),
            slots: 4,
            busy: 3,
            runs: 12,
            jobs: 2,
            load: 0.75,
        });
        let text = view.text();
        assert!(
            text.starts_with("jobs in the queue: 3, results: none, dead letters: 0\n"),
            "{text}"
        );
        assert!(text.contains("3/4") && text.contains("75 %") && !text.contains('\x1b'), "{text}");
    }
}
