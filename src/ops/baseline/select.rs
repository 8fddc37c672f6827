//! Which changed files are measured: excluded ones taken out, renames paired, contents read.

use std::collections::{BTreeMap, BTreeSet};

use foldhash::{HashMap, HashMapExt as _};

use crate::error::Result;
use crate::git::Repo;
use crate::git::attributes::Attributes;
use crate::git::diff::Wanted;
use crate::model::change::{Change, Entry};
use crate::model::glob::selects;
use crate::model::ids::{BlobId, Oid};
use crate::model::range::Range;
use crate::structure::decode::MAX_SOURCE;
use crate::structure::exclude::{Rule, by_header, by_path, generated_mark};
use crate::structure::lang::scanner;
use crate::structure::language::Language;
use crate::structure::measure::{Content, Pair, Part};
use crate::structure::paths::{Class, classify, file_name, guardrail};
use crate::structure::renames::{self, Candidate};

use super::{Filter, Rules, load};

/// Golden files above this size are compared by their objects.
const MAX_GOLDEN: u64 = 64 << 20;

/// What is measured, and what is not.
pub struct Selected {
    /// All that is not excluded.
    pub pairs: Vec<Pair>,
    /// How many files differ; a rename is one.
    pub changed: usize,
    /// How many files each rule left out.
    pub excluded: BTreeMap<Rule, usize>,
    /// Whether any changed file is of a known language or golden.
    pub knows_a_file: bool,
    /// Whether there were too many candidates for renames.
    pub renames_over_limit: bool,
    /// Attribute files of the base that are not in this clone.
    pub unread_attributes: Vec<(Vec<u8>, BlobId)>,
}

/// Finds what is measured of a range.
pub fn select(repo: &Repo, range: &Range, rules: &Rules, filter: &Filter) -> Result<Selected> {
    let mut changes = repo.diff_trees(range.base_tree, range.head_tree)?;
    // A file that came or went may be half of a rename whose other half passes.
    changes
        .retain(|change| filter.passes(change.path()) || change.before.is_none() || change.after.is_none());
    let mut files = Files {
        repo,
        rules,
        filter,
        attributes: attributes(repo, range, &changes)?,
        excluded: BTreeMap::new(),
        packages: Packages::find(repo, range, &changes)?,
    };
    let unread_attributes = std::mem::take(&mut files.attributes.missing);
    let mut pairs = files.pairs(changes)?;
    pair_equal(&mut pairs, repo.empty_blob());
    files.read(&mut pairs);
    let mut pairs = files.without_generated(pairs);
    let renames_over_limit = pair_similar(&mut pairs);
    pairs.retain(|pair| {
        [&pair.before, &pair.after]
            .into_iter()
            .flatten()
            .any(|part| filter.passes(&part.entry.path))
    });
    pairs.sort_by(|a, b| path_of(a).cmp(path_of(b)));
    Ok(Selected {
        changed: pairs.len() + files.excluded.values().sum::<usize>(),
        knows_a_file: pairs.iter().any(|pair| pair.class != Class::Other),
        pairs,
        excluded: files.excluded,
        renames_over_limit,
        unread_attributes,
    })
}

fn path_of(pair: &Pair) -> &[u8] {
    let part = pair.before.as_ref().or(pair.after.as_ref());
    part.map_or(&[], |part| &part.entry.path)
}

/// The attribute files above all changed paths, from the tree before.
fn attributes(repo: &Repo, range: &Range, changes: &[Change]) -> Result<Attributes> {
    let paths = changes.iter().map(Change::path);
    repo.attributes(repo.files_above(range.base_tree, &[".gitattributes"], paths)?)
}

struct Files<'a> {
    repo: &'a Repo,
    rules: &'a Rules,
    filter: &'a Filter,
    attributes: Attributes,
    excluded: BTreeMap<Rule, usize>,
    packages: Packages,
}

