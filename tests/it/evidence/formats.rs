//! Sample outputs and their counts, and laws of the readers.

use std::fs;
use std::path::{Path, PathBuf};

use git_review_gate::model::witness::{Counts, Coverage, Unknown};
use git_review_gate::review::evidence::{self, tests as read};
use proptest::prelude::*;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/final-review/runs")
}

/// What is read of a file, in the form of the list of expected answers.
fn answer(kind: &str, bytes: &[u8]) -> Value {
    let coverage = |format: &str, read: Result<Coverage, Unknown>| match read {
        Ok(coverage) => json!({"format": format, "coverage": coverage}),
        Err(reason) => json!({"format": format, "coverage": null, "reason": reason}),
    };
    let tests = match kind {
        "stdout" => read::of_output(bytes),
        "junit" => evidence::junit(bytes),
        "lcov" => return coverage("lcov", evidence::lcov(bytes)),
        "cobertura" => return coverage("cobertura", evidence::cobertura(bytes)),
        other => panic!("how is {other} read?"),
    };
    match tests.counts {
        Ok(tally) => json!({"format": tests.format, "counts": tally.counts}),
        Err(reason) => json!({"format": tests.format, "counts": null, "reason": reason}),
    }
}

#[test]
fn every_sample_is_read_as_expected() {
    let list: Value =
        serde_json::from_str(&fs::read_to_string(folder().join("expected.json")).unwrap()).unwrap();
    let runs = list["runs"].as_array().unwrap();
    let mut known: Vec<String> = vec!["expected.json".to_owned()];
    for run in runs {
        let file = run["file"].as_str().unwrap();
        known.push(file.to_owned());
        let mut expected = run.clone();
        for key in ["file", "read", "note"] {
            expected.as_object_mut().unwrap().remove(key);
        }
        let bytes = fs::read(folder().join(file)).unwrap();
        assert_eq!(answer(run["read"].as_str().unwrap(), &bytes), expected, "{file}");
    }
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "{name} has no expected answer");
    }
}

#[track_caller]
fn counts(output: &str) -> Result<Counts, Unknown> {
    read::of_output(output.as_bytes())
        .counts
        .map(|tally| tally.counts)
}

#[test]
fn what_looks_like_a_result_is_not_always_one() {
    let some = |passed, failed| {
        Ok(Counts {
            passed,
            failed,
            ..Counts::default()
        })
    };
    for (output, expected) in [
        // Package managers print before the document.
        (
            "> a@1 test\n> jest --json\n\n{\"numTotalTests\":1,\"numPassedTests\":1,\"numFailedTests\":0,\"success\":true}\n",
            some(1, 0),
        ),
        ("{\"numTotalTests\":1}\n", Err(Unknown::Malformed)),
        (
            "{\"numTotalTests\":1,\"numPassedTests\":-1,\"numFailedTests\":0}\n",
            Err(Unknown::Malformed),
        ),
        (
            "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"T\"}\n{\"Action\":\"pa",
            Err(Unknown::Malformed),
        ),
        ("{\"level\":\"info\"}\n", Err(Unknown::UnknownFormat)),
        (
            "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
            some(1, 0),
        ),
        (
            " test result: ok. 1 passed; 0 failed; 0 ignored;\n",
            Err(Unknown::UnknownFormat),
        ),
        ("test result: fine\n", Err(Unknown::Malformed)),
        (
            "test result: ok. 99999999999999999999 passed; 0 failed; 0 ignored; x\n",
            Err(Unknown::Malformed),
        ),
        (
            "test result: ok. 9007199254740992 passed; 0 failed; 0 ignored; x\n",
            Err(Unknown::Malformed),
        ),
        ("5 files in 1.2s\n", Err(Unknown::UnknownFormat)),
        ("=== 1 passed in 0.10s\n", Err(Unknown::UnknownFormat)),
        ("== 1 failed in 0.10s ==\n== 3 passed in 0.10s ==\n", some(3, 0)),
        (
            "     Summary [   0.1s] 1 test run: 1 passed, 1 exploded\n",
            Err(Unknown::Malformed),
        ),
        (
            "     Summary [   0.1s] 3/2 tests run: 1 passed\n",
            Err(Unknown::Malformed),
        ),
        (
            "     Summary [   0.1s] 2 tests run: 1 passed, 1 exec failed, 0 skipped\n",
            some(1, 1),
        ),
        (
            "         Summary [   0.1s] 1 test run: 1 passed\n",
            Err(Unknown::UnknownFormat),
        ),
        (
            "=== RUN   TestA\r\n--- PASS: TestA (0.00s)\r\nok  \tx\t0.1s\r\n",
            some(1, 0),
        ),
        ("", Err(Unknown::UnknownFormat)),
    ] {
        assert_eq!(counts(output), expected, "{output:?}");
    }
    let large = vec![b'\n'; read::MAX_READ + 1];
    assert_eq!(read::of_output(&large).counts, Err(Unknown::OutputTooLarge));
    assert_eq!(evidence::junit(&large).counts, Err(Unknown::OutputTooLarge));
    assert_eq!(evidence::lcov(&large), Err(Unknown::OutputTooLarge));
    assert_eq!(evidence::cobertura(&large), Err(Unknown::OutputTooLarge));
}

