//! Which documents a person should add for this chip and board.

use super::chips;
use super::detection::Detection;

/// From the most to the least useful, in words that find them on the vendor's site.
pub fn worth_adding(detection: &Detection) -> Vec<String> {
    let mut documents = Vec::new();
    let chip = detection.get("mcu").map(|mcu| mcu.value.clone());
    match &chip {
        Some(chip) => {
            documents.push(format!("datasheet of the {chip}"));
            let known = chips::family(chip).map(|family| family.documents.clone()).unwrap_or_default();
            if known.is_empty() {
                documents.push(format!("reference manual of the {chip}"));
            }
            documents.extend(known.into_iter().map(|name| format!("{name} ({chip})")));
            documents.push(format!("errata sheet of the {chip}"));
        }
        None => {
            documents.push("datasheet of the microcontroller".to_owned());
            documents.push("reference manual of the microcontroller".to_owned());
            documents.push("errata sheet of the microcontroller".to_owned());
        }
    }
    match detection.get("board") {
        Some(board) => documents.push(format!("schematic of the board {}", board.value)),
        None => documents.push("schematic of the board".to_owned()),
    }
    documents
}
