//! A setting's text as what its kind says.

use std::fmt;

use millrace_db::settings::measures::Measure;
use millrace_db::settings::{measure_words, read_measure};

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A whole number.
    Number {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// A number with a unit, or in this unit.
    Measure {
        /// The unit of numbers without one.
        measure: Measure,
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// True or false.
    Flag,
    /// A list of texts as JSON, or `any`.
    List,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Parsed {
    Text(String),
    Number(u64),
    Flag(bool),
    List(Option<Vec<String>>),
}

/// The word that allows everything.
pub(super) const ANY: &str = "any";

impl Kind {
    /// Reads a text; the error says what is allowed.
    pub(super) fn read(self, text: &str) -> Result<Parsed, String> {
        let wrong = || format!("is `{text}`, and must be {self}");
        Ok(match self {
            Kind::Text => Parsed::Text(text.to_owned()),
            Kind::Number { min, max } => {
                let number: u64 = text.parse().map_err(|_| wrong())?;
                if !(min..=max).contains(&number) {
                    return Err(wrong());
                }
                Parsed::Number(number)
            }
            Kind::Measure { measure, min, max } => {
                let number = read_measure(measure, (min, max), text).map_err(|why| match why {
                    Some(why) => format!("is `{text}`, which {why}; it must be {self}"),
                    None => wrong(),
                })?;
                Parsed::Number(number)
            }
            Kind::Word(words) if words.contains(&text) => Parsed::Text(text.to_owned()),
            Kind::Word(_) => return Err(wrong()),
            Kind::Flag => Parsed::Flag(text.parse().map_err(|_| wrong())?),
            Kind::List if text == ANY => Parsed::List(None),
            Kind::List => Parsed::List(Some(serde_json::from_str(text).map_err(|_| wrong())?)),
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Text => f.write_str("text"),
            Kind::Number { min, max } => write!(f, "a whole number from {min} to {max}"),
            Kind::Measure { measure, min, max } => {
                f.write_str(&measure_words(*measure, (*min, *max)))
            }
            Kind::Word(words) => write!(f, "one of {}", words.join(", ")),
            Kind::Flag => f.write_str("true or false"),
            Kind::List => f.write_str("a list of texts, or any"),
        }
    }
}

/// The value, of the kind that the table gives to its key; the table is wrong otherwise, and a test sees it.
impl Parsed {
    pub(super) fn text(self) -> String {
        match self {
            Parsed::Text(text) => text,
            Parsed::Number(_) | Parsed::Flag(_) | Parsed::List(_) => String::new(),
        }
    }

    pub(super) fn number(self) -> u64 {
        match self {
            Parsed::Number(number) => number,
            Parsed::Text(_) | Parsed::Flag(_) | Parsed::List(_) => 0,
        }
    }

    pub(super) fn size(self) -> usize {
        usize::try_from(self.number()).unwrap_or(usize::MAX)
    }

    pub(super) fn flag(self) -> bool {
        self == Parsed::Flag(true)
    }

    pub(super) fn list(self) -> Allowed {
        match self {
            Parsed::List(Some(texts)) => Allowed::These(texts),
            Parsed::List(None) => Allowed::Any,
            Parsed::Text(_) | Parsed::Number(_) | Parsed::Flag(_) => Allowed::Unset,
        }
    }
}

/// Which statements a message may bring.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Allowed {
    /// Nothing was said.
    #[default]
    Unset,
    /// These texts.
    These(Vec<String>),
    /// Any.
    Any,
}
