//! The log as a whole: every entry against its hash, every hash against its tile, the root against the
//! checkpoint, every signature against its key.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use serde::Deserialize;

use super::{
    batch::{Signed, all_signed},
    report::Problem,
};
use crate::{
    dsse::{Envelope, decode, pae},
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
struct StatementHead {
    #[serde(rename = "_type")]
    kind: String,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    predicate: PredicateHead,
}

#[derive(Deserialize)]
struct PredicateHead {
    #[serde(default)]
    run_id: Option<String>,
}

/// What one bundle showed.
#[derive(Default)]
struct CheckedBundle {
    leaves: Vec<Leaf>,
    signed: Vec<(u64, Option<PublicKey>)>,
    rotations: Vec<LoggedRotation>,
    problems: Vec<Problem>,
    /// The hash above, when the bundle is full; the leaf hashes otherwise.
    top: Vec<Hash>,
}

/// Checks a whole log.
pub fn check_log(snapshot: &LogSnapshot, trust: &Trust) -> CheckedLog {
    let bundles = snapshot.bundles();
    let next = AtomicU64::new(0);
    let done: Mutex<Vec<(u64, CheckedBundle)>> = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(bundles as usize).max(1);
    let work = || {
        loop {
            let bundle = next.fetch_add(1, Ordering::Relaxed);
            if bundle >= bundles {
                break;
            }
            let checked = check_bundle(snapshot, bundle, trust);
            done.lock().expect("no worker panics while it holds the lock").push((bundle, checked));
        }
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
    let mut signed = Vec::new();
    for (bundle, part) in done {
        checked.leaves.extend(part.leaves);
        checked.problems.extend(part.problems);
        rotations.extend(part.rotations);
        signed.extend(part.signed);
        if snapshot.width_of(bundle) == TILE_WIDTH { row.extend(part.top) } else { edge = part.top }
    }
    checked.trust = trust.within(&rotations);
    check_signers(snapshot, &mut checked, signed);
    check_upper_tiles(snapshot, &mut checked, row, edge);
    check_duplicates(&mut checked);
    checked
}

fn check_bundle(snapshot: &LogSnapshot, bundle: u64, trust: &Trust) -> CheckedBundle {
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
        let kind = OpenedEntry::open(entry, index).and_then(|entry| {
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
    checked.signed = find_signers(&opened, trust);
    checked.top = if width == TILE_WIDTH { vec![reduce(&hashes)] } else { hashes };
    checked
}

/// An entry taken apart once.
struct OpenedEntry {
    index: u64,
    envelope: Envelope,
    /// What is signed; the payload is its end.
    message: Vec<u8>,
    payload_at: usize,
    signatures: Vec<Vec<u8>>,
}

impl OpenedEntry {
    fn open(entry: &[u8], index: u64) -> Result<Self, String> {
        let envelope = Envelope::parse(entry).map_err(|error| error.to_string())?;
        let payload = envelope.payload_bytes().map_err(|error| error.to_string())?;
        let message = pae(&envelope.payload_type, &payload);
        let payload_at = message.len() - payload.len();
        let signatures = envelope.signatures.iter().filter_map(|signature| decode(&signature.sig)).collect();
        Ok(Self { index, envelope, message, payload_at, signatures })
    }

    fn kind(&self, checked: &mut CheckedBundle) -> Result<LeafKind, String> {
        if self.envelope.payload_type != PAYLOAD_TYPE {
            return Ok(LeafKind::Other);
        }
        let payload = &self.message[self.payload_at..];
        let head: StatementHead =
            serde_json::from_slice(payload).map_err(|error| format!("not a statement: {error}"))?;
        match (head.kind.as_str(), head.predicate_type.as_str(), head.predicate.run_id) {
            (STATEMENT_TYPE, RUN_PREDICATE, Some(run_id)) => Ok(LeafKind::Run(run_id)),
            (STATEMENT_TYPE, ROTATION_PREDICATE, _) => {
                let (old, new) = open_rotation(&self.envelope).map_err(|error| error.to_string())?;
                checked.rotations.push(LoggedRotation { index: self.index, old, new });
                Ok(LeafKind::Rotation)
            }
            _ => Ok(LeafKind::Other),
        }
    }
}

/// Who signed each entry. Entries that name the same key are tried together, all others one by one.
fn find_signers(entries: &[OpenedEntry], trust: &Trust) -> Vec<(u64, Option<PublicKey>)> {
    let mut signers: Vec<Option<PublicKey>> = vec![None; entries.len()];
    for key in trust.keys() {
        let id = key.id();
        let (places, signed): (Vec<usize>, Vec<Signed<'_>>) = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.signatures.len() == 1 && entry.envelope.signatures[0].keyid == id)
            .map(|(place, entry)| {
                (place, Signed { message: &entry.message, signature: &entry.signatures[0] })
            })
            .unzip();
        if all_signed(key, &signed) {
            places.into_iter().for_each(|place| signers[place] = Some(*key));
        }
    }
    let one_by_one = |entry: &OpenedEntry| {
        let signed = |key: &&PublicKey| {
            entry.signatures.iter().any(|signature| key.verifies(&entry.message, signature))
        };
        trust.keys().find(signed).copied()
    };
    let found = entries.iter().zip(signers);
    found.map(|(entry, signer)| (entry.index, signer.or_else(|| one_by_one(entry)))).collect()
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
