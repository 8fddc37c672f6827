//! What happens when git calls: a program that is gone, chained hooks, hooks in the configuration.

use std::fs;
use std::os::unix::fs::symlink;

use super::one_commit;
use crate::support::{BINARY, Repo, World, copy_program, script};

#[test]
fn a_program_that_is_gone_stops_the_push() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    let remote = world.bare("remote.git");
    // Only git and a shell: whatever else is on the PATH of the machine must not help.
    let tools = world.path("tools");
    fs::create_dir(&tools).expect("folder");
    let path = std::env::var_os("PATH").expect("PATH");
    for tool in ["git", "sh"] {
        let found = std::env::split_paths(&path)
            .map(|dir| dir.join(tool))
            .find(|file| file.is_file());
        symlink(found.expect("git and sh are on PATH"), tools.join(tool)).expect("link");
    }
    let program = world.path("program");
    copy_program(BINARY, &program);
    let install = repo
        .command(&program)
        .args(["hooks", "install"])
        .env("PATH", &tools);
    install
        .env_remove("HOME")
        .env_remove("GIT_CONFIG_GLOBAL")
        .run()
        .code(0);
    let status = || {
        repo.command(BINARY)
            .args(["hooks", "status"])
            .env("PATH", &tools)
            .run()
    };
    status().code(0);
    fs::remove_file(&program).expect("program");
    let gone = status().code(1);
    assert!(
        gone.stdout
            .contains("is gone and there is none on PATH: every push stops"),
        "{gone}"
    );
    let push = [
        "push".into(),
        remote.dir.clone().into_os_string(),
        "HEAD:refs/heads/main".into(),
    ];
    let ran = repo.git_call(push).env("PATH", &tools).run();
    assert_ne!(ran.code, 0, "{ran}");
    assert!(
        ran.stderr.contains("nothing judged this push") && ran.stderr.contains("hint: "),
        "{ran}"
    );
    assert_eq!(remote.ref_id("refs/heads/main"), None);
    // A rewrite goes through, with a warning.
    let ran = repo
        .git_call(["commit", "-q", "--amend", "--allow-empty", "-m", "Again"])
        .env("PATH", &tools)
        .run()
        .code(0);
    assert!(ran.stderr.contains("this rewrite was not recorded"), "{ran}");
}

#[test]
fn a_probe_never_lets_a_push_through() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    let remote = world.bare("remote.git");
    repo.gate(["hooks", "install"]).run().code(0);
    let push = [
        "push".into(),
        remote.dir.clone().into_os_string(),
        "HEAD:refs/heads/main".into(),
    ];
    let ran = repo.git_call(push).env("GIT_REVIEW_GATE_PROBE", "x").run();
    assert_ne!(ran.code, 0, "{ran}");
    assert!(ran.stderr.contains("review-gate-probe x 1"), "{ran}");
    assert_eq!(remote.ref_id("refs/heads/main"), None);
}

#[test]
fn the_chained_post_rewrite_gets_the_same_arguments_and_bytes() {
    // With and without a first line that names the shell, as git allows.
    for first in ["#!/bin/sh\n", ""] {
        let world = World::new();
        let repo = one_commit(&world, "repo");
        script(
            &repo.dir.join(".git/hooks/post-rewrite"),
            0o755,
            &format!("{first}echo \"$@\" > ../args\ncat > ../stdin\n"),
        );
        repo.gate(["hooks", "install"]).run().code(0);
        let old = repo.rev("HEAD");
        repo.git(["commit", "-q", "--amend", "--allow-empty", "-m", "Again"]);
        let new = repo.rev("HEAD");
        assert_ne!(old, new);
        assert_eq!(fs::read_to_string(world.path("args")).expect("args"), "amend\n");
        assert_eq!(
            fs::read_to_string(world.path("stdin")).expect("stdin"),
            format!("{old} {new}\n")
        );
    }
}

