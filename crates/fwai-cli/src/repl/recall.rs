//! An earlier session that is gone on with: its calls for `/open`, and its last words, so that a person knows again
//! what it was about.

use crate::{
    context::Context,
    language::say,
    render::{
        Abilities,
        call::{self, Call},
        clean::{clean, clean_line},
        footer, markdown, palette,
        text::{Indent, Line, Span, wrap},
    },
};
use fwai_agent::outcome::text_of;
use fwai_schema::{
    event::{Event, EventBody},
    message::{ContentBlock, Role},
};
use std::{collections::HashMap, io::IsTerminal};

/// Lines of the last answer that are shown again.
const ANSWER: usize = 12;
/// Lines of the words that it answered.
const WORDS: usize = 3;

/// Every finished call.
pub fn calls(events: &[Event]) -> Vec<Call> {
    let mut begun: HashMap<&str, String> = HashMap::new();
    let mut calls = Vec::new();
    for event in events {
        match &event.body {
            EventBody::ToolCallStart { id, arguments, .. } => {
                begun.insert(id, call::about(arguments, Abilities::of_stdout()));
            }
            EventBody::ToolCallEnd { id, name, success, content, duration_ms, full_output, .. } => {
                calls.push(Call {
                    name: clean(name),
                    about: begun.remove(id.as_str()).unwrap_or_default(),
                    success: *success,
                    duration_ms: *duration_ms,
                    text: clean(&text_of(content)),
                    full_output: full_output.clone(),
                });
            }
            _ => {}
        }
    }
    calls
}

/// Shows the last words and their answer to a person.
pub fn show_last(context: &Context, events: &[Event]) {
    if context.flags.quiet || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return;
    }
    let signs = Abilities::of_stdout();
    for line in last_words(events, footer::columns(), signs) {
        crate::output::line(&line.paint(signs.colours));
    }
}

fn last_words(events: &[Event], columns: usize, signs: Abilities) -> Vec<Line> {
    let said = events.iter().rev().find_map(|event| match &event.body {
        EventBody::Message { message, injected: false } if message.role == Role::User => {
            message.content.iter().find_map(|block| match block {
                ContentBlock::Text { text } if !text.trim().is_empty() => Some(clean_line(text.trim())),
                _ => None,
            })
        }
        _ => None,
    });
    let answer = events.iter().rev().find_map(|event| match &event.body {
        EventBody::TurnEnded { final_text, .. } => Some(final_text.as_str()),
        _ => None,
    });
    let mut lines = Vec::new();
    if let Some(said) = said {
        let indent = Indent {
            first: vec![Span::new(signs.sign("› ", "> "), palette::PROMPT)],
            rest: vec![Span::plain("  ")],
        };
        lines.push(Line::default());
        lines.extend(shortened(wrap(&[Span::plain(said)], columns, &indent), WORDS, signs));
    }
    let answer = markdown(&clean(answer.unwrap_or_default()), columns, signs);
    if !answer.is_empty() {
        lines.push(Line::default());
        lines.extend(shortened(answer, ANSWER, signs));
    }
    lines
}

fn shortened(mut lines: Vec<Line>, most: usize, signs: Abilities) -> Vec<Line> {
    let more = lines.len().saturating_sub(most);
    if more > 0 {
        lines.truncate(most);
        let told = say!("repl-more-lines", count = more);
        lines.push(Line::styled(format!("{} {told}", signs.sign("…", "~")), palette::DIM));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use fwai_schema::{event::TurnStop, message::Message};

    fn event(body: EventBody) -> Event {
        Event { seq: 1, ts: String::new(), session: "s".into(), turn: 1, body }
    }

    fn turn(said: &str, answered: &str) -> [Event; 2] {
        let message = Message::user(vec![ContentBlock::text(said)]);
        let ended = EventBody::TurnEnded {
            stop_reason: TurnStop::EndTurn,
            final_text: answered.into(),
            tool_calls: 0,
            iterations: 1,
            usage: Default::default(),
            cost_usd: None,
        };
        [event(EventBody::Message { message, injected: false }), event(ended)]
    }

    #[test]
    fn the_last_words_and_the_beginning_of_their_answer() {
        let long: String = (1..=20).map(|number| format!("- point {number}\n")).collect();
        let events = [turn("first", "never shown"), turn("second\x1b[2J\nwords", &long)].concat();
        let signs = Abilities { colours: false, unicode: true };
        let shown: Vec<String> = last_words(&events, 40, signs).iter().map(Line::text).collect();
        assert_eq!(shown[..3], ["", "› second words", ""]);
        assert_eq!((shown[3].as_str(), shown[14].as_str()), ("• point 1", "• point 12"));
        assert_eq!(shown[15], "… 8 more lines");
        assert_eq!(shown.len(), 16);
        assert!(last_words(&[], 40, signs).is_empty());
    }
}
