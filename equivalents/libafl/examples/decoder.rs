//! Fuzzes the decoder of `examples/decoder`, which has a fault, from the seed alone, until a file that means the same
//! is decoded differently:
//!
//! ```text
//! decoder [SEED] [MOST] [go-on]
//! ```
//!
//! SEED is the number from which all randomness derives, MOST the number of files. With `go-on` the fault does not end
//! the search, which then measures how many files it tries per second. The exit status is 1 if the fault was found.
//! `run.sh` makes the compiler count the edges of the decoder, which guide the search.

// The compiler passes the address of its counters to a C function.
#![allow(unsafe_code)]

use std::env;
use std::process::ExitCode;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::time::Instant;

use equivalents::{Format, Reference};
use equivalents_libafl::{EquivalentGenerator, EquivalentMutator};
use example_decoder::decode;
use libafl::corpus::{Corpus, InMemoryCorpus};
use libafl::events::SimpleEventManager;
use libafl::executors::{ExitKind, InProcessExecutor};
use libafl::feedbacks::{CrashFeedback, MaxMapFeedback};
use libafl::fuzzer::{Evaluator, Fuzzer, StdFuzzer};
use libafl::inputs::{BytesInput, HasMutatorBytes};
use libafl::monitors::NopMonitor;
use libafl::observers::StdMapObserver;
use libafl::schedulers::QueueScheduler;
use libafl::stages::StdMutationalStage;
use libafl::state::{HasCorpus, HasExecutions, HasMaxSize, HasSolutions, StdState};
use libafl_bolts::rands::StdRand;
use libafl_bolts::tuples::tuple_list;

const SPRITE: &[u8] = include_bytes!("../../../examples/decoder/seeds/seed.spr");
const SPEC: &str = include_str!("../../../examples/decoder/spec/sprite.rs");

static COUNTERS: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Takes the counters of the instrumented module, before `main`.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    COUNTERS.store(start, Ordering::Relaxed);
    COUNT.store(stop as usize - start as usize, Ordering::Relaxed);
}

/// Fuzzes until the fault is found or `most` files were tried. Returns the file.
fn fuzz(seed: u64, most: u64, go_on: bool) -> Result<Option<Vec<u8>>, libafl::Error> {
    let format = Format::from_text("sprite.rs", SPEC)
        .map_err(|e| libafl::Error::illegal_argument(e.to_string()))?;
    let files =
        format.equivalents(SPRITE).map_err(|e| libafl::Error::illegal_argument(e.to_string()))?;
    let (expected, mut tried, mut at) = (decode(SPRITE), 0u64, 0u64);
    let mut harness = |input: &BytesInput| {
        tried += 1;
        // Only equivalent files arrive here.
        if decode(input.mutator_bytes()) == expected {
            return ExitKind::Ok;
        }
        at = if at == 0 { tried } else { at };
        if go_on { ExitKind::Ok } else { ExitKind::Crash }
    };
    if COUNT.load(Ordering::Relaxed) == 0 {
        return Err(libafl::Error::illegal_state(
            "the decoder has no counters: build it by run.sh",
        ));
    }
    // SAFETY: they live as long as the process, whose only thread that decodes is this one.
    let observer = unsafe {
        let (counters, count) = (COUNTERS.load(Ordering::Relaxed), COUNT.load(Ordering::Relaxed));
        StdMapObserver::from_mut_ptr("edges", counters, count)
    };
    let mut feedback = MaxMapFeedback::new(&observer);
    let mut objective = CrashFeedback::new();
    let (corpus, solutions) = (InMemoryCorpus::new(), InMemoryCorpus::new());
    let rand = StdRand::with_seed(seed);
    let mut state = StdState::new(rand, corpus, solutions, &mut feedback, &mut objective)?;
    state.set_max_size(1 << 16);
    let mut fuzzer = StdFuzzer::new(QueueScheduler::new(), feedback, objective);
    let mut events = SimpleEventManager::new(NopMonitor::new());
    let mut executor = InProcessExecutor::builder()
        .harness(&mut harness)
        .observers(tuple_list!(observer))
        .fuzzer(&mut fuzzer)
        .state(&mut state)
        .event_mgr(&mut events)
        .build()?;
    let start = Instant::now();
    fuzzer.add_input(&mut state, &mut executor, &mut events, BytesInput::new(SPRITE.to_vec()))?;
    // A generator gives the corpus a few files that coverage alone would not keep.
    let mut generator = EquivalentGenerator::new(files);
    state.generate_initial_inputs_forced(
        &mut fuzzer,
        &mut executor,
        &mut generator,
        &mut events,
        4,
    )?;
    let mut stages = tuple_list!(StdMutationalStage::new(EquivalentMutator::new(format.clone())));
    while state.solutions().count() == 0 && *state.executions() < most {
        fuzzer.fuzz_one(&mut stages, &mut executor, &mut state, &mut events)?;
    }
    drop(executor);
    let found = match state.solutions().first() {
        Some(id) => state.solutions().get(id)?.borrow().input().clone(),
        None => None,
    };
    let (kept, seconds) = (state.corpus().count(), start.elapsed().as_secs_f64());
    println!(
        "{tried} files in {seconds:.2} s; {kept} are kept; {} edges of the decoder",
        COUNT.load(Ordering::Relaxed)
    );
    if at > 0 {
        println!("the fault is found at file {at}");
    }
    Ok(found.map(|input| input.mutator_bytes().to_vec()))
}

fn main() -> ExitCode {
    let number =
        |n: usize, default: u64| env::args().nth(n).and_then(|n| n.parse().ok()).unwrap_or(default);
    let go_on = env::args().nth(3).is_some_and(|word| word == "go-on");
    match fuzz(number(1, 1), number(2, 10_000), go_on) {
        Ok(Some(file)) => {
            // The oracle, which compares meanings, agrees, and reports the choices in which the file differs.
            let format = Format::from_text("sprite.rs", SPEC).ok();
            let reference = format.and_then(|format| Reference::new(format, SPRITE, decode).ok());
            match reference.map(|reference| reference.check(&file, decode)) {
                Some(Err(difference)) => println!("{difference}"),
                _ => println!("error: the file means something else"),
            }
            ExitCode::from(1)
        }
        Ok(None) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}
