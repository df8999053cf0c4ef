//! A request of a client: its source, its language, and its graphs.

use std::fmt;
use std::sync::Arc;

use millrace_model::ElementDetail;
use millrace_plan::language::{Binding, Language, Script};

use super::limits::RequestLimits;

/// A client's request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The query or script.
    pub source: Source,
    /// Values of variables.
    pub bindings: Vec<(Arc<str>, Binding)>,
    /// Which graphs its names stand for.
    pub graphs: GraphNames,
    /// Which parts of elements are in results.
    pub detail: ElementDetail,
    /// Whether it runs on a snapshot and may not write.
    pub is_read_only: bool,
    /// How long and how large it may be.
    pub limits: RequestLimits,
}

/// A query or script.
#[derive(Clone)]
pub struct Source {
    /// The language that it is in.
    pub language: &'static dyn Language,
    /// The statements.
    pub statements: Statements,
}

/// Statements as they came.
#[derive(Clone)]
pub enum Statements {
    /// As a text.
    Text(Arc<str>),
    /// As instructions, which a protocol has decoded.
    Decoded(Arc<dyn Script>),
}

impl Source {
    /// A text.
    pub fn text(language: &'static dyn Language, text: &str) -> Source {
        Source { language, statements: Statements::Text(Arc::from(text)) }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match &self.statements {
            Statements::Text(text) => text.to_string(),
            Statements::Decoded(script) => script.text(),
        };
        f.debug_struct("Source")
            .field("language", &self.language.name())
            .field("text", &text)
            .finish()
    }
}

/// The graphs that names in a request stand for.
#[derive(Clone, Debug, Default)]
pub struct GraphNames {
    /// The graph that the language's names of the default graph stand for; made on the first write.
    pub default: Arc<str>,
    /// Names in the request, and the names of the graphs that they stand for.
    pub aliases: Vec<(String, String)>,
}

impl Request {
    /// A text on a default graph, with default options.
    pub fn text(
        language: &'static dyn Language,
        text: &str,
        graph: &str,
        limits: RequestLimits,
    ) -> Request {
        Request {
            source: Source::text(language, text),
            bindings: Vec::new(),
            graphs: GraphNames { default: Arc::from(graph), aliases: Vec::new() },
            detail: ElementDetail::default(),
            is_read_only: false,
            limits,
        }
    }
}
