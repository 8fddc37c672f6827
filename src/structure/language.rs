//! The known languages: their ids, the words that mean them, and the files that belong to them.

/// A language that baselines know. Its order is that of every list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

/// Id, file extensions, and names of files that belong to the language whatever their extension.
const LANGUAGES: [(&str, &[&str], &[&str]); 14] = [
    ("rust", &["rs"], &["Cargo.toml"]),
    (
        "typescript",
        &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
        &[],
    ),
    ("python", &["py", "pyi"], &[]),
    ("go", &["go"], &[]),
    ("java", &["java"], &[]),
    ("kotlin", &["kt", "kts"], &[]),
    ("csharp", &["cs"], &[]),
    ("ruby", &["rb"], &[]),
    ("php", &["php"], &[]),
    (
        "cpp",
        &["h", "hh", "hpp", "hxx", "ipp", "inl", "c", "cc", "cpp", "cxx"],
        &[],
    ),
    ("swift", &["swift"], &[]),
    ("scala", &["scala", "sc"], &[]),
    ("elixir", &["ex", "exs"], &[]),
    ("bash", &["sh", "bash", "bats"], &[]),
];

/// Words that mean a language on the command line besides its id.
const ALIASES: [(&str, &str); 7] = [
    ("js", "typescript"),
    ("javascript", "typescript"),
    ("ts", "typescript"),
    ("jsx", "typescript"),
    ("tsx", "typescript"),
    ("c", "cpp"),
    ("c++", "cpp"),
];

impl Language {
    /// The word for it in keys, options and output.
    pub fn id(self) -> &'static str {
        LANGUAGES[usize::from(self.0)].0
    }

    /// All ids, in order.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(id, ..)| *id)
    }

    /// The language that a word on the command line means.
    pub fn from_word(word: &str) -> Option<Self> {
        let id = ALIASES
            .iter()
            .find(|(alias, _)| *alias == word)
            .map_or(word, |(_, id)| *id);
        Self::find(|(own, ..)| *own == id)
    }

    /// The language of a file, by its name alone.
    pub fn of_path(path: &[u8]) -> Option<Self> {
        let name = super::paths::file_name(path);
        let extension = super::paths::extension(name);
        Self::find(|(_, extensions, names)| {
            extensions.iter().any(|own| Some(own.as_bytes()) == extension)
                || names.iter().any(|own| own.as_bytes() == name)
        })
    }

    fn find(wanted: impl Fn(&(&str, &[&str], &[&str])) -> bool) -> Option<Self> {
        let index = LANGUAGES.iter().position(wanted)?;
        u8::try_from(index).ok().map(Self)
    }

    /// Whether a file is a test file by its name alone, in a language that has names for such files.
    pub fn is_test_name(self, name: &[u8]) -> bool {
        let Some(text) = std::str::from_utf8(name).ok() else {
            return false;
        };
        let (stem, extension) = text
            .rsplit_once('.')
            .map_or((text, None), |(stem, extension)| (stem, Some(extension)));
        match self.id() {
            "typescript" => super::lang::typescript::place::is_test_name(name),
            "python" => {
                stem.starts_with("test_") || stem.ends_with("_test") || stem == "test" || stem == "tests"
            }
            "go" | "elixir" => stem.ends_with("_test"),
            "ruby" => stem.ends_with("_spec") || stem.ends_with("_test") || stem.starts_with("test_"),
            "php" => stem.ends_with("Test"),
            "bash" => extension == Some("bats") || stem.starts_with("test_") || stem.ends_with("_test"),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_words_name_their_language() {
        for (path, id) in [
            ("src/lib.rs", Some("rust")),
            ("a/Cargo.toml", Some("rust")),
            ("a/b.d.ts", Some("typescript")),
            ("x.py/readme", None),
            (".rs", None),
            ("Makefile", None),
        ] {
            assert_eq!(Language::of_path(path.as_bytes()).map(Language::id), id, "{path}");
        }
        assert_eq!(Language::from_word("c++").map(Language::id), Some("cpp"));
        assert_eq!(Language::from_word("cobol"), None);
        assert_eq!(Language::ids().count(), 14);
    }
}
