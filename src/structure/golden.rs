//! Recorded behaviour: golden files and the entries of snapshot files, compared byte for byte but for line endings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memchr::memmem;

use super::paths::is_api_listing;
use crate::model::fact::{Fact, FactKind, Span};
use crate::model::key::{entry_key, file_key, path_text};

/// One side of a golden file.
#[derive(Debug, Clone, Copy)]
pub struct Golden<'a> {
    /// Its path.
    pub path: &'a [u8],
    /// Its content; `None` where it is compared by its object alone.
    pub bytes: Option<&'a [u8]>,
}

/// States what differs between the two sides of a golden file (one of them may be absent).
///
/// `same_object` says that both sides are one blob. Facts carry no `with_source` yet.
pub fn compare(before: Option<Golden<'_>>, after: Option<Golden<'_>>, same_object: bool) -> Vec<Fact> {
    match (before, after) {
        (None, None) => Vec::new(),
        (Some(old), None) => one_side(old, FactKind::GoldenRemoved),
        (None, Some(new)) => one_side(new, FactKind::GoldenAdded),
        (Some(old), Some(new)) => both(old, new, same_object),
    }
}

/// A file that came or went: each of its entries, or the file.
fn one_side(golden: Golden<'_>, kind: FactKind) -> Vec<Fact> {
    let entries = golden.bytes.and_then(entries).unwrap_or_default();
    if entries.is_empty() {
        return vec![Fact::new(kind, file_key(golden.path), path_text(golden.path))];
    }
    entries
        .into_keys()
        .map(|name| Fact::new(kind, entry_key(golden.path, &name), path_text(golden.path)))
        .collect()
}

fn both(old: Golden<'_>, new: Golden<'_>, same_object: bool) -> Vec<Fact> {
    let moved = old.path != new.path;
    let fact = |kind: FactKind, key: String, to_key: String| {
        let mut fact = Fact::new(kind, key, path_text(old.path));
        if moved {
            fact.to_path = Some(path_text(new.path));
            fact.to_key = Some(to_key);
        }
        fact
    };
    let of_file = |kind| fact(kind, file_key(old.path), file_key(new.path));
    let texts = old.bytes.zip(new.bytes).filter(|_| !same_object);
    let equal = same_object || texts.is_some_and(|(old, new)| lines_equal(old, new));
    if equal {
        return if moved {
            vec![of_file(FactKind::GoldenMoved)]
        } else {
            Vec::new()
        };
    }
    let Some((old_text, new_text)) = texts else {
        return vec![of_file(FactKind::GoldenChanged)];
    };
    if let (Some(olds), Some(news)) = (entries(old_text), entries(new_text))
        && !(olds.is_empty() && news.is_empty())
    {
        return compare_entries(&olds, &news, old.path, new.path, &fact);
    }
    if let (Some(olds), Some(news)) = (insta_content(old_text), insta_content(new_text)) {
        return if lines_equal(olds, news) {
            Vec::new()
        } else {
            vec![with_lines(
                of_file(FactKind::GoldenChanged),
                olds,
                news,
                old_text,
                new_text,
            )]
        };
    }
    if is_api_listing(old.path) {
        return api_listing(old_text, new_text)
            .map(|kind| with_lines(of_file(kind), old_text, new_text, old_text, new_text))
            .into_iter()
            .collect();
    }
    vec![with_lines(
        of_file(FactKind::GoldenChanged),
        old_text,
        new_text,
        old_text,
        new_text,
    )]
}

fn compare_entries(
    olds: &Entries<'_>,
    news: &Entries<'_>,
    old_path: &[u8],
    new_path: &[u8],
    fact: &impl Fn(FactKind, String, String) -> Fact,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (name, old) in olds {
        let kind = match news.get(name) {
            None => FactKind::GoldenRemoved,
            Some(new) if !lines_equal(old, new) => FactKind::GoldenChanged,
            Some(_) if old_path != new_path => FactKind::GoldenMoved,
            Some(_) => continue,
        };
        facts.push(fact(kind, entry_key(old_path, name), entry_key(new_path, name)));
    }
    for name in news.keys().filter(|name| !olds.contains_key(*name)) {
        facts.push(Fact::new(
            FactKind::GoldenAdded,
            entry_key(new_path, name),
            path_text(new_path),
        ));
    }
    facts
}

/// The first differing line of each side as evidence.
fn with_lines(mut fact: Fact, old: &[u8], new: &[u8], old_file: &[u8], new_file: &[u8]) -> Fact {
    let differing = old
        .split(|byte| *byte == b'\n')
        .zip(new.split(|byte| *byte == b'\n'))
        .take_while(|(old, new)| trim_cr(old) == trim_cr(new))
        .count();
    let span = |part: &[u8], file: &[u8]| {
        let line = part.split(|byte| *byte == b'\n').nth(differing)?;
        let skipped = &file[..file.len() - part.len()];
        let number = memchr::memchr_iter(b'\n', skipped).count() + differing + 1;
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        (!line.contains(&0)).then(|| Span::new(number, number, &String::from_utf8_lossy(trim_cr(line))))
    };
    fact.before = span(old, old_file);
    fact.after = span(new, new_file);
    fact
}

