//! Git objects, written without git: one file each where few are new, one pack where many are.
//!
//! Contents are stored as they are (zlib's "stored" blocks), since a snapshot must cost milliseconds and
//! git reads them all the same. An object is complete under its name or not there at all.

use super::SnapshotError;
use sha1::{Digest, Sha1};
use std::{
    collections::HashMap,
    fs::{self, File},
    hash::{BuildHasherDefault, Hasher},
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::Duration,
};

/// From here on a pack is cheaper than single files.
pub const MANY: usize = 100;

/// The name of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub [u8; 20]);

impl std::fmt::Display for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl ObjectId {
    pub fn parse(text: &str) -> Option<Self> {
        let mut id = [0; 20];
        if text.len() != 40 || !text.is_ascii() {
            return None;
        }
        for (index, byte) in id.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(Self(id))
    }
}

/// A map by object name. The names are hashes already, so that eight bytes of one serve as its hash.
type ById<V> = HashMap<ObjectId, V, BuildHasherDefault<FirstBytes>>;

#[derive(Debug, Default, Clone)]
struct FirstBytes(u64);

impl Hasher for FirstBytes {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    // The length of the array, which is always the same.
    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Tree = 2,
    Blob = 3,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Tree => "tree",
            Kind::Blob => "blob",
        }
    }
}

/// The name that content has.
pub fn id_of(kind: Kind, content: &[u8]) -> ObjectId {
    let mut hash = Sha1::new();
    hash.update(format!("{} {}\0", kind.word(), content.len()));
    hash.update(content);
    ObjectId(hash.finalize().into())
}

/// The objects of one shadow directory.
#[derive(Debug)]
pub struct Objects {
    directory: PathBuf,
    /// Known to be there.
    present: ById<()>,
}

impl Objects {
    pub fn open(git_directory: &Path) -> Self {
        let directory = git_directory.join("objects");
        let mut present = ById::default();
        for entry in fs::read_dir(directory.join("pack")).into_iter().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(TEMPORARY.as_bytes()) && is_abandoned(&entry)
            {
                let _ = fs::remove_file(entry.path());
            } else if entry.path().extension().is_some_and(|extension| extension == "idx") {
                let names = fs::read(entry.path()).ok().and_then(|index| names_in(&index));
                present.extend(names.unwrap_or_default().into_iter().map(|id| (id, ())));
            }
        }
        Self { directory, present }
    }

    /// Objects that another source vouches for.
    pub fn assume(&mut self, ids: impl IntoIterator<Item = ObjectId>) {
        self.present.extend(ids.into_iter().map(|id| (id, ())));
    }

    pub fn has(&self, id: &ObjectId) -> bool {
        self.present.contains_key(id)
    }

    /// Writes an object under its own name.
    fn write(&mut self, kind: Kind, id: ObjectId, content: &[u8]) -> Result<(), SnapshotError> {
        if self.present.insert(id, ()).is_some() {
            return Ok(());
        }
        let name = id.to_string();
        let folder = self.directory.join(&name[..2]);
        let path = folder.join(&name[2..]);
        if path.exists() {
            return Ok(());
        }
        let write = || -> io::Result<()> {
            let mut file = match temporary(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    fs::create_dir_all(&folder)?;
                    temporary(&folder)?
                }
                other => other?,
            };
            let header = format!("{} {}\0", kind.word(), content.len());
            file.write_all(&stored(&[header.as_bytes(), content]))?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        };
        write().map_err(|source| {
            self.present.remove(&id);
            SnapshotError::Io { path: path.display().to_string(), source }
        })
    }

    /// The content of an object that this store wrote as a file of its own.
    pub fn read_loose(&self, id: &ObjectId) -> Option<Vec<u8>> {
        let name = id.to_string();
        let bytes = fs::read(self.directory.join(&name[..2]).join(&name[2..])).ok()?;
        let mut raw = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).ok()?;
        let header = raw.iter().position(|byte| *byte == 0)?;
        raw.drain(..=header);
        Some(raw)
    }

    /// Writes many objects, in one pack where that is cheaper.
    pub fn write_all(&mut self, kind: Kind, objects: Vec<(ObjectId, Vec<u8>)>) -> Result<(), SnapshotError> {
        let new: Vec<_> = objects.into_iter().filter(|(id, _)| !self.has(id)).collect();
        if new.len() < MANY {
            return new.iter().try_for_each(|(id, content)| self.write(kind, *id, content));
        }
        let packed = self.pack().and_then(|mut pack| {
            new.iter().try_for_each(|(id, content)| pack.add(kind, *id, content))?;
            pack.finish()
        });
        self.assume(packed.map_err(|source| self.failed(source))?);
        Ok(())
    }

    /// A pack for many objects at once.
    pub fn pack(&self) -> io::Result<Pack> {
        let folder = self.directory.join("pack");
        fs::create_dir_all(&folder)?;
        let file = temporary(&folder)?;
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        writer.write_all(b"PACK\0\0\0\x02\0\0\0\0")?;
        Ok(Pack { folder, writer, at: 12, bytes: Vec::new(), objects: ById::default() })
    }

    pub fn failed(&self, source: io::Error) -> SnapshotError {
        SnapshotError::Io { path: self.directory.display().to_string(), source }
    }
}

