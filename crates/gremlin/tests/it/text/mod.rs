//! The text of Gremlin: TinkerPop's scenarios.

mod features;
