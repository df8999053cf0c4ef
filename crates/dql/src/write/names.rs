//! Names, in angle brackets where they would be read as something else.

use std::fmt::{self, Display, Formatter};

use crate::text::is_word;
use crate::tree::{Name, Predicate};

/// Words that mean something in some of the texts where a name may stand.
const RESERVED: [&str; 22] = [
    "and",
    "as",
    "avg",
    "checkpwd",
    "count",
    "delete",
    "expand",
    "len",
    "math",
    "max",
    "min",
    "mutation",
    "not",
    "or",
    "orderasc",
    "orderdesc",
    "query",
    "set",
    "sum",
    "type",
    "uid",
    "val",
];

/// A name as a text has it.
struct Written<'a>(&'a str);

impl Display for Written<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_reserved = RESERVED.iter().any(|word| self.0.eq_ignore_ascii_case(word));
        if is_word(self.0) && !is_reserved {
            f.write_str(self.0)
        } else {
            write!(f, "<{}>", self.0)
        }
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Written(&self.text))
    }
}

impl Display for Predicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let reversed = self.is_reverse.then(|| format!("~{}", self.name));
        write!(f, "{}", Written(reversed.as_ref().unwrap_or(&self.name)))?;
        if self.languages.is_empty() { Ok(()) } else { write!(f, "@{}", self.languages.join(":")) }
    }
}

/// A name and what follows it, such as `alias: ` and `variable as `; nothing if it is missing.
pub(super) struct Before<'a>(pub(super) &'a Option<Name>, pub(super) &'static str);

impl Display for Before<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "{name}{}", self.1),
            None => Ok(()),
        }
    }
}
