//! Looking for text in what is loaded: banners, versions, format strings.

use super::ElfImage;

/// A piece of text and where it is at run time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    pub address: u64,
    pub text: String,
}

impl ElfImage {
    /// Run-time addresses at which these bytes stand in the loaded image.
    pub fn find_bytes(&self, needle: &[u8]) -> Vec<u64> {
        if needle.is_empty() {
            return Vec::new();
        }
        let finder = memchr::memmem::Finder::new(needle);
        let mut found: Vec<u64> = self
            .load_segments()
            .flat_map(|segment| {
                finder.find_iter(self.segment_data(segment)).map(|at| segment.address.wrapping_add(at as u64))
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// Runs of printable ASCII that are at least `shortest` long and end in NUL or a line end.
    pub fn strings(&self, shortest: usize) -> Vec<FoundText> {
        let printable = |byte: &u8| matches!(byte, 0x20..=0x7e | b'\t' | b'\n' | b'\r' | 0x1b);
        let mut found = Vec::new();
        for segment in self.load_segments() {
            let mut at = 0;
            for run in self.segment_data(segment).split_inclusive(|byte| !printable(byte)) {
                if let Some((0, text)) = run.split_last()
                    && text.len() >= shortest.max(1)
                {
                    found.push(FoundText {
                        address: segment.address.wrapping_add(at as u64),
                        text: String::from_utf8_lossy(text).into_owned(),
                    });
                }
                at += run.len();
            }
        }
        found
    }

    /// The NUL-terminated text at a run-time address.
    pub fn text_at(&self, address: u64) -> Option<String> {
        let segment = self.load_segments().find(|segment| segment.holds(address))?;
        let start = usize::try_from(address - segment.address).ok()?;
        let rest = self.segment_data(segment).get(start..)?;
        Some(String::from_utf8_lossy(&rest[..memchr::memchr(0, rest)?]).into_owned())
    }
}
