//! A turn from the first event to the last: shown, and answered where it asks. On a terminal keys are read
//! meanwhile; with a pipe the answer to a question is the next line.

use super::{
    asking::Asking,
    conversation::{Conversation, Live as LiveSession},
    pager,
    queue::Queue,
};
use crate::{
    context::Context,
    failure::{Failure, Kind},
    language::{self, say},
    render::{
        Live, Plain, abilities, answer_from, change_word, clean::clean_line, palette, question, text::Line,
    },
    terminal_mode::Quiet,
};
use crossterm::event::{Event as TerminalEvent, EventStream, KeyCode, KeyEvent, KeyModifiers};
use futures_util::StreamExt;
use fwai_schema::{
    event::{Event, EventBody, Question, TurnStop},
    op::{Answer, Op, PermissionReply},
};
use std::{collections::VecDeque, io::IsTerminal, time::Duration};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How often the spinner turns.
const BEAT: Duration = Duration::from_millis(50);

/// Shows a turn to its end, and says why it ended.
pub async fn watch(
    conversation: &mut Conversation,
    context: &Context,
    session: &mut LiveSession,
    queue: &mut Queue,
) -> Result<TurnStop, Failure> {
    let on_terminal = abilities::has_live_screen() && std::io::stdin().is_terminal() && !context.flags.quiet;
    match on_terminal.then(Quiet::with_all_keys) {
        Some(Ok(quiet)) => {
            let mut work = Work {
                conversation,
                context,
                session,
                queue,
                live: Live::new(context),
                asking: VecDeque::new(),
                interrupted: false,
            };
            let outcome = work.run().await;
            work.live.finish();
            drop(quiet);
            outcome
        }
        _ => watch_plainly(conversation, context, session).await,
    }
}

/// A turn on a terminal.
struct Work<'a> {
    conversation: &'a mut Conversation,
    context: &'a Context,
    session: &'a mut LiveSession,
    queue: &'a mut Queue,
    live: Live,
    asking: VecDeque<Asking>,
    interrupted: bool,
}

