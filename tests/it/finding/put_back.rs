//! Every command that writes puts back what a ref has lost, says so, and then does its own work.

use crate::scene::{Scene, says};

#[test]
fn each_writing_command_puts_back_what_was_taken_away() {
    let lines = [
        "finding resolve ONE",
        "finding verify TWO",
        "finding pass --origin pm",
        "finding reopen TWO --actual again",
        "finding waive ONE --reason known",
        "finding import mirror.json",
        "review amend --criterion AC-1:fast",
        "adopt main topic",
    ];
    for line in lines {
        let Scene { repo, .. } = Scene::new();
        let one = repo.raise_as("qa", "minor", "one");
        let two = repo.raise_as("pm", "minor", "two");
        repo.say("finding resolve", [&two[..]]).run().code(0);
        repo.say("finding export --output mirror.json", []).run().code(0);
        repo.raise_as("qa", "nit", "three");
        // Somebody sets the ref back to what it was before.
        repo.git([
            "update-ref",
            "refs/notes/review-gate/findings",
            "refs/review-gate/seen/findings~1",
        ]);
        repo.say("finding list", []).run().code(2);
        let line = line.replace("ONE", &one).replace("TWO", &two);
        let ran = repo.say(&line, []).run().code(0);
        says(&ran, &["put back"]);
        assert!(repo.states("").contains_key("three"), "{line}");
    }
}
