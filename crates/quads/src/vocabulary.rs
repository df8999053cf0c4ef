//! The few names with a meaning of their own.

/// Key of a vertex's external name in a load, unique in the graph.
pub const XID: &str = "xid";

/// Facet of a loaded text whose datatype is not known: the datatype's name.
pub const DATATYPE: &str = "datatype";

/// Label of a vertex that no statement gave one.
pub const RESOURCE: &str = "Resource";

/// Datatype of geometry as GeoJSON.
pub const GEOMETRY: &str = "geo:geojson";

/// Datatype of a password before it is hashed.
pub const PASSWORD: &str = "xs:password";

/// Datatypes of vectors: that of Dgraph's exports, and its types.
pub const VECTORS: [&str; 3] = ["xs:[]float32", "xs:float32vector", "float32vector"];

/// Whether a predicate gives its subject a label.
pub fn is_type(predicate: &str) -> bool {
    matches!(
        predicate,
        "rdf:type" | "dgraph.type" | "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    )
}
