//! Closed sets of words: an enum, its spelling in files and output, and the way back.

/// Defines an enum whose variants are written as fixed words.
///
/// Gives `ALL`, `as_str`, `Display`, `FromStr` (exactly these words, nothing trimmed) and serde with the same words.
/// The order of the variants is the order of the type.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every variant, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word as it is written.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl $crate::model::words::Word for $name {
            fn all() -> &'static [Self] {
                Self::ALL
            }

            fn word(self) -> &'static str {
                self.as_str()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::model::words::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::model::words::UnknownWord),
                }
            }
        }
    };
}

pub(crate) use words;

/// What all these enums share, for readers that work with any of them.
pub trait Word: Copy + 'static {
    /// Every variant, in order.
    fn all() -> &'static [Self];

    /// The word as it is written.
    fn word(self) -> &'static str;
}

/// A text that is none of the words of its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not one of the known words")]
pub struct UnknownWord;
