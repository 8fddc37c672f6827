//! Choosing the two commits to compare: a named base is final, else candidates are tried in order.
//!
//! A candidate that cannot be decided stops the search: it never falls through to a smaller range.

use std::cell::RefCell;
use std::collections::BTreeMap;

use self::refusals::{cut_off, no_base, unresolved};
use crate::error::Result;
use crate::git::Repo;
use crate::git::range::{MergeBases, is_branch_name};
use crate::model::ids::{CommitId, Oid};
use crate::model::range::{Code, PassedOver, Range, RangeMode, Unavailable};
use crate::model::text::sanitise;

use super::policy_copy::{self, PolicyCopy};

mod refusals;

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The base as named on the command line.
    pub base: Option<&'a str>,
    /// The head, `HEAD` by default.
    pub head: &'a str,
    /// The full ref name of the branch that the head is, where it is one: no candidate for its own base.
    pub branch: Option<String>,
    /// What is compared with the head.
    pub mode: RangeMode,
    /// Who asks.
    pub asker: Asker,
    /// Whose policy names the base and holds.
    pub policy: PolicyUse,
}

/// Whose policy names the base and holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyUse {
    /// The copy in the base tree.
    OfBase,
    /// The built-in one, where that of the base is invalid and the head repairs it.
    BuiltIn,
}

/// Who asks; the rules differ a little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A baseline: an empty range is passed over, and `HEAD^1` is the last resort.
    Baseline,
    /// The gate: an empty range is taken (there is nothing to review), and `HEAD^1` is never tried.
    Gate,
}

/// The answer: a range, or why there is none. An `Err` besides means that the repository could not be read.
pub type Choice = std::result::Result<Range, Refusal>;

/// Why there is no range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// For people and programs.
    pub reason: Unavailable,
    /// The tip of the first candidate that exists, when none shares history with the head.
    pub unrelated: Option<CommitId>,
}

impl From<Unavailable> for Refusal {
    fn from(reason: Unavailable) -> Self {
        Self {
            reason,
            unrelated: None,
        }
    }
}

/// A range with the policy in force: the copy in the tree of its base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The range.
    pub range: Range,
    /// The policy of the base.
    pub policy: PolicyCopy,
}

/// Chooses the range and reads the policy of its base.
pub fn choose(repo: &Repo, question: &Question<'_>) -> Result<std::result::Result<Chosen, Refusal>> {
    let search = match Search::start(repo, question)? {
        Ok(search) => search,
        Err(reason) => return Ok(Err(reason.into())),
    };
    let mut range = match question.base {
        Some(base) => search.named(base)?,
        None => search.candidates()?,
    };
    if let Ok(range) = &mut range
        && range.base == range.head
        && question.asker == Asker::Baseline
    {
        let reason = Unavailable::new(
            Code::EmptyRange,
            format!(
                "{} has nothing that {} has not",
                range.head_asked, range.base_name
            ),
        )
        .help("git log --oneline --graph -10 HEAD");
        return Ok(Err(reason.into()));
    }
    Ok(match range {
        Err(refusal) => Err(refusal),
        Ok(range) if question.policy == PolicyUse::BuiltIn => Ok(Chosen {
            range,
            policy: PolicyCopy::built_in(),
        }),
        Ok(range) => match policy_copy::read(repo, range.base_tree)? {
            Ok(policy) => Ok(Chosen { range, policy }),
            Err(reason) => Err(reason.into()),
        },
    })
}

/// A place where the base may be.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    /// As it is shown.
    name: String,
    /// How it was found, as it is shown.
    found_by: String,
    /// Full names of the refs it may be; more than one only for the base that the policy names.
    refs: Vec<String>,
}

struct Search<'a> {
    repo: &'a Repo,
    question: &'a Question<'a>,
    head: CommitId,
    /// The refs that were looked up.
    refs: RefCell<BTreeMap<String, Option<(String, Oid)>>>,
}

impl<'a> Search<'a> {
    fn start(repo: &'a Repo, question: &'a Question<'a>) -> Result<std::result::Result<Self, Unavailable>> {
        Ok(match repo.resolve(question.head) {
            Ok(head) => Ok(Self {
                repo,
                question,
                head,
                refs: RefCell::default(),
            }),
            Err(error) => Err(unresolved(error, question.head, Code::UnknownHead)?),
        })
    }

    /// The range for a base that was named: there is no fall-back from it.
    fn named(&self, base: &str) -> Result<Choice> {
        let tip = match self.repo.resolve(base) {
            Ok(tip) => tip,
            Err(error) => return Ok(Err(unresolved(error, base, Code::UnknownBase)?.into())),
        };
        let range = |bases: Vec<CommitId>| {
            self.range(
                bases,
                tip,
                (sanitise(base), "command line".to_owned()),
                Vec::new(),
            )
        };
        if self.question.mode == RangeMode::Tip {
            return range(Vec::new()).map(Ok);
        }
        Ok(match self.repo.merge_bases(tip, self.head)? {
            MergeBases::Found(bases) => Ok(range(bases)?),
            MergeBases::CutOff { missing, boundary } => Err(cut_off(base, missing, boundary).into()),
            MergeBases::Unrelated => Err(Unavailable::new(
                Code::NoMergeBase,
                format!(
                    "{} and {} share no history",
                    sanitise(base),
                    sanitise(self.question.head)
                ),
            )
            .help("--tip compares the base itself instead of the merge base")
            .into()),
        })
    }

