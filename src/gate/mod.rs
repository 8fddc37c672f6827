//! One decision from policy, facts, ledger view and records; pure, one rule a file.
