//! Writes files that LibAFL's havoc makes of one seed: `benches-libafl SEED FOLDER SECONDS MOST`. It prints a line: processor
//! seconds until it was ready, files, processor seconds for these, which are written afterwards.
//!
//! The corpus is the seed alone, and stays so: nothing is executed.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use libafl::corpus::{Corpus, InMemoryCorpus, Testcase};
use libafl::feedbacks::ConstFeedback;
use libafl::inputs::{BytesInput, HasMutatorBytes};
use libafl::mutators::{HavocScheduledMutator, MutationResult, Mutator, havoc_mutations};
use libafl::state::StdState;
use libafl_bolts::rands::StdRand;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("benches-libafl: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, folder, seconds, most] = &arguments[..] else {
        return Err("usage: benches-libafl SEED FOLDER SECONDS MOST".to_owned());
    };
    let seconds = seconds.parse().map_err(|e| format!("SECONDS: {e}"))?;
    let most: usize = most.parse().map_err(|e| format!("MOST: {e}"))?;
    let seed = BytesInput::new(std::fs::read(file).map_err(|e| format!("{file}: {e}"))?);
    let why = |e: libafl::Error| e.to_string();
    let mut corpus = InMemoryCorpus::new();
    let id = corpus.add(Testcase::new(seed.clone())).map_err(why)?;
    *corpus.current_mut() = Some(id);
    let (mut feedback, mut objective) = (ConstFeedback::new(false), ConstFeedback::new(false));
    let solutions = InMemoryCorpus::new();
    let mut state = StdState::new(StdRand::new(), corpus, solutions, &mut feedback, &mut objective)
        .map_err(why)?;
    let mut mutator = HavocScheduledMutator::new(havoc_mutations());
    let ready = ProcessTime::now();
    let start = ready.as_duration().as_secs_f64();
    let (began, limit) = (Instant::now(), Duration::from_secs(seconds));
    let mut files = Vec::new();
    while files.len() < most && began.elapsed() < limit {
        let mut input = seed.clone();
        // As in LibAFL's stage: a mutation that was skipped is not run.
        if mutator.mutate(&mut state, &mut input).map_err(why)? == MutationResult::Mutated {
            files.push(input);
        }
    }
    let seconds = ready.elapsed().as_secs_f64();
    for (k, file) in files.iter().enumerate() {
        let path = Path::new(folder).join(format!("{k:07}"));
        std::fs::write(&path, file.mutator_bytes())
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!("{start:.3} {} {seconds:.3}", files.len());
    Ok(())
}
