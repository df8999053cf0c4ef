//! Lists of edges: a line names two nodes, and perhaps says a weight and a time. The nodes are those that
//! occur, or in a matrix those of all rows and columns. SNAP's and KONECT's lists, and Matrix Market.
//!
//! ```text
//!   # Nodes: 3 Edges: 2          %%MatrixMarket matrix coordinate real symmetric
//!   # FromNodeId ToNodeId        3 3 2
//!   0   11342                    2 1 0.5
//!   0   824020                   3 2 1.5
//! ```
//!
//! A list says neither labels nor types: both are said beside it. Ids become a property by which later loads
//! find the nodes, and nodes that the graph has by their ids are not made again.
//!
//! Parsers look names up while the consumer adds those that are new: most are known after the first blocks.

mod entries;
mod fields;
mod head;
mod load;
mod matrix;
mod nodes;
mod options;
mod rows;

pub(crate) use load::load;