#[test]
fn hooks_in_the_configuration_need_a_git_that_reads_them() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    let version = repo.git(["version"]);
    let minor: u32 = version
        .split('.')
        .nth(1)
        .and_then(|minor| minor.parse().ok())
        .expect("git version");
    let keys = |repo: &Repo| {
        repo.git_call(["config", "--local", "--get-regexp", "^hook\\."])
            .run()
            .stdout
    };
    if version.starts_with("git version 2.") && minor < 54 {
        let ran = repo.gate(["hooks", "install", "--config"]).run().code(2);
        assert!(
            ran.stderr.contains("does not read hooks from its configuration"),
            "{ran}"
        );
        assert_eq!(keys(&repo), "");
    }
    // The same git under the version that came with it: the order of the keys is what counts here.
    let tools = world.path("tools");
    let path = std::env::var_os("PATH").expect("PATH");
    let git = std::env::split_paths(&path)
        .map(|dir| dir.join("git"))
        .find(|file| file.is_file())
        .expect("git");
    script(
        &tools.join("git"),
        0o755,
        &format!(
            "#!/bin/sh\n[ \"$1\" != version ] || {{ echo git version 2.54.0; exit; }}\nexec '{}' \"$@\"\n",
            git.display()
        ),
    );
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("PATH");
    let gate = |args: &[&str]| repo.gate(args).env("PATH", &path).run();
    gate(&["hooks", "install", "--config"]).code(0);
    let set = keys(&repo);
    let names: Vec<&str> = set.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(
        names,
        [
            "hook.review-gate.command",
            "hook.review-gate.event",
            "hook.review-gate-rewrite.command",
            "hook.review-gate-rewrite.event"
        ]
    );
    let again = gate(&["hooks", "install", "--config"]).code(0);
    assert!(
        again.stdout.contains("up to date") && keys(&repo) == set,
        "{again}"
    );
    gate(&["hooks", "status"]).code(0);
    gate(&["hooks", "uninstall"]).code(0);
    assert_eq!(keys(&repo), "");
    assert!(!repo.read(".git/config").contains("review-gate"));
}

#[test]
fn a_call_from_the_configuration_leaves_the_work_to_the_hook_file() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    let line = format!("{0} {1}\n", repo.rev("HEAD"), "1".repeat(40));
    let call = |repo: &Repo| {
        repo.gate([
            "hook",
            "post-rewrite",
            "--configured",
            "--chained",
            "./chained",
            "--",
            "amend",
        ])
        .stdin(line.clone())
        .run()
    };
    script(&repo.dir.join("chained"), 0o755, "#!/bin/sh\necho ran\n");
    assert!(
        call(&repo).code(0).stdout.contains("ran"),
        "no hook file: this call acts"
    );
    repo.gate(["hooks", "install"]).run().code(0);
    assert_eq!(call(&repo).code(0).stdout, "", "the hook file acts");
}

#[test]
fn a_rewrite_is_recorded_for_every_new_commit() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    repo.gate(["hooks", "install"]).run().code(0);
    let start = repo.rev("HEAD");
    repo.git(["switch", "-q", "-c", "topic"]);
    let [one, two] = ["one", "two"].map(|name| {
        repo.write(name, "text\n");
        repo.commit(name)
    });
    repo.git(["switch", "-q", "main"]);
    repo.write("other", "text\n");
    repo.commit("other");
    let ran = repo.git_call(["rebase", "-q", "main", "topic"]).run().code(0);
    assert!(!ran.stderr.contains("warning"), "{ran}");
    let new = [repo.rev("HEAD^"), repo.rev("HEAD")];
    for (old, new) in [one, two].into_iter().zip(&new) {
        let note = repo.git(["notes", "--ref=review-gate/reviews", "show", new]);
        let event: serde_json::Value = serde_json::from_str(&note).expect("one event");
        assert_eq!(event["kind"], "rewrite");
        assert_eq!(
            event["body"]["pairs"],
            serde_json::json!([{ "new": new, "old": old }])
        );
        assert_eq!(event["subject"]["commit"], **new);
    }
    assert_eq!(
        repo.git(["rev-list", "--count", "refs/notes/review-gate/reviews"]),
        "1",
        "one write for all"
    );

    // A squash: both became one.
    repo.git(["reset", "-q", "--soft", &start]);
    let line = format!(
        "{} {}\n{} {}\n",
        new[0],
        repo.rev("main"),
        new[1],
        repo.rev("main")
    );
    repo.gate(["hook", "post-rewrite", "--", "rebase"])
        .stdin(line)
        .run()
        .code(0);
    let note = repo.git(["notes", "--ref=review-gate/reviews", "show", "main"]);
    let event: serde_json::Value = serde_json::from_str(&note).expect("one event");
    assert_eq!(event["body"]["pairs"].as_array().map(Vec::len), Some(2));

    // What cannot be recorded never fails the command, and says so.
    for wrong in ["nonsense\n".to_owned(), format!("{} {}\n", start, "1".repeat(40))] {
        let ran = repo
            .gate(["hook", "post-rewrite", "--", "amend"])
            .stdin(wrong)
            .run()
            .code(0);
        assert!(
            ran.stderr.contains("warning: this rewrite was not recorded"),
            "{ran}"
        );
    }
}
