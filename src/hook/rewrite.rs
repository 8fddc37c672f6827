//! What `post-rewrite` is told: which commits became which.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::model::ids::CommitId;
use crate::model::text::sanitise_bytes;

/// New commit → the commits that it stands for, sorted. A squash gives several.
pub type Rewrites = BTreeMap<CommitId, Vec<CommitId>>;

/// Reads lines of `<old id> <new id>[ <more>]`. What follows the second id is reserved by git and not read.
pub fn parse(stdin: &[u8]) -> Result<Rewrites> {
    let mut rewrites = Rewrites::new();
    if stdin.is_empty() {
        return Ok(rewrites);
    }
    // A last line without line feed is read like the others.
    let lines = stdin.strip_suffix(b"\n").unwrap_or(stdin);
    for (number, line) in lines.split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut fields = line.split(|byte| *byte == b' ').map(id);
        let (Some(Some(old)), Some(Some(new))) = (fields.next(), fields.next()) else {
            return Err(Error::new(
                "post-rewrite",
                format!("line {} is not `<old> <new>`", number + 1),
            )
            .because(sanitise_bytes(&line[..line.len().min(200)])));
        };
        if old != new {
            rewrites.entry(new).or_default().push(old);
        }
    }
    for old in rewrites.values_mut() {
        old.sort_unstable();
        old.dedup();
    }
    Ok(rewrites)
}

fn id(field: &[u8]) -> Option<CommitId> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_grouped_by_the_new_commit() {
        let [a, b, c] = ["a", "b", "c"].map(|digit| digit.repeat(40));
        let read = parse(format!("{b} {c} extra\n{a} {c}\n{b} {c}\n{a} {b}\n{a} {a}").as_bytes()).unwrap();
        let shown: Vec<String> = read.iter().map(|(new, old)| format!("{new}: {old:?}")).collect();
        assert_eq!(
            shown,
            [
                format!("{b}: [CommitId({a})]"),
                format!("{c}: [CommitId({a}), CommitId({b})]")
            ]
        );
        assert_eq!(parse(b""), Ok(Rewrites::new()));
        for wrong in [
            "x",
            "\n",
            &a,
            &format!("{a}\t{b}"),
            &format!("{a} {}", &b[1..]),
            &format!("{a}  {b}"),
        ] {
            let error = parse(format!("{a} {b}\n{wrong}\n").as_bytes()).unwrap_err();
            assert!(error.message.contains("line 2"), "{error}");
        }
    }
}
