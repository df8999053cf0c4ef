//! The five variants of the article's web app.

use serde::{Deserialize, Serialize};

use super::limits::{BATCH_OF_100, BATCH_OF_5000, EVENTED_BATCH};

/// How the app writes the nodes that its users ask for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum,
)]
pub enum Variant {
    /// Each request writes one node.
    Node,
    /// A hundred requests are one batch, in the app's memory until then.
    #[value(name = "nodes-100")]
    Nodes100,
    /// The same with 5,000.
    #[value(name = "nodes-5000")]
    Nodes5000,
    /// Each request is one message of a queue.
    Evented,
    /// A hundred requests are one message, in the app's memory until then.
    #[value(name = "evented-100")]
    Evented100,
}

impl Variant {
    /// All of them, in the article's order.
    pub(crate) const ALL: [Variant; 5] = [
        Variant::Node,
        Variant::Nodes100,
        Variant::Nodes5000,
        Variant::Evented,
        Variant::Evented100,
    ];

    /// Its name on the command line and in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Variant::Node => "node",
            Variant::Nodes100 => "nodes-100",
            Variant::Nodes5000 => "nodes-5000",
            Variant::Evented => "evented",
            Variant::Evented100 => "evented-100",
        }
    }

    /// Its meaning, for reports.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Variant::Node => "each request writes its node and waits for it",
            Variant::Nodes100 => "100 requests are one batch, in the app's memory until then",
            Variant::Nodes5000 => "5,000 requests are one batch, in the app's memory until then",
            Variant::Evented => "each request is one message of a queue",
            Variant::Evented100 => "100 requests are one message, in the app's memory until then",
        }
    }

    /// Its colour in charts.
    pub(crate) fn colour(self) -> &'static str {
        match self {
            Variant::Node => "#1565c0",
            Variant::Nodes100 => "#2e7d32",
            Variant::Nodes5000 => "#f9a825",
            Variant::Evented => "#6a1b9a",
            Variant::Evented100 => "#c62828",
        }
    }

    /// The app's route.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Variant::Node => "/node",
            Variant::Nodes100 | Variant::Nodes5000 => "/nodes",
            Variant::Evented => "/evented_nodes",
            Variant::Evented100 => "/evented_accumulated_nodes",
        }
    }

    /// How many requests the app joins.
    pub(crate) fn accumulates(self) -> usize {
        match self {
            Variant::Node | Variant::Evented => 1,
            Variant::Nodes100 => BATCH_OF_100,
            Variant::Nodes5000 => BATCH_OF_5000,
            Variant::Evented100 => EVENTED_BATCH,
        }
    }

    /// Whether nodes go through a broker.
    pub(crate) fn is_evented(self) -> bool {
        match self {
            Variant::Node | Variant::Nodes100 | Variant::Nodes5000 => false,
            Variant::Evented | Variant::Evented100 => true,
        }
    }
}
