//! The structural baseline of a range: choose it, read what changed, measure, judge, write the artifact.

mod load;
mod probes;
mod select;
mod tree;

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::baseline::{SurfaceMode, Unmeasured, UnmeasuredReason, UnmeasuredSide};
use crate::model::fact;
use crate::model::glob::{Glob, GlobError, selects};
use crate::model::goal::Authorization;
use crate::model::key::path_text;
use crate::model::measured::{Baseline, Excluded, Files, Measured, Options};
use crate::model::policy::BaselinePolicy;
use crate::model::range::{Code, RangeMode, Unavailable};
use crate::model::text::sanitise;
use crate::structure::artifact::{self, Artifact};
use crate::structure::drift;
use crate::structure::exclude::ExcludeGlobs;
use crate::structure::language::Language;
use crate::structure::measure;
use crate::structure::pairing::Settings;
use crate::structure::paths::GoldenGlobs;
use crate::structure::surroundings::TestFiles;

use super::goal::OpenGoal;
use super::policy_copy;
use super::range::{self, Asker, Chosen, PolicyUse, Question};

/// What is asked on the command line.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The base; `None` looks for one.
    pub base: Option<String>,
    /// The head; `None` stands for `HEAD`.
    pub head: Option<String>,
    /// Compare the base itself, not the merge base.
    pub tip: bool,
    /// Only files that these globs select.
    pub paths: Vec<String>,
    /// Only these languages.
    pub langs: Vec<String>,
    /// Replaces the surface of the policy.
    pub surface: Option<SurfaceMode>,
    /// Run the probes of the policy.
    pub probes: bool,
}

/// What the goal of the open review says, for this branch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Goal<'a> {
    /// Its digest; `None` without a goal.
    pub digest: Option<&'a str>,
    /// The drift that it authorises.
    pub authorize: &'a [Authorization],
}

/// A baseline with its artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What it came to.
    pub baseline: Baseline,
    /// The text that is kept as evidence.
    pub artifact: Artifact,
}

impl From<Baseline> for Outcome {
    fn from(baseline: Baseline) -> Self {
        let artifact = artifact::write(&baseline);
        Self { baseline, artifact }
    }
}

impl From<Unavailable> for Outcome {
    fn from(reason: Unavailable) -> Self {
        Baseline::Unavailable(reason).into()
    }
}

/// Computes the baseline of the repository here, with what the open review of the branch authorises. Where there is
/// none, that is an outcome too.
pub fn run(request: &Request) -> Result<Outcome> {
    match Repo::open() {
        Ok(repo) => run_with_open_goal(&repo, request),
        Err(error) => Ok(Unavailable {
            help: error.hints.clone(),
            ..Unavailable::new(Code::NotARepository, error.to_string())
        }
        .into()),
    }
}

/// Computes a baseline in an opened repository, with this goal.
pub fn run_in(repo: &Repo, request: &Request, goal: Goal<'_>) -> Result<Outcome> {
    let filter = Filter::parse(request)?;
    match range::choose(repo, &question(request, branch(repo, request)?))? {
        Ok(chosen) => measure_range(repo, chosen, &filter, goal),
        Err(refusal) => Ok(refusal.reason.into()),
    }
}

fn run_with_open_goal(repo: &Repo, request: &Request) -> Result<Outcome> {
    let filter = Filter::parse(request)?;
    let branch = branch(repo, request)?;
    match range::choose(repo, &question(request, branch.clone()))? {
        Ok(chosen) => {
            let policy = &chosen.policy.policy;
            let name = branch
                .as_deref()
                .and_then(|name| name.strip_prefix("refs/heads/"));
            let goal = match name {
                Some(name) => OpenGoal::read(repo, policy, name, chosen.range.head)?,
                None => OpenGoal::default(),
            };
            measure_range(repo, chosen, &filter, goal.as_goal())
        }
        Err(refusal) => Ok(refusal.reason.into()),
    }
}

