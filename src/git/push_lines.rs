//! Reads what git writes to a pre-push or pre-receive hook, line by line; nothing is passed over.

use crate::model::ids::Oid;
use crate::model::push::{MalformedLine, PushLine, PushUpdate};

/// How much of a malformed line is kept for showing.
const SHOWN: usize = 200;

/// Splits the whole of standard input of a pre-push hook, `<local ref> <local id> <remote ref> <remote id>`. Empty
/// input has no line; a last line without line feed is read as well.
///
/// Lines are split from the right, because the local side is what the user typed and may hold spaces.
pub fn parse(stdin: &[u8]) -> Vec<PushLine> {
    lines(stdin, sent)
}

/// The same for a pre-receive hook, `<old id> <new id> <ref>`. What the sender calls the source is not known.
pub fn parse_received(stdin: &[u8]) -> Vec<PushLine> {
    lines(stdin, received)
}

fn lines(stdin: &[u8], update: fn(&[u8]) -> Result<PushUpdate, &'static str>) -> Vec<PushLine> {
    if stdin.is_empty() {
        return Vec::new();
    }
    stdin
        .strip_suffix(b"\n")
        .unwrap_or(stdin)
        .split(|byte| *byte == b'\n')
        .enumerate()
        .map(|(index, line)| PushLine {
            number: index + 1,
            update: update(line).map_err(|why| MalformedLine {
                bytes: line[..line.len().min(SHOWN)].to_vec(),
                why,
            }),
        })
        .collect()
}

fn received(line: &[u8]) -> Result<PushUpdate, &'static str> {
    if line.is_empty() {
        return Err("the line is blank");
    }
    let mut fields = line.splitn(3, |byte| *byte == b' ');
    let (Some(old), Some(new), Some(name)) = (fields.next(), fields.next(), fields.next()) else {
        return Err("the line has fewer than three fields");
    };
    let old = id(old).ok_or("the old id has not 40 or 64 hex digits")?;
    let new = id(new).ok_or("the new id has not 40 or 64 hex digits")?;
    update(Vec::new(), new, name, old)
}

fn sent(line: &[u8]) -> Result<PushUpdate, &'static str> {
    if line.is_empty() {
        return Err("the line is blank");
    }
    let mut fields = line.rsplitn(4, |byte| *byte == b' ');
    let (Some(remote_id), Some(remote_ref), Some(local_id), Some(local_ref)) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err("the line has fewer than four fields");
    };
    let remote_id = id(remote_id).ok_or("the remote id has not 40 or 64 hex digits")?;
    let local_id = id(local_id).ok_or("the local id has not 40 or 64 hex digits")?;
    if local_ref.is_empty() {
        return Err("the local ref is empty");
    }
    update(local_ref.to_vec(), local_id, remote_ref, remote_id)
}

fn update(
    local_ref: Vec<u8>,
    local_id: Oid,
    remote_ref: &[u8],
    remote_id: Oid,
) -> Result<PushUpdate, &'static str> {
    if remote_id.as_bytes().len() != local_id.as_bytes().len() {
        return Err("the two ids are not of one length");
    }
    // Git writes full names here; anything else would match no gate and so pass.
    if !remote_ref.starts_with(b"refs/") || remote_ref.len() == b"refs/".len() {
        return Err("the remote ref is not a full name");
    }
    if remote_ref.iter().any(u8::is_ascii_control) {
        return Err("the remote ref holds a control character");
    }
    Ok(PushUpdate {
        local_ref,
        local_id,
        remote_ref: remote_ref.to_vec(),
        remote_id,
    })
}

fn id(field: &[u8]) -> Option<Oid> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::push::PushKind;

    const ID: &str = "c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3";
    const ZERO: &str = "0000000000000000000000000000000000000000";

    #[test]
    fn splits_from_the_right() {
        let text = format!(":/a {ID} refs/heads/x {ID} {ID} refs/heads/y {ZERO}");
        let lines = parse(text.as_bytes());
        let update = lines[0].update.as_ref().unwrap();
        assert_eq!(
            update.local_ref,
            format!(":/a {ID} refs/heads/x {ID}").into_bytes()
        );
        assert_eq!(update.remote_ref, b"refs/heads/y");
        assert_eq!(update.kind(), PushKind::Create);
    }

    #[test]
    fn odd_lines_are_malformed_and_hide_no_other() {
        assert!(parse(b"").is_empty());
        for line in [
            "",
            " ",
            "\r",
            &format!("refs/heads/a {ID} refs/heads/a {ID} "),
            &format!("refs/heads/a {ID} refs/heads/a {ID}\r"),
            &format!("refs/heads/a {ID} refs/heads/a {}", "0".repeat(64)),
            &format!("refs/heads/a {} refs/heads/a {ID}", ID.to_uppercase()),
            &format!("refs/heads/a {ID} main {ID}"),
            &format!(" {ID} refs/heads/a {ID}"),
        ] {
            let text = format!("{line}\nHEAD {ID} refs/heads/a {ID}\n");
            let lines = parse(text.as_bytes());
            assert_eq!(lines.len(), 2, "{line:?}");
            assert!(lines[0].update.is_err(), "{line:?}");
            assert!(lines[1].update.is_ok(), "{line:?}");
        }
    }

    #[test]
    fn received_lines_are_split_from_the_left() {
        let text = format!("{ZERO} {ID} refs/heads/a\n{ID} {ZERO} refs/heads/b c\n{ID} refs/heads/a\n\n");
        let lines = parse_received(text.as_bytes());
        let kinds: Vec<_> = lines
            .iter()
            .map(|line| line.update.as_ref().map(PushUpdate::kind).ok())
            .collect();
        assert_eq!(
            kinds,
            [Some(PushKind::Create), Some(PushKind::Delete), None, None]
        );
        assert_eq!(lines[1].update.as_ref().unwrap().remote_ref, b"refs/heads/b c");
    }

    proptest! {
        #[test]
        fn every_line_is_accounted_for(stdin in proptest::collection::vec(any::<u8>(), 0..400)) {
            let lines = parse(&stdin);
            let expected = stdin.split(|byte| *byte == b'\n').count() - usize::from(stdin.last() == Some(&b'\n'));
            prop_assert_eq!(lines.len(), if stdin.is_empty() { 0 } else { expected });
        }
    }
}
