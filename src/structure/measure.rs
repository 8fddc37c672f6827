//! From the changed files of a range to facts: each file on its own in parallel, then the units of each language.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rayon::prelude::*;

use super::decode;
use super::lang::scanner;
use super::language::Language;
use super::outline::FileOutline;
use super::pairing::{self, ChangedFile, Input, Settings, SourceFile};
use super::paths::{Class, Guardrail, guardrail, is_below_tests};
use super::source::{ReadFault, Tree};
use super::surroundings::Surroundings;
use super::{golden, guardrails, hidden, neighbours, opaque, suppressions};
use crate::model::baseline::{Unmeasured, UnmeasuredReason, UnmeasuredSide};
use crate::model::change::Entry;
use crate::model::fact::{self, Fact, FactKind};
use crate::model::key::path_text;
use crate::model::policy::Policy;

/// One side of a changed file.
#[derive(Debug, Clone)]
pub struct Part {
    /// The entry.
    pub entry: Entry,
    /// Its bytes, where they are needed.
    pub content: Content,
    /// The folder of its package; `None` outside of any.
    pub package: Option<Vec<u8>>,
}

/// The bytes of a file.
#[derive(Debug, Clone)]
pub enum Content {
    /// Not needed: the object id tells enough.
    Unread,
    /// Read.
    Bytes(Vec<u8>),
    /// Needed, and not to be had.
    Fault(ReadFault),
}

/// A changed file, not excluded; renames are paired.
#[derive(Debug, Clone)]
pub struct Pair {
    /// What it is measured as.
    pub class: Class,
    /// The side before.
    pub before: Option<Part>,
    /// The side after.
    pub after: Option<Part>,
    /// It is measured all the same: what stands beside it changed, and with it how it is looked at.
    pub unchanged: bool,
}

/// What a measurement needs besides the files.
pub struct Context<'a> {
    /// The tree before, for the few unchanged files that matter.
    pub before: &'a dyn Tree,
    /// The tree after.
    pub after: &'a dyn Tree,
    /// The policy of the base.
    pub policy: &'a Policy,
    /// The policy of the head; `None` if it cannot be read.
    pub head_policy: Option<&'a Policy>,
    /// What counts as public, and as an assertion.
    pub settings: Settings,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Sorted; drift is not decided yet.
    pub facts: Vec<Fact>,
    /// Sorted.
    pub unmeasured: Vec<Unmeasured>,
    /// Measured files of each language, and `golden`.
    pub by_language: BTreeMap<String, usize>,
    /// Files that could not be measured.
    pub unmeasured_files: usize,
    /// Packages that were measured as declared, sorted.
    pub declared_only: Vec<String>,
}

/// Measures all changed files.
pub fn measure(pairs: &[Pair], context: &Context<'_>) -> Found {
    let neighbours = neighbours::of(pairs, context);
    let all: Vec<&Pair> = pairs.iter().chain(&neighbours).collect();
    let measured: Vec<OnePair<'_>> = all.par_iter().map(|pair| one(pair, context)).collect();
    let mut found = Found::default();
    let mut by_language: BTreeMap<Language, Vec<Outlined<'_>>> = BTreeMap::new();
    for (pair, one) in all.into_iter().zip(measured) {
        found.facts.extend(one.facts);
        let undecided = !one.unmeasured.is_empty();
        found.unmeasured.extend(one.unmeasured);
        let name = match pair.class {
            Class::Golden => "golden",
            Class::Code(language) => language.id(),
            Class::Other => continue,
        };
        // What did not change is no changed file, whatever is found in it.
        match (pair.unchanged, undecided) {
            (true, _) => {}
            (false, true) => found.unmeasured_files += 1,
            (false, false) => *found.by_language.entry(name.to_owned()).or_default() += 1,
        }
        if undecided {
            continue;
        }
        if let (Class::Code(language), Some(outlined)) = (pair.class, one.outlined) {
            by_language.entry(language).or_default().push(outlined);
        }
    }
    for (language, files) in by_language {
        units(language, files, context, &mut found);
    }
    let with_source = pairs.iter().any(is_source);
    for fact in &mut found.facts {
        if matches!(
            fact.kind,
            FactKind::GoldenChanged
                | FactKind::GoldenRemoved
                | FactKind::GoldenAdded
                | FactKind::GoldenMoved
                | FactKind::GoldenExtended
        ) {
            fact.detail.with_source = Some(with_source);
        }
    }
    fact::sort(&mut found.facts);
    found.unmeasured.sort();
    found.unmeasured.dedup();
    found
}

