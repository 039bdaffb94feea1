//! The log as a whole: every entry against its hash, every hash against its tile, the root against the
//! checkpoint, every signature against its key.

use std::{
    borrow::Cow,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::Deserialize;

use super::{
    many_signatures::{ManySignatures, OpenedSignature, Signed},
    report::Problem,
};
use crate::{
    dsse::{Envelope, EnvelopeError, decode, pae_head},
    log::{LogSnapshot, entries_in},
    merkle::{Hash, HashSource as _, TILE_WIDTH, TilePath, leaf_hash, node_hash, reduce},
    public_key::PublicKey,
    statement::{PAYLOAD_TYPE, ROTATION_PREDICATE, RUN_PREDICATE, STATEMENT_TYPE, open_rotation},
    trust::{LoggedRotation, Standing, Trust, TrustInLog},
};

/// The leaves of a log and what is wrong with them.
#[derive(Debug, Default)]
pub struct CheckedLog {
    pub leaves: Vec<Leaf>,
    pub problems: Vec<Problem>,
    pub trust: TrustInLog,
}

/// One leaf.
#[derive(Debug, Clone)]
pub struct Leaf {
    pub index: u64,
    pub hash: Hash,
    pub kind: LeafKind,
}

/// What a leaf states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeafKind {
    Run(String),
    Rotation,
    /// Not a statement that this version knows.
    Other,
}

/// The part of a statement that the log check needs; the rest is skipped while reading.
#[derive(Deserialize)]
struct StatementHead<'e> {
    #[serde(rename = "_type", borrow)]
    kind: Cow<'e, str>,
    #[serde(rename = "predicateType", borrow)]
    predicate_type: Cow<'e, str>,
    predicate: PredicateHead,
}

#[derive(Deserialize)]
struct PredicateHead {
    #[serde(default)]
    run_id: Option<String>,
}

/// Bundles that cannot be read, before the rest is given up.
const MOST_MISSING: u64 = 100;

/// What one bundle showed.
#[derive(Default)]
struct CheckedBundle {
    leaves: Vec<Leaf>,
    signed: Vec<(u64, Option<PublicKey>)>,
    /// Signatures that name a trusted key, with the key's place in the list and their leaf.
    named: Vec<(usize, u64, OpenedSignature)>,
    rotations: Vec<LoggedRotation>,
    problems: Vec<Problem>,
    /// The hash above, when the bundle is full; the leaf hashes otherwise.
    top: Vec<Hash>,
}

/// Checks a whole log.
pub fn check_log(snapshot: &LogSnapshot, trust: &Trust) -> CheckedLog {
    let bundles = snapshot.bundles();
    let keys: Vec<KeyInUse> = trust.keys().map(KeyInUse::new).collect();
    let (next, missing) = (AtomicU64::new(0), AtomicU64::new(0));
    let done: Mutex<Vec<(u64, CheckedBundle)>> = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(bundles as usize).max(1);
    let found: Mutex<Vec<(u64, Option<PublicKey>)>> = Mutex::new(Vec::new());
    let work = || {
        let mut waiting = Vec::new();
        let judge = |waiting: &mut Vec<_>| {
            let signers = judge_named(&keys, waiting);
            found.lock().expect("no worker panics while it holds the lock").extend(signers);
            waiting.clear();
        };
        loop {
            let bundle = next.fetch_add(1, Ordering::Relaxed);
            if bundle >= bundles {
                break;
            }
            let mut checked = check_bundle(snapshot, bundle, &keys);
            // A checkpoint can state any size; one that nothing of is there is not counted to its end.
            if checked.leaves.is_empty() && missing.fetch_add(1, Ordering::Relaxed) >= MOST_MISSING {
                next.store(bundles, Ordering::Relaxed);
            }
            waiting.append(&mut checked.named);
            done.lock().expect("no worker panics while it holds the lock").push((bundle, checked));
            if waiting.len() >= JUDGED_AT_ONCE {
                judge(&mut waiting);
            }
        }
        judge(&mut waiting);
    };
    std::thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().expect("all workers have ended");
    done.sort_by_key(|(bundle, _)| *bundle);

    let mut checked = CheckedLog::default();
    let mut rotations = Vec::new();
    let (mut row, mut edge) = (Vec::new(), Vec::new());
    let mut signed = found.into_inner().expect("all workers have ended");
    for (bundle, part) in done {
        checked.leaves.extend(part.leaves);
        checked.problems.extend(part.problems);
        rotations.extend(part.rotations);
        signed.extend(part.signed);
        if snapshot.width_of(bundle) == TILE_WIDTH { row.extend(part.top) } else { edge = part.top }
    }
    // Problems are told in the order of the log.
    signed.sort_unstable_by_key(|(index, _)| *index);
    checked.trust = trust.within(&rotations);
    check_signers(snapshot, &mut checked, signed);
    check_upper_tiles(snapshot, &mut checked, row, edge);
    check_duplicates(&mut checked);
    checked
}

