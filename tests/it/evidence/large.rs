//! Inputs of the worst shapes: reading them takes time linear in their size, so the largest are read at all.

use git_review_gate::review::evidence::{self, tests as read};

/// Reads inputs of this many bytes in all formats.
pub fn the_worst_shapes_are_read(size: usize) {
    let fill = |part: &str| part.repeat(size / part.len()).into_bytes();
    for part in [
        "{\n",
        "{\"a\":",
        "{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T\"}\n",
        "\u{1b}[",
        "\u{1b}]",
        "\r",
        "[",
        "((",
        "Summary [",
        "1 passed, ",
        "=",
        " in ",
        "test result: ok. 1 passed; 1 failed; 1 ignored; \n",
        "--- FAIL: \n",
    ] {
        let bytes = fill(part);
        let tests = read::of_output(&bytes);
        assert!(tests.counts.is_err() || tests.format.is_some(), "{part}");
        read::shows_build_failure(&bytes, &bytes);
    }
    for part in [
        "<testsuite>",
        "<a b='c'",
        " b='c'",
        "&amp;",
        "<!--",
        "<![CDATA[",
        "<!DOCTYPE [",
        "<testcase/>",
        "<",
    ] {
        for before in ["", "<testsuite>", "<testsuite "] {
            let mut bytes = before.as_bytes().to_vec();
            bytes.extend(fill(part));
            bytes.truncate(size);
            // None of them closes what it opens.
            assert!(evidence::junit(&bytes).counts.is_err(), "{before}{part}");
            assert!(evidence::cobertura(&bytes).is_err(), "{before}{part}");
        }
    }
    for part in [
        "SF:a\nend_of_record\n",
        "SF:a\nDA:1,1\nend_of_record\n",
        "SF:a\nFN:1,f\nend_of_record\n",
        "SF:a\nBRDA:1,1,1,1\nend_of_record\n",
    ] {
        assert!(evidence::lcov(&fill(part)).is_ok(), "{part}");
    }
}

#[test]
fn a_tenth_of_the_limit() {
    the_worst_shapes_are_read(read::MAX_READ / 10);
}