/// How files begin that are not complete.
const TEMPORARY: &str = "tmp_obj_";
/// No snapshot takes so long; what is older was left behind by a session that was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

fn is_abandoned(entry: &fs::DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > ABANDONED))
}

fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o444))
        .tempfile_in(folder)
}

/// A pack that is being written.
#[derive(Debug)]
pub struct Pack {
    folder: PathBuf,
    writer: BufWriter<tempfile::NamedTempFile>,
    at: u64,
    /// One object's bytes on their way.
    bytes: Vec<u8>,
    /// Where each object begins, and the checksum of its bytes.
    objects: ById<(u64, u32)>,
}

impl Pack {
    pub fn add(&mut self, kind: Kind, id: ObjectId, content: &[u8]) -> io::Result<()> {
        if self.objects.contains_key(&id) {
            return Ok(());
        }
        let bytes = &mut self.bytes;
        bytes.clear();
        let mut size = content.len() as u64;
        let mut first = ((kind as u8) << 4) | (size & 15) as u8;
        size >>= 4;
        while size > 0 {
            bytes.push(first | 0x80);
            first = (size & 0x7f) as u8;
            size >>= 7;
        }
        bytes.push(first);
        stored_into(bytes, &[content]);
        self.objects.insert(id, (self.at, crc32fast::hash(bytes)));
        self.at += bytes.len() as u64;
        self.writer.write_all(bytes)
    }

    /// Puts the pack in place; the answer is what it holds.
    pub fn finish(self) -> io::Result<Vec<ObjectId>> {
        let mut file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        let count = u32::try_from(self.objects.len()).map_err(io::Error::other)?;
        if count == 0 {
            return Ok(Vec::new());
        }
        file.seek(SeekFrom::Start(8))?;
        file.write_all(&count.to_be_bytes())?;
        let checksum = hash_of(file.as_file_mut())?;
        file.write_all(&checksum)?;
        let name = ObjectId(checksum).to_string();
        let mut sorted: Vec<_> = self.objects.into_iter().collect();
        sorted.sort_unstable();
        let index = index_of(&sorted, checksum);
        let mut index_file = temporary(&self.folder)?;
        index_file.write_all(&index)?;
        // The pack first: an index without its pack is an error, a pack without an index is not.
        file.persist(self.folder.join(format!("pack-{name}.pack"))).map_err(|error| error.error)?;
        index_file.persist(self.folder.join(format!("pack-{name}.idx"))).map_err(|error| error.error)?;
        Ok(sorted.into_iter().map(|(id, _)| id).collect())
    }
}

fn hash_of(file: &mut File) -> io::Result<[u8; 20]> {
    file.seek(SeekFrom::Start(0))?;
    let mut hash = Sha1::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            count => hash.update(&buffer[..count]),
        }
    }
}

/// The objects of a pack, from its index.
fn names_in(index: &[u8]) -> Option<Vec<ObjectId>> {
    index.strip_prefix(&[0xff, b't', b'O', b'c', 0, 0, 0, 2])?;
    let count = u32::from_be_bytes(index.get(8 + 255 * 4..8 + 256 * 4)?.try_into().ok()?) as usize;
    let names = index.get(8 + 256 * 4..8 + 256 * 4 + count * 20)?;
    names.chunks_exact(20).map(|name| Some(ObjectId(name.try_into().ok()?))).collect()
}

/// Version 2 of git's pack index.
fn index_of(sorted: &[(ObjectId, (u64, u32))], pack: [u8; 20]) -> Vec<u8> {
    let mut index = vec![0xff, b't', b'O', b'c', 0, 0, 0, 2];
    for first in 0..=255u8 {
        let below = sorted.partition_point(|(id, _)| id.0[0] <= first) as u32;
        index.extend(below.to_be_bytes());
    }
    sorted.iter().for_each(|(id, _)| index.extend(id.0));
    sorted.iter().for_each(|(_, (_, crc))| index.extend(crc.to_be_bytes()));
    let mut far = Vec::new();
    for (_, (offset, _)) in sorted {
        let short = match u32::try_from(*offset) {
            Ok(offset) if offset < 1 << 31 => offset,
            _ => {
                far.extend(offset.to_be_bytes());
                (1 << 31) | (far.len() / 8 - 1) as u32
            }
        };
        index.extend(short.to_be_bytes());
    }
    index.extend(far);
    index.extend(pack);
    let checksum: [u8; 20] = Sha1::digest(&index).into();
    index.extend(checksum);
    index
}

/// A zlib stream that holds the parts as they are.
fn stored(parts: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::with_capacity(parts.iter().map(|part| part.len()).sum::<usize>() + 64);
    stored_into(&mut out, parts);
    out
}

fn stored_into(out: &mut Vec<u8>, parts: &[&[u8]]) {
    out.extend([0x78, 0x01]);
    let mut sum = simd_adler32::Adler32::new();
    let total: usize = parts.iter().map(|part| part.len()).sum();
    let mut left = total;
    let source = parts.iter().flat_map(|part| part.chunks(0xffff));
    if total == 0 {
        out.extend([1, 0, 0, 0xff, 0xff]);
    }
    for chunk in source {
        left -= chunk.len();
        let length = chunk.len() as u16;
        out.push(u8::from(left == 0));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(chunk);
        sum.write(chunk);
    }
    out.extend(sum.finish().to_be_bytes());
}