/// Whether a file is source and no test.
fn is_source(pair: &Pair) -> bool {
    let Class::Code(language) = pair.class else {
        return false;
    };
    let part = pair.after.as_ref().or(pair.before.as_ref());
    part.is_some_and(|part| {
        let path = &part.entry.path;
        !is_below_tests(path) && !language.is_test_name(super::paths::file_name(path))
    })
}

/// A source file with the units of both sides.
struct Outlined<'a> {
    before: Option<Scanned<'a>>,
    after: Option<Scanned<'a>>,
}

struct Scanned<'a> {
    part: &'a Part,
    text: Cow<'a, [u8]>,
    outline: FileOutline,
}

#[derive(Default)]
struct OnePair<'a> {
    facts: Vec<Fact>,
    unmeasured: Vec<Unmeasured>,
    outlined: Option<Outlined<'a>>,
}

fn one<'a>(pair: &'a Pair, context: &Context<'_>) -> OnePair<'a> {
    let mut result = OnePair {
        facts: opaque::compare(pair),
        ..OnePair::default()
    };
    // A link or submodule on one side is stated above; the other side is an addition, or undecided.
    let file = |part: &'a Option<Part>| part.as_ref().filter(|part| part.entry.kind.is_file());
    let (before, after) = (file(&pair.before), file(&pair.after));
    if pair.class != Class::Other && before.is_some() && after.is_none() && pair.after.is_some() {
        let path = before.map_or(&[][..], |part| &part.entry.path);
        result.unmeasured.push(Unmeasured {
            path: path_text(path),
            side: UnmeasuredSide::After,
            reason: UnmeasuredReason::BecameLink,
            detail: "a measured file became a symbolic link or submodule".to_owned(),
            seen: Vec::new(),
        });
        return result;
    }
    if before.is_none() && after.is_none() {
        return result;
    }
    judge_guardrail(before, after, context, &mut result);
    match pair.class {
        Class::Golden => judge_golden(before, after, &mut result),
        Class::Code(language) => judge_code(language, (before, after), pair.unchanged, context, &mut result),
        Class::Other => {}
    }
    result
}

/// The bytes of a side: empty where there is no file. A fault is noted, and `None`.
fn bytes<'a>(
    part: Option<&'a Part>,
    side: UnmeasuredSide,
    unmeasured: &mut Vec<Unmeasured>,
) -> Option<&'a [u8]> {
    let Some(part) = part else { return Some(&[]) };
    match &part.content {
        Content::Bytes(bytes) => Some(bytes),
        Content::Unread => None,
        Content::Fault(fault) => {
            note(unmeasured, part, side, decode::unread(fault), Vec::new());
            None
        }
    }
}

fn note(
    unmeasured: &mut Vec<Unmeasured>,
    part: &Part,
    side: UnmeasuredSide,
    (reason, detail): decode::Refusal,
    seen: Vec<String>,
) {
    let path = path_text(&part.entry.path);
    let known = unmeasured
        .iter_mut()
        .find(|known| known.path == path && known.reason == reason && known.side != side);
    match known {
        Some(known) => {
            known.side = UnmeasuredSide::Both;
            if known.detail != detail {
                known.detail = format!("{}; {detail}", known.detail);
            }
        }
        None => unmeasured.push(Unmeasured {
            path,
            side,
            reason,
            detail,
            seen,
        }),
    }
}