/// The branch that is compared, by full name: it is no candidate for its own base, and its open review is meant.
fn branch(repo: &Repo, request: &Request) -> Result<Option<String>> {
    Ok(match request.head.as_deref() {
        None | Some("HEAD" | "@") => repo.head()?.ref_name().map(str::to_owned),
        Some(name) => Some(format!(
            "refs/heads/{}",
            name.strip_prefix("refs/heads/").unwrap_or(name)
        )),
    })
}

fn question(request: &Request, branch: Option<String>) -> Question<'_> {
    Question {
        base: request.base.as_deref(),
        head: request.head.as_deref().unwrap_or("HEAD"),
        branch,
        mode: if request.tip {
            RangeMode::Tip
        } else {
            RangeMode::MergeBase
        },
        asker: Asker::Baseline,
        policy: PolicyUse::OfBase,
    }
}

/// What the command line leaves of a change.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    paths: Vec<Glob>,
    path_texts: Vec<String>,
    langs: Vec<Language>,
    surface: Option<SurfaceMode>,
    probes: bool,
}

impl Filter {
    /// Reads the options of a request; what they cannot mean is a usage error.
    pub fn parse(request: &Request) -> Result<Self> {
        let paths = globs(&request.paths)
            .map_err(|(glob, error)| usage(format!("--path {}: {error}", sanitise(&glob))))?;
        let language = |word: &String| {
            Language::from_word(word).ok_or_else(|| {
                let known: Vec<_> = Language::ids().collect();
                usage(format!("--lang {}: no such language", sanitise(word)))
                    .hint(format!("known are: {}", known.join(", ")))
            })
        };
        let mut langs = request.langs.iter().map(language).collect::<Result<Vec<_>>>()?;
        langs.sort();
        langs.dedup();
        Ok(Self {
            paths,
            path_texts: request.paths.clone(),
            langs,
            surface: request.surface,
            probes: request.probes,
        })
    }
}

impl Filter {
    /// Whether `--path` leaves a path in.
    fn passes(&self, path: &[u8]) -> bool {
        self.paths.is_empty() || selects(&self.paths, path)
    }
}

fn usage(message: String) -> Error {
    Error::new("usage", message)
}

fn globs(texts: &[String]) -> std::result::Result<Vec<Glob>, (String, GlobError)> {
    let parse = |text: &String| Glob::path(text).map_err(|error| (text.clone(), error));
    texts.iter().map(parse).collect()
}

/// The rules by which files are taken in or left out, from the policy of the base.
struct Rules {
    golden: GoldenGlobs,
    exclude: ExcludeGlobs,
    test_files: TestFiles,
}

impl Rules {
    fn parse(policy: &BaselinePolicy) -> std::result::Result<Self, (String, GlobError)> {
        Ok(Self {
            golden: GoldenGlobs {
                golden: globs(&policy.golden)?,
                not_golden: globs(&policy.not_golden)?,
            },
            exclude: ExcludeGlobs {
                include: globs(&policy.include)?,
                exclude: globs(&policy.exclude)?,
                exclude_texts: policy.exclude.clone(),
            },
            test_files: policy
                .test_files
                .iter()
                .map(|(language, texts)| Ok((language.clone(), globs(texts)?)))
                .collect::<std::result::Result<_, _>>()?,
        })
    }
}

