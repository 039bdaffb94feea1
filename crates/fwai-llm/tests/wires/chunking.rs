//! Any chunking of any recorded stream folds to the same message.

use crate::setup::wire;
use fwai_llm::{Completion, Delta, answer::AnswerDecoder, fault::Fault, fold::Fold};
use fwai_testkit::model_server::{Turn, WireName, stream_bytes};
use proptest::prelude::*;
use serde_json::json;

/// Streams as the providers' own servers write them.
pub const RECORDED: [(WireName, &str); 8] = [
    (WireName::Anthropic, include_str!("streams/anthropic_thinking.sse")),
    (WireName::OpenaiChat, include_str!("streams/openai_chat_parallel_tools.sse")),
    (WireName::OpenaiChat, include_str!("streams/openrouter_comments_and_reasoning.sse")),
    (WireName::OpenaiChat, include_str!("streams/compatible_server_without_indexes.sse")),
    (WireName::OpenaiResponses, include_str!("streams/openai_responses_reasoning.sse")),
    (WireName::Gemini, include_str!("streams/gemini_signatures.sse")),
    (WireName::Gemini, include_str!("streams/gemini_blocked.sse")),
    (WireName::Ollama, include_str!("streams/ollama_tools.ndjson")),
];

pub fn fold<'a>(
    name: WireName,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> Result<(Vec<Delta>, Completion), Fault> {
    let wire = wire(name);
    let fold = Fold::new("m", 0);
    let mut decoder = AnswerDecoder::new(wire.decoder(), wire.streams_lines_of_json(), fold, 1 << 30);
    let mut deltas = Vec::new();
    for piece in pieces {
        decoder.feed(piece)?;
        deltas.extend(std::iter::from_fn(|| decoder.next_delta()));
    }
    decoder.end_of_input()?;
    deltas.extend(std::iter::from_fn(|| decoder.next_delta()));
    Ok((deltas, decoder.finish()))
}

fn cut<'a>(bytes: &'a [u8], places: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

#[test]
fn byte_by_byte_is_the_same_as_at_once() {
    for (wire, text) in RECORDED {
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let whole = fold(wire, [text.as_bytes()].into_iter()).unwrap();
            let bytes = fold(wire, text.as_bytes().chunks(1)).unwrap();
            assert_eq!(whole, bytes, "{wire:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_chunking_of_a_recorded_stream(
        which in 0..RECORDED.len(),
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let (wire, text) = RECORDED[which];
        let whole = fold(wire, [text.as_bytes()].into_iter()).unwrap();
        let pieces = fold(wire, cut(text.as_bytes(), &places).into_iter()).unwrap();
        prop_assert_eq!(whole, pieces);
    }

    #[test]
    fn any_chunking_of_any_answer(
        text in "\\PC{0,60}",
        key in "[a-z]{1,5}",
        value in any::<String>(),
        bad in "[{\\[\"a-z:\\\\]{0,12}",
        piece_chars in 1usize..9,
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..30),
    ) {
        let turn = Turn::text(text).and_tool("one", json!({key: value})).and_bad_tool("two", bad);
        for wire in WireName::ALL {
            let bytes = stream_bytes(wire, &turn, piece_chars);
            let whole = fold(wire, [bytes.as_slice()].into_iter()).unwrap();
            let pieces = fold(wire, cut(&bytes, &places).into_iter()).unwrap();
            prop_assert_eq!(whole, pieces);
        }
    }

    #[test]
    fn any_bytes_at_all_are_an_answer_or_an_error(
        which in 0..RECORDED.len(),
        place in any::<prop::sample::Index>(),
        junk in prop::collection::vec(any::<u8>(), 0..20),
        drop_bytes in 0usize..50,
    ) {
        let (wire, text) = RECORDED[which];
        let mut bytes = text.as_bytes().to_vec();
        let at = place.index(bytes.len());
        let end = (at + drop_bytes).min(bytes.len());
        bytes.splice(at..end, junk);
        let _ = fold(wire, bytes.chunks(100));
    }
}
