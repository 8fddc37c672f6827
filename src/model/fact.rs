//! Facts of a structural baseline: one observed difference of one kind on one unit.

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// What a fact is about; facts are listed in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// Tests and what decides how they run.
    Tests,
    /// Public symbols.
    Api,
    /// Recorded behaviour: golden files, probes, and opaque files.
    Behaviour,
}

/// How a fact was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub enum Tier {
    /// Exact: follows from names and tokens alone.
    E,
    /// Heuristic: follows from a pattern; always shown with both evidence lines.
    H,
}

/// What a fact means for the verdict, before policy and goal have their say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// In the default drift set.
    Drift,
    /// Something new.
    Add,
    /// Reported only.
    Note,
}

macro_rules! kinds {
    ($($variant:ident $word:literal $surface:ident $tier:ident $class:ident $doc:literal,)*) => {
        /// The kinds of facts, in the order in which they are listed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum FactKind {
            $(#[doc = $doc] $variant,)*
        }

        impl FactKind {
            /// All kinds, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word for it in every format.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The kind that this word stands for.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }

            /// The surface it belongs to.
            pub const fn surface(self) -> Surface {
                match self { $(Self::$variant => Surface::$surface,)* }
            }

            /// The tier of facts of this kind, unless their finder says otherwise.
            pub const fn tier(self) -> Tier {
                match self { $(Self::$variant => Tier::$tier,)* }
            }

            /// Whether it is in the default drift set, an addition or a note.
            pub const fn class(self) -> Class {
                match self { $(Self::$variant => Class::$class,)* }
            }

            /// One sentence for people: what a fact of this kind states.
            pub const fn states(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

kinds! {
    TestRemoved "test-removed" Tests E Drift "A test of before has no partner in after.",
    TestUnlinked "test-unlinked" Tests E Drift "The code of a test is still there, the runner no longer sees it.",
    TestDisabled "test-disabled" Tests E Drift "A skip marker, a skip call before the first assertion, or a new condition around a test.",
    TestExpectedFail "test-expected-fail" Tests E Drift "A test is now expected to fail.",
    TestFocused "test-focused" Tests E Drift "A focus marker that was not there, on an old or a new test.",
    TestEmptied "test-emptied" Tests H Drift "The body of a test had statements and now has none that do anything.",
    AssertionsFewer "assertions-fewer" Tests H Drift "A test has fewer assertions than before.",
    AssertionVacuous "assertion-vacuous" Tests H Drift "A new assertion that cannot fail.",
    MatcherLoosened "matcher-loosened" Tests H Drift "The same subject is checked by a weaker matcher.",
    ToleranceLoosened "tolerance-loosened" Tests H Drift "A larger tolerance, timeout or retry count, or fewer digits.",
    RowsRemoved "rows-removed" Tests H Drift "Fewer literal rows in a table or parameter list of a test.",
    EarlyReturn "early-return" Tests H Drift "A new return before the first assertion of a test.",
    FailureSwallowed "failure-swallowed" Tests H Drift "Assertions now stand inside a handler that drops the failure.",
    GuardrailChanged "guardrail-changed" Tests H Drift "A file deciding what is run, measured or excluded was loosened.",
    TestMoved "test-moved" Tests E Note "The same test under another module or container.",
    TestRenamed "test-renamed" Tests E Note "The same test under another name.",
    TestEnabled "test-enabled" Tests E Note "A skip or expected-failure marker of a test is gone.",
    TestUnfocused "test-unfocused" Tests E Note "A focus marker of a test is gone.",
    RowsChanged "rows-changed" Tests H Note "Rows of a test were replaced; there are not fewer.",
    ExpectedChanged "expected-changed" Tests H Note "Only the expected literal of an assertion changed.",
    SubjectMocked "subject-mocked" Tests H Note "A test file newly mocks the module it is named after.",
    SuppressionAdded "suppression-added" Tests H Note "A file has more suppressions of one kind than before.",
    GuardrailTouched "guardrail-touched" Tests E Note "A file deciding what is run, measured or excluded changed without a sign of loosening.",
    TestAdded "test-added" Tests E Add "A new test.",
    ApiRemoved "api-removed" Api E Drift "A public symbol of before has no partner in after.",
    ApiNarrowed "api-narrowed" Api E Drift "The declaration is still there, less visible.",
    ApiMoved "api-moved" Api E Drift "Now under another module or container; the old path is gone.",
    ApiRenamed "api-renamed" Api E Drift "The same public symbol under another name.",
    ApiChanged "api-changed" Api E Drift "The same key with another signature or kind.",
    ApiReexported "api-reexported" Api E Note "The old path still works through a re-export or alias.",
    ApiWidened "api-widened" Api E Note "More visible than before, though already public.",
    ApiValueChanged "api-value-changed" Api E Note "Only the value of a default or constant changed.",
    SourceRemoved "source-removed" Api E Note "A measured file is gone that carried no public symbol and no test.",
    ApiAdded "api-added" Api E Add "A new public symbol.",
    GoldenRemoved "golden-removed" Behaviour E Drift "A golden file or entry is gone.",
    GoldenChanged "golden-changed" Behaviour E Drift "A golden file or entry has another content.",
    ProbeChanged "probe-changed" Behaviour E Drift "The output of a probe differs.",
    HiddenUnicode "hidden-unicode" Behaviour E Drift "A bidirectional control or a zero-width character in an identifier, newly in a measured file.",
    GoldenMoved "golden-moved" Behaviour E Note "A golden file with the same bytes elsewhere.",
    GoldenExtended "golden-extended" Behaviour E Note "An API listing that only gained lines.",
    SymlinkChanged "symlink-changed" Behaviour E Note "A symbolic link changed, came or went.",
    SubmoduleChanged "submodule-changed" Behaviour E Note "A submodule changed, came or went.",
    ModeChanged "mode-changed" Behaviour E Note "The mode of a file changed.",
    GoldenAdded "golden-added" Behaviour E Add "A new golden file or entry.",
}

impl Serialize for FactKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// Where a unit stands on one side, and its signature or the evidence line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Span {
    /// First line, counted from 1.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
    /// Signature or evidence, at most [`Span::MAX_TEXT`] bytes, as the repository has it (not sanitised).
    pub text: String,
}

impl Span {
    /// The most bytes of evidence a span keeps.
    pub const MAX_TEXT: usize = 2000;

    /// A span whose text is cut to [`Span::MAX_TEXT`] bytes at a character boundary.
    pub fn new(line: u32, end_line: u32, text: &str) -> Self {
        let mut cut = text.len().min(Self::MAX_TEXT);
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let text = text[..cut].to_owned();
        Self { line, end_line, text }
    }
}

/// What a fact has to say beyond its kind. Readers must ignore fields they do not know.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Detail {
    /// How many members a removed, added or narrowed container stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<usize>,
    /// Implementers must add it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Disabled by a condition rather than outright.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditional: Option<bool>,
    /// The container whose mark the test inherits, as `kind name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<String>,
    /// Count before: rows or assertions; for a probe the lines that are gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<usize>,
    /// Count after: rows or assertions; for a probe the lines that are new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// Key of a similar new unit: "possibly now".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// The rule that a guardrail fact follows from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// For golden facts: whether source that is no test changed in the same range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_source: Option<bool>,
}

/// One observed difference of one kind on one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What is stated; decides surface and class.
    pub kind: FactKind,
    /// Exact or heuristic; as the kind says, except for exact guardrail facts.
    pub tier: Tier,
    /// Whether it is in the drift set and not authorised. The comparison sets the default of the class.
    pub drift: bool,
    /// The criteria of the goal that authorise it, sorted.
    pub authorised_by: Vec<String>,
    /// Key of the unit before, or after where it did not exist before.
    pub key: String,
    /// Path of the unit before, or after where it did not exist before; see [`super::key::path_text`].
    pub path: String,
    /// Key after, where it differs.
    pub to_key: Option<String>,
    /// Path after, where it differs.
    pub to_path: Option<String>,
    /// Where it stood.
    pub before: Option<Span>,
    /// Where it stands.
    pub after: Option<Span>,
    /// What else there is to say.
    pub detail: Detail,
}

impl Fact {
    /// A fact with the defaults of its kind and nothing but a name.
    pub fn new(kind: FactKind, key: impl Into<String>, path: impl Into<String>) -> Self {
        Self {
            kind,
            tier: kind.tier(),
            drift: kind.class() == Class::Drift,
            authorised_by: Vec::new(),
            key: key.into(),
            path: path.into(),
            to_key: None,
            to_path: None,
            before: None,
            after: None,
            detail: Detail::default(),
        }
    }

    /// The order in which facts are listed: kind (which implies the surface), path, key, then all that is left.
    pub fn sort_key(&self) -> impl Ord + '_ {
        (
            (self.kind, self.path.as_str(), self.key.as_str()),
            (self.to_path.as_deref(), self.to_key.as_deref()),
            (&self.before, &self.after, &self.detail),
        )
    }
}

