//! Rules for texts in the policy: paths, globs, branch names, emails.

use globset::GlobBuilder;

use super::fault::{FaultAt, shown};
use super::reader::{At, Result};
use crate::model::ref_name;

/// A path inside the repository: relative, `/` only, no empty, `.`, `..` or `.git` component.
pub(super) fn path(text: At<String>, key: &str) -> Result<String> {
    let fine = !text.value.contains('\\')
        && text.value.split('/').all(|part| {
            !part.is_empty() && part != "." && part != ".." && !part.eq_ignore_ascii_case(".git")
        });
    // A drive letter makes a path absolute elsewhere.
    if fine && text.value.as_bytes().get(1) != Some(&b':') {
        Ok(text.value)
    } else {
        Err(FaultAt::new(
            text.offset,
            format!(
                "`{key}` is a path inside the repository with `/` between its parts, not \"{}\"",
                shown(&text.value)
            ),
        ))
    }
}

/// A path that may hold `{review}` and `{branch}`.
pub(super) fn template_path(text: At<String>, key: &str) -> Result<String> {
    let filled = text.value.replace("{review}", "x").replace("{branch}", "x");
    if filled.contains(['{', '}']) {
        return Err(FaultAt::new(
            text.offset,
            format!("`{key}` knows only {{review}} and {{branch}}"),
        ));
    }
    path(
        At {
            offset: text.offset,
            value: filled,
        },
        key,
    )?;
    Ok(text.value)
}

/// A list of globs that parse.
pub(super) fn globs(texts: Option<Vec<At<String>>>, key: &str) -> Result<Vec<String>> {
    texts
        .unwrap_or_default()
        .into_iter()
        .map(
            |text| match GlobBuilder::new(&text.value).literal_separator(true).build() {
                Ok(_) if !text.value.is_empty() => Ok(text.value),
                Ok(_) => Err(FaultAt::new(text.offset, format!("an entry of `{key}` is empty"))),
                Err(error) => Err(FaultAt::new(
                    text.offset,
                    format!(
                        "an entry of `{key}` is not a glob: {}",
                        shown(&error.kind().to_string())
                    ),
                )),
            },
        )
        .collect()
}

/// A list of emails, as git writes them.
pub(super) fn emails(texts: Vec<At<String>>, key: &str) -> Result<Vec<String>> {
    texts
        .into_iter()
        .map(|text| {
            if text.value.is_empty()
                || text
                    .value
                    .contains(|c: char| c.is_whitespace() || c == '<' || c == '>')
            {
                Err(FaultAt::new(
                    text.offset,
                    format!("an entry of `{key}` is an email alone, without name or brackets"),
                ))
            } else {
                Ok(text.value)
            }
        })
        .collect()
}

/// The name of a branch or remote-tracking branch, by git's rules for ref names.
pub(super) fn branch(text: At<String>, key: &str) -> Result<String> {
    if ref_name::is_valid(&text.value)
        && !text.value.starts_with('-')
        && text.value != "HEAD"
        && text.value != "@"
    {
        Ok(text.value)
    } else {
        Err(FaultAt::new(
            text.offset,
            format!(
                "`{key}` is the name of a branch or remote-tracking branch such as \"origin/main\", not \"{}\"",
                shown(&text.value)
            ),
        ))
    }
}

/// A place for notes refs: below `refs/notes/`.
pub(super) fn notes_prefix(text: At<String>) -> Result<String> {
    if text
        .value
        .strip_prefix("refs/notes/")
        .is_some_and(ref_name::is_valid)
        && text.value.len() <= 200
    {
        Ok(text.value)
    } else {
        Err(FaultAt::new(
            text.offset,
            "`notes_prefix` is a ref name below refs/notes/ without a final slash, such as \"refs/notes/review-gate\"",
        ))
    }
}

/// A short name: letters, digits and the given marks, the first a letter or digit; at most 64 bytes.
pub(super) fn name(text: At<String>, key: &str) -> Result<String> {
    let mut bytes = text.value.bytes();
    let fine = bytes.next().is_some_and(|byte| byte.is_ascii_alphanumeric())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        && text.value.len() <= 64;
    if fine {
        Ok(text.value)
    } else {
        Err(FaultAt::new(
            text.offset,
            format!(
                "`{key}` holds names of at most 64 letters, digits, `.`, `_` and `-`, not \"{}\"",
                shown(&text.value)
            ),
        ))
    }
}

/// A program and its arguments.
pub(super) fn command(texts: Option<Vec<At<String>>>, offset: usize, key: &str) -> Result<Vec<String>> {
    let words: Vec<String> = texts
        .unwrap_or_default()
        .into_iter()
        .map(|text| text.value)
        .collect();
    if words.first().is_some_and(String::is_empty) {
        return Err(FaultAt::new(
            offset,
            format!("`{key}` begins with an empty program name"),
        ));
    }
    Ok(words)
}
