//! Pairs the units of the changed files of two trees and states what differs, for any language.

use self::api::Api;
use self::assertions::Bodies;
use self::elsewhere::Elsewhere;
use self::matching::Matching;
use self::reach::Reach;
use self::reexport::Names;
use self::side::{Places, Side};
use self::tests::Tests;
use self::weaker::Weaker;
use super::outline::{FileOutline, Outline};
use super::source::{Side as Which, Tree};
use super::surroundings::TestFiles;
use crate::model::baseline::{SurfaceMode, Unmeasured, UnmeasuredSide};
use crate::model::fact::{self, Fact};
use crate::model::key::path_text;

mod api;
mod assertions;
mod elsewhere;
mod groups;
mod linkage;
mod marks;
mod matching;
mod reach;
mod reexport;
mod side;
mod similar;
mod tests;
mod weaker;

/// The changed files of one language, and where to look for the little else that is needed.
pub struct Input<'a> {
    /// The language's id, the first part of every key.
    pub lang: &'a str,
    /// Its scanner.
    pub scanner: &'a dyn Outline,
    /// Every changed file that could be measured on the sides where it exists, in path order.
    pub files: &'a [ChangedFile<'a>],
    /// The tree before.
    pub before: &'a dyn Tree,
    /// The tree after.
    pub after: &'a dyn Tree,
}

/// One changed file: modified (same path), renamed (two paths), added or removed (one side only).
pub struct ChangedFile<'a> {
    /// The file before.
    pub before: Option<SourceFile<'a>>,
    /// The file after.
    pub after: Option<SourceFile<'a>>,
}

/// One side of a changed file, already scanned.
pub struct SourceFile<'a> {
    /// Its path in that tree.
    pub path: &'a [u8],
    /// Its bytes, as they were scanned (transcoded, without byte order mark).
    pub bytes: &'a [u8],
    /// The folder of its package, empty for the top; `None` outside of any.
    pub package: Option<&'a [u8]>,
    /// Its units.
    pub outline: FileOutline,
}

/// What the policy and the command line say about a comparison.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which public symbols count.
    pub surface: SurfaceMode,
    /// Names that count as assertions besides the language's own.
    pub helpers: Vec<String>,
    /// Files that count as tests besides those with the names of their language.
    pub test_files: TestFiles,
}

/// What a comparison found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// In the order of every output.
    pub facts: Vec<Fact>,
    /// Exports that could not be followed, and unchanged files that had to be read and could not be.
    pub unmeasured: Vec<Unmeasured>,
    /// Packages whose entry point could not be read: their surface is the declared one. Sorted.
    pub declared_only: Vec<Vec<u8>>,
}

/// Compares the changed files of one language.
pub fn compare(input: &Input<'_>, settings: &Settings) -> Comparison {
    let files = |which: Which| {
        let files = input.files.iter().enumerate();
        let files = files.filter_map(move |(number, pair)| {
            let file = match which {
                Which::Before => pair.before.as_ref(),
                Which::After => pair.after.as_ref(),
            };
            file.map(|file| (number, file))
        });
        files.collect::<Vec<_>>()
    };
    let sides = [files(Which::Before), files(Which::After)];
    let units = sides
        .iter()
        .flatten()
        .map(|(_, file)| file.outline.units.len())
        .sum::<usize>();
    let mut places = Places::with_capacity(units);
    let [before, after] = sides;
    let mut before = Side::new(Which::Before, input.lang, before, &mut places);
    let mut after = Side::new(Which::After, input.lang, after, &mut places);
    rayon::join(|| before.relate(&places), || after.relate(&places));
    let elsewhere = Elsewhere::new(input, settings);
    let names = (
        Names::new(&before, input, &elsewhere),
        Names::new(&after, input, &elsewhere),
    );

    let mut matching = Matching::new(&before, &after);
    matching.by_key();
    matching.by_renamed_file(input.files, &mut places);
    matching.by_linkage(true);
    let reexports = reexport::follow(&mut matching, &names.1);
    reexport::follow_back(&mut matching, &names.0);
    matching.by_move();
    matching.by_rename();
    matching.by_linkage(false);
    matching.by_name();

    let linkage = linkage::compare(input, &elsewhere);
    let bodies = Bodies::new(&matching, input, settings);
    let api = Api {
        matching: &matching,
        reexports: &reexports,
        names: (&names.0, &names.1),
        input,
    };
    let candidates = api.candidates();
    let packages = elsewhere.packages();
    // Both read much, and neither needs the other.
    let ((reach, declared_only), ()) = rayon::join(
        || Reach::ask(&candidates.asked, settings.surface, packages),
        || bodies.read_ahead(),
    );
    let weaker = Weaker {
        bodies: &bodies,
        before: &before.items,
        after: &after.items,
    };
    let mut facts = Tests {
        matching: &matching,
        linkage: &linkage,
        input,
        weaker: &weaker,
    }
    .facts();
    let mut found = api.facts(candidates, &reach);
    facts.append(&mut found.facts);
    facts.extend(linkage.facts);
    fact::sort(&mut facts);
    facts.dedup();
    let unreadable = linkage.unreadable.into_iter().map(|(path, fault)| Unmeasured {
        path: path_text(&path),
        side: UnmeasuredSide::After,
        reason: fault.reason,
        detail: fault.why,
        seen: Vec::new(),
    });
    let mut unmeasured: Vec<_> = found.unmeasured.into_iter().chain(unreadable).collect();
    unmeasured.sort();
    Comparison {
        facts,
        unmeasured,
        declared_only: declared_only.into_iter().collect(),
    }
}
