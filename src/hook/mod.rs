//! Installs and removes hooks; reads what a hook call asks for.
