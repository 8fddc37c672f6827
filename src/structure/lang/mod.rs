//! The languages: which file belongs to which, and the scanner of each.