fn check_bundle(snapshot: &LogSnapshot, bundle: u64, keys: &[KeyInUse]) -> CheckedBundle {
    let width = snapshot.width_of(bundle);
    let name = TilePath::entries(bundle, width);
    let mut checked = CheckedBundle::default();
    let bytes = snapshot.bundle(bundle);
    let entries = bytes.as_ref().ok().and_then(|bytes| entries_in(bytes, width));
    let tile = snapshot.tile(0, bundle, width);
    if let Err(error) = &tile {
        checked.problems.push(log_problem(TilePath::hashes(0, bundle, width), error.to_string()));
    }
    let Some(entries) = entries else {
        let what = match bytes {
            Err(error) => error.to_string(),
            Ok(_) => "is cut off, or its lengths were changed".to_owned(),
        };
        checked.problems.push(log_problem(name, what));
        return checked;
    };
    if width == TILE_WIDTH {
        let used = entries.iter().map(|entry| entry.len() + 2).sum();
        if bytes.as_ref().is_ok_and(|bytes| bytes.len() > used) {
            checked.problems.push(log_problem(name, "holds more than its entries"));
        }
        check_end(snapshot, TilePath::hashes(0, bundle, width), &mut checked.problems);
    }
    let mut hashes = Vec::with_capacity(entries.len());
    let mut opened = Vec::with_capacity(entries.len());
    for (inside, entry) in entries.iter().enumerate() {
        let index = bundle * TILE_WIDTH + inside as u64;
        let hash = leaf_hash(entry);
        hashes.push(hash);
        if let Ok(tile) = &tile
            && tile[inside] != hash
        {
            checked
                .problems
                .push(log_problem(name, format!("entry {index} does not match its hash in the tree")));
        }
        let kind = OpenedEntry::open(entry, index).map_err(|error| error.to_string()).and_then(|entry| {
            let kind = entry.kind(&mut checked);
            opened.push(entry);
            kind
        });
        let kind = kind.unwrap_or_else(|what| {
            checked.problems.push(log_problem(name, format!("entry {index}: {what}")));
            LeafKind::Other
        });
        checked.leaves.push(Leaf { index, hash, kind });
    }
    find_signers(&opened, keys, &mut checked);
    checked.top = if width == TILE_WIDTH { vec![reduce(&hashes)] } else { hashes };
    checked
}

/// A key that is trusted from the start, ready for many signatures.
struct KeyInUse {
    id: String,
    many: ManySignatures,
}

impl KeyInUse {
    fn new(key: &PublicKey) -> Self {
        Self { id: key.id(), many: ManySignatures::of(*key) }
    }
}

/// An envelope as [`Envelope`] reads it, but without copies.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BorrowedEnvelope<'e> {
    #[serde(borrow)]
    payload_type: Cow<'e, str>,
    #[serde(borrow)]
    payload: Cow<'e, str>,
    #[serde(borrow)]
    signatures: Vec<BorrowedSignature<'e>>,
}

#[derive(Deserialize)]
struct BorrowedSignature<'e> {
    #[serde(default, borrow)]
    keyid: Cow<'e, str>,
    #[serde(borrow)]
    sig: Cow<'e, str>,
}

/// An entry taken apart once.
struct OpenedEntry<'e> {
    index: u64,
    bytes: &'e [u8],
    /// Of the only signature; empty when there are several.
    keyid: Cow<'e, str>,
    signatures: Vec<Vec<u8>>,
    is_statement: bool,
    /// What is signed: its head, and the payload.
    head: Vec<u8>,
    payload: Vec<u8>,
}

