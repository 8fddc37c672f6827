//! The end of what a command printed, without the secrets of its environment.

/// The most bytes of the tail that are kept.
pub const MAX_TAIL: usize = 2048;

/// Values shorter than this are no secrets: hiding them would hide ordinary words.
const MIN_SECRET: usize = 8;

/// What stands in the place of a secret.
const MASK: &[u8] = b"***";

/// Values that must not be kept, the longest first.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    values: Vec<Vec<u8>>,
}

impl Secrets {
    /// The values of variables whose names say that they are secret.
    pub fn of<'a>(environment: impl IntoIterator<Item = (&'a [u8], &'a [u8])>) -> Self {
        let mut values = Vec::new();
        for (name, value) in environment {
            if !is_secret_name(name) {
                continue;
            }
            // A key of several lines may be printed line by line.
            let lines = value.split(|byte| matches!(byte, b'\n' | b'\r'));
            for part in std::iter::once(value).chain(lines) {
                let part = part.trim_ascii();
                if String::from_utf8_lossy(part).chars().count() >= MIN_SECRET {
                    values.push(part.to_vec());
                }
            }
        }
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Self { values }
    }

    /// The bytes with every secret replaced.
    pub fn mask(&self, bytes: &[u8]) -> Vec<u8> {
        let mut masked = bytes.to_vec();
        for value in &self.values {
            let places: Vec<usize> = memchr::memmem::find_iter(&masked, value).collect();
            if places.is_empty() {
                continue;
            }
            let mut without = Vec::with_capacity(masked.len());
            let mut from = 0;
            for at in places {
                without.extend_from_slice(&masked[from..at]);
                without.extend_from_slice(MASK);
                from = at + value.len();
            }
            without.extend_from_slice(&masked[from..]);
            masked = without;
        }
        masked
    }

    /// The same for a text.
    pub fn mask_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.mask(text.as_bytes())).into_owned()
    }

    fn longest(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }
}

fn is_secret_name(name: &[u8]) -> bool {
    let name = name.to_ascii_uppercase();
    ["TOKEN", "SECRET", "PASSWORD", "KEY"]
        .iter()
        .any(|word| memchr::memmem::find(&name, word.as_bytes()).is_some())
}

/// Collects the end of an output.
#[derive(Debug)]
pub struct Tail {
    secrets: Secrets,
    kept: Vec<u8>,
    /// Whether something before was dropped.
    is_cut: bool,
    limit: usize,
}

impl Tail {
    /// An empty one.
    pub fn new(secrets: Secrets) -> Self {
        let limit = 4 * MAX_TAIL + 2 * secrets.longest();
        Self {
            secrets,
            kept: Vec::new(),
            is_cut: false,
            limit,
        }
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.kept.extend_from_slice(piece);
        if self.kept.len() > 2 * self.limit {
            let drop = self.kept.len() - self.limit;
            self.kept.drain(..drop);
            self.is_cut = true;
        }
    }

    /// The last bytes, at most [`MAX_TAIL`] of them, cut between characters.
    pub fn text(&self) -> String {
        let masked = self.secrets.mask(&self.kept);
        // The end of a secret whose beginning was dropped is not found: it lies within these first bytes.
        let unsure = if self.is_cut {
            self.secrets.longest().min(masked.len())
        } else {
            0
        };
        let text = String::from_utf8_lossy(&masked[unsure..]);
        let mut start = text.len().saturating_sub(MAX_TAIL);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text[start..].to_owned()
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        let secrets = Secrets::of([
            (&b"API_TOKEN"[..], &b"tok-12345678"[..]),
            (b"db_password", b"pass"),
            (b"SIGNING_KEY", b"-----BEGIN-----\nabcdefghij\n-----END-----\n"),
            (b"TERM", b"xterm-256color"),
            (b"MY_SECRET", "passwört".as_bytes()),
        ]);
        for (text, expected) in [
            ("a tok-12345678b", "a ***b"),
            ("tok-1234567", "tok-1234567"),
            ("pass", "pass"),
            ("> abcdefghij <", "> *** <"),
            ("-----BEGIN-----\nabcdefghij\n-----END-----\n", "***\n"),
            ("xterm-256color", "xterm-256color"),
            ("passwört", "***"),
        ] {
            assert_eq!(secrets.mask_text(text), expected);
        }
        // However it is cut into pieces, and wherever the tail begins.
        for before in 0..40 {
            let text = format!(
                "{}tok-12345678{}",
                "x".repeat(50_000 + before),
                "é".repeat(MAX_TAIL / 2)
            );
            for size in [1, 7, 4096, text.len()] {
                let mut tail = Tail::new(secrets.clone());
                text.as_bytes().chunks(size).for_each(|piece| tail.push(piece));
                assert!(!tail.text().contains("5678"), "{size}");
                assert_eq!(tail.text(), "é".repeat(MAX_TAIL / 2));
            }
        }
    }

    #[test]
    fn a_tail_has_whole_characters() {
        let mut tail = Tail::new(Secrets::default());
        tail.push("short é".as_bytes());
        assert_eq!(tail.text(), "short é");
        tail.push("日".repeat(5000).as_bytes());
        let text = tail.text();
        assert!(
            text.len() <= MAX_TAIL && text.len() > MAX_TAIL - 3 && text.chars().all(|c| c == '日'),
            "{text}"
        );
    }
}
