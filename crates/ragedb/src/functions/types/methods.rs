//! The methods of each type's values, for the reference page. A test compares it with the methods that
//! the types register.

/// A type of a sandbox.
pub(crate) struct Type {
    /// Its name, or a description.
    pub(crate) name: &'static str,
    /// How a script makes one.
    pub(crate) made: &'static str,
    /// Its methods: name, arguments, result.
    pub(crate) methods: &'static [(&'static str, &'static str, &'static str)],
}

/// All types but `Traversal`, which has the functions of its table as methods.
pub(crate) const TYPES: &[Type] = &[
    Type {
        name: "Link",
        made: "`Link.new(node id, relationship id)`: a value. Two of the same node and relationship are \
               equal, and one key of a table (unless the ids are too large for 62 bits together)",
        methods: &[("getNodeId", "", "int"), ("getRelationshipId", "", "int")],
    },
    Type {
        name: "Node",
        made: "`Node.new([id], [type], [key], [properties])`; it is in no graph",
        methods: &[
            ("getId", "", "int"),
            ("getKey", "", "string"),
            ("getProperties", "", "table"),
            ("getProperty", "property", "object"),
            ("getType", "", "string"),
            ("getTypeId", "", "int"),
        ],
    },
    Type {
        name: "Relationship",
        made: "`Relationship.new([id], [type], [start id], [end id], [properties])`; it is in no graph",
        methods: &[
            ("getEndingNodeId", "", "int"),
            ("getId", "", "int"),
            ("getProperties", "", "table"),
            ("getProperty", "property", "object"),
            ("getStartingNodeId", "", "int"),
            ("getType", "", "string"),
            ("getTypeId", "", "int"),
        ],
    },
    Type {
        name: "Roar",
        made: "`Roar.new()`: a set of ids. `#` is their number; `==` compares the contents",
        methods: &[
            ("add", "id", ""),
            ("addChecked", "id", "bool: whether it is new"),
            ("addIds", "{ids}", ""),
            ("addNodeIds", "{links}", ""),
            ("addRelationshipIds", "{links}", ""),
            ("addValues", "map id -> {ids} \\| {ids}", ""),
            ("cardinality", "", "int"),
            ("clear", "", ""),
            ("contains", "id", "bool"),
            ("difference", "Roar", "Roar"),
            ("flip", "from, to", ""),
            ("getIds", "", "{int}, ascending"),
            ("getNodeHalfLinks", "", "{Link} with relationship 0"),
            ("getRelationshipHalfLinks", "", "{Link} with node 0"),
            ("inplace_difference", "Roar", "Roar, itself"),
            ("inplace_intersection", "Roar", "Roar, itself"),
            ("inplace_union", "Roar", "Roar, itself"),
            ("inplace_xor", "Roar", "Roar, itself"),
            ("intersection", "Roar", "Roar"),
            ("isEmpty", "", "bool"),
            ("isFull", "", "bool"),
            ("isStrictSubset", "Roar", "bool"),
            ("isSubset", "Roar", "bool"),
            ("maximum", "", "int or nil"),
            ("minimum", "", "int or nil"),
            ("rank", "id", "int: how many are not above it"),
            ("remove", "id", ""),
            ("removeChecked", "id", "bool: whether it was there"),
            ("removeRunCompression", "", "false: there is none"),
            ("runOptimize", "", "false: there is none"),
            ("shrinkToFit", "", "0: there is nothing to shrink"),
            ("swap", "Roar", "Roar, itself"),
            ("toString", "", "string"),
            ("union", "Roar", "Roar"),
            ("xor", "Roar", "Roar"),
        ],
    },
    Type {
        name: "{X}",
        made: "a list that a function gives. `#`, indexing, `ipairs`, `pairs` and writing work as on a \
               table; a table of its own is made when a script writes into it. Up to 256 links or ids of \
               one node are a table from the beginning",
        methods: &[],
    },
    Type {
        name: "map id -> {X}",
        made: "a map that a bulk function gives. `#`, indexing and `pairs` work, in the order of its \
               argument",
        methods: &[],
    },
    Type {
        name: "map id or value -> int",
        made: "the result of `Traversal.counts`. `#`, indexing and `pairs` work, in the order of \
               the traversal",
        methods: &[("getCounts", "", "{int}"), ("getKeys", "", "{int} or {object}")],
    },
];