impl Files<'_> {
    /// One pair for each change that no rule leaves out by its path.
    fn pairs(&mut self, changes: Vec<Change>) -> Result<Vec<Pair>> {
        let mut pairs = Vec::new();
        for Change { before, after } in changes {
            let path = before
                .as_ref()
                .or(after.as_ref())
                .map_or(&[][..], |entry| &entry.path);
            let class = class(path, self.rules, self.filter);
            let opaque = [&before, &after]
                .into_iter()
                .flatten()
                .any(|entry| !entry.kind.is_file());
            let attributes = &mut self.attributes;
            let rule = by_path::<crate::error::Error>(path, class, &self.rules.exclude, || {
                Ok(if class == Class::Other {
                    None
                } else {
                    attributes.excluding(path)
                })
            })?;
            let class = match rule {
                None => class,
                // Links and submodules are facts wherever they stand, and nothing else is.
                Some(_) if opaque => Class::Other,
                Some(rule) => {
                    self.exclude(rule, path);
                    continue;
                }
            };
            let part = |entry: Option<Entry>, packages: &Manifests| {
                entry.map(|entry| Part {
                    package: packages.of(&entry.path, class),
                    entry,
                    content: Content::Unread,
                })
            };
            pairs.push(Pair {
                class,
                before: part(before, &self.packages.before),
                after: part(after, &self.packages.after),
                unchanged: false,
            });
        }
        Ok(pairs)
    }

    /// Counts a file that a rule leaves out; `--path` comes first.
    fn exclude(&mut self, rule: Rule, path: &[u8]) {
        if self.filter.passes(path) {
            *self.excluded.entry(rule).or_default() += 1;
        }
    }

    /// Reads what the object ids alone do not tell.
    fn read(&self, pairs: &mut [Pair]) {
        let mut wanted = Vec::new();
        let mut places: HashMap<Oid, usize> = HashMap::new();
        for part in pairs.iter().filter(|pair| is_read(pair)).flat_map(parts) {
            let limit = if part.0 == Class::Golden {
                MAX_GOLDEN
            } else {
                MAX_SOURCE
            };
            places.entry(part.1.entry.id).or_insert_with(|| {
                wanted.push((BlobId(part.1.entry.id), limit));
                wanted.len() - 1
            });
        }
        let mut contents: Vec<_> = load::blobs(self.repo, &wanted).into_iter().map(Some).collect();
        let mut uses = vec![0; contents.len()];
        for part in pairs.iter().filter(|pair| is_read(pair)).flat_map(parts) {
            uses[places[&part.1.entry.id]] += 1;
        }
        for pair in pairs.iter_mut().filter(|pair| is_read(pair)) {
            for part in [&mut pair.before, &mut pair.after].into_iter().flatten() {
                let Some(place) = places.get(&part.entry.id).filter(|_| part.entry.kind.is_file()) else {
                    continue;
                };
                uses[*place] -= 1;
                // The last one takes it, the others get copies: one blob at many paths is rare.
                let content = if uses[*place] == 0 {
                    contents[*place].take()
                } else {
                    contents[*place].clone()
                };
                part.content = content.expect("as many uses as were counted");
            }
        }
    }

    /// Takes out files that carry a mark of generated code: where there is a file before, its mark decides.
    fn without_generated(&mut self, pairs: Vec<Pair>) -> Vec<Pair> {
        let mut kept = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let part = pair.before.as_ref().or(pair.after.as_ref());
            let mark = part.and_then(|part| match (&part.content, pair.class) {
                (Content::Bytes(bytes), Class::Code(_)) => generated_mark(bytes),
                _ => None,
            });
            let included = &self.rules.exclude.include;
            match mark {
                Some(mark) if included.is_empty() || !selects(included, path_of(&pair)) => {
                    self.exclude(by_header(mark), path_of(&pair));
                }
                _ => kept.push(pair),
            }
        }
        kept
    }
}

/// The class of a path after `--lang`; golden files stay in.
fn class(path: &[u8], rules: &Rules, filter: &Filter) -> Class {
    match classify(path, &rules.golden) {
        Class::Code(language) if !filter.langs.is_empty() && !filter.langs.contains(&language) => {
            Class::Other
        }
        class => class,
    }
}

/// The sides of a pair that are files.
fn parts(pair: &Pair) -> impl Iterator<Item = (Class, &Part)> {
    let sides = [&pair.before, &pair.after].into_iter().flatten();
    sides
        .filter(|part| part.entry.kind.is_file())
        .map(|part| (pair.class, part))
}

/// Whether the content of a pair matters.
fn is_read(pair: &Pair) -> bool {
    let same = match (&pair.before, &pair.after) {
        (Some(before), Some(after)) => {
            before.entry.id == after.entry.id
                && (before.entry.path == after.entry.path || pair.class == Class::Golden)
        }
        _ => false,
    };
    !same && (pair.class != Class::Other || guardrail(path_of(pair)).is_some())
}

/// Pairs files that came with files that went and have equal content, in path order; empty ones never.
fn pair_equal(pairs: &mut Vec<Pair>, empty: BlobId) {
    let mut went: HashMap<(Class, Oid), std::collections::VecDeque<usize>> = HashMap::new();
    let single = |pair: &Pair| match (&pair.before, &pair.after) {
        (Some(part), None) | (None, Some(part)) if part.entry.kind.is_file() && part.entry.id != empty.0 => {
            Some((pair.class, part.entry.id))
        }
        _ => None,
    };
    for (index, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.after.is_none()) {
        if let Some(key) = single(pair) {
            went.entry(key).or_default().push_back(index);
        }
    }
    let mut joined = Vec::new();
    for (index, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.before.is_none()) {
        let partner = single(pair).and_then(|key| went.get_mut(&key)?.pop_front());
        joined.extend(partner.map(|partner| (partner, index)));
    }
    join(pairs, &joined);
}

