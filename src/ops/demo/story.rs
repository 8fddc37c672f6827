//! What happens in the demo.

use super::{Expect, Stage};
use crate::error::Result;

/// Git's configuration in the demo: somebody, and no surprises from the machine.
pub(super) const GIT_CONFIG: &str = "[user]\n\tname = Alice\n\temail = alice@example.org\n\
     [init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n";

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

const LIB: &str = r"//! Prices.

/// The price of `count` pieces, in cents.
pub fn price(count: u32) -> u32 {
    count * 250
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_piece() {
        assert_eq!(price(1), 250);
    }

    #[test]
    fn nothing_is_free() {
        assert_eq!(price(0), 0);
    }
}
";

/// The main branch takes only what a final review passed.
const POLICY: &str = "version = 1\n\n[[gate]]\nrefs = [\"refs/heads/main\"]\nreview = \"required\"\n";

/// The discount, and one test less.
const DISCOUNT: &str = r"//! Prices.

/// The price of `count` pieces, in cents; ten or more are cheaper.
pub fn price(count: u32) -> u32 {
    if count > 10 { count * 200 } else { count * 250 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_piece() {
        assert_eq!(price(1), 250);
    }
}
";

/// The discount done right, with all tests.
const MENDED: &str = r"//! Prices.

/// The price of `count` pieces, in cents; ten or more are cheaper.
pub fn price(count: u32) -> u32 {
    if count >= 10 { count * 200 } else { count * 250 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_piece() {
        assert_eq!(price(1), 250);
    }

    #[test]
    fn nothing_is_free() {
        assert_eq!(price(0), 0);
    }

    #[test]
    fn ten_are_cheaper() {
        assert_eq!(price(10), 2000);
    }
}
";

/// Tells the story.
pub(super) fn tell(stage: &mut Stage) -> Result<()> {
    set_up(stage)?;
    change(stage)?;
    let finding = blocked(stage)?;
    mend(stage, &finding)?;
    second_clone(stage)?;
    final_review(stage)
}

fn set_up(stage: &mut Stage) -> Result<()> {
    stage.chapter("A project with a remote");
    stage.run(".", "git init -q --bare remote.git", &Expect::Done)?;
    stage.run(".", "git clone -q remote.git alice", &Expect::Done)?;
    stage.edit("write Cargo.toml", "alice/Cargo.toml", MANIFEST)?;
    stage.edit("write src/lib.rs: a price, two tests", "alice/src/lib.rs", LIB)?;
    stage.chapter("Set up the gate: a policy file and two hooks");
    stage.edit(
        "write .review-gate.toml: main takes only what a final review passed",
        "alice/.review-gate.toml",
        POLICY,
    )?;
    stage.run("alice", "git add .", &Expect::Done)?;
    stage.run("alice", "git commit -qm \"Add prices\"", &Expect::Done)?;
    stage.run("alice", "git review-gate init", &Expect::Done)?;
    stage.run("alice", "git push -q origin main", &Expect::Done)?;
    Ok(())
}

fn change(stage: &mut Stage) -> Result<()> {
    stage.chapter("A change that says \"done, all tests pass\"");
    stage.run("alice", "git switch -qc discount", &Expect::Done)?;
    stage.edit(
        "edit src/lib.rs: a discount, and one test less",
        "alice/src/lib.rs",
        DISCOUNT,
    )?;
    stage.run(
        "alice",
        "git commit -qam \"Add a discount for ten pieces\"",
        &Expect::Done,
    )?;
    stage.chapter("What did it remove or weaken?");
    stage.run(
        "alice",
        "git review-gate baseline main",
        &Expect::Says("test-removed"),
    )?;
    Ok(())
}

fn blocked(stage: &mut Stage) -> Result<String> {
    stage.chapter("A reviewer files what is wrong");
    let added = stage.run(
        "alice",
        "git review-gate finding add --origin qa --severity major --file src/lib.rs:5 \
         --expected \"ten pieces are cheaper\" --actual \"ten pieces still cost 2500\"",
        &Expect::Says("(major)"),
    )?;
    let finding = added
        .split_once("[F-")
        .and_then(|(_, rest)| rest.split_once(']'))
        .map_or_else(|| "F-".to_owned(), |(id, _)| format!("F-{id}"));
    stage.chapter("The push is blocked, and the remote has not moved");
    stage.run("alice", "git push origin discount", &Expect::Fails(1, &finding))?;
    stage.run("alice", "git ls-remote --heads origin", &Expect::Done)?;
    Ok(finding)
}

fn mend(stage: &mut Stage, finding: &str) -> Result<()> {
    stage.chapter("The fix, and the answer");
    stage.edit(
        "edit src/lib.rs: >= 10, and the tests are back",
        "alice/src/lib.rs",
        MENDED,
    )?;
    stage.run(
        "alice",
        "git commit -qam \"Count ten pieces as many\"",
        &Expect::Done,
    )?;
    stage.run(
        "alice",
        "git review-gate baseline main",
        &Expect::Says("ADDITIONS ONLY"),
    )?;
    stage.run(
        "alice",
        &format!("git review-gate finding resolve {finding}"),
        &Expect::Done,
    )?;
    stage.chapter("The push goes through, and takes the notes along");
    stage.run("alice", "git push -q origin discount", &Expect::Done)?;
    stage.chapter("The reviewer confirms the answer");
    stage.run(
        "alice",
        &format!("git review-gate finding verify {finding}"),
        &Expect::Done,
    )?;
    stage.run("alice", "git review-gate sync", &Expect::Done)?;
    Ok(())
}

fn second_clone(stage: &mut Stage) -> Result<()> {
    stage.chapter("A second clone sees the same");
    stage.run(
        ".",
        "git clone -q --branch discount remote.git bob",
        &Expect::Done,
    )?;
    stage.run("bob", "git review-gate init", &Expect::Done)?;
    stage.run("bob", "git review-gate finding list", &Expect::Says("verified"))?;
    let alice = stage.run("alice", "git review-gate finding list --json", &Expect::Done)?;
    stage.leave_out_output();
    let bob = stage.run("bob", "git review-gate finding list --json", &Expect::Done)?;
    stage.leave_out_output();
    stage.same("both lists are equal, byte for byte", &alice, &bob);
    stage.run("bob", "git review-gate check", &Expect::Done)?;
    Ok(())
}

fn final_review(stage: &mut Stage) -> Result<()> {
    stage.chapter("The main branch takes only what a final review passed");
    stage.run(
        "alice",
        "git push -q origin discount:main",
        &Expect::Fails(1, "review-missing"),
    )?;
    let started = stage.run(
        "alice",
        "git review-gate review start --problem \"ten pieces cost 2500\" \
         --criterion \"AC-1: ten pieces cost 2000\"",
        &Expect::Says("AC-1"),
    )?;
    let review = started
        .strip_prefix("Review ")
        .and_then(|rest| rest.split_once(' '))
        .map_or("", |(review, _)| review);
    stage.chapter(
        "A command that was seen to succeed (here a short one; in earnest the tests), and the packet",
    );
    stage.run(
        "alice",
        "git review-gate evidence run -- git diff --check main",
        &Expect::Done,
    )?;
    stage.run(
        "alice",
        "git review-gate review packet --output ../packet.txt",
        &Expect::Done,
    )?;
    stage.chapter("A reviewer reads the packet and answers; one question needs a person");
    stage.edit("write the reviewer's answer", "reply.json", &reply(review))?;
    stage.run(
        "alice",
        "git review-gate review record ../reply.json",
        &Expect::Fails(1, "needs-human"),
    )?;
    stage.run(
        "alice",
        "git push -q origin discount:main",
        &Expect::Fails(1, "review-not-pass"),
    )?;
    stage.chapter("The person decides, with a name and a reason, and the push goes through");
    stage.run(
        "alice",
        "git review-gate review rule problem-resolution pass --reason \"ordered ten: 2000\"",
        &Expect::Says("all pass"),
    )?;
    stage.run("alice", "git push -q origin discount:main", &Expect::Done)?;
    Ok(())
}

/// What a reviewer would write.
fn reply(review: &str) -> String {
    let reply = serde_json::json!({
        "rid": review,
        "generatedAt": "2026-12-01T12:00:00Z",
        "overallSummary": "Three hold, one needs a look.",
        "dimensions": [
            {
                "dimension": "functional-completeness", "verdict": "pass", "confidence": "high",
                "summary": "AC-1 has a test.",
                "evidence": [
                    {"kind": "ac-mapping", "description": "AC-1: ten_are_cheaper", "artifact": "src/lib.rs:23"},
                    {"kind": "test-result", "description": "the witnessed run succeeded"},
                ],
            },
            {
                "dimension": "problem-resolution", "verdict": "inconclusive", "confidence": "medium",
                "summary": "The test shows ten pieces; a person must say whether that is the reported case.",
                "evidence": [],
            },
            {
                "dimension": "no-new-bugs", "verdict": "pass", "confidence": "medium",
                "summary": "One piece costs what it did.",
                "evidence": [
                    {"kind": "regression-suite", "description": "git diff --check main: succeeded"},
                    {"kind": "test-result", "description": "one_piece", "artifact": "src/lib.rs:13"},
                ],
            },
            {
                "dimension": "existing-functionality-intact", "verdict": "pass", "confidence": "high",
                "summary": "Nothing went.", "evidence": [],
            },
        ],
    });
    format!("{reply:#}\n")
}
