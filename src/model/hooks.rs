//! What installing, removing and examining hooks came to.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// The hooks of git that call this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HookName {
    /// Judges what is pushed.
    PrePush,
    /// Records which commits an amend or rebase rewrote.
    PostRewrite,
    /// Judges what a repository receives.
    PreReceive,
}

impl HookName {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::PrePush, Self::PostRewrite, Self::PreReceive];

    /// Those of the side that pushes; the other side is asked for by name.
    pub const SENDING: [Self; 2] = [Self::PrePush, Self::PostRewrite];

    /// Git's name of the hook.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PrePush => "pre-push",
            Self::PostRewrite => "post-rewrite",
            Self::PreReceive => "pre-receive",
        }
    }
}

/// A program that keeps the hooks of a repository in a configuration file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Manager {
    /// <https://typicode.github.io/husky>
    Husky,
    /// <https://lefthook.dev>
    Lefthook,
    /// <https://pre-commit.com>
    PreCommit,
    /// <https://prek.j178.dev>
    Prek,
    /// <https://hk.jdx.dev>
    Hk,
    /// <https://github.com/sds/overcommit>
    Overcommit,
}

impl Manager {
    /// What people call it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Husky => "husky",
            Self::Lefthook => "lefthook",
            Self::PreCommit => "pre-commit",
            Self::Prek => "prek",
            Self::Hk => "hk",
            Self::Overcommit => "overcommit",
        }
    }
}

/// What `hooks install` or `hooks uninstall` came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HooksChange {
    /// Always `review-gate/hooks`.
    pub schema: &'static str,
    /// Always 1.
    pub version: u32,
    /// `done`, or `planned` with `--dry-run`.
    pub mode: Mode,
    /// Every hook, also those that needed nothing.
    pub steps: Vec<Step>,
}

impl HooksChange {
    /// The change that these steps make.
    pub const fn new(mode: Mode, steps: Vec<Step>) -> Self {
        Self {
            schema: "review-gate/hooks",
            version: 1,
            mode,
            steps,
        }
    }

    /// Whether any step changes something.
    pub fn changes_anything(&self) -> bool {
        self.steps.iter().any(|step| step.action.changes())
    }

    /// Whether a manager's configuration must be edited before git calls us.
    pub fn waits_for_manager(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step.action, Action::Managed { .. }))
    }
}

/// Whether to do it or only to say what would be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Do it.
    #[serde(rename = "done")]
    Do,
    /// Only say what would be done.
    #[serde(rename = "planned")]
    DryRun,
}

/// One change that installing or removing makes, or the reason why it makes none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Step {
    /// Which hook.
    pub hook: HookName,
    /// The file of the hook, or the key of the configuration.
    pub path: PathBuf,
    /// What is done.
    #[serde(flatten)]
    pub action: Action,
}

/// What a [`Step`] does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum Action {
    /// Writes a hook where there was none.
    Create,
    /// Writes over our own hook of another version or program path.
    Replace,
    /// Moves the hook of somebody else aside and writes ours, which runs it afterwards.
    Chain {
        /// Where the other hook goes.
        moved_to: PathBuf,
    },
    /// Ours and current: nothing to do.
    Keep,
    /// Ours, of a newer version: left as it is.
    KeepNewer {
        /// The version of the file.
        version: u32,
    },
    /// A hook manager calls us already.
    ManagedLive {
        /// The manager.
        manager: Manager,
        /// Its configuration file that names us.
        file: String,
    },
    /// A hook manager owns the file: these lines belong into its configuration.
    Managed {
        /// The manager.
        manager: Manager,
        /// The configuration file.
        file: String,
        /// What to add to it.
        lines: String,
    },
    /// Writes the keys that make git 2.54 and later call us.
    Configure,
    /// Removes our hook.
    Remove,
    /// Removes our hook and puts the one that was moved aside back.
    Restore {
        /// Where the other hook was.
        moved_from: PathBuf,
    },
    /// Not ours (any more): left alone.
    LeaveAlone {
        /// Why.
        reason: String,
    },
    /// Removes our keys from the configuration.
    Unconfigure,
}

impl Action {
    /// Whether it changes anything.
    pub const fn changes(&self) -> bool {
        matches!(
            self,
            Self::Create
                | Self::Replace
                | Self::Chain { .. }
                | Self::Configure
                | Self::Remove
                | Self::Restore { .. }
                | Self::Unconfigure
        )
    }
}

/// Which hooks git really runs, for every worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HooksStatus {
    /// Always `review-gate/hooks-status`.
    pub schema: &'static str,
    /// Always 1.
    pub version: u32,
    /// Whether git runs us in every worktree that is there.
    pub live: bool,
    /// The worktrees, the main one first.
    pub worktrees: Vec<WorktreeHooks>,
}

/// The hooks of one worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WorktreeHooks {
    /// Where it is.
    pub path: PathBuf,
    /// The directory in which git looks for hooks; null where that could not be found out.
    pub directory: Option<PathBuf>,
    /// What is wrong with the whole worktree, if anything.
    pub fault: Option<String>,
    /// Whether the worktree's folder is gone; such a one does not count.
    pub gone: bool,
    /// Each hook.
    pub hooks: Vec<HookStatus>,
}

/// The state of one hook in one worktree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HookStatus {
    /// Which hook.
    pub hook: HookName,
    /// Whether git runs us.
    pub state: HookState,
    /// What was found, for people.
    pub notes: Vec<String>,
    /// The command that helps; null when nothing needs help.
    pub command: Option<String>,
}

/// Whether git runs us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HookState {
    /// Everything that can be seen says yes.
    Live,
    /// A push through git called us.
    Proven,
    /// No.
    NotLive,
    /// Not there, and not needed: only `post-rewrite` can be left out.
    NotInstalled,
}