/// Sorts facts into the order of every output.
pub fn sort(facts: &mut [Fact]) {
    facts.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
}

impl Serialize for Fact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Fact", 13)?;
        object.serialize_field("kind", &self.kind)?;
        object.serialize_field("surface", &self.kind.surface())?;
        object.serialize_field("tier", &self.tier)?;
        object.serialize_field("class", &self.kind.class())?;
        object.serialize_field("drift", &self.drift)?;
        object.serialize_field("authorised_by", &self.authorised_by)?;
        object.serialize_field("key", &self.key)?;
        object.serialize_field("path", &self.path)?;
        object.serialize_field("to_key", &self.to_key)?;
        object.serialize_field("to_path", &self.to_path)?;
        object.serialize_field("before", &self.before)?;
        object.serialize_field("after", &self.after)?;
        object.serialize_field("detail", &self.detail)?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_stand_in_the_order_of_their_surfaces_and_words_are_unique() {
        assert!(
            FactKind::ALL
                .windows(2)
                .all(|pair| { pair[0] < pair[1] && pair[0].surface() <= pair[1].surface() })
        );
        for kind in FactKind::ALL {
            assert_eq!(FactKind::from_word(kind.word()), Some(*kind));
        }
        assert_eq!(FactKind::from_word("test-gone"), None);
    }

    #[test]
    fn a_fact_is_written_with_all_fields_in_order() {
        let mut fact = Fact::new(FactKind::TestDisabled, "rust:crate test a", "src/lib.rs");
        fact.after = Some(Span::new(4, 7, "#[ignore]"));
        fact.detail.inherited_from = Some("mod tests".to_owned());
        assert_eq!(
            serde_json::to_string(&fact).unwrap(),
            concat!(
                r#"{"kind":"test-disabled","surface":"tests","tier":"E","class":"drift","drift":true,"#,
                r#""authorised_by":[],"key":"rust:crate test a","path":"src/lib.rs","to_key":null,"to_path":null,"before":null,"#,
                r##""after":{"line":4,"end_line":7,"text":"#[ignore]"},"detail":{"inherited_from":"mod tests"}}"##
            )
        );
        assert_eq!(Span::new(1, 1, &"é".repeat(1500)).text.len(), 2000);
    }
}