impl Work<'_> {
    async fn run(&mut self) -> Result<TurnStop, Failure> {
        self.live.redact_with(self.session.redactor.clone());
        let mut keys = Some(EventStream::new());
        let mut beat = tokio::time::interval(BEAT);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        self.refresh_footer();
        loop {
            let stream = keys.get_or_insert_with(EventStream::new);
            tokio::select! {
                biased;
                key = stream.next() => match key {
                    Some(Ok(TerminalEvent::Key(key))) if key.is_press() => {
                        if is_control(&key, 'o') {
                            // The pager reads keys itself.
                            keys = None;
                            self.live.finish();
                            pager::open_call(self.conversation.calls.last(), &self.context.paths.project);
                            self.live.draw_now();
                            continue;
                        }
                        if let Some(outcome) = self.key(key) {
                            return outcome;
                        }
                    }
                    Some(Ok(TerminalEvent::Paste(text))) => self.queue.typed.insert(&text),
                    Some(Ok(TerminalEvent::Resize(..))) => self.live.draw_now(),
                    Some(Ok(_)) => {}
                    // The terminal is gone.
                    Some(Err(_)) | None => {
                        self.session.handle.send(Op::Interrupt);
                        return Err(Failure::new(Kind::Interrupted, say!("repl-terminal-gone")));
                    }
                },
                event = self.session.events.next() => {
                    let Some(event) = event else { return Err(Failure::failed(say!("repl-session-ended"))) };
                    if let Some(outcome) = self.event(event) {
                        return outcome;
                    }
                    // What has come meanwhile is drawn together.
                    while let Ok(event) = self.session.events.try_recv() {
                        if let Some(outcome) = self.event(event) {
                            return outcome;
                        }
                    }
                }
                _ = beat.tick() => {}
            }
            self.refresh_footer();
            self.live.tick();
        }
    }

    fn event(&mut self, event: Event) -> Option<Result<TurnStop, Failure>> {
        // A mode that the person has just set was told then.
        let known =
            matches!(event.body, EventBody::ModeChanged { to, .. } if self.conversation.mode == Some(to));
        if !known {
            self.live.show(&event);
        }
        self.conversation.calls.extend(self.live.take_finished());
        self.conversation.note(&event);
        match &event.body {
            EventBody::PermissionRequest { id, tool_call, tool, what, reason, .. } => {
                let asking = Asking::permission(&mut self.live, id, tool_call, tool, what, reason);
                self.asking.push_back(asking);
            }
            EventBody::Question { id, questions, markdown } => {
                let asking = Asking::questions(&mut self.live, id, questions, markdown.as_deref());
                self.asking.push_back(asking);
            }
            EventBody::Usage { .. } | EventBody::ModeChanged { .. } => {
                self.conversation.refresh(self.context)
            }
            EventBody::TurnEnded { stop_reason, .. } => {
                self.live.footer = Default::default();
                if *stop_reason == TurnStop::Interrupted {
                    self.live.say(vec![Line::styled(say!("repl-interrupted"), palette::DIM)]);
                    let waiting = self.queue.take_all();
                    self.queue.typed.set(&waiting);
                }
                return Some(Ok(stop_reason.clone()));
            }
            _ => {}
        }
        None
    }

    fn key(&mut self, key: KeyEvent) -> Option<Result<TurnStop, Failure>> {
        if is_control(&key, 'c') {
            if self.interrupted {
                self.session.handle.send(Op::Shutdown);
                return Some(Err(Failure::told(Kind::Interrupted)));
            }
            self.interrupt();
            return None;
        }
        if let Some(asking) = self.asking.front_mut() {
            if let Some(reply) = asking.key(key, &mut self.queue.typed) {
                self.session.handle.send(reply.op);
                let arrow = self.live.abilities().sign("  → ", "  -> ");
                self.live.answer(Line::styled(format!("{arrow}{}", clean_line(&reply.told)), palette::DIM));
                match reply.more {
                    true => asking.show(&mut self.live),
                    false => drop(self.asking.pop_front()),
                }
            }
            return None;
        }
        match key.code {
            KeyCode::Esc if !self.queue.typed.is_empty() => drop(self.queue.typed.take()),
            KeyCode::Esc => self.interrupt(),
            KeyCode::Up if self.queue.typed.is_empty() => drop(self.queue.take_back()),
            KeyCode::Char('d') if key.modifiers.contains(KeyModifiers::CONTROL) => {}
            _ => {
                if let Some(line) = self.queue.typed.key(key).filter(|line| !line.trim().is_empty()) {
                    self.queue.waiting.push_back(line);
                }
            }
        }
        None
    }

    fn interrupt(&mut self) {
        self.interrupted = true;
        self.asking.clear();
        self.session.handle.send(Op::Interrupt);
    }

    fn refresh_footer(&mut self) {
        let footer = &mut self.live.footer;
        let asking = self.asking.front();
        footer.question = asking.and_then(Asking::keys);
        footer.queue = self.queue.waiting.iter().cloned().collect();
        footer.prompt = match asking {
            Some(asking) if asking.writing => format!("{} ", say!("repl-say")),
            _ => String::new(),
        };
        let typing = !self.queue.typed.is_empty() || asking.is_some_and(|asking| asking.writing);
        footer.typed = typing.then(|| (self.queue.typed.text(), self.queue.typed.place()));
        footer.status = self.conversation.status();
        self.live.touch();
    }
}

fn is_control(key: &KeyEvent, letter: char) -> bool {
    key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::CONTROL)
}

