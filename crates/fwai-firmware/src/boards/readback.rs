//! Proof by reading the target's memory back and comparing it with the image.

use std::future::Future;

use fwai_schema::evidence::FlashProof;

use super::{BoardError, Image};

/// Reads every stored segment through `read(address, length)` and compares.
pub async fn compare<F, R>(image: &Image, mut read: F) -> Result<FlashProof, BoardError>
where
    F: FnMut(u64, usize) -> R,
    R: Future<Output = Result<Vec<u8>, BoardError>>,
{
    let mut compared = 0u64;
    for segment in image.segments.iter().filter(|segment| !segment.data.is_empty()) {
        let found = read(segment.address, segment.data.len()).await?;
        if let Some(detail) = first_difference(segment.address, &segment.data, &found) {
            return Ok(FlashProof { method: "readback".into(), ok: false, detail: Some(detail) });
        }
        compared += segment.data.len() as u64;
    }
    let detail = format!("{compared} bytes read back and equal to {}", image.path.display());
    Ok(FlashProof { method: "readback".into(), ok: true, detail: Some(detail) })
}

/// Where memory and image part, in words.
pub fn first_difference(address: u64, wanted: &[u8], found: &[u8]) -> Option<String> {
    if found.len() < wanted.len() {
        return Some(format!(
            "only {} of {} bytes at {address:#010x} could be read",
            found.len(),
            wanted.len()
        ));
    }
    let at = wanted.iter().zip(found).position(|(wanted, found)| wanted != found)?;
    let differing = wanted.iter().zip(found).filter(|(wanted, found)| wanted != found).count();
    Some(format!(
        "{differing} bytes differ, the first at {:#010x}: image {:02x}, board {:02x}",
        address + at as u64,
        wanted[at],
        found[at]
    ))
}