impl<'e> OpenedEntry<'e> {
    fn open(bytes: &'e [u8], index: u64) -> Result<Self, EnvelopeError> {
        let envelope: BorrowedEnvelope<'e> = serde_json::from_slice(bytes)?;
        if envelope.signatures.is_empty() {
            return Err(EnvelopeError::Unsigned);
        }
        let payload = decode(&envelope.payload).ok_or(EnvelopeError::Payload)?;
        let signatures = envelope.signatures.iter().filter_map(|signature| decode(&signature.sig)).collect();
        let mut named = envelope.signatures.into_iter().map(|signature| signature.keyid);
        let keyid = named.next().filter(|_| named.next().is_none()).unwrap_or_default();
        Ok(Self {
            index,
            bytes,
            keyid,
            signatures,
            is_statement: envelope.payload_type == PAYLOAD_TYPE,
            head: pae_head(&envelope.payload_type, payload.len()),
            payload,
        })
    }

    fn kind(&self, checked: &mut CheckedBundle) -> Result<LeafKind, String> {
        if !self.is_statement {
            return Ok(LeafKind::Other);
        }
        let head: StatementHead<'_> =
            serde_json::from_slice(&self.payload).map_err(|error| format!("not a statement: {error}"))?;
        match (&*head.kind, &*head.predicate_type, head.predicate.run_id) {
            (STATEMENT_TYPE, RUN_PREDICATE, Some(run_id)) => Ok(LeafKind::Run(run_id)),
            (STATEMENT_TYPE, ROTATION_PREDICATE, _) => {
                let envelope = Envelope::parse(self.bytes).map_err(|error| error.to_string())?;
                let (old, new) = open_rotation(&envelope).map_err(|error| error.to_string())?;
                checked.rotations.push(LoggedRotation { index: self.index, old, new });
                Ok(LeafKind::Rotation)
            }
            _ => Ok(LeafKind::Other),
        }
    }

    /// The key among `keys` that signed it, whatever it says about that.
    fn signer_among(&self, keys: &[KeyInUse]) -> Option<PublicKey> {
        let message = [&self.head[..], &self.payload].concat();
        let signed = |key: &PublicKey| self.signatures.iter().any(|one| key.verifies(&message, one));
        keys.iter().map(|key| key.many.key).find(signed)
    }
}

