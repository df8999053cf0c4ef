//! GraphML as TinkerPop, Neo4j's APOC, Gephi, NetworkX and yEd write it.
//!
//! ```text
//!   <graphml>
//!     <key id="d0" for="node" attr.name="age" attr.type="int"><default>7</default></key>
//!     <graph edgedefault="directed">
//!       <node id="1"><data key="labelV">person</data><data key="d0">29</data></node>
//!       <edge id="7" source="1" target="2"><data key="labelE">knows</data></edge>
//! ```
//!
//! Labels are the data `labelV` (TinkerPop) or `labels` (APOC, `:A:B`); an edge's type is the data
//! `labelE` or `label`, or its attribute `label`, or else `edge`, as in TinkerPop. A document that is no
//! XML up to its end is refused as a whole, while an element that cannot be loaded is a bad row and the
//! others are read on. Nothing is fetched or expanded: a DTD and entities of its own are refused.
//! Only XML becomes records here; what the records make of a graph is in `elements`.

mod element;
mod key;
mod load;
mod read;
mod xml;

pub(crate) use load::load;
