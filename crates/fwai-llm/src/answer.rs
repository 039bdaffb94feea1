//! From the bytes of a response to pieces of an answer, for any wire, streamed or not.
//!
//! What arrives decides how it is read, not what was asked for: a server that answers a streamed request
//! with one JSON body, or the other way round, is understood all the same.

use crate::{
    fault::{ApiError, Fault, snippet},
    fold::Fold,
    framing::{lines::Lines, sse::SseDecoder, surrogates::SurrogateMender},
    maybe_send::MaybeSend,
    provider::{Completion, Delta},
};
use serde_json::Value;

/// Reads the events of one wire into a fold.
pub trait EventDecoder: MaybeSend {
    /// One event of a streamed answer.
    fn event(&mut self, name: &str, data: &[u8], fold: &mut Fold) -> Result<(), Fault>;

    /// An answer that came as one body.
    fn whole(&mut self, body: &[u8], fold: &mut Fold) -> Result<(), Fault>;

    /// Whether the server has said that the answer is all there.
    fn is_complete(&self) -> bool;

    /// Whether nothing can follow any more, not even the usage.
    fn is_final(&self) -> bool {
        false
    }
}

/// Puts an answer together while its bytes arrive.
pub struct AnswerDecoder {
    wire: MendingDecoder,
    framing: Framing,
    fold: Fold,
    received: u64,
    limit: u64,
}

/// A wire's decoder that gets a second look at events with half a character in them.
struct MendingDecoder {
    wire: Box<dyn EventDecoder>,
    mender: SurrogateMender,
}

impl MendingDecoder {
    fn event(&mut self, name: &str, data: &[u8], fold: &mut Fold) -> Result<(), Fault> {
        match self.wire.event(name, data, fold) {
            // An event that cannot be read has changed nothing, so that it can be read again.
            Err(Fault::Garbage(why)) => match self.mender.mend(data) {
                Some(mended) => self.wire.event(name, &mended, fold),
                None => Err(Fault::Garbage(why)),
            },
            other => other,
        }
    }
}

enum Framing {
    /// The first bytes decide; lines of JSON are only expected of a wire that streams so.
    Unknown {
        lines_of_json: bool,
    },
    Sse(SseDecoder),
    JsonLines(Lines),
    Whole(Vec<u8>),
}

impl AnswerDecoder {
    pub fn new(wire: Box<dyn EventDecoder>, lines_of_json: bool, fold: Fold, limit: u64) -> Self {
        let wire = MendingDecoder { wire, mender: SurrogateMender::default() };
        Self { wire, framing: Framing::Unknown { lines_of_json }, fold, received: 0, limit }
    }

    /// Bytes so far.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Takes bytes, split anywhere.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.received += bytes.len() as u64;
        if self.received > self.limit {
            return Err(Fault::TooLarge { limit: self.limit });
        }
        let mut bytes = bytes;
        if let Framing::Unknown { lines_of_json } = self.framing {
            let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
            bytes = &bytes[start..];
            self.framing = match bytes.first() {
                None => return Ok(()),
                Some(b'{') if lines_of_json => Framing::JsonLines(Lines::default()),
                Some(b'{' | b'[') => Framing::Whole(Vec::new()),
                Some(b'<') => return Err(Fault::Garbage("a web page; check `provider.base_url`".into())),
                Some(_) if lines_of_json => {
                    return Err(Fault::Garbage(format!("no JSON: {}", snippet(bytes))));
                }
                Some(_) => Framing::Sse(SseDecoder::default()),
            };
        }
        let (wire, fold) = (&mut self.wire, &mut self.fold);
        match &mut self.framing {
            Framing::Sse(sse) => sse.feed(bytes, |name, data| wire.event(name, data, fold)),
            Framing::JsonLines(lines) => lines.feed(bytes, |line| match line.trim_ascii() {
                b"" => Ok(()),
                line => wire.event("", line, fold),
            }),
            Framing::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
            Framing::Unknown { .. } => Ok(()),
        }
    }

    /// The next piece of what has been understood.
    pub fn next_delta(&mut self) -> Option<Delta> {
        self.fold.next_delta()
    }

    /// The response has ended: reads what was still open, and refuses an answer that is not whole.
    pub fn end_of_input(&mut self) -> Result<(), Fault> {
        let (wire, fold) = (&mut self.wire, &mut self.fold);
        let mut last = |name: &str, data: &[u8]| {
            // Half an event at the very end is a cut, not nonsense.
            wire.event(name, data, fold).map_err(|fault| match fault {
                Fault::Garbage(_) => Fault::Cut("the connection ended inside an event".into()),
                other => other,
            })
        };
        match std::mem::replace(&mut self.framing, Framing::Unknown { lines_of_json: false }) {
            Framing::Sse(mut sse) => sse.finish(&mut last).map_err(|fault| match fault {
                Fault::Garbage(_) => Fault::Cut("the connection ended inside a line".into()),
                other => other,
            })?,
            Framing::JsonLines(mut lines) => match lines.rest().trim_ascii() {
                b"" => {}
                line => last("", line)?,
            },
            Framing::Whole(body) => wire.wire.whole(&body, fold)?,
            Framing::Unknown { .. } if self.received == 0 => {
                return Err(Fault::Cut("the server answered nothing".into()));
            }
            Framing::Unknown { .. } => {}
        }
        if self.wire.wire.is_complete() {
            Ok(())
        } else {
            Err(Fault::Cut("the server closed the connection before the answer was whole".into()))
        }
    }

    /// Whether the answer is whole, although something may follow.
    pub fn is_complete(&self) -> bool {
        self.wire.wire.is_complete()
    }

    /// Whether the connection has nothing more to say, although it may still be open.
    pub fn is_final(&self) -> bool {
        self.wire.wire.is_final()
    }

    /// The answer; only after `end_of_input` or `is_complete` has said that it is whole.
    pub fn finish(self) -> Completion {
        self.fold.finish()
    }
}

/// Reads JSON of a known shape; an error object in its place is the server's error.
pub(crate) fn read<'a, T: serde::Deserialize<'a>>(data: &'a [u8]) -> Result<T, Fault> {
    serde_json::from_slice(data).map_err(|error| match serde_json::from_slice::<Value>(data) {
        Ok(value) if has_error(&value) => match ApiError::from_body(&value) {
            Some(api) => Fault::Api(api),
            None => Fault::Garbage(format!("{error}: {}", snippet(data))),
        },
        _ => Fault::Garbage(format!("{error}: {}", snippet(data))),
    })
}

/// The server's error, where `value` holds one.
pub(crate) fn refuse_error(value: &Value) -> Result<(), Fault> {
    match ApiError::from_body(value) {
        Some(api) if has_error(value) => Err(Fault::Api(api)),
        _ => Ok(()),
    }
}

fn has_error(value: &Value) -> bool {
    let value = value.get(0).unwrap_or(value);
    value["type"] == "error" || !value["error"].is_null()
}