fn trim_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Whether two texts are equal but for line endings; binary content only if it is equal.
fn lines_equal(a: &[u8], b: &[u8]) -> bool {
    a == b || (!is_binary(a) && !is_binary(b) && without_cr(a) == without_cr(b))
}

fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(8000)]).is_some()
}

fn without_cr(text: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(text, b"\r\n").is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memmem::find(rest, b"\r\n") {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
    }
    plain.extend_from_slice(rest);
    Cow::Owned(plain)
}

/// Lines as a set: `None` where nothing is gained or lost.
fn api_listing(old: &[u8], new: &[u8]) -> Option<FactKind> {
    let lines = |text: &[u8]| -> std::collections::BTreeSet<Vec<u8>> {
        text.split(|byte| *byte == b'\n')
            .map(|line| trim_cr(line).to_vec())
            .filter(|line| !line.is_empty())
            .collect()
    };
    let (old, new) = (lines(old), lines(new));
    if old == new {
        None
    } else if old.is_subset(&new) {
        Some(FactKind::GoldenExtended)
    } else {
        Some(FactKind::GoldenChanged)
    }
}

/// What insta compares of a stored snapshot: everything behind the second `---`.
fn insta_content(text: &[u8]) -> Option<&[u8]> {
    let rest = text
        .strip_prefix(b"---\n")
        .or_else(|| text.strip_prefix(b"---\r\n"))?;
    let mut from = 0;
    loop {
        let at = from + memmem::find(&rest[from..], b"---")?;
        let line_start = at == 0 || rest[at - 1] == b'\n';
        let tail = &rest[at + 3..];
        let content = tail
            .strip_prefix(b"\n")
            .or_else(|| tail.strip_prefix(b"\r\n"))
            .or(tail.is_empty().then_some(tail));
        match content {
            Some(content) if line_start => return Some(content),
            _ => from = at + 3,
        }
    }
}

type Entries<'a> = BTreeMap<String, Cow<'a, [u8]>>;

/// The entries of a snapshot file that holds many; `None` for any other file.
///
/// Two entries of one name are one, with both contents.
fn entries(text: &[u8]) -> Option<Entries<'_>> {
    if is_binary(text) {
        return None;
    }
    let starts_with_line =
        |start: &[u8]| text.starts_with(start) || memmem::find(text, &[b"\n", start].concat()).is_some();
    if starts_with_line(b"exports[`") {
        Some(jest_entries(text))
    } else if starts_with_line(b"# name: ") {
        Some(amber_entries(text))
    } else {
        None
    }
}

/// ``exports[`name`] = `content`;``
fn jest_entries(text: &[u8]) -> Entries<'_> {
    let mut entries = Entries::new();
    let mut rest = text;
    while let Some(at) = memmem::find(rest, b"exports[`") {
        let line_start = at == 0 || rest[at - 1] == b'\n';
        let name_start = at + b"exports[`".len();
        let Some(name_end) = backquote(&rest[name_start..]).map(|end| name_start + end) else {
            break;
        };
        if !line_start {
            rest = &rest[name_start..];
            continue;
        }
        let name = unescape(&rest[name_start..name_end]);
        let content = &rest[name_end + 1..];
        let end = memmem::find(content, b"`")
            .and_then(|open| Some(open + 1 + backquote(&content[open + 1..])? + 1))
            .unwrap_or(content.len());
        add(&mut entries, name, &content[..end]);
        rest = &content[end..];
    }
    entries
}

/// The next backquote that is not escaped.
fn backquote(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|byte| {
        let found = *byte == b'`' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        found
    })
}

/// A title without the backslashes in front of quotes and backslashes.
fn unescape(name: &[u8]) -> String {
    let text = path_text(name);
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\\' | '`' | '\'' | '"')) => plain.extend(chars.next()),
            (c, _) => plain.push(c),
        }
    }
    plain
}

/// `# name: …`, content, `# ---`
fn amber_entries(text: &[u8]) -> Entries<'_> {
    const START: &[u8] = b"# name: ";
    let mut entries = Entries::new();
    let mut starts = memmem::find_iter(text, START)
        .filter(|at| *at == 0 || text[at - 1] == b'\n')
        .peekable();
    while let Some(start) = starts.next() {
        let entry = &text[start + START.len()..starts.peek().copied().unwrap_or(text.len())];
        let line = memchr::memchr(b'\n', entry).unwrap_or(entry.len());
        add(&mut entries, path_text(trim_cr(&entry[..line])), &entry[line..]);
    }
    entries
}

