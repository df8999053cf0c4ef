//! A request of a client: its source, its language, and its graphs.

use std::sync::Arc;

use millrace_model::ElementDetail;
use millrace_plan::language::{Binding, Language};

use super::limits::RequestLimits;
use super::source::Source;

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
