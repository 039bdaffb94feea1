//! The fast first look: where do four bytes of some keyword stand?
//!
//! Each keyword is represented by its rarest four consecutive bytes, letters folded. A table
//! over a hash of four folded bytes answers "surely not" for nearly every position of ordinary text
//! with one branch per four bytes, which is several times faster than stepping an automaton.

use std::sync::OnceLock;

const BITS: u32 = 16;
const FOLD: u32 = 0x2020_2020;

/// One keyword form: what stands in the text, and the caller's number for it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub text: Vec<u8>,
    /// Letters match in any case.
    pub fold: bool,
    /// Where the four bytes lie in `text`.
    gram_at: usize,
    pub id: u32,
}

#[derive(Debug)]
pub(super) struct Filter {
    table: Box<[u8; 1 << BITS]>,
    /// (folded four bytes, entry), sorted by slot.
    grams: Vec<(u32, u32)>,
    /// Where the grams of each slot begin in `grams`.
    starts: Vec<u16>,
    entries: Vec<Entry>,
    /// Hashes of the beginnings of entries that a piece of text could end with; only streams need them.
    beginnings: OnceLock<Beginnings>,
}

#[derive(Debug)]
struct Beginnings {
    hashes: Vec<u64>,
    longest: usize,
}

impl Entry {
    /// `from_start` keeps the four bytes at the start, for forms whose rest may be broken into lines.
    pub fn new(text: Vec<u8>, fold: bool, id: u32, from_start: bool) -> Self {
        let gram_at = if from_start || text.len() <= 4 { 0 } else { rarest_gram(&text) };
        Self { text, fold, gram_at, id }
    }
}

/// Offset of the four bytes that ordinary text holds least often.
fn rarest_gram(text: &[u8]) -> usize {
    let rarity = |byte: &u8| match byte.to_ascii_lowercase() {
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' | b' ' | b'-' | b'=' => 0u32,
        b'j' | b'q' | b'x' | b'z' | b'k' | b'w' | b'v' => 4,
        b'a'..=b'z' => 2,
        _ => 3,
    };
    let score = |at: &usize| text[*at..*at + 4].iter().map(rarity).sum::<u32>();
    (0..=text.len() - 4).rev().max_by_key(score).unwrap_or(0)
}

fn fold4(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes) | FOLD
}

/// Folded bytes of `A-Za-z0-9_.~-`.
fn may_follow(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'~' | 0x7f)
}

#[inline(always)]
fn slot(gram: u32) -> usize {
    (gram.wrapping_mul(0x9E37_79B1) >> (32 - BITS)) as usize
}

/// FNV-1a over folded bytes, one step.
fn hash_step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte | 0x20)).wrapping_mul(0x0100_0000_01b3)
}

const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;

impl Filter {
    /// Entries shorter than three bytes are left out.
    pub fn new(entries: Vec<Entry>) -> Self {
        let mut filter = Self {
            table: Box::new([0; 1 << BITS]),
            grams: Vec::new(),
            starts: Vec::new(),
            entries,
            beginnings: OnceLock::new(),
        };
        for (index, entry) in filter.entries.iter().enumerate() {
            let gram = &entry.text[entry.gram_at..];
            match *gram {
                [a, b, c, d, ..] => filter.grams.push((fold4([a, b, c, d]), index as u32)),
                // Three bytes stand for every fourth that a token may have.
                [a, b, c] => {
                    (0..=255u8).filter(|d| d & 0x20 != 0 && may_follow(*d)).for_each(|d| {
                        filter.grams.push((fold4([a, b, c, d]), index as u32));
                    });
                }
                _ => continue,
            }
        }
        filter.grams.sort_unstable_by_key(|(gram, entry)| (slot(*gram), *entry));
        filter.grams.truncate(usize::from(u16::MAX));
        filter.starts = Vec::with_capacity((1 << BITS) + 1);
        filter.starts.push(0);
        let mut next = 0;
        for number in 0..1 << BITS {
            while filter.grams.get(next).is_some_and(|(gram, _)| slot(*gram) == number) {
                next += 1;
            }
            filter.starts.push(next as u16);
        }
        for (gram, _) in &filter.grams {
            let slot = slot(*gram);
            filter.table[slot] = 1;
        }
        filter
    }