#[test]
fn broken_reports_are_not_read_in_part() {
    let junit = |text: &str| {
        evidence::junit(text.as_bytes())
            .counts
            .map(|tally| tally.counts.ran())
    };
    for (text, expected) in [
        ("<testsuites/>", Ok(0)),
        (
            "\u{feff}<testsuite><testcase name=\"&#233;&lt;\"/></testsuite>",
            Ok(1),
        ),
        (
            "<!DOCTYPE testsuite SYSTEM \"http://example.org/x.dtd\"><testsuite><testcase/></testsuite>",
            Ok(1),
        ),
        ("", Err(Unknown::Malformed)),
        ("<html/>", Err(Unknown::Malformed)),
        (
            "<testsuite><testcase/></testsuite><testsuite/>",
            Err(Unknown::Malformed),
        ),
        ("<testsuite><testcase/></testsuite>text", Err(Unknown::Malformed)),
        (
            "<testsuite><testcase></testsuite></testcase>",
            Err(Unknown::Malformed),
        ),
        (
            "<testsuite><testcase name=\"&undefined;\"/></testsuite>",
            Err(Unknown::Malformed),
        ),
        (
            "<testsuite>&undefined;<testcase/></testsuite>",
            Err(Unknown::Malformed),
        ),
        (
            "<testsuite><testcase a=\"1\" a=\"2\"/></testsuite>",
            Err(Unknown::Malformed),
        ),
        ("<testsuite a><testcase/></testsuite>", Err(Unknown::Malformed)),
        (
            "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><testsuite/>",
            Err(Unknown::Doctype),
        ),
    ] {
        assert_eq!(junit(text), expected, "{text}");
    }
    let deep = format!("{}{}", "<testsuite>".repeat(5000), "</testsuite>".repeat(5000));
    assert_eq!(junit(&deep), Err(Unknown::Malformed));
    for text in [
        "",
        "TN:\n",
        "SF:a\nDA:1,1\n",
        "DA:1,1\nend_of_record\n",
        "SF:a\nSF:b\nend_of_record\n",
        "SF:a\nDA:1,-3\nend_of_record\n",
        "SF:a\nDA:x,1\nend_of_record\n",
        "SF:a\nLF:1\nLH:2\nend_of_record\n",
        "SF:a\nXYZ:1\nend_of_record\n",
        "SF:a\nnothing\nend_of_record\n",
    ] {
        assert_eq!(
            evidence::lcov(text.as_bytes()),
            Err(Unknown::Malformed),
            "{text:?}"
        );
    }
    for text in [
        "<testsuite/>",
        "<coverage lines-valid=\"1\" lines-covered=\"2\"/>",
        "<coverage lines-valid=\"-1\" lines-covered=\"0\"/>",
        "<coverage><class><lines><line number=\"1\"/></lines></class></coverage>",
        "<coverage><class><lines><line hits=\"1\" condition-coverage=\"half\"/></lines></class></coverage>",
    ] {
        assert_eq!(
            evidence::cobertura(text.as_bytes()),
            Err(Unknown::Malformed),
            "{text}"
        );
    }
}

#[test]
fn coverage_of_later_versions_of_lcov() {
    let text = "SF:a\nFNL:0,1,3\nFNA:0,0,f\nFNA:0,2,f_alias\nFN:5,9,g<A, B>\nFNDA:0,g<A, B>\nDA:1,1,abc\n\
                BRDA:1,e0,(a , b),1\nBRDA:1,e0,!(a , b),-\nend_of_record\n";
    let coverage = serde_json::to_value(evidence::lcov(text.as_bytes()).unwrap()).unwrap();
    assert_eq!(
        coverage,
        json!({
            "lines": {"found": 1, "hit": 1},
            "functions": {"found": 2, "hit": 1},
            "branches": {"found": 2, "hit": 1},
        })
    );
}

/// The samples, each with something cut, doubled or overwritten, and bytes of all kinds.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let samples: Vec<Vec<u8>> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    let mutated = (
        prop::sample::select(samples.clone()),
        prop::sample::select(samples),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
    )
        .prop_map(|(one, other, cut, from, bytes)| {
            let mut mixed = one[..cut.index(one.len())].to_vec();
            mixed.extend_from_slice(&other[from.index(other.len())..]);
            for (at, byte) in bytes {
                let at = at.index(mixed.len().max(1));
                if let Some(place) = mixed.get_mut(at) {
                    *place = byte;
                }
            }
            mixed
        });
    prop_oneof![
        mutated,
        prop::collection::vec(any::<u8>(), 0..400),
        "[<>/&;!\\[\\]\"'= a-z]{0,200}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #[test]
    fn readers_hold_for_any_bytes(bytes in hostile()) {
        for kind in ["stdout", "junit", "lcov", "cobertura"] {
            answer(kind, &bytes);
        }
        read::shows_build_failure(&bytes, &bytes);
    }

    /// Colours change nothing.
    #[test]
    fn colour_codes_say_nothing(at in prop::collection::vec(any::<prop::sample::Index>(), 1..6)) {
        for file in ["nextest-mixed.txt", "pytest-mixed.txt", "libtest-two-binaries.txt", "go-v-mixed.txt"] {
            let plain = fs::read_to_string(folder().join(file)).unwrap();
            let mut coloured: Vec<char> = plain.chars().collect();
            let mut places: Vec<usize> = at.iter().map(|at| at.index(coloured.len())).collect();
            // From the end, so that none is set into another one.
            places.sort_unstable();
            for at in places.into_iter().rev() {
                coloured.splice(at..at, "\u{1b}[1;31m".chars());
            }
            let coloured: String = coloured.into_iter().collect();
            prop_assert_eq!(counts(&coloured), counts(&plain));
        }
    }
}
