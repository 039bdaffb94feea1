//! [`flash`]: write, prove, report.
//!
//! A back end that reads back proves by itself. The others are proved by what the firmware prints: its
//! build-id, or at least its boot banner.

use std::time::{Duration, Instant};

use fwai_schema::{
    evidence::{FlashEvidence, FlashProof, HardwareState},
    project::BootConfig,
};
use regex::Regex;

use crate::{
    boards::{Board, BoardError, ConsoleEvent, ConsoleFrom, Image},
    monitor::strip_escapes,
};

/// What must be known for a proof by console.
#[derive(Debug, Clone, Default)]
pub struct ProofWanted {
    pub boot: BootConfig,
    /// How long the console is listened to.
    pub patience: Option<Duration>,
}

/// Why flashing failed.
#[derive(Debug, thiserror::Error, fwai_schema::Speak)]
pub enum FlashError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error("`{pattern}` in `boot.success_patterns` is no regular expression: {what}")]
    Pattern { pattern: String, what: String },
}

/// All that evidence wants to know.
#[derive(Debug, Clone)]
pub struct FlashOutcome {
    pub evidence: FlashEvidence,
    pub hardware: HardwareState,
    pub duration: Duration,
    pub log: String,
}

/// Put the image on the board and say how it is known to be there.
pub async fn flash(
    board: &mut dyn Board,
    image: &Image,
    build_run: Option<String>,
    wanted: &ProofWanted,
) -> Result<FlashOutcome, FlashError> {
    let started = Instant::now();
    let banners = banners(&wanted.boot)?;
    let mut report = board.flash(image).await?;
    if report.proof.method == "none" {
        let patience = wanted.patience.unwrap_or(Duration::from_secs(wanted.boot.timeout_s.unwrap_or(10)));
        report.proof = listen(board, image, &banners, patience, report.proof).await;
    }
    let identity = board.identify().await.unwrap_or_default();
    let hardware = identity.hardware_state(board.def());
    let evidence = FlashEvidence {
        board: board.def().name.clone(),
        image: image.path.display().to_string(),
        image_sha256: image.sha256.clone(),
        build_id: image.build_id.clone(),
        build_run,
        bytes: report.bytes,
        proof: report.proof,
    };
    Ok(FlashOutcome { evidence, hardware, duration: started.elapsed(), log: report.log })
}

fn banners(boot: &BootConfig) -> Result<Vec<Regex>, FlashError> {
    let compile = |pattern: &String| {
        Regex::new(pattern)
            .map_err(|error| FlashError::Pattern { pattern: pattern.clone(), what: error.to_string() })
    };
    boot.success_patterns.iter().map(compile).collect()
}

/// Listen for the build-id, which proves, or the banner, which only suggests.
async fn listen(
    board: &mut dyn Board,
    image: &Image,
    banners: &[Regex],
    patience: Duration,
    none: FlashProof,
) -> FlashProof {
    let needle = image.build_id.as_deref().filter(|id| id.len() >= 8);
    if needle.is_none() && banners.is_empty() {
        let detail =
            "the back end cannot read back, the image has no build-id and the project no boot patterns";
        return FlashProof { detail: Some(detail.into()), ..none };
    }
    let mut console = match board.console(ConsoleFrom::Boot).await {
        Ok(console) => console,
        Err(error) => {
            return FlashProof { detail: Some(format!("no console to listen to: {error}")), ..none };
        }
    };
    // The banner may have passed before the port was open again; a reset makes the firmware say it again.
    let _ = board.reset().await;
    let deadline = tokio::time::Instant::now() + patience;
    let mut text = String::new();
    let mut banner = None;
    let mut other_id = None;
    while tokio::time::Instant::now() < deadline {
        match console.next(Duration::from_millis(100)).await {
            Ok(ConsoleEvent::Bytes(bytes)) => text.push_str(&strip_escapes(&String::from_utf8_lossy(&bytes))),
            Ok(ConsoleEvent::Quiet) if banner.is_some() && needle.is_none() => break,
            Ok(ConsoleEvent::Quiet | ConsoleEvent::Lost(_) | ConsoleEvent::Back) => {}
            Ok(ConsoleEvent::Ended(_) | ConsoleEvent::Crashed(_)) | Err(_) => break,
        }
        let lower = text.to_ascii_lowercase();
        if let Some(id) = needle
            && lower.contains(id)
        {
            return FlashProof {
                method: "build_id".into(),
                ok: true,
                detail: Some(format!("the firmware printed its build-id {id}")),
            };
        }
        other_id = other_id.or_else(|| printed_id(&lower, needle?));
        if banner.is_none() {
            banner = banners
                .iter()
                .find_map(|pattern| text.lines().find(|line| pattern.is_match(line)))
                .map(str::to_string);
        }
        if banner.is_some() && needle.is_none() {
            break;
        }
    }
    match (other_id, banner, needle) {
        (Some(other), _, Some(id)) => {
            let detail =
                format!("the firmware printed build-id {other}, the image is {id}: another image runs");
            FlashProof { method: "build_id".into(), ok: false, detail: Some(detail) }
        }
        (_, Some(line), _) => FlashProof {
            method: "banner".into(),
            ok: true,
            detail: Some(format!("the firmware printed `{}`", line.trim())),
        },
        _ => FlashProof {
            detail: Some(format!(
                "the firmware printed neither its build-id nor a boot banner within {} s",
                patience.as_secs()
            )),
            ..none
        },
    }
}

/// A build-id of the same length that follows the words for it, and is another.
fn printed_id(lower: &str, ours: &str) -> Option<String> {
    let after = ["build-id", "build id", "build_id"].iter().find_map(|words| lower.split_once(words))?.1;
    let word: String =
        after.trim_start_matches([' ', ':', '=', '"']).chars().take_while(char::is_ascii_hexdigit).collect();
    (word.len() == ours.len() && word != ours).then_some(word)
}
