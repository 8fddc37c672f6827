//! The one place that reads the clock; everything below is given the time.

#![expect(clippy::disallowed_methods, reason = "this is the home of the clock")]

use jiff::Timestamp;

use crate::model::day::Day;

/// The present moment, in whole seconds.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).expect("whole seconds of a timestamp are one")
}

/// The present day, UTC.
pub fn today() -> Day {
    let date = now().to_string();
    date[..10].parse().expect("a timestamp begins with its day")
}
