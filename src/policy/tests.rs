//! What is read, what is refused, and where the fault is said to be.

use proptest::prelude::*;

use super::*;
use crate::model::baseline::SurfaceMode;
use crate::model::fact::FactKind;
use crate::model::policy::levels::{DeletionsLevel, FindingsLevel};
use crate::model::policy::{DeliveryRule, EvidenceSource, GateName, OnPush};
use crate::model::severity::Severity;

#[test]
fn the_starter_file_holds_exactly_the_built_in_values() {
    let mut starter = parse(STARTER.as_bytes()).unwrap();
    let gates = std::mem::take(&mut starter.gates);
    assert_eq!(starter, Policy::default());
    assert_eq!(gates.len(), 1);
    assert_eq!(gates[0].levels, Levels::built_in());
    for name in ["refs/heads/a/b", "refs/tags/v1"] {
        assert!(
            gates[0]
                .refs
                .iter()
                .any(|pattern| pattern.matches(name.as_bytes())),
            "{name}"
        );
    }
    assert!(
        gates[0]
            .refs
            .iter()
            .all(|pattern| !pattern.matches(b"refs/for/main"))
    );
    // The commented parts are TOML as well, once the marks are gone.
    let uncommented: String = STARTER
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.contains(" = ") || rest.starts_with('[') => format!("{rest}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let strict = parse(uncommented.as_bytes()).unwrap();
    assert_eq!(strict.gate(b"refs/heads/main").unwrap().0, GateName::Number(0));
    assert_eq!(strict.gates[0].levels.findings, FindingsLevel::Verified);
    assert_eq!(strict.base.as_deref(), Some("origin/main"));
}

#[test]
fn reads_every_section() {
    let policy = parse(
        br#"
base = "origin/main"
[[gate]]
refs = ["refs/heads/*"]
severities = ["nit", "blocker", "nit"]
deletions = "deny"
[baseline]
surface = "declared"
drift = ["default", "api-widened"]
exclude = ["legacy/**"]
test_files = { python = ["check_*.py"] }
[[baseline.probe]]
name = "help"
command = ["tool", "--help"]
[evidence]
total_bytes = 8192
per_file_bytes = 2048
[[evidence.source]]
key = "code-review"
path = "notes/{review}.md"
[[evidence.source]]
key = "load-report"
path = "perf/{branch}/load.txt"
supports = ["no-new-bugs"]
rule = "conclusion"
marker = "RESULT: "
from = "worktree"
[reviewer]
command = ["ask", "-v"]
timeout = "5s"
[origins]
extra = ["security"]
security = ["sam@example.org"]
qa = []
[rule]
by = ["lead@example.org"]
[waive]
major = ["lead@example.org"]
[spec]
allow_stopped = ["budget"]
[quality]
max_score_drop = 0
[sync]
on_push = "require"
notes_prefix = "refs/notes/team/gate"
"#,
    )
    .unwrap();
    assert_eq!(
        policy.gates[0].levels.severities,
        [Severity::Blocker, Severity::Nit].into()
    );
    assert_eq!(policy.gates[0].levels.deletions, DeletionsLevel::Deny);
    assert_eq!(policy.gates[0].levels.findings, FindingsLevel::Addressed);
    assert_eq!(policy.baseline.surface, SurfaceMode::Declared);
    assert!(policy.baseline.drift.contains(FactKind::ApiWidened));
    assert!(policy.baseline.drift.contains(FactKind::ApiRemoved));
    assert!(!policy.baseline.drift.contains(FactKind::TestMoved));
    assert_eq!(policy.baseline.probes[0].command, ["tool", "--help"]);
    assert_eq!(policy.evidence.per_file_bytes(), 2048);
    assert!(
        matches!(&policy.evidence.sources[0], EvidenceSource::BuiltIn { path: Some(path), .. } if path == "notes/{review}.md")
    );
    assert!(matches!(
        &policy.evidence.sources[1],
        EvidenceSource::Own { rule: DeliveryRule::Conclusion { marker }, .. } if marker == "RESULT: "
    ));
    assert!(policy.origins.knows("security") && policy.origins.allow("pm", "any@example.org"));
    assert!(!policy.origins.allow("qa", "kim@example.org"));
    assert!(policy.origins.allow("security", "sam@example.org"));
    assert!(!policy.rule.allow("other@example.org") && policy.authorize.allow("other@example.org"));
    assert_eq!(policy.sync.on_push, OnPush::Require);
    assert!(policy.is_own_ref(b"refs/notes/team/gate/findings"));
}

#[test]
fn says_what_is_wrong_and_where() {
    for (text, line, column, part, nearest) in [
        ("bse = \"a\"", 1, 1, "unknown key `bse` in the file", Some("base")),
        (
            "\n[[gate]]\nrefs = [\"refs/*\"]\nreveiw = \"off\"",
            4,
            1,
            "unknown key `reveiw` in [[gate]]",
            Some("review"),
        ),
        (
            "[[gate]]\nrefs = [\"refs/*\"]\nreview = \"requird\"",
            3,
            10,
            "unknown value \"requird\"",
            Some("required"),
        ),
        (
            "[[gate]]\nrefs = [\"refs/*\"]\nreview = true",
            3,
            10,
            "is a text, not true or false",
            None,
        ),
        (
            "[[gate]]\nfindings = \"none\"",
            1,
            1,
            "[[gate]] needs the key `refs`",
            None,
        ),
        ("[[gate]]\nrefs = []", 2, 8, "at least one pattern", None),
        ("[[gate]]\nrefs = [\"main\"]", 2, 9, "begins with `refs/`", None),
        ("[gate]\nrefs = [\"refs/*\"]", 1, 1, "`gate` is a list", None),
        ("version = 2", 1, 11, "`version = 1`", None),
        ("version = \"1\"", 1, 11, "a whole number", None),
        ("base = \"a..b\"", 1, 8, "the name of a branch", None),
        ("base = \"HEAD\"", 1, 8, "the name of a branch", None),
        ("base = \"a\"\nbase = \"b\"", 2, 1, "duplicate key", None),
        ("base = \"a\\u0007\"", 1, 8, "control character", None),
        (
            "[baseline]\ndrift = [\"api-remvoed\"]",
            2,
            10,
            "unknown value",
            Some("api-removed"),
        ),
        ("[baseline]\nexclude = [\"[\"]", 2, 12, "not a glob", None),
        (
            "[baseline]\ntest_files = { pyton = [] }",
            2,
            16,
            "unknown key `pyton`",
            Some("python"),
        ),
        (
            "[[baseline.probe]]\nname = \"a\"\ncommand = []",
            3,
            11,
            "names no program",
            None,
        ),
        ("[evidence]\ntotal_bytes = 40961", 2, 15, "multiple of 4", None),
        (
            "[evidence]\ntotal_bytes = 99999999",
            2,
            15,
            "4096 to 1048576",
            None,
        ),
        ("[evidence]\nper_file_bytes = 1", 2, 18, "a quarter", None),
        (
            "[[evidence.source]]\nkey = \"pre-post-diff\"\npath = \"x\"",
            2,
            7,
            "nothing about it can be changed",
            None,
        ),
        (
            "[[evidence.source]]\nkey = \"tech-doc\"\nsupports = []",
            3,
            1,
            "only its `path` and `from`",
            None,
        ),
        (
            "[[evidence.source]]\nkey = \"a\"\npath = \"../x\"\nsupports = [\"no-new-bugs\"]",
            3,
            8,
            "inside the repository",
            None,
        ),
        (
            "[[evidence.source]]\nkey = \"a\"\npath = \"{x}\"\nsupports = [\"no-new-bugs\"]",
            3,
            8,
            "knows only",
            None,
        ),
        (
            "[reviewer]\ntimeout = \"10m\"",
            2,
            11,
            "a number of seconds",
            None,
        ),
        ("[origins]\nextra = [\"qa\"]", 2, 10, "is there already", None),
        ("[origins]\nsecurity = []", 2, 1, "unknown key `security`", None),
        (
            "[rule]\nby = [\"A <a@example.org>\"]",
            2,
            7,
            "an email alone",
            None,
        ),
        ("[spec]\ndir = \"/abs\"", 2, 7, "inside the repository", None),
        ("[spec]\nblock_unread = 1", 2, 16, "true or false", None),
        (
            "[sync]\nnotes_prefix = \"refs/heads/x\"",
            2,
            16,
            "below refs/notes/",
            None,
        ),
        (
            "[sync]\nnotes_prefix = \"refs/notes/\"",
            2,
            16,
            "below refs/notes/",
            None,
        ),
        ("x = \u{1b}", 1, 5, "", None),
    ] {
        let fault = parse(text.as_bytes()).expect_err(text);
        assert_eq!((fault.line, fault.column), (line, column), "{text}: {fault}");
        assert!(fault.message.contains(part), "{text}: {fault}");
        assert_eq!(fault.nearest, nearest, "{text}: {fault}");
        assert!(!fault.message.contains(char::is_control), "{fault:?}");
    }
    let fault = parse(b"a = 1\n# \xff").unwrap_err();
    assert_eq!((fault.line, fault.column), (2, 3));
}

#[test]
fn hostile_files_end_in_a_fault() {
    for text in [
        "#".repeat(MAX_BYTES + 1),
        format!("a = {}", "[".repeat(100_000)),
        format!("[{}]", "a.".repeat(50_000)),
        format!("{} = 1", "k".repeat(200_000)),
        format!("base = \"{}\"", "a".repeat(2000)),
        format!("[baseline]\nexclude = [{}]", "\"a\",".repeat(5000)),
        "[[gate]]\nrefs = [\"refs/*\"]\n".repeat(201),
    ] {
        let fault = parse(text.as_bytes()).unwrap_err();
        assert!(fault.message.len() < 300, "{}", fault.message);
    }
}

proptest! {
    #[test]
    fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn never_panics_on_almost_valid_files(cut in 0..STARTER.len(), junk in "[ -~\n]{0,6}") {
        // The file is ASCII, so any place will do.
        let text = format!("{}{junk}{}", &STARTER[..cut], &STARTER[cut..]);
        let _ = parse(text.as_bytes());
    }
}
