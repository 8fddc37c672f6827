//! New objects of one command: collected in memory, then flushed to disk before any ref may point to them.
//!
//! A few objects are written loose, as git does; many go into one pack, so that a large write costs two flushes
//! instead of thousands. Every file is written under a temporary name, flushed and then renamed, so that a power
//! cut never leaves half an object under its final name.
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use gix::objs::Kind;
use gix::zlib::stream::deflate::{Compress, FlushCompress};
use gix::zlib::{Compression, Status};

use super::Repo;
use super::convert::{from_gix, to_gix};
use super::durable::{Temporaries, temporary};
use super::identity::Identity;
use crate::error::{Error, Result};
use crate::model::ids::{BlobId, CommitId, Oid, TreeId};

/// Up to this many objects are written loose.
const LOOSE_LIMIT: usize = 24;

/// One object that is not on disk yet.
struct Pending {
    id: gix::ObjectId,
    kind: Kind,
    data: Vec<u8>,
}

/// New objects that nothing on disk refers to yet.
pub struct Batch<'r> {
    pub(super) repo: &'r Repo,
    objects: RefCell<Vec<Pending>>,
    by_id: RefCell<HashMap<gix::ObjectId, usize>>,
}

/// A commit to be made.
#[derive(Debug, Clone)]
pub struct NewCommit<'a> {
    /// Its content.
    pub tree: TreeId,
    /// Its parents, in order.
    pub parents: Vec<CommitId>,
    /// Author and committer.
    pub who: &'a Identity,
    /// Seconds since the epoch; the zone is UTC.
    pub at: i64,
    /// The message, without final line end.
    pub message: &'a str,
}

impl<'r> Batch<'r> {
    /// An empty batch for this repository.
    pub fn new(repo: &'r Repo) -> Self {
        Self {
            repo,
            objects: RefCell::default(),
            by_id: RefCell::default(),
        }
    }

    /// Adds a blob.
    pub fn blob(&self, bytes: Vec<u8>) -> Result<BlobId> {
        self.add(Kind::Blob, bytes)
            .map(|id| BlobId(from_gix(&id)))
            .map_err(|cause| hash_error(&cause))
    }

    /// Adds a commit.
    pub fn commit(&self, new: &NewCommit<'_>) -> Result<CommitId> {
        let mut data = format!("tree {}\n", new.tree);
        for parent in &new.parents {
            data.push_str("parent ");
            data.push_str(&parent.to_hex());
            data.push('\n');
        }
        let signature = format!(
            "{} <{}> {} +0000
",
            new.who.name, new.who.email, new.at
        );
        for role in ["author ", "committer "] {
            data.push_str(role);
            data.push_str(&signature);
        }
        data.push('\n');
        data.push_str(new.message);
        data.push('\n');
        self.add(Kind::Commit, data.into_bytes())
            .map(|id| CommitId(from_gix(&id)))
            .map_err(|cause| hash_error(&cause))
    }

    /// Writes everything to disk and flushes it. Only afterwards may a ref point to any of it.
    pub fn flush(self) -> Result<()> {
        self.flush_with(&[])
    }

    /// The same, and in the time of it flushes other files, such as the new values of refs.
    pub fn flush_with(self, also: &[&File]) -> Result<()> {
        self.repo.refuse_read_only()?;
        let objects = self.objects.into_inner();
        let store = self.repo.gix.objects.store_ref().path().to_owned();
        let written = if objects.len() <= LOOSE_LIMIT {
            write_loose(&store, &objects, also)
        } else {
            let objects = objects
                .into_iter()
                .map(|object| (object.id, object.kind, object.data));
            super::pack::write(&store, self.repo.gix.object_hash(), objects, also)
        };
        written.map_err(|cause| {
            Error::new("io", "objects cannot be written, nothing was changed")
                .because(format!("in {}", store.display()))
                .caused_by(&cause)
        })
    }

    fn add(&self, kind: Kind, data: Vec<u8>) -> gix::Result<gix::ObjectId> {
        let id = gix::objs::compute_hash(self.repo.gix.object_hash(), kind, &data)?;
        let mut objects = self.objects.borrow_mut();
        self.by_id.borrow_mut().entry(id).or_insert_with(|| {
            objects.push(Pending { id, kind, data });
            objects.len() - 1
        });
        Ok(id)
    }

    /// The bytes of a blob of this batch; `None` when it is not one of the batch.
    pub fn pending_blob(&self, id: BlobId) -> Option<Vec<u8>> {
        let index = *self.by_id.borrow().get(&to_gix(id.0))?;
        Some(self.objects.borrow()[index].data.clone())
    }
}

