//! Redaction of output that arrives in pieces: the result is the same however it is cut.
//!
//! Text goes out as soon as nothing that follows could make it part of a secret; usually that is at
//! once. Where a keyword stands near the end and its rule is undecided, everything from the keyword
//! on waits for more.

use super::{
    evaluate::LOOK_BACK,
    redactor::{Redactor, Tally, write_redacted},
};

/// What was given out and stays as context: names before keywords, and lines broken inside base64.
const CONTEXT: usize = LOOK_BACK + 16;

#[derive(Debug)]
pub struct RedactStream {
    redactor: Redactor,
    /// Context that is out already, then what waits.
    held: Vec<u8>,
    /// How much of `held` is out.
    given: usize,
    tally: Tally,
}

impl RedactStream {
    pub(super) fn new(redactor: Redactor) -> Self {
        Self { redactor, held: Vec::new(), given: 0, tally: Tally::new() }
    }

    /// Takes a piece and returns what can be shown of all so far.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(piece);
        self.advance(false)
    }

    /// Returns the rest; the stream can be used again for new output.
    pub fn finish(&mut self) -> Vec<u8> {
        let rest = self.advance(true);
        self.held.clear();
        self.given = 0;
        rest
    }

    /// What is held back now, in bytes.
    pub fn waiting(&self) -> usize {
        self.held.len() - self.given
    }

    /// How often each rule redacted something so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The same, and starts counting anew.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    fn advance(&mut self, complete: bool) -> Vec<u8> {
        let engine = self.redactor.engine();
        let looked = engine.look(&self.held, self.given, complete);
        let mut cut = looked.open.unwrap_or(self.held.len());
        // A secret that reaches over the cut may still grow together with what follows.
        let mut spans = looked.spans;
        while let Some(last) = spans.last().filter(|span| span.end > cut) {
            cut = cut.min(last.found_at);
            spans.pop();
        }
        let mut out = Vec::with_capacity(cut - self.given);
        write_redacted(&engine, &self.held, self.given..cut, &spans, &mut out, &mut self.tally);
        let drop = cut.saturating_sub(CONTEXT);
        self.held.drain(..drop);
        self.given = cut - drop;
        out
    }
}
