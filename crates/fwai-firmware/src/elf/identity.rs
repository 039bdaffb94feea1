//! Who an image is: its build-id.

use std::fmt;

use sha2::{Digest, Sha256};

use super::ElfImage;

/// What names one build among all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildId {
    /// Lower-case hexadecimal.
    pub hex: String,
    pub source: BuildIdSource,
}

/// Where a build-id comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildIdSource {
    /// The linker's GNU note.
    GnuNote,
    /// SHA-256 over what is loaded: every load address, length and byte.
    LoadedBytes,
}

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex)
    }
}

impl ElfImage {
    /// The linker's build-id, else a hash of what is loaded.
    pub fn build_id(&self) -> BuildId {
        match self.gnu_build_id() {
            Some(id) => BuildId { hex: hex::encode(id), source: BuildIdSource::GnuNote },
            None => BuildId { hex: self.loaded_sha256(), source: BuildIdSource::LoadedBytes },
        }
    }

    /// The GNU note, when the linker wrote one.
    pub fn gnu_build_id(&self) -> Option<&[u8]> {
        const NT_GNU_BUILD_ID: u32 = 3;
        self.note(b"GNU", NT_GNU_BUILD_ID).filter(|id| !id.is_empty())
    }

    /// SHA-256 over every loaded byte with its load address. Debug information and names do not
    /// count, so a stripped copy has the same value.
    pub fn loaded_sha256(&self) -> String {
        let mut hash = Sha256::new();
        for (address, bytes) in self.load_chunks() {
            hash.update(address.to_le_bytes());
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
        hex::encode(hash.finalize())
    }
}
