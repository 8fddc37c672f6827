//! Pairs removed with added files by similar content: at least half of the bytes, ties by path order, no copies.

use rayon::prelude::*;

use super::paths::Class;

/// More candidates on a side than this are not compared: only renames with equal content count then.
pub const LIMIT: usize = 1000;

/// Full similarity.
const FULL: u64 = 60_000;

/// Lines are compared in pieces of at most this many bytes.
const PIECE: usize = 64;

/// A file that is only there on one side.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Its path.
    pub path: &'a [u8],
    /// What it is measured as; only files of one class pair.
    pub class: Class,
    /// Its content.
    pub bytes: &'a [u8],
}

/// Pairs of indices into removed and added files, sorted; `None` when a side is over the limit.
pub fn pair(removed: &[Candidate<'_>], added: &[Candidate<'_>]) -> Option<Vec<(usize, usize)>> {
    if removed.is_empty() || added.is_empty() {
        return Some(Vec::new());
    }
    if removed.len() > LIMIT || added.len() > LIMIT {
        return None;
    }
    let pieces = |files: &[Candidate<'_>]| -> Vec<Pieces> {
        files.par_iter().map(|file| Pieces::of(file.bytes)).collect()
    };
    let (old, new) = (pieces(removed), pieces(added));
    let mut scored: Vec<(u64, usize, usize)> = (0..removed.len())
        .into_par_iter()
        .flat_map_iter(|r| {
            let (old, new) = (&old, &new);
            (0..added.len()).filter_map(move |a| {
                let class = removed[r].class == added[a].class;
                let score = if class { old[r].similarity(&new[a]) } else { 0 };
                (score * 2 >= FULL).then_some((score, r, a))
            })
        })
        .collect();
    scored.sort_by(|(x, xr, xa), (y, yr, ya)| {
        let path = |r: &usize, a: &usize| (removed[*r].path, added[*a].path);
        y.cmp(x).then_with(|| path(xr, xa).cmp(&path(yr, ya)))
    });
    let (mut taken_old, mut taken_new) = (vec![false; removed.len()], vec![false; added.len()]);
    let mut pairs = Vec::new();
    for (_, r, a) in scored {
        if !taken_old[r] && !taken_new[a] {
            taken_old[r] = true;
            taken_new[a] = true;
            pairs.push((r, a));
        }
    }
    pairs.sort_unstable();
    Some(pairs)
}

/// How many bytes of a file stand in which lines, sorted by the hash of the line.
struct Pieces {
    counts: Vec<(u64, u64)>,
    bytes: u64,
}

impl Pieces {
    fn of(bytes: &[u8]) -> Self {
        let mut counts: Vec<(u64, u64)> = bytes
            .split_inclusive(|byte| *byte == b'\n')
            .flat_map(|line| line.chunks(PIECE))
            .map(|piece| (hash(piece), piece.len() as u64))
            .collect();
        counts.sort_unstable();
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self {
            counts,
            bytes: bytes.len() as u64,
        }
    }

    /// The share of bytes of the larger file that the other has too.
    fn similarity(&self, other: &Self) -> u64 {
        let larger = self.bytes.max(other.bytes);
        // Empty files never pair, and what differs too much in size cannot be similar.
        if self.bytes.min(other.bytes) * 2 < larger || larger == 0 {
            return 0;
        }
        let (mut a, mut b) = (self.counts.iter().peekable(), other.counts.iter().peekable());
        let mut common = 0;
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.0.cmp(&y.0) {
                std::cmp::Ordering::Less => drop(a.next()),
                std::cmp::Ordering::Greater => drop(b.next()),
                std::cmp::Ordering::Equal => {
                    common += x.1.min(y.1);
                    a.next();
                    b.next();
                }
            }
        }
        common * FULL / larger
    }
}

/// FNV-1a, without the carriage return of a line end.
fn hash(piece: &[u8]) -> u64 {
    let plain = piece.strip_suffix(b"\r\n");
    let (piece, end) = plain.map_or((piece, &b""[..]), |plain| (plain, b"\n"));
    piece.iter().chain(end).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(removed: &[(&str, &str)], added: &[(&str, &str)]) -> Vec<(usize, usize)> {
        fn files<'a>(files: &[(&'a str, &'a str)]) -> Vec<Candidate<'a>> {
            let file = |(path, text): &(&'a str, &'a str)| Candidate {
                path: path.as_bytes(),
                class: Class::Golden,
                bytes: text.as_bytes(),
            };
            files.iter().map(file).collect()
        }
        pair(&files(removed), &files(added)).unwrap()
    }

    #[test]
    fn half_of_the_bytes_and_the_best_first() {
        let lines = |range: std::ops::Range<u32>| {
            range
                .map(|n| format!("line {n:05}\n"))
                .collect::<Vec<_>>()
                .concat()
        };
        let (all, half, less) = (lines(0..10), lines(5..15), lines(6..16));
        assert_eq!(paired(&[("a", &all)], &[("b", &half)]), [(0, 0)]);
        assert_eq!(paired(&[("a", &all)], &[("b", &less)]), []);
        assert_eq!(paired(&[("a", &all)], &[("b", &half), ("c", &all)]), [(0, 1)]);
        assert_eq!(
            paired(&[("a", &all), ("b", &all)], &[("c", &all), ("d", &all)]),
            [(0, 0), (1, 1)]
        );
        assert_eq!(paired(&[("a", "")], &[("b", "")]), []);
        assert_eq!(
            paired(&[("a", &all)], &[("b", &all.replace('\n', "\r\n"))]),
            [(0, 0)]
        );
    }

    #[test]
    fn over_the_limit_nothing_is_compared() {
        let file = Candidate {
            path: b"a",
            class: Class::Other,
            bytes: b"x",
        };
        assert_eq!(pair(&[file], &vec![file; LIMIT + 1]), None);
        assert_eq!(pair(&[], &vec![file; LIMIT + 1]), Some(vec![]));
    }
}
