//! The one place that reads the clock; everything below is given the time.

#![expect(clippy::disallowed_methods, reason = "this is the home of the clock")]

use jiff::Timestamp;

/// The present moment, in whole seconds.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).expect("whole seconds of a timestamp are one")
}