async fn watch_plainly(
    conversation: &mut Conversation,
    context: &Context,
    session: &mut LiveSession,
) -> Result<TurnStop, Failure> {
    let mut plain = Plain::with_questions(context);
    // One listener for the whole turn: what comes while a question is asked must not be lost.
    let mut interrupts = signal(SignalKind::interrupt()).ok();
    let mut interrupted = false;
    loop {
        let event = tokio::select! {
            event = session.events.next() => event,
            () = heard(&mut interrupts) => {
                if interrupted {
                    session.handle.send(Op::Shutdown);
                    return Err(Failure::told(Kind::Interrupted));
                }
                interrupted = true;
                session.handle.send(Op::Interrupt);
                continue;
            }
        };
        let Some(event) = event else { return Err(Failure::failed(say!("repl-session-ended"))) };
        plain.show(&event);
        conversation.calls.extend(plain.take_finished());
        conversation.note(&event);
        match &event.body {
            EventBody::PermissionRequest { id, what, reason, .. } => {
                let (reply, note) = ask_permission(context, what, reason);
                session.handle.send(Op::PermissionReply { id: id.clone(), reply, note });
            }
            EventBody::Question { id, questions, .. } => {
                for asked in questions {
                    let answer = ask_question(context, asked);
                    session.handle.send(Op::Answer { id: id.clone(), answer });
                }
            }
            EventBody::TurnEnded { stop_reason, .. } => {
                if *stop_reason == TurnStop::Interrupted {
                    context.note(say!("repl-interrupted"));
                }
                return Ok(stop_reason.clone());
            }
            _ => {}
        }
    }
}

async fn heard(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// What an operation that is no turn came to: the warning or error that it ends with.
pub async fn hear_outcome(
    conversation: &mut Conversation,
    context: &Context,
    session: &mut LiveSession,
) -> Result<(), Failure> {
    loop {
        let event = tokio::select! {
            event = session.events.next() => event,
            _ = tokio::signal::ctrl_c() => {
                session.handle.send(Op::Interrupt);
                return Err(Failure::told(Kind::Interrupted));
            }
        };
        let Some(event) = event else { return Err(Failure::failed(say!("repl-session-ended"))) };
        conversation.note(&event);
        match &event.body {
            EventBody::FileChanged { path, how, lines_added, lines_removed } => {
                let how = change_word(how);
                context.note(format_args!("  {how} {path} (+{lines_added} -{lines_removed})"));
            }
            EventBody::ContextCompacted { tokens_before, tokens_after, .. } => {
                context.note(format_args!(
                    "{}",
                    say!("repl-shortened", before = tokens_before, after = tokens_after)
                ));
                return Ok(());
            }
            EventBody::Warning { message } => {
                context.note(language::understood(message));
                return Ok(());
            }
            EventBody::Error { message, hint } => {
                let failure = Failure::new(Kind::Usage, message);
                return Err(match hint {
                    Some(hint) => failure.hint(hint),
                    None => failure,
                });
            }
            _ => {}
        }
    }
}

fn ask_permission(context: &Context, what: &str, reason: &str) -> (PermissionReply, Option<String>) {
    let bold = anstyle::Style::new().bold();
    let clean = crate::render::clean::clean;
    let wants = say!("permission-wants", what = language::permission(&clean(what)));
    context.note(format_args!("{bold}{wants}{bold:#}\n  {}", language::permission(&clean(reason))));
    let answer = context.ask(&format!("{} ", say!("permission-choices"))).unwrap_or_default();
    match answer.trim() {
        "y" | "yes" => (PermissionReply::Once, None),
        "s" => (PermissionReply::Session, None),
        "a" => (PermissionReply::Always, None),
        "" | "n" | "no" => (PermissionReply::Deny, None),
        words => (PermissionReply::Deny, Some(words.to_owned())),
    }
}

fn ask_question(context: &Context, asked: &Question) -> Answer {
    match context.ask(&crate::render::clean::clean(&question(asked))) {
        Ok(text) => answer_from(Some(asked), &text),
        Err(_) => Answer::default(),
    }
}