/// Objects are looked for in the batch first, then in the repository.
impl gix::objs::Find for Batch<'_> {
    fn try_find<'a>(
        &self,
        id: &gix::oid,
        buffer: &'a mut Vec<u8>,
    ) -> gix::Result<Option<gix::objs::Data<'a>>> {
        let Some(index) = self.by_id.borrow().get(id).copied() else {
            return gix::objs::Find::try_find(&self.repo.gix.objects, id, buffer);
        };
        let objects = self.objects.borrow();
        let found = &objects[index];
        buffer.clear();
        buffer.extend_from_slice(&found.data);
        Ok(Some(gix::objs::Data {
            kind: found.kind,
            object_hash: self.repo.gix.object_hash(),
            data: buffer,
        }))
    }
}

impl gix::objs::Write for Batch<'_> {
    fn write_buf(&self, kind: Kind, from: &[u8]) -> gix::Result<gix::ObjectId> {
        self.add(kind, from.to_vec())
    }

    fn write_buf_with_known_id(
        &self,
        kind: Kind,
        from: &[u8],
        _id: gix::ObjectId,
    ) -> gix::Result<gix::ObjectId> {
        self.add(kind, from.to_vec())
    }

    fn write_stream(&self, kind: Kind, size: u64, from: &mut dyn io::Read) -> gix::Result<gix::ObjectId> {
        let mut data = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        from.read_to_end(&mut data).map_err(gix::error::ErrorExt::raise)?;
        self.add(kind, data)
    }

    fn write_stream_with_known_id(
        &self,
        kind: Kind,
        size: u64,
        from: &mut dyn io::Read,
        _id: gix::ObjectId,
    ) -> gix::Result<gix::ObjectId> {
        self.write_stream(kind, size, from)
    }
}

fn hash_error(cause: &gix::Error) -> Error {
    Error::new("io", "an object cannot be named").caused_by(cause)
}

/// Writes each object to its own file, as `git hash-object -w` does; `also` is flushed in the same time.
fn write_loose(store: &Path, objects: &[Pending], also: &[&File]) -> io::Result<()> {
    let mut temporaries = Temporaries::default();
    let mut deflate = Deflate::new(Compression::BEST_SPEED);
    for object in objects {
        let hex = object.id.to_string();
        let path = store.join(&hex[..2]).join(&hex[2..]);
        // Every loose object was flushed before it got its name, by us as by git with core.fsync; an empty one is
        // what a power cut leaves of a writer that did not, and is replaced.
        if fs::metadata(&path).is_ok_and(|found| found.len() > 0) {
            continue;
        }
        let mut bytes = gix::objs::encode::loose_header(object.kind, object.data.len() as u64).to_vec();
        bytes.extend_from_slice(&object.data);
        let (temporary, file) = temporary(store, "tmp_obj")?;
        temporaries
            .add(temporary, file, path)
            .write_all(&deflate.all(&bytes)?)?;
    }
    temporaries.finish(also, Path::to_owned)
}

/// A compressor that is set up once and used for many objects.
pub(super) struct Deflate {
    state: Compress,
}

impl Deflate {
    pub(super) fn new(level: Compression) -> Self {
        Self {
            state: Compress::new(level),
        }
    }

    /// One whole zlib stream.
    pub(super) fn all(&mut self, input: &[u8]) -> io::Result<Vec<u8>> {
        self.state.reset();
        // The bound of zlib: a little more than the input when nothing can be compressed.
        let mut output = vec![0; input.len() + input.len() / 1000 + 64];
        loop {
            let taken = usize::try_from(self.state.total_in()).expect("the input is in memory");
            let made = usize::try_from(self.state.total_out()).expect("the output is in memory");
            if made == output.len() {
                output.resize(made * 2, 0);
            }
            let status = self
                .state
                .compress(&input[taken..], &mut output[made..], FlushCompress::Finish)
                .map_err(io::Error::other)?;
            if status == Status::StreamEnd {
                output.truncate(usize::try_from(self.state.total_out()).expect("the output is in memory"));
                return Ok(output);
            }
        }
    }
}

/// Id of an object that exists nowhere, for hashing only.
pub fn blob_id(repo: &Repo, bytes: &[u8]) -> Result<Oid> {
    gix::objs::compute_hash(repo.gix.object_hash(), Kind::Blob, bytes)
        .map(|id| from_gix(&id))
        .map_err(|cause| hash_error(&cause))
}