/// Measures a range that is chosen, under the policy of its base.
pub fn measure_range(repo: &Repo, chosen: Chosen, filter: &Filter, goal: Goal<'_>) -> Result<Outcome> {
    let Chosen { range, policy } = chosen;
    let rules = match Rules::parse(&policy.policy.baseline) {
        Ok(rules) => rules,
        Err((glob, error)) => {
            let why = format!("glob {} of the policy: {error}", sanitise(&glob));
            let reason = Unavailable::new(Code::BadPolicy, why).help("git review-gate explain policy");
            return Ok(reason.into());
        }
    };
    let authorized = drift::parse(goal.authorize).map_err(|(glob, error)| {
        Error::new("goal", format!("glob {} of the goal: {error}", sanitise(&glob)))
            .hint("git review-gate review goal")
    })?;
    let mut selected = match select::select(repo, &range, &rules, filter) {
        Ok(selected) => selected,
        // A tree that is not here: in a partial clone, or in a damaged repository.
        Err(error) if matches!(error.kind, "missing-object" | "damaged-object") => {
            return Ok(Unavailable {
                help: error.hints.clone(),
                ..Unavailable::new(Code::MissingObject, error.to_string())
            }
            .into());
        }
        Err(error) => return Err(error),
    };
    let head_policy = policy_copy::read(repo, range.head_tree)?;
    let surface = filter.surface.unwrap_or(policy.policy.baseline.surface);
    let [before, after] = tree::GitTree::pair(repo, range.base_tree, range.head_tree);
    let context = measure::Context {
        before: &before,
        after: &after,
        policy: &policy.policy,
        head_policy: head_policy.as_ref().ok().map(|copy| &copy.policy),
        settings: Settings {
            surface,
            helpers: policy.policy.baseline.helpers.clone(),
            test_files: rules.test_files.clone(),
        },
    };
    let mut found = measure::measure(&selected.pairs, &context);
    let pairs = std::mem::take(&mut selected.pairs);
    rayon::spawn(move || drop(pairs));
    for (path, blob) in &selected.unread_attributes {
        found.unmeasured.push(Unmeasured {
            path: path_text(path),
            side: UnmeasuredSide::Before,
            reason: UnmeasuredReason::MissingBlob,
            detail: format!("blob {blob}: what it leaves out is not known"),
            seen: Vec::new(),
        });
    }
    if filter.probes {
        let (facts, unmeasured) = probes::run(repo, &range, &policy.policy.baseline.probes)?;
        found.facts.extend(facts);
        fact::sort(&mut found.facts);
        found.unmeasured.extend(unmeasured);
    }
    found.unmeasured.sort();
    let unused = drift::judge(&mut found.facts, &policy.policy.baseline.drift, &authorized);
    let known = selected.knows_a_file || select::any_known(repo, &range, &rules, filter)?;
    let verdict = Measured::decide(&found.facts, &found.unmeasured, known);
    let measured = found.by_language.values().sum();
    let mut declared_only = found.declared_only;
    declared_only.sort();
    declared_only.dedup();
    let files = Files {
        changed: selected.changed,
        measured,
        excluded: selected.excluded.values().sum(),
        other: selected.changed
            - (measured + selected.excluded.values().sum::<usize>() + found.unmeasured_files),
        unmeasured: found.unmeasured_files,
        by_language: found.by_language,
        declared_only,
    };
    let measured = Measured {
        range,
        options: Options {
            surface,
            paths: filter.path_texts.clone(),
            probes: filter.probes,
            langs: filter.langs.iter().map(|lang| lang.id().to_owned()).collect(),
            drift: drift::kinds(&policy.policy.baseline.drift),
            policy: policy.blob,
            goal: goal.digest.map(str::to_owned),
        },
        files,
        facts: found.facts,
        unmeasured: found.unmeasured,
        excluded: excluded(selected.excluded),
        unused,
        renames_over_limit: selected.renames_over_limit,
        verdict,
    };
    Ok(Baseline::Computed(Box::new(measured)).into())
}

fn excluded(rules: BTreeMap<crate::structure::exclude::Rule, usize>) -> Vec<Excluded> {
    rules
        .into_iter()
        .map(|(rule, files)| Excluded {
            rule: rule.rule,
            source: rule.source,
            files,
        })
        .collect()
}

/// What stands in the file of `--output` when not even a reason in the terms of a baseline is known.
pub fn not_computed(error: &Error) -> String {
    let status = crate::model::baseline::STATUS_MARKER;
    format!(
        "{status}UNAVAILABLE ({}: {})\n",
        error.kind,
        sanitise(&error.to_string())
    )
}
