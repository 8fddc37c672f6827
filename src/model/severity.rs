//! How bad a finding is.

use super::words::words;

words! {
    /// The severity of a finding. The first is the worst; `Blocker < Major` in this order.
    Severity {
        /// Must not go out.
        Blocker = "blocker",
        /// Wrong in a way that users meet.
        Major = "major",
        /// Wrong in a small way.
        Minor = "minor",
        /// A matter of taste.
        Nit = "nit",
    }
}