fn add<'a>(entries: &mut Entries<'a>, name: String, content: &'a [u8]) {
    match entries.entry(name) {
        std::collections::btree_map::Entry::Vacant(entry) => {
            entry.insert(Cow::Borrowed(content));
        }
        std::collections::btree_map::Entry::Occupied(mut entry) => {
            entry.get_mut().to_mut().extend_from_slice(content);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn facts(path: &str, before: Option<&str>, after: Option<&str>) -> Vec<String> {
        let side = |text: Option<&'static str>| {
            text.map(|text| Golden {
                path: path.to_owned().leak().as_bytes(),
                bytes: Some(text.as_bytes()),
            })
        };
        let leak = |text: Option<&str>| text.map(|text| &*text.to_owned().leak());
        compare(side(leak(before)), side(leak(after)), before == after)
            .into_iter()
            .map(|fact| format!("{} {}", fact.kind.word(), fact.key))
            .collect()
    }

    #[test]
    fn files_entries_and_listings() {
        let jest = "// Jest Snapshot v1\n\nexports[`a 1`] = `x`;\n\nexports[`b \\`q\\``] = `\ny \\` z\n`;\n";
        let reordered = "exports[`b \\`q\\``] = `\ny \\` z\n`;\n\nexports[`a 1`] = `x`;\n";
        let amber = "# serializer version: 1\n# name: test_a\n  1\n# ---\n# name: test_b\n  2\n# ---\n";
        for (path, before, after, expected) in [
            ("a.golden", "a \nb", "a\nb", vec!["golden-changed file:a.golden"]),
            ("a.golden", "a\r\nb", "a\nb", vec![]),
            (
                "a.golden",
                "\0a\r\n",
                "\0a\n",
                vec!["golden-changed file:a.golden"],
            ),
            ("a.snap", jest, reordered, vec![]),
            (
                "a.snap",
                jest,
                "exports[`a 1`] = `z`;\n",
                vec![
                    "golden-changed file:a.snap#entry a 1",
                    "golden-removed file:a.snap#entry b `q`",
                ],
            ),
            (
                "a.ambr",
                amber,
                "# name: test_b\n  2\n# ---\n# name: test_c\n  3\n# ---\n",
                vec![
                    "golden-removed file:a.ambr#entry test_a",
                    "golden-added file:a.ambr#entry test_c",
                ],
            ),
            (
                "a.snap",
                "---\nsource: a\n---\nx",
                "---\nsource: b\nexpression: c\n---\nx",
                vec![],
            ),
            (
                "a.snap",
                "---\nsource: a\n---\nx",
                "---\nsource: a\n---\ny",
                vec!["golden-changed file:a.snap"],
            ),
            (
                "api/x.api",
                "a\nb\n",
                "b\nc\na\n",
                vec!["golden-extended file:api/x.api"],
            ),
            (
                "api/x.api",
                "a\nb\n",
                "a\n",
                vec!["golden-changed file:api/x.api"],
            ),
        ] {
            assert_eq!(
                facts(path, Some(before), Some(after)),
                expected,
                "{path} {before:?}"
            );
        }
        assert_eq!(
            facts("a.snap", Some("exports[`a`] = `1`;"), None),
            ["golden-removed file:a.snap#entry a"]
        );
        assert_eq!(facts("a.golden", None, Some("")), ["golden-added file:a.golden"]);
    }

    #[test]
    fn a_rename_is_moved_or_changed() {
        let side = |path: &'static str, text: &'static str| {
            Some(Golden {
                path: path.as_bytes(),
                bytes: Some(text.as_bytes()),
            })
        };
        let moved = compare(side("a.golden", "x\n"), side("b.golden", "x\r\n"), false);
        assert_eq!(
            (moved[0].kind, moved[0].to_path.as_deref()),
            (FactKind::GoldenMoved, Some("b.golden"))
        );
        let changed = compare(side("a.golden", "x\n"), side("b.golden", "y\n"), false);
        assert_eq!(
            (changed[0].kind, changed[0].to_path.as_deref()),
            (FactKind::GoldenChanged, Some("b.golden"))
        );
    }

    proptest! {
        #[test]
        fn roles_swapped_mirror(before in "(exports\\[`[ab]`\\] = `[xy]`;\n|# name: [ab]\n|---\n|x\n){0,6}",
                                after in "(exports\\[`[ab]`\\] = `[xy]`;\n|# name: [ab]\n|---\n|x\n){0,6}") {
            let count = |facts: &[String], kind: &str| facts.iter().filter(|f| f.starts_with(kind)).count();
            let there = facts("a.golden", Some(&before), Some(&after));
            let back = facts("a.golden", Some(&after), Some(&before));
            prop_assert_eq!(count(&there, "golden-removed"), count(&back, "golden-added"));
            prop_assert_eq!(count(&there, "golden-changed"), count(&back, "golden-changed"));
        }
    }
}