/// Pairs what is left by similar content. Says whether there were too many candidates.
fn pair_similar(pairs: &mut Vec<Pair>) -> bool {
    let candidates = |wanted: fn(&Pair) -> Option<&Part>| -> (Vec<usize>, Vec<Candidate<'_>>) {
        pairs
            .iter()
            .enumerate()
            .filter_map(|(index, pair)| {
                let part = wanted(pair)?;
                let Content::Bytes(bytes) = &part.content else {
                    return None;
                };
                let candidate = Candidate {
                    path: &part.entry.path,
                    class: pair.class,
                    bytes,
                };
                Some((index, candidate))
            })
            .unzip()
    };
    let (went, removed) = candidates(|pair| pair.before.as_ref().filter(|_| pair.after.is_none()));
    let (came, added) = candidates(|pair| pair.after.as_ref().filter(|_| pair.before.is_none()));
    let Some(similar) = renames::pair(&removed, &added) else {
        return true;
    };
    let joined: Vec<_> = similar.into_iter().map(|(r, a)| (went[r], came[a])).collect();
    join(pairs, &joined);
    false
}

/// Makes one pair of each two.
fn join(pairs: &mut Vec<Pair>, joined: &[(usize, usize)]) {
    let mut gone = vec![false; pairs.len()];
    for (went, came) in joined {
        pairs[*went].after = pairs[*came].after.take();
        gone[*came] = true;
    }
    let mut gone = gone.into_iter();
    pairs.retain(|_| !gone.next().unwrap_or(false));
}

/// The folders of the packages on both sides.
struct Packages {
    before: Manifests,
    after: Manifests,
}

/// The manifests of one side: name and folder.
#[derive(Default)]
struct Manifests(BTreeSet<(&'static str, Vec<u8>)>);

impl Packages {
    fn find(repo: &Repo, range: &Range, changes: &[Change]) -> Result<Self> {
        let languages: BTreeSet<_> = changes
            .iter()
            .filter_map(|change| Language::of_path(change.path()))
            .collect();
        let names: Vec<&'static str> = languages
            .into_iter()
            .filter_map(|language| scanner(language)?.manifest())
            .collect();
        let folders = |tree, entries: Vec<&Entry>| -> Result<Manifests> {
            if names.is_empty() {
                return Ok(Manifests::default());
            }
            let paths = entries.iter().map(|entry| entry.path.as_slice());
            let found = repo.files_above(tree, &names, paths)?;
            let manifests = found.into_iter().filter_map(|entry| {
                let name = names
                    .iter()
                    .find(|name| name.as_bytes() == file_name(&entry.path))?;
                Some((*name, folder(&entry.path).to_vec()))
            });
            Ok(Manifests(manifests.collect()))
        };
        Ok(Self {
            before: folders(
                range.base_tree,
                changes.iter().filter_map(|c| c.before.as_ref()).collect(),
            )?,
            after: folders(
                range.head_tree,
                changes.iter().filter_map(|c| c.after.as_ref()).collect(),
            )?,
        })
    }
}

fn folder(path: &[u8]) -> &[u8] {
    &path[..memchr::memrchr(b'/', path).unwrap_or(0)]
}

impl Manifests {
    /// The nearest folder above a file with the manifest of its language, or what the language takes for it.
    fn of(&self, path: &[u8], class: Class) -> Option<Vec<u8>> {
        let Class::Code(language) = class else { return None };
        let scanner = scanner(language)?;
        let mut at = path;
        while let Some(manifest) = scanner.manifest().filter(|_| !at.is_empty()) {
            at = folder(at);
            if self.0.contains(&(manifest, at.to_vec())) {
                return Some(at.to_vec());
            }
        }
        scanner.package_without_manifest(path)
    }
}

/// Whether either tree holds a file that would be measured; the search stops at the first.
pub fn any_known(repo: &Repo, range: &Range, rules: &Rules, filter: &Filter) -> Result<bool> {
    for tree in [range.head_tree, range.base_tree] {
        let mut fault = None;
        let mut wanted = |path: &[u8], kind: crate::model::change::EntryKind| {
            let class = class(path, rules, filter);
            if class == Class::Other || !kind.is_file() || !filter.passes(path) || fault.is_some() {
                return Wanted::No;
            }
            // Attributes are those of the base tree for files of either.
            let rule = by_path(path, class, &rules.exclude, || {
                let files = repo.files_above(range.base_tree, &[".gitattributes"], [path])?;
                Ok(repo.attributes(files)?.excluding(path))
            });
            match rule {
                Ok(Some(_)) => Wanted::No,
                Ok(None) => Wanted::Last,
                Err(error) => {
                    fault = Some(error);
                    Wanted::No
                }
            }
        };
        let found = repo.walk_tree(tree, b"", &mut wanted)?;
        if let Some(error) = fault {
            return Err(error);
        }
        if !found.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