/// Whether both sides are one blob.
fn same_object(before: Option<&Part>, after: Option<&Part>) -> bool {
    before
        .zip(after)
        .is_some_and(|(before, after)| before.entry.id == after.entry.id)
}

fn judge_guardrail(
    before: Option<&Part>,
    after: Option<&Part>,
    context: &Context<'_>,
    result: &mut OnePair<'_>,
) {
    let Some(path) = before.or(after).map(|part| &part.entry.path) else {
        return;
    };
    let Some(kind) = guardrail(path) else { return };
    if same_object(before, after) {
        return;
    }
    if kind == Guardrail::Policy {
        let fact = guardrails::policy(path, context.policy, context.head_policy);
        result.facts.push(fact);
        return;
    }
    let old = bytes(before, UnmeasuredSide::Before, &mut result.unmeasured);
    let new = bytes(after, UnmeasuredSide::After, &mut result.unmeasured);
    if let (Some(old), Some(new)) = (old, new) {
        result.facts.push(match kind {
            Guardrail::Attributes => guardrails::attributes(path, old, new),
            Guardrail::Runner | Guardrail::Policy => guardrails::runner(path, old, new),
        });
    }
}

fn judge_golden(before: Option<&Part>, after: Option<&Part>, result: &mut OnePair<'_>) {
    for (part, side) in [(before, UnmeasuredSide::Before), (after, UnmeasuredSide::After)] {
        // Content that is too large for this is compared by its object.
        let decided = part.is_none_or(|part| matches!(part.content, Content::Fault(ReadFault::TooLarge(_))));
        if !decided {
            bytes(part, side, &mut result.unmeasured);
        }
    }
    if !result.unmeasured.is_empty() {
        return;
    }
    let (old, new) = (before.map(golden_side), after.map(golden_side));
    result
        .facts
        .extend(golden::compare(old, new, same_object(before, after)));
}

fn golden_side(part: &Part) -> golden::Golden<'_> {
    golden::Golden {
        path: &part.entry.path,
        bytes: match &part.content {
            Content::Bytes(bytes) => Some(bytes),
            Content::Unread | Content::Fault(_) => None,
        },
    }
}

fn judge_code<'a>(
    language: Language,
    (before, after): (Option<&'a Part>, Option<&'a Part>),
    unchanged: bool,
    context: &Context<'_>,
    result: &mut OnePair<'a>,
) {
    let same_path = before
        .zip(after)
        .is_some_and(|(a, b)| a.entry.path == b.entry.path);
    if same_path && same_object(before, after) && !unchanged {
        return;
    }
    let old = text(before, UnmeasuredSide::Before, &mut result.unmeasured);
    let new = text(after, UnmeasuredSide::After, &mut result.unmeasured);
    let (Some(old), Some(new)) = (old, new) else {
        return;
    };
    let equal = old == new;
    if same_path && equal && !unchanged {
        return;
    }
    let Some(scanner) = scanner(language) else {
        if let Some(part) = after.or(before) {
            let side = match (before, after) {
                (Some(_), Some(_)) => UnmeasuredSide::Both,
                (Some(_), None) => UnmeasuredSide::Before,
                (None, _) => UnmeasuredSide::After,
            };
            let why = format!("this version does not scan {}", language.id());
            let refusal = (UnmeasuredReason::UnsupportedLanguage, why);
            note(&mut result.unmeasured, part, side, refusal, Vec::new());
        }
        return;
    };
    let mut scan = |part: Option<&'a Part>, text: Cow<'a, [u8]>, side| {
        let part = part?;
        let path = &part.entry.path;
        let around = Surroundings {
            lang: language.id(),
            scanner,
            own: match side {
                UnmeasuredSide::After => context.after,
                _ => context.before,
            },
            base: context.before,
            test_files: &context.settings.test_files,
        };
        let options = match around.options(path, part.package.as_deref()) {
            Ok(options) => options,
            Err(fault) => {
                note(
                    &mut result.unmeasured,
                    part,
                    side,
                    decode::unread(&fault),
                    Vec::new(),
                );
                return None;
            }
        };
        match scanner.outline(&text, path, &options) {
            Ok(outline) => Some(Scanned { part, text, outline }),
            Err(degraded) => {
                let refusal = (degraded.reason, degraded.detail);
                note(&mut result.unmeasured, part, side, refusal, degraded.seen);
                None
            }
        }
    };
    let both = (
        scan(before, old, UnmeasuredSide::Before),
        scan(after, new, UnmeasuredSide::After),
    );
    if !result.unmeasured.is_empty() {
        return;
    }
    let (before, after) = both;
    if let (Some(path), Some(after)) = (
        before
            .as_ref()
            .or(after.as_ref())
            .map(|side| &side.part.entry.path),
        &after,
    ) && !equal
    {
        let old = before.as_ref().map_or(&[][..], |before| &before.text);
        result.facts.extend(hidden::compare(path, old, &after.text));
        result.facts.extend(suppressions::compare(path, old, &after.text));
        if before.is_some() {
            result.facts.extend(guardrails::generated(path, old, &after.text));
        }
    }
    result.outlined = Some(Outlined { before, after });
}

