//! Colour, closed pipes, full disks and errors: none of them changes what was decided.

use std::fs::File;
use std::process::Stdio;

use crate::generated::assert_valid;
use crate::support::{Call, Repo, World};

/// A repository whose last commit removes a test.
fn with_drift(world: &World) -> Repo {
    let repo = world.repo("repo");
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
    );
    repo.write(
        "src/lib.rs",
        "pub fn f() -> u8 { 1 }\n#[test]\nfn one() { assert_eq!(f(), 1); }\n",
    );
    repo.commit("Add f");
    repo.write("src/lib.rs", "pub fn f() -> u8 { 1 }\n");
    repo.commit("Remove its test");
    repo
}

#[test]
fn colour_follows_the_flag_then_the_environment_then_git() {
    let world = World::new();
    let repo = with_drift(&world);
    let baseline = |args: &[&str]| repo.gate(["baseline", "HEAD^"].iter().chain(args));
    let plain = baseline(&[]).run().code(0).stdout;
    assert!(
        !plain.contains('\u{1b}') && plain.contains("STRUCTURAL DRIFT"),
        "{plain}"
    );
    let coloured = |call: Call| call.run().code(0).stdout.contains('\u{1b}');
    assert!(coloured(baseline(&["--color", "always"])));
    assert!(coloured(baseline(&[]).env("CLICOLOR_FORCE", "1")));
    assert!(!coloured(
        baseline(&[]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")
    ));
    assert!(!coloured(baseline(&["--color=never"]).env("CLICOLOR_FORCE", "1")));
    repo.git(["config", "color.ui", "always"]);
    assert!(coloured(baseline(&[])));
    assert!(!coloured(baseline(&[]).env("NO_COLOR", "1")));
    assert!(!coloured(baseline(&["--format", "json"])), "JSON has no colours");
    repo.git(["config", "color.ui", "false"]);
    assert!(coloured(baseline(&["--color", "always"])), "the flag comes first");
    // Without its colours the text is the same.
    let always = baseline(&["--color", "always"]).run().stdout;
    let stripped = anstream::adapter::strip_str(&always).to_string();
    assert_eq!(stripped, plain);
}

#[test]
fn the_exit_code_is_decided_before_anything_is_printed() {
    let world = World::new();
    let repo = with_drift(&world);
    for (args, code) in [
        (&["baseline", "HEAD^", "--exit-code"][..], 1),
        (&["baseline", "no-such", "--exit-code"], 2),
    ] {
        let plain = repo.gate(args).run().code(code);
        for format in [
            &["--format", "json"][..],
            &["--color", "always"],
            &["--quiet"],
            &["--format", "markdown"],
        ] {
            repo.gate(args.iter().chain(format)).run().code(code);
        }
        // Nobody reads: the pipe is closed before the command starts.
        let (reader, writer) = std::io::pipe().expect("pipe");
        drop(reader);
        let status = repo
            .gate(args)
            .into_command()
            .stdout(writer)
            .stderr(Stdio::null())
            .status()
            .expect("status");
        assert_eq!(status.code(), Some(code), "closed pipe: {plain}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn half_an_answer_is_no_answer() {
    let world = World::new();
    let repo = with_drift(&world);
    let full = File::options().write(true).open("/dev/full").expect("/dev/full");
    let output = repo
        .gate(["baseline", "HEAD^"])
        .into_command()
        .stdout(full)
        .output()
        .expect("output");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.starts_with("error: the answer could not be written"),
        "{said}"
    );
}

#[test]
fn errors_read_on_and_are_json_where_that_is_asked_for() {
    let world = World::new();
    let outside = world.at(".");
    let ran = outside.gate(["hooks", "status"]).run().code(2);
    assert!(
        ran.stdout.is_empty() && ran.stderr.starts_with("error: not a git repository"),
        "{ran}"
    );
    assert!(
        ran.stderr.contains("\n  caused by: ") && ran.stderr.contains("\nhint: "),
        "{ran}"
    );
    for args in [
        &["hooks", "status", "--json"][..],
        &["hooks", "status", "--format=json", "--nonsense"],
        &["hooks", "--json"],
        &["hooks", "status", "--format", "json"],
    ] {
        let ran = outside.gate(args).run().code(2);
        assert_valid(&world, &ran);
        assert!(
            ran.stderr.starts_with("error: "),
            "people read the same on standard error: {ran}"
        );
    }
    // A hostile ref name cannot move the cursor.
    let ran = with_drift(&world)
        .gate(["baseline", "\u{1b}[2J\u{202e}x"])
        .run()
        .code(2);
    assert!(
        !ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'),
        "{ran}"
    );
}

#[test]
fn help_and_version_are_answers() {
    let world = World::new();
    for args in [&["--version"][..], &["-h"], &["hooks", "install", "--help"]] {
        let ran = world.at(".").gate(args).run().code(0);
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran}");
    }
    let ran = world.at(".").gate(["no-such-command"]).run().code(2);
    assert!(
        ran.stdout.is_empty() && ran.stderr.starts_with("error: "),
        "{ran}"
    );
}
