//! The command line: one file a subcommand, arguments and a short `run`.
