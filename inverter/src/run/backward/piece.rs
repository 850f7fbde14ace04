//! Statements that are compiled.

use super::Backward;
use crate::program::Span;
use crate::run::compiled::{Frame, Halt, Log, Piece};

impl Backward<'_> {
    /// Runs a compiled statement. If it is irregular nothing is changed but what was allocated
    /// for it, and the answer is false: the interpreter runs it then.
    pub(super) fn piece(&mut self, piece: Piece, span: Span) -> bool {
        let mut log = Log::default();
        // The rounds up to an allocation are taken when it comes, as they are interpreted.
        let mut before = 0;
        loop {
            let left = self.steps.left().saturating_add(before);
            let (output, input) = (&self.output, &mut self.input);
            let mut frame = Frame::new(output, input, &mut self.by_ensure, left, log);
            let halt = piece(&mut frame).err();
            let more = frame.rounds().saturating_sub(before);
            let counted = self.steps.try_take(more);
            match halt {
                None if counted => return true,
                Some(Halt::Allocate(field)) if counted => {
                    before += more;
                    log = frame.into_log();
                    if self.allocate(field, span).is_ok() {
                        continue;
                    }
                    // The interpreter says why not.
                    let (output, input) = (&self.output, &mut self.input);
                    Frame::new(output, input, &mut self.by_ensure, 0, log).take_back();
                    self.steps.give(before);
                }
                _ => {
                    frame.take_back();
                    self.steps.give(before + if counted { more } else { 0 });
                }
            }
            return false;
        }
    }
}
