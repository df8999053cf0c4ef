//! Registered readers, and the graph as it is now for the commit that is being judged.

use std::cell::OnceCell;
use std::sync::Arc;

use millrace_model::{Catalog, LogPosition};

use crate::commit::pipeline::Pipeline;
use crate::graph::{Graph, GraphView};

/// A reader registered at the position visible when it began.
pub(crate) struct Pin<'a> {
    pipeline: &'a Pipeline,
    position: u64,
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        self.pipeline.readers.leave(self.position);
    }
}

impl<'a> Pin<'a> {
    /// Registers a reader at the visible position.
    pub(crate) fn of_now(pipeline: &'a Pipeline) -> Pin<'a> {
        let position = pipeline.readers.enter(&pipeline.progress);
        Pin { pipeline, position }
    }

    /// Registers a checkpoint as a reader at its checkpoint position.
    pub(crate) fn of_checkpoint(pipeline: &'a Pipeline) -> Pin<'a> {
        let position = pipeline.readers.enter_checkpoint(&pipeline.progress);
        Pin { pipeline, position }
    }

    /// Where it is.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// A graph at the pinned position.
    pub(crate) fn view<'g>(&self, graph: &'g Graph) -> GraphView<'g> {
        let catalog = graph.catalog.at(self.position);
        GraphView { graph, at: LogPosition(self.position), catalog }
    }
}

/// A graph as it is now; it becomes a reader when something is asked that only a position answers.
pub(crate) struct PresentView<'a> {
    pipeline: &'a Pipeline,
    pub(crate) graph: &'a Graph,
    catalog: OnceCell<Arc<Catalog>>,
    pinned: OnceCell<(Pin<'a>, GraphView<'a>)>,
}

impl<'a> PresentView<'a> {
    /// A graph as of now.
    pub(crate) fn new(pipeline: &'a Pipeline, graph: &'a Graph) -> PresentView<'a> {
        PresentView { pipeline, graph, catalog: OnceCell::new(), pinned: OnceCell::new() }
    }

    /// The catalog, which stays the same from now on. A change of it holds back all other writers,
    /// or makes those that depend on it fail with a conflict.
    pub(crate) fn catalog(&self) -> &Arc<Catalog> {
        let visible = || self.pipeline.progress.visible();
        self.catalog.get_or_init(|| self.graph.catalog.at(visible()))
    }

    /// The same at one position, which stays the same from now on.
    pub(crate) fn view(&self) -> &GraphView<'a> {
        let pinned = self.pinned.get_or_init(|| {
            let pin = Pin::of_now(self.pipeline);
            let catalog = Arc::clone(self.catalog());
            let view = GraphView { graph: self.graph, at: LogPosition(pin.position()), catalog };
            (pin, view)
        });
        &pinned.1
    }
}
