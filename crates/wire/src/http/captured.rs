//! The arguments of a route in its path and its query.

use millrace_model::Result;

use super::target::{bad, query_names, query_value, query_values};

/// A path's values by name, in order, and the rest of the request.
pub(crate) struct Captured<'a> {
    pub(crate) values: Vec<(&'static str, &'a str)>,
    pub(crate) query: Option<&'a str>,
    pub(crate) body: &'a [u8],
}

impl Captured<'_> {
    pub(crate) fn find_value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The value of a name that stands in the route's pattern.
    pub(crate) fn text(&self, name: &str) -> String {
        self.find_value(name).expect("a route takes only what its pattern names").to_owned()
    }

    pub(crate) fn graph(&self) -> String {
        self.text("graph")
    }

    pub(crate) fn id(&self, name: &str) -> Result<u64> {
        let text = self.text(name);
        text.parse().map_err(|_| bad(format!("Invalid {name}: `{text}` is not a 64-bit number")))
    }

    /// The value of a parameter.
    pub(crate) fn parameter(&self, name: &str) -> Result<Option<String>> {
        query_value(self.query, name)
    }

    /// The values of a parameter that may be said several times.
    pub(crate) fn parameters(&self, name: &str) -> Result<Vec<String>> {
        query_values(self.query, name)
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>> {
        let Some(text) = self.parameter(name)? else { return Ok(None) };
        let number = text.parse();
        number.map(Some).map_err(|_| bad(format!("{name} is `{text}`, and must be a whole number")))
    }

    /// Whether a parameter has the one value it may have.
    pub(crate) fn is_asked(&self, name: &str, value: &str) -> Result<bool> {
        match self.parameter(name)? {
            None => Ok(false),
            Some(found) if found == value => Ok(true),
            Some(found) => Err(bad(format!("{name} is `{found}`, and can only be `{value}`"))),
        }
    }

    /// Refuses unknown parameters.
    pub(crate) fn only_queries(&self, known: &[&str]) -> Result<()> {
        match query_names(self.query)?.iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let help = match known {
                    [] => "there are none".to_owned(),
                    known => format!("known: {}", known.join(", ")),
                };
                Err(bad(format!("there is no parameter `{name}` here")).with_help(help))
            }
        }
    }
}