/// The text of a side: empty where there is no file. What cannot be read or decoded is noted, and `None`.
fn text<'a>(
    part: Option<&'a Part>,
    side: UnmeasuredSide,
    unmeasured: &mut Vec<Unmeasured>,
) -> Option<Cow<'a, [u8]>> {
    let bytes = bytes(part, side, unmeasured)?;
    let Some(part) = part else {
        return Some(Cow::Borrowed(bytes));
    };
    match decode::source(bytes) {
        Ok(text) => Some(text),
        Err(refusal) => {
            note(unmeasured, part, side, refusal, Vec::new());
            None
        }
    }
}

/// Pairs the units of all changed files of one language.
fn units(language: Language, mut files: Vec<Outlined<'_>>, context: &Context<'_>, found: &mut Found) {
    let Some(scanner) = scanner(language) else { return };
    // The outlines go to the comparison, the texts stay here.
    let outlines: Vec<_> = files
        .iter_mut()
        .map(|file| [&mut file.before, &mut file.after].map(take_outline))
        .collect();
    let files: Vec<_> = files
        .iter()
        .zip(outlines)
        .map(|(file, [before, after])| ChangedFile {
            before: source_file(file.before.as_ref(), before),
            after: source_file(file.after.as_ref(), after),
        })
        .collect();
    let input = Input {
        lang: language.id(),
        scanner,
        files: &files,
        before: context.before,
        after: context.after,
    };
    let comparison = pairing::compare(&input, &context.settings);
    found.facts.extend(comparison.facts);
    found.unmeasured.extend(comparison.unmeasured);
    // There are many small pieces to free, and nobody has to wait for it.
    let outlines: Vec<FileOutline> = files
        .into_iter()
        .flat_map(|file| [file.before, file.after])
        .flatten()
        .map(|side| side.outline)
        .collect();
    rayon::spawn(move || drop(outlines));
    let packages = comparison.declared_only.iter().map(|folder| path_text(folder));
    found.declared_only.extend(packages);
}

fn take_outline(scanned: &mut Option<Scanned<'_>>) -> FileOutline {
    scanned
        .as_mut()
        .map(|scanned| std::mem::take(&mut scanned.outline))
        .unwrap_or_default()
}

fn source_file<'a>(scanned: Option<&'a Scanned<'_>>, outline: FileOutline) -> Option<SourceFile<'a>> {
    scanned.map(|scanned| SourceFile {
        path: &scanned.part.entry.path,
        bytes: &scanned.text,
        package: scanned.part.package.as_deref(),
        outline,
    })
}