    /// Tries the candidates in order, the base that the policy names first.
    fn candidates(&self) -> Result<Choice> {
        let others = self.known_candidates()?;
        if self.question.policy == PolicyUse::BuiltIn {
            return self.try_all(None, &others);
        }
        let mut named = match self.policy_at_first(&others)? {
            Ok(copy) => copy.policy.base,
            Err(reason) => return Ok(Err(reason.into())),
        };
        // The copy in the base found that way may name another base: that one is used, once.
        for last in [false, true] {
            let choice = match self.try_all(named.as_deref(), &others)? {
                Ok(range) => range,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let copy = match policy_copy::read(self.repo, choice.base_tree)? {
                Ok(copy) => copy,
                Err(reason) => return Ok(Err(reason.into())),
            };
            if last || copy.policy.base.is_none() || copy.policy.base == named {
                return Ok(Ok(choice));
            }
            named = copy.policy.base;
        }
        unreachable!("the second round always returns")
    }

    /// All candidates but the policy's and the last resort.
    fn known_candidates(&self) -> Result<Vec<Candidate>> {
        let mut names = Vec::new();
        let branch = self.question.branch.as_deref();
        let short = branch.and_then(|branch| branch.strip_prefix("refs/heads/"));
        if let Some(upstream) = short.and_then(|short| self.repo.upstream(short))
            && upstream.remote != "."
        {
            names.push((format!("{}/HEAD", upstream.remote), None));
        }
        names.extend([
            ("origin/HEAD".to_owned(), None),
            ("origin/main".to_owned(), None),
            ("origin/master".to_owned(), None),
            ("main".to_owned(), Some("refs/heads/main")),
            ("master".to_owned(), Some("refs/heads/master")),
        ]);
        if names.len() == 6 && names[0].0 == "origin/HEAD" {
            names.remove(0);
        }
        // A bare repository without remotes is the one that others push to: it is its own origin.
        let own_origin = self.repo.is_bare() && self.repo.refs_under("refs/remotes/")?.is_empty();
        names
            .into_iter()
            .map(|(name, local)| {
                let full = match local {
                    Some(full) => full.to_owned(),
                    None if own_origin => match name.strip_prefix("origin/") {
                        Some("HEAD") => self.repo.head()?.ref_name().unwrap_or("HEAD").to_owned(),
                        Some(branch) => format!("refs/heads/{branch}"),
                        None => format!("refs/remotes/{name}"),
                    },
                    None => format!("refs/remotes/{name}"),
                };
                Ok(Candidate {
                    name: sanitise(&name),
                    found_by: sanitise(&name),
                    refs: vec![full],
                })
            })
            .collect()
    }

    /// The policy in which the base is looked up: that of the first candidate that exists and is not the branch
    /// itself, and the head's only when there is none.
    fn policy_at_first(
        &self,
        candidates: &[Candidate],
    ) -> Result<std::result::Result<PolicyCopy, Unavailable>> {
        for candidate in candidates {
            if !self.is_own(candidate)
                && let Some(tip) = self.tip(candidate)?.tip()
            {
                return policy_copy::read_commit(self.repo, tip);
            }
        }
        policy_copy::read_commit(self.repo, self.head)
    }

    fn try_all(&self, named: Option<&str>, others: &[Candidate]) -> Result<Choice> {
        let mut passed_over = Vec::new();
        let mut unrelated = None;
        let named = match named.map(policy_candidate).transpose() {
            Ok(named) => named,
            Err(reason) => return Ok(Err(reason.into())),
        };
        for candidate in named.iter().chain(others) {
            let mut pass = |why: &str| {
                passed_over.push(PassedOver {
                    candidate: candidate.found_by.clone(),
                    why: why.to_owned(),
                });
            };
            if self.is_own(candidate) {
                pass("is the branch itself");
                continue;
            }
            let tip = match self.tip(candidate)? {
                Tip::Commit(tip) => tip,
                Tip::None => {
                    pass("does not exist");
                    continue;
                }
                Tip::Refused(mut reason) => {
                    reason.tried = passed_over;
                    return Ok(Err(reason.into()));
                }
            };
            match self.repo.merge_bases(tip, self.head)? {
                MergeBases::CutOff { missing, boundary } => {
                    let mut reason = cut_off(&candidate.name, missing, boundary);
                    reason.tried = passed_over;
                    return Ok(Err(reason.into()));
                }
                MergeBases::Unrelated => {
                    unrelated.get_or_insert(tip);
                    pass("shares no history");
                }
                MergeBases::Found(bases) if self.is_empty(&bases, tip) => pass("has the head already"),
                MergeBases::Found(bases) => {
                    let called = (candidate.name.clone(), candidate.found_by.clone());
                    return self.range(bases, tip, called, passed_over).map(Ok);
                }
            }
        }
        if self.question.asker == Asker::Baseline {
            return self.first_parent(passed_over);
        }
        let mut reason = no_base();
        reason.tried = passed_over;
        Ok(Err(Refusal { reason, unrelated }))
    }

    /// Whether a baseline passes over what a candidate leads to: there would be nothing to compare.
    fn is_empty(&self, bases: &[CommitId], tip: CommitId) -> bool {
        let base = match self.question.mode {
            RangeMode::MergeBase => bases.first().copied(),
            RangeMode::Tip => Some(tip),
        };
        self.question.asker == Asker::Baseline && base == Some(self.head)
    }

    /// The last resort: the first parent.
    fn first_parent(&self, mut passed_over: Vec<PassedOver>) -> Result<Choice> {
        let name = "HEAD^1".to_owned();
        let parent = self.repo.commit(self.head)?.parents.first().copied();
        let reason = match parent {
            Some(parent) if self.repo.has_commit(parent)? => {
                let names = (name.clone(), name);
                return self.range(vec![parent], parent, names, passed_over).map(Ok);
            }
            Some(parent) => cut_off(&name, parent, self.head),
            None => {
                passed_over.push(PassedOver {
                    candidate: name,
                    why: "the head has no parent".to_owned(),
                });
                no_base()
            }
        };
        Ok(Err(Unavailable {
            tried: passed_over,
            ..reason
        }
        .into()))
    }

    fn range(
        &self,
        bases: Vec<CommitId>,
        tip: CommitId,
        (base_name, found_by): (String, String),
        passed_over: Vec<PassedOver>,
    ) -> Result<Range> {
        let mode = self.question.mode;
        let (base, merge_bases) = match (mode, bases.first()) {
            (RangeMode::MergeBase, Some(base)) => (*base, bases),
            _ => (tip, Vec::new()),
        };
        Ok(Range {
            mode,
            base_asked: self.question.base.map(sanitise),
            found_by,
            base_name,
            base_tip: tip,
            base,
            base_tree: self.repo.commit(base)?.tree,
            head_asked: sanitise(self.question.head),
            head: self.head,
            head_tree: self.repo.commit(self.head)?.tree,
            merge_bases,
            passed_over,
        })
    }

    fn is_own(&self, candidate: &Candidate) -> bool {
        let branch = self.question.branch.as_ref();
        branch.is_some_and(|branch| candidate.refs.contains(branch))
    }

    fn tip(&self, candidate: &Candidate) -> Result<Tip> {
        let mut tips = Vec::new();
        for name in &candidate.refs {
            let Some((target, id)) = self.followed(name)? else {
                continue;
            };
            match self.repo.peel_to_commit(id, &target) {
                Ok(commit) => tips.push(commit),
                Err(error) => return unresolved(error, name, Code::UnknownBase).map(Tip::Refused),
            }
        }
        tips.dedup();
        Ok(match tips[..] {
            [] => Tip::None,
            [tip] => Tip::Commit(tip),
            [..] => Tip::Refused(
                Unavailable::new(
                    Code::AmbiguousRef,
                    format!("{} names a branch and a remote-tracking branch", candidate.name),
                )
                .help("write `base` in the policy as refs/heads/NAME or refs/remotes/NAME"),
            ),
        })
    }

    /// The full name and object of a ref, or of what it stands for; looked up once in a search. `None` also where it
    /// leads nowhere, as the HEAD of a remote does whose branch is gone.
    fn followed(&self, name: &str) -> Result<Option<(String, Oid)>> {
        if let Some(known) = self.refs.borrow().get(name) {
            return Ok(known.clone());
        }
        let target = self
            .repo
            .symbolic_target(name)?
            .unwrap_or_else(|| name.to_owned());
        let found = self.repo.ref_target(&target)?.map(|id| (target, id));
        self.refs.borrow_mut().insert(name.to_owned(), found.clone());
        Ok(found)
    }
}

/// Where a candidate stands.
enum Tip {
    None,
    Commit(CommitId),
    Refused(Unavailable),
}

impl Tip {
    fn tip(&self) -> Option<CommitId> {
        match self {
            Self::Commit(tip) => Some(*tip),
            Self::None | Self::Refused(_) => None,
        }
    }
}

/// The candidate that the policy names: a branch or a remote-tracking branch, nothing else.
fn policy_candidate(base: &str) -> std::result::Result<Candidate, Unavailable> {
    let full = base.starts_with("refs/heads/") || base.starts_with("refs/remotes/");
    if !is_branch_name(base) || (!full && base.starts_with("refs/")) {
        return Err(Unavailable::new(
            Code::BadPolicy,
            format!("base {} is not the name of a branch", sanitise(base)),
        )
        .help("write `base` in the policy as the name of a branch or remote-tracking branch"));
    }
    let refs = if full {
        vec![base.to_owned()]
    } else {
        vec![format!("refs/heads/{base}"), format!("refs/remotes/{base}")]
    };
    Ok(Candidate {
        name: sanitise(base),
        found_by: format!("policy base {}", sanitise(base)),
        refs,
    })
}
