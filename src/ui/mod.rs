//! Standard streams, colour, pager and progress.
