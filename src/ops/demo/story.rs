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
    second_clone(stage)
}

fn set_up(stage: &mut Stage) -> Result<()> {
    stage.chapter("A project with a remote");
    stage.run(".", "git init -q --bare remote.git", &Expect::Done)?;
    stage.run(".", "git clone -q remote.git alice", &Expect::Done)?;
    stage.edit("write Cargo.toml", "alice/Cargo.toml", MANIFEST)?;
    stage.edit("write src/lib.rs: a price, two tests", "alice/src/lib.rs", LIB)?;
    stage.run("alice", "git add .", &Expect::Done)?;
    stage.run("alice", "git commit -qm \"Add prices\"", &Expect::Done)?;
    stage.run("alice", "git push -q origin main", &Expect::Done)?;
    stage.chapter("Set up the gate: a policy file and two hooks");
    stage.run("alice", "git review-gate init", &Expect::Done)?;
    stage.run("alice", "git add .review-gate.toml", &Expect::Done)?;
    stage.run("alice", "git commit -qm \"Adopt the review gate\"", &Expect::Done)?;
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
