//! What a structural baseline comes to: verdict, marker, and what could not be measured.

use serde::ser::{Serialize, Serializer};

/// Opens the first line of a computed artifact. Written and searched for by this one constant.
pub const VERDICT_MARKER: &str = "VERDICT: ";

/// Opens the line that says whether the baseline was computed.
pub const STATUS_MARKER: &str = "STATUS: ";

/// The five verdicts; the first that holds is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// At least one drift fact, whatever else could not be measured.
    Drift,
    /// No drift, and at least one file that could not be measured.
    Indeterminate,
    /// Neither tree holds a file that could be measured.
    NothingMeasured,
    /// At least one addition.
    AdditionsOnly,
    /// Otherwise.
    NoDrift,
}

impl Verdict {
    /// All verdicts, in the order in which they are tried.
    pub const ALL: [Self; 5] = [
        Self::Drift,
        Self::Indeterminate,
        Self::NothingMeasured,
        Self::AdditionsOnly,
        Self::NoDrift,
    ];

    /// The phrase behind the marker.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Drift => "STRUCTURAL DRIFT DETECTED",
            Self::Indeterminate => "INDETERMINATE",
            Self::NothingMeasured => "NOTHING MEASURED",
            Self::AdditionsOnly => "ADDITIONS ONLY",
            Self::NoDrift => "NO STRUCTURAL DRIFT",
        }
    }

    /// The verdict with exactly this phrase.
    pub fn from_phrase(phrase: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.phrase() == phrase)
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.phrase())
    }
}

/// What a reader finds in an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadVerdict {
    /// One of the five phrases.
    Known(Verdict),
    /// Another phrase: must be handled like drift.
    Unclassified,
    /// No line with the marker: there was no baseline.
    None,
}

/// Takes the verdict from the first line that starts with the marker; CRLF is tolerated.
pub fn read_verdict(artifact: &str) -> ReadVerdict {
    let Some(rest) = artifact
        .lines()
        .find_map(|line| line.strip_prefix(VERDICT_MARKER))
    else {
        return ReadVerdict::None;
    };
    // Text after the phrase is for people.
    let phrase = rest.split_once(':').map_or(rest, |(phrase, _)| phrase).trim_end();
    Verdict::from_phrase(phrase).map_or(ReadVerdict::Unclassified, ReadVerdict::Known)
}

/// Which public symbols count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SurfaceMode {
    /// Those that users can get at from the package's entry point.
    #[default]
    Reachable,
    /// All that carry the language's mark of being public.
    Declared,
}

/// Which side of a file could not be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UnmeasuredSide {
    /// Only the base's.
    Before,
    /// Only the head's.
    After,
    /// Both.
    Both,
}

/// A file, export or probe that should have been compared and could not be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Unmeasured {
    /// The file, as [`super::key::path_text`] writes it.
    pub path: String,
    /// Which side is at fault.
    pub side: UnmeasuredSide,
    /// Why.
    pub reason: UnmeasuredReason,
    /// Where and what, for people.
    pub detail: String,
    /// Names seen at line starts, for orientation only.
    pub seen: Vec<String>,
}

macro_rules! reasons {
    ($($variant:ident $word:literal $doc:literal,)*) => {
        /// Why something could not be measured.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum UnmeasuredReason {
            $(#[doc = $doc] $variant,)*
        }

        impl UnmeasuredReason {
            /// The word for it in every format.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The reason that this word stands for.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

reasons! {
    Unbalanced "unbalanced" "Delimiters do not match.",
    Unterminated "unterminated" "A literal or comment does not end.",
    ConflictMarkers "conflict-markers" "The file holds the markers of an unfinished merge.",
    TooLarge "too-large" "Source over 32 MiB.",
    TooDeep "too-deep" "Nested deeper than 4096.",
    BinarySource "binary-source" "NUL in the first 8000 bytes without a UTF-16 mark.",
    BadEncoding "bad-encoding" "UTF-16 with a mark that cannot be transcoded.",
    LfsPointer "lfs-pointer" "A pointer of Git LFS stands in place of the content.",
    BecameLink "became-link" "A measured file turned into a symbolic link or submodule.",
    MissingBlob "missing-blob" "The object is not in this clone.",
    DamagedBlob "damaged-blob" "The object cannot be read.",
    UnsupportedLanguage "unsupported-language" "The language is known, and this version cannot scan it.",
    UnresolvedExport "unresolved-export" "A name may come through a wildcard whose target could not be read.",
    ProbeFailed "probe-failed" "A probe could not be run.",
}

impl Serialize for UnmeasuredReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_know_the_five_phrases_and_nothing_else() {
        for verdict in Verdict::ALL {
            for rest in ["", ": 2 test-removed", "\r\nSTATUS: COMPUTED"] {
                let artifact = format!("noise\n{VERDICT_MARKER}{}{rest}\n", verdict.phrase());
                assert_eq!(read_verdict(&artifact), ReadVerdict::Known(verdict));
            }
        }
        assert_eq!(
            read_verdict("VERDICT: LOOKS FINE\nVERDICT: NO STRUCTURAL DRIFT"),
            ReadVerdict::Unclassified
        );
        assert_eq!(
            read_verdict("VERDICT: no structural drift"),
            ReadVerdict::Unclassified
        );
        assert_eq!(read_verdict(" VERDICT: NO STRUCTURAL DRIFT"), ReadVerdict::None);
    }
}
