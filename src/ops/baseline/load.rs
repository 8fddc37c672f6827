//! Reads blobs, many at once, with one object handle a thread.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::git::Repo;
use crate::model::ids::BlobId;
use crate::structure::measure::Content;
use crate::structure::source::ReadFault;

/// The bytes of a blob, or why they cannot be had. Nothing is fetched.
pub fn blob(repo: &Repo, id: BlobId, limit: u64) -> Result<Vec<u8>, ReadFault> {
    match repo.try_blob(id, limit) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(ReadFault::Missing(id)),
        Err(error) if error.kind == "too-large" => {
            let size = repo.header(id.0).ok().flatten().map_or(limit, |(_, size)| size);
            Err(ReadFault::TooLarge(size))
        }
        Err(error) => Err(ReadFault::Damaged(error.to_string())),
    }
}

/// The contents of many blobs, in the order asked for.
pub fn blobs(repo: &Repo, wanted: &[(BlobId, u64)]) -> Vec<Content> {
    let content = |repo: &Repo, (id, limit): &(BlobId, u64)| match blob(repo, *id, *limit) {
        Ok(bytes) => Content::Bytes(bytes),
        Err(fault) => Content::Fault(fault),
    };
    // A few are read sooner than threads are started.
    if wanted.len() < 8 {
        return wanted.iter().map(|wanted| content(repo, wanted)).collect();
    }
    // Files differ much in size: with many chunks no thread waits long for the last one of another.
    let chunk = wanted.len().div_ceil(rayon::current_num_threads() * 8);
    // Each blob is asked for once.
    let source = Mutex::new(repo.with_object_cache(0));
    wanted
        .par_chunks(chunk)
        .map(|chunk| {
            let repo = source
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .clone();
            chunk
                .iter()
                .map(|wanted| content(&repo, wanted))
                .collect::<Vec<_>>()
        })
        .flatten_iter()
        .collect()
}
