//! Statements that run as code.

use super::state::Backward;
use crate::program::Span;
use crate::run::machine::{self, Code, Frame, Halt, Log};

/// Runs statements as code. Returns false if one is irregular; then only their allocations have been made, and the
/// interpreter must run them.
pub fn run_piece(run: &mut Backward<'_>, piece: &Code, span: Span) -> bool {
    let mut log = Log::default();
    // Rounds before an allocation are counted when it happens, as in the interpreter.
    let mut before = 0;
    loop {
        let left = run.evaluation.steps.left().saturating_add(before);
        let (output, input) = (run.cx.output, &mut run.assignment.input);
        let mut frame = Frame::new(output, input, &mut run.assignment.by_ensure, left, log);
        let halt = machine::run_piece(piece, &mut frame).err();
        let more = frame.rounds().saturating_sub(before);
        let counted = run.evaluation.steps.try_take(more);
        match halt {
            None if counted => return true,
            Some(Halt::Allocate(field)) if counted => {
                before += more;
                log = frame.into_log();
                if run.allocate(field, span).is_ok() {
                    continue;
                }
                // The interpreter reports the reason.
                let (output, input) = (run.cx.output, &mut run.assignment.input);
                Frame::new(output, input, &mut run.assignment.by_ensure, 0, log).take_back();
                run.evaluation.steps.give(before);
            }
            _ => {
                frame.take_back();
                run.evaluation.steps.give(before + if counted { more } else { 0 });
            }
        }
        return false;
    }
}
