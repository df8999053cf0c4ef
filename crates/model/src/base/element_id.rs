//! The texts by which Neo4j's clients know elements: the id behind a prefix that tells nodes from relationships.
//!
//! Neo4j's have three parts, `4:<database>:7` for a node and `5:<database>:7` for a relationship, and clients rely on it: a
//! text that reads as a number is taken for an id of Neo4j 4 (Spring Data sends it back as an integer). The part in the
//! middle is the same for all graphs here.

/// What the text of a node begins with.
pub const NODE_PREFIX: &str = "4:0:";

/// What the text of a relationship begins with.
pub const RELATIONSHIP_PREFIX: &str = "5:0:";