    #[inline(always)]
    fn bit(&self, gram: u32) -> u8 {
        self.table[slot(gram)]
    }

    #[inline(always)]
    fn hit(&self, gram: u32) -> bool {
        self.bit(gram) != 0
    }

    /// Calls `found` with every entry whose four bytes stand in `text` behind `from`, and where, in order of its four bytes.
    pub fn candidates<'a>(&'a self, text: &[u8], from: usize, mut found: impl FnMut(&'a Entry, usize)) {
        let mut at = from;
        while let Some(window) = text.get(at..at + 8) {
            let word: [u8; 8] = window.try_into().expect("a window of eight bytes");
            let word = u64::from_le_bytes(word) | (u64::from(FOLD) << 32 | u64::from(FOLD));
            let (first, second, third, fourth) =
                (word as u32, (word >> 8) as u32, (word >> 16) as u32, (word >> 24) as u32);
            if (self.bit(first) | self.bit(second) | self.bit(third) | self.bit(fourth)) != 0 {
                for (offset, gram) in [first, second, third, fourth].into_iter().enumerate() {
                    if self.hit(gram) {
                        self.confirm(text, at + offset, gram, &mut found);
                    }
                }
            }
            at += 4;
        }
        while let Some(&[a, b, c, d]) = text.get(at..at + 4) {
            let gram = fold4([a, b, c, d]);
            if self.hit(gram) {
                self.confirm(text, at, gram, &mut found);
            }
            at += 1;
        }
    }

    #[inline(never)]
    fn confirm<'a>(&'a self, text: &[u8], at: usize, gram: u32, found: &mut impl FnMut(&'a Entry, usize)) {
        let slot = slot(gram);
        let of_slot = usize::from(self.starts[slot])..usize::from(self.starts[slot + 1]);
        for (_, index) in self.grams[of_slot].iter().filter(|(other, _)| *other == gram) {
            let entry = &self.entries[*index as usize];
            let Some(start) = at.checked_sub(entry.gram_at) else { continue };
            if entry.stands_at(text, start) {
                found(entry, start);
            }
        }
    }

    /// Where the beginning of a keyword that may go on in the next piece stands at the end of `text`.
    /// A hash collision only keeps a few bytes back for longer.
    pub fn open_end(&self, text: &[u8]) -> Option<usize> {
        let beginnings = self.beginnings.get_or_init(|| self.hash_beginnings());
        let longest = beginnings.longest.min(text.len());
        (text.len() - longest..text.len()).find(|start| {
            let hash = text[*start..].iter().fold(HASH_START, |hash, byte| hash_step(hash, *byte));
            beginnings.hashes.binary_search(&hash).is_ok()
        })
    }

    fn hash_beginnings(&self) -> Beginnings {
        let mut hashes = Vec::new();
        let mut longest = 0;
        for entry in &self.entries {
            let compared = entry.compared();
            // Three bytes are found with their fourth, so all of them may stand open.
            let proper = if compared.len() < 4 { compared.len() } else { compared.len() - 1 };
            longest = longest.max(proper);
            hashes.extend(compared[..proper].iter().scan(HASH_START, |hash, byte| {
                *hash = hash_step(*hash, *byte);
                Some(*hash)
            }));
        }
        hashes.sort_unstable();
        hashes.dedup();
        Beginnings { hashes, longest }
    }
}

impl Entry {
    /// Of forms that may be broken into lines only the first four bytes are compared here; the
    /// caller checks the rest.
    fn compared(&self) -> &[u8] {
        if self.id & BROKEN != 0 { &self.text[..4.min(self.text.len())] } else { &self.text }
    }

    fn stands_at(&self, text: &[u8], start: usize) -> bool {
        let compared = self.compared();
        text.get(start..start + compared.len()).is_some_and(|there| {
            if self.fold { there.eq_ignore_ascii_case(compared) } else { there == compared }
        })
    }
}

/// Set in the number of entries of which only the first four bytes are compared here.
pub(super) const BROKEN: u32 = 1 << 31;