/// Who signed each entry. Signatures that name a trusted key wait to be judged together; the others are looked
/// at one by one.
fn find_signers(entries: &[OpenedEntry<'_>], keys: &[KeyInUse], checked: &mut CheckedBundle) {
    for entry in entries {
        let named = keys.iter().enumerate().find(|(_, key)| key.id == entry.keyid);
        let opened = named.filter(|_| entry.signatures.len() == 1).and_then(|(place, key)| {
            let message = [&entry.head[..], &entry.payload];
            Some((place, key.many.open(&Signed { message, signature: &entry.signatures[0] })?))
        });
        match opened {
            Some((place, signature)) => checked.named.push((place, entry.index, signature)),
            None => checked.signed.push((entry.index, entry.signer_among(keys))),
        }
    }
}

/// Enough that their sum costs little for each, few enough that one bad signature costs little time.
const JUDGED_AT_ONCE: usize = 1 << 14;

/// Who made the signatures that name a key. Whoever named the wrong one is looked at again later.
fn judge_named(keys: &[KeyInUse], named: &[(usize, u64, OpenedSignature)]) -> Vec<(u64, Option<PublicKey>)> {
    let mut signers = Vec::with_capacity(named.len());
    for (place, key) in keys.iter().enumerate() {
        let of_key = || named.iter().filter(|(named, ..)| *named == place);
        let signatures: Vec<&OpenedSignature> = of_key().map(|(.., signature)| signature).collect();
        let held = key.many.verify(&signatures);
        signers
            .extend(of_key().zip(held).map(|((_, index, _), holds)| (*index, holds.then_some(key.many.key))));
    }
    signers
}

/// Signatures by keys that only a rotation made trusted were not found at first; they are looked at again.
fn check_signers(snapshot: &LogSnapshot, checked: &mut CheckedLog, signed: Vec<(u64, Option<PublicKey>)>) {
    for (index, signer) in signed {
        let position =
            checked.leaves.binary_search_by_key(&index, |leaf| leaf.index).expect("every entry has a leaf");
        let leaf = &checked.leaves[position];
        if leaf.kind == LeafKind::Rotation {
            continue;
        }
        let signer = signer.or_else(|| {
            let envelope = Envelope::parse(&snapshot.entry(index).ok()?).ok()?;
            envelope.signers_among(checked.trust.keys()).first().copied()
        });
        let what = match signer.map(|key| (key, checked.trust.standing(&key, index))) {
            Some((_, Standing::Trusted)) => continue,
            Some((key, Standing::Retired(at))) => {
                format!("is signed by {key}, which was replaced at leaf {at}")
            }
            _ => "is not signed by any trusted key; name its key in `policy.trusted_keys` if you trust it"
                .to_owned(),
        };
        let (run_id, file) = match &leaf.kind {
            LeafKind::Run(id) => (Some(id.clone()), format!(".fwai/runs/{id}/attestation.dsse.json")),
            _ => (None, format!(".fwai/log/tile/entries (entry {index})")),
        };
        checked.problems.push(Problem { run_id, file, what });
    }
}

/// A tile that the checkpoint covers is full to its end. One that still fills may hold what a crash left, and the
/// next write cuts it off.
fn check_end(snapshot: &LogSnapshot, tile: TilePath, problems: &mut Vec<Problem>) {
    if snapshot.behind_hashes(tile) > 0 {
        problems.push(log_problem(tile, "holds more than its hashes"));
    }
}

/// Recomputes every level above the leaves and compares it with what the tiles say, up to the root.
fn check_upper_tiles(snapshot: &LogSnapshot, checked: &mut CheckedLog, full: Vec<Hash>, edge: Vec<Hash>) {
    let mut root = fold(None, &edge);
    let mut row = full;
    let mut level = 1;
    while !row.is_empty() {
        let mut above = Vec::new();
        for (index, hashes) in row.chunks(TILE_WIDTH as usize).enumerate() {
            let name = TilePath::hashes(level, index as u64, hashes.len() as u64);
            match snapshot.tile(level, index as u64, hashes.len() as u64) {
                Err(error) => checked.problems.push(log_problem(name, error.to_string())),
                Ok(tile) if tile != hashes => {
                    checked.problems.push(log_problem(name, "differs from the hashes below it"));
                }
                Ok(_) => {}
            }
            if hashes.len() as u64 == TILE_WIDTH {
                check_end(snapshot, name, &mut checked.problems);
                above.push(reduce(hashes))
            } else {
                root = fold(root, hashes)
            }
        }
        row = above;
        level += 1;
    }
    let computed = root.unwrap_or_else(crate::merkle::empty_root);
    let readable = checked.leaves.len() as u64 == snapshot.size();
    if readable && computed != snapshot.signed.checkpoint.root {
        let what = format!("states another root than the {} entries of the log have", snapshot.size());
        checked.problems.push(Problem { run_id: None, file: ".fwai/log/checkpoint".to_owned(), what });
    }
}

/// Joins the complete subtrees of an unfinished row to what lies right of it.
fn fold(right: Option<Hash>, row: &[Hash]) -> Option<Hash> {
    let (mut root, mut rest) = (right, row);
    while !rest.is_empty() {
        let count = 1 << rest.len().trailing_zeros();
        let (before, subtree) = rest.split_at(rest.len() - count);
        let left = reduce(subtree);
        root = Some(root.map_or(left, |right| node_hash(&left, &right)));
        rest = before;
    }
    root
}

fn check_duplicates(checked: &mut CheckedLog) {
    let mut seen = std::collections::HashMap::new();
    for leaf in &checked.leaves {
        if let LeafKind::Run(id) = &leaf.kind
            && let Some(first) = seen.insert(id.as_str(), leaf.index)
        {
            checked.problems.push(Problem {
                run_id: Some(id.clone()),
                file: format!(".fwai/log/tile/entries (entries {first} and {})", leaf.index),
                what: "two statements speak of the same run".to_owned(),
            });
        }
    }
}

fn log_problem(tile: TilePath, what: impl Into<String>) -> Problem {
    Problem { run_id: None, file: format!(".fwai/log/{tile}"), what: what.into() }
}
