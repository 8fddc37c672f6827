//! No bytes make the reader of replies panic, take long, or accept what is not a reply.

use std::time::{Duration, Instant};

use git_review_gate::review::reply::{self, MAX_BYTES, Reason};
use proptest::collection::vec;
use proptest::prelude::*;

use super::material::{RID, reply as good};

fn text() -> String {
    serde_json::to_string_pretty(&good()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_bytes_are_accepted_or_refused(bytes in vec(any::<u8>(), 0..300)) {
        prop_assert!(reply::parse(&bytes, RID).is_err());
    }

    #[test]
    fn a_reply_with_some_bytes_changed_is_read_without_panic(
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        is_fenced in any::<bool>(),
    ) {
        let mut bytes = if is_fenced { format!("see\n```json\n{}\n```\n", text()) } else { text() }.into_bytes();
        let cut_off = bytes[..cut.index(bytes.len())].to_vec();
        prop_assert!(reply::parse(&cut_off, RID).is_err() || is_fenced);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(read) = reply::parse(&bytes, RID) {
            prop_assert_eq!(read.dimensions.len(), 4);
            prop_assert_eq!(read.rid, RID);
        }
    }

    #[test]
    fn a_reply_that_is_cut_off_is_called_so(cut in any::<prop::sample::Index>()) {
        let text = text();
        let cut = 1 + cut.index(text.len() - 1);
        let reason = reply::parse(&text.as_bytes()[..cut], RID).map_err(|incomplete| incomplete.reason);
        prop_assert_eq!(reason, Err(Reason::Truncated));
    }
}

#[test]
fn hostile_replies_take_no_longer_than_their_length() {
    let fill = |unit: &str| unit.repeat(MAX_BYTES / unit.len());
    let within = |open: &str, unit: &str, close: &str| {
        let room = MAX_BYTES - open.len() - close.len();
        format!(
            "{open}{}{close}",
            unit.repeat(room / unit.len()).trim_end_matches(',')
        )
    };
    let long_key = "k".repeat(100_000);
    for hostile in [
        fill("`"),
        fill("```\n"),
        fill("~~~~\n```\n"),
        fill("{\"a\":"),
        fill("["),
        fill("{"),
        fill("\\"),
        fill("\""),
        within("{\"", "\\\"", "\":1}"),
        within("{", "\"a\":1,", "}"),
        within("[", "{\"a\":1,\"a\":1},", "]"),
        within(&format!("{{\"{long_key}\":["), "0,", "]}"),
        within(&format!("{{\"{long_key}\":["), "{\"a\":0,\"a\":0},", "]}"),
        within("{\"dimensions\":[", "{\"dimension\":\"x\"},", "]}"),
        within("{\"dimensions\":[", "0,", "]}"),
        within("{\"needsAttention\":[", "\"x\",", "]}"),
        fill("é"),
        fill(" \u{feff}x"),
    ] {
        let start = Instant::now();
        let refused = reply::parse(hostile.as_bytes(), RID).unwrap_err();
        assert!(refused.details().len() <= 21, "{:?}", refused.reason);
        // A reader that looks at every pair of bytes takes minutes for one of these.
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            &hostile[..20.min(hostile.len())]
        );
    }
}
