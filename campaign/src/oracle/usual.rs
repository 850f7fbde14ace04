//! The processor time and the memory that a client usually needs for files of one picture.
//!
//! A layout is costly if it takes many times the median of its equals, which are the files of the same picture that the
//! client read correctly. Times of different processes vary, so a floor prevents noise from becoming a finding.

use std::time::Duration;

use super::Outcome;
use clients::Spent;

/// A costly file takes at least this many times the median.
const TIMES: u32 = 20;

/// A slow file takes at least this processor time.
const LEAST_TIME: Duration = Duration::from_millis(500);

/// A file with too much memory needs at least this many bytes more than the median.
const LEAST_MEMORY: u64 = 256 << 20;

/// The medians of the resources that a client needs for files of one picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usual {
    cpu: Duration,
    /// The median of the peak memory; `None` if memory is not measured.
    peak: Option<u64>,
}

impl Usual {
    /// The minimum number of files from which medians are computed.
    pub const FILES: usize = 5;

    /// With zero as the usual amount, only the floors count.
    pub const NOTHING: Usual = Usual { cpu: Duration::ZERO, peak: Some(0) };

    /// The medians of `all`; `None` if there are fewer than [`Usual::FILES`].
    pub fn of(all: &[Spent]) -> Option<Self> {
        if all.len() < Self::FILES {
            return None;
        }
        let peaks: Vec<u64> = all.iter().filter_map(|spent| spent.peak).collect();
        let measured = peaks.len() == all.len();
        Some(Self {
            cpu: median(all.iter().map(|spent| spent.cpu).collect())?,
            peak: median(peaks).filter(|_| measured),
        })
    }

    /// Returns the outcome of a file that is read correctly with these resources, and the reason. `None` if they are
    /// not unusual.
    pub fn exceeded(&self, spent: &Spent) -> Option<(Outcome, String)> {
        if let (Some(usual), Some(peak)) = (self.peak, spent.peak)
            && peak >= usual.saturating_mul(TIMES.into())
            && peak >= usual.saturating_add(LEAST_MEMORY)
        {
            let why = format!(
                "takes {} MiB of memory; the median of files of the same picture is {} MiB",
                peak >> 20,
                usual >> 20
            );
            return Some((Outcome::Memory, why));
        }
        if spent.cpu >= LEAST_TIME && spent.cpu >= self.cpu.saturating_mul(TIMES) {
            let why = format!(
                "takes {:.2} s of processor time; the median of files of the same picture is {:.3} s",
                spent.cpu.as_secs_f64(),
                self.cpu.as_secs_f64()
            );
            return Some((Outcome::Slow, why));
        }
        None
    }
}

fn median<T: Ord + Copy>(mut all: Vec<T>) -> Option<T> {
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(millis: u64, mebibytes: u64) -> Spent {
        let cpu = Duration::from_millis(millis);
        Spent { cpu, peak: Some(mebibytes << 20), alone: true }
    }

    #[test]
    fn costly_files_take_many_times_the_median_and_more_than_the_floor() {
        let quick =
            Usual::of(&[spent(1, 10), spent(2, 10), spent(9, 90), spent(3, 10), spent(3, 9)]);
        let slow = Usual::of(&[spent(100, 40); 5]);
        let outcome = |usual: Option<Usual>, millis, mebibytes| {
            usual.unwrap().exceeded(&spent(millis, mebibytes)).map(|(outcome, _)| outcome)
        };
        for (usual, millis, mebibytes, expected) in [
            // The floors.
            (quick, 499, 265, None),
            (quick, 500, 10, Some(Outcome::Slow)),
            (quick, 1, 266, Some(Outcome::Memory)),
            // The factors.
            (slow, 1999, 799, None),
            (slow, 2000, 40, Some(Outcome::Slow)),
            (slow, 100, 800, Some(Outcome::Memory)),
            // Taking memory takes time as well.
            (slow, 2000, 800, Some(Outcome::Memory)),
        ] {
            assert_eq!(outcome(usual, millis, mebibytes), expected, "{millis} {mebibytes}");
        }
    }

    #[test]
    fn a_median_needs_files_and_memory_that_is_measured() {
        assert_eq!(Usual::of(&[spent(1, 1); Usual::FILES - 1]), None);
        let mut all = [spent(1, 1); Usual::FILES];
        all[0].peak = None;
        let usual = Usual::of(&all).unwrap();
        assert_eq!(usual.exceeded(&spent(1, 1 << 20)), None);
        assert_eq!(usual.exceeded(&spent(500, 1)).unwrap().0, Outcome::Slow);
    }

    #[test]
    fn the_reason_has_both_numbers() {
        let usual = Usual::of(&[spent(10, 12); 5]).unwrap();
        let of = |spent| usual.exceeded(&spent).unwrap().1;
        let median = "the median of files of the same picture is";
        let slow = format!("takes 4.12 s of processor time; {median} 0.010 s");
        assert_eq!(of(spent(4123, 12)), slow);
        assert_eq!(of(spent(10, 612)), format!("takes 612 MiB of memory; {median} 12 MiB"));
    }
}
