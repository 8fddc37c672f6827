//! What stands at the place of a source: text, or one of the states that are not text.

use crate::model::delivery::Content;

/// The most bytes of a source that are read.
pub const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Where the pointers of Git LFS, which stand in place of a content, begin.
const LFS_SPECS: [&str; 2] = [
    "version https://git-lfs.github.com/spec/",
    "version https://hawser.github.com/spec/",
];

/// A pointer of Git LFS has fewer bytes than this.
const MAX_LFS_POINTER: usize = 1024;

/// What these bytes are. The size of a blob is known before it is read: [`too_large`] says so without reading it.
pub fn content(bytes: Vec<u8>) -> Content {
    if bytes.len() as u64 > MAX_BYTES {
        return too_large(bytes.len() as u64);
    }
    if bytes.contains(&0) {
        return Content::Unreadable("contains a NUL byte".to_owned());
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            return Content::Unreadable(format!("not UTF-8 (first bad byte at offset {offset})"));
        }
    };
    if is_blank(&text) {
        return Content::Empty(text.into_bytes());
    }
    if is_lfs_pointer(&text) {
        return Content::Unreadable("a Git LFS pointer, the content is not in the commit".to_owned());
    }
    Content::Text(text)
}

/// A source with this many bytes, which is too many.
pub fn too_large(bytes: u64) -> Content {
    Content::Unreadable(format!("{bytes} bytes, more than the {MAX_BYTES} that are read"))
}

/// Whether there is nothing to read: white space, byte order marks and zero-width characters.
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || matches!(c, '\u{FEFF}' | '\u{200B}'..='\u{200D}' | '\u{2060}'))
}

fn is_lfs_pointer(text: &str) -> bool {
    text.len() < MAX_LFS_POINTER
        && LFS_SPECS.iter().any(|spec| text.starts_with(spec))
        && text.lines().any(|line| line.starts_with("oid "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_text_or_say_why_not() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
        for (bytes, expected) in [
            (&b"a"[..], Content::Text("a".to_owned())),
            (b"", Content::Empty(Vec::new())),
            (
                "\u{feff} \t\u{a0}\u{200d}\n".as_bytes(),
                Content::Empty("\u{feff} \t\u{a0}\u{200d}\n".into()),
            ),
            (b"a\0\xff", Content::Unreadable("contains a NUL byte".to_owned())),
            (
                b"abc\xe9d",
                Content::Unreadable("not UTF-8 (first bad byte at offset 3)".to_owned()),
            ),
            (
                pointer.as_bytes(),
                Content::Unreadable("a Git LFS pointer, the content is not in the commit".to_owned()),
            ),
            // A page that speaks of such pointers is none.
            (&pointer.as_bytes()[..43], Content::Text(pointer[..43].to_owned())),
        ] {
            assert_eq!(content(bytes.to_vec()), expected);
        }
        assert_eq!(
            content(vec![b'a'; 16_777_217]),
            Content::Unreadable("16777217 bytes, more than the 16777216 that are read".to_owned())
        );
        assert!(matches!(content(vec![b'a'; 16_777_216]), Content::Text(_)));
    }
}
