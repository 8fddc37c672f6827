//! Takes colour codes and other escape sequences out of the output of a command.

/// The text without escape sequences; bytes that are not UTF-8 become U+FFFD.
pub fn plain(bytes: &[u8]) -> String {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(0x1b, rest) {
        kept.extend_from_slice(&rest[..at]);
        rest = &rest[at + sequence(&rest[at..])..];
    }
    kept.extend_from_slice(rest);
    String::from_utf8_lossy(&kept).into_owned()
}

/// The length of the escape sequence that `bytes` begin with. One that does not end in its line is only its first byte:
/// else a stray escape could hide what follows.
fn sequence(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        // CSI: parameters, then one letter.
        Some(b'[') => {
            let parameters = bytes[2..]
                .iter()
                .take_while(|byte| (0x20..0x40).contains(*byte))
                .count();
            match bytes.get(2 + parameters) {
                Some(0x40..=0x7e) => 3 + parameters,
                _ => 1,
            }
        }
        // OSC, as links are written: up to BEL or ESC \.
        Some(b']') => {
            let end = bytes[2..]
                .iter()
                .position(|byte| matches!(byte, 0x07 | 0x1b | b'\n'));
            match end.map(|end| (2 + end, bytes[2 + end])) {
                Some((end, 0x07)) => end + 1,
                Some((end, 0x1b)) if bytes.get(end + 1) == Some(&b'\\') => end + 2,
                _ => 1,
            }
        }
        // A character set, such as `ESC ( B`.
        Some(b'(' | b')') if bytes.len() > 2 => 3,
        Some(0x30..=0x7e) => 2,
        _ => 1,
    }
}

/// The lines as a terminal would leave them: without what a carriage return in them has overwritten.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|line| {
        let line = line.trim_end_matches('\r');
        line.rsplit('\r').next().unwrap_or(line)
    })
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn sequences_go_and_text_stays() {
        for (raw, expected) in [
            ("\u{1b}[32;1mok\u{1b}[0m", "ok"),
            ("a\u{1b}]8;;http://x\u{7}b\u{1b}]8;;\u{1b}\\c", "abc"),
            ("a\u{1b}(Bb\u{1b}=c", "abc"),
            ("\u{1b}[3\nnext", "[3\nnext"),
            ("\u{1b}]open\nnext", "]open\nnext"),
            ("end\u{1b}", "end"),
            ("end\u{1b}[", "end["),
        ] {
            assert_eq!(plain(raw.as_bytes()), expected, "{raw:?}");
        }
        assert_eq!(plain(b"a\xffb"), "a\u{fffd}b");
        let shown: Vec<_> = lines("one\r\n10%\r20%\rdone\n").collect();
        assert_eq!(shown, ["one", "done", ""]);
    }
}
