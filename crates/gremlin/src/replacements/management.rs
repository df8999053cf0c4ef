//! JanusGraph's management of schemas and indexes.

use super::{Replacement, row};

const NO_SCHEMA: &str = "leave it out: the schema needs no declaration, because keys and labels are created when \
                         they are first written; indexes and constraints are declared by the HTTP interface";

const INDEX: &str = "declare an index on the address of administration, `POST /graphs/GRAPH/schema` with \
                     `{\"changes\": [{\"change\": \"create_index\", \"label\": \"person\", \"keys\": [\"age\"], \
                     \"kind\": \"range\"}]}`; `exact` is the kind for equal values alone";

const MIXED_INDEX: &str = "declare an index for each key on the address of administration, `POST /graphs/GRAPH/schema` \
                           with `{\"changes\": [{\"change\": \"create_index\", \"label\": \"person\", \"keys\": [\"name\"], \
                           \"kind\": \"made\", \"method\": \"words(janusgraph)\"}]}`: `words(janusgraph)` is for \
                           `textContains` and its kin, `trigrams` for `textPrefix`, `textRegex` and `TextP`, \
                           `points` for `geoWithin`; `\"kind\": \"range\"` without a method is for numbers and order";

const NO_WAIT: &str = "leave it out: an index is complete when its request is answered";

const LOOK: &str = "`GET /db/GRAPH/schema/nodes` on the HTTP interface and `:schema` in `millrace \
                    shell` show the schema";

const CARDINALITY: &str = "leave it out: `property(list, 'name', 'a')` adds a value, `property(single, …)` \
                           replaces those that are there";

const NOT_NEEDED: &str = "leave it out: transactions are always isolated by snapshots";

const SERVER: &str =
    "leave it out: one process serves a data folder, and its settings are the server's";

const TYPE: &str = "leave the schema out: a key takes values of any type; \
                    `POST /db/GRAPH/schema/nodes/LABEL/properties/KEY/TYPE` on the HTTP interface declares one";

pub(super) static CALLS: &[Replacement] = &[
    row("openManagement", "mgmt = graph.openManagement()", NO_SCHEMA),
    row("management", "graph.management()", NO_SCHEMA),
    row("schema", "graph.schema()", NO_SCHEMA),
    row("makePropertyKey", "mgmt.makePropertyKey('name')", NO_SCHEMA),
    row("makeEdgeLabel", "mgmt.makeEdgeLabel('knows')", NO_SCHEMA),
    row("makeVertexLabel", "mgmt.makeVertexLabel('person')", NO_SCHEMA),
    row("make", "mgmt.makePropertyKey('name').make()", NO_SCHEMA),
    row("getOrCreatePropertyKey", "mgmt.getOrCreatePropertyKey('name')", NO_SCHEMA),
    row("getOrCreateEdgeLabel", "mgmt.getOrCreateEdgeLabel('knows')", NO_SCHEMA),
    row("getOrCreateVertexLabel", "mgmt.getOrCreateVertexLabel('person')", NO_SCHEMA),
    row("addProperties", "mgmt.addProperties(person, name)", NO_SCHEMA),
    row("addConnection", "mgmt.addConnection(knows, person, person)", NO_SCHEMA),
    row("dataType", "mgmt.makePropertyKey('age').dataType(Integer.class)", TYPE),
    row("cardinality", "mgmt.makePropertyKey('name').cardinality(Cardinality.LIST)", CARDINALITY),
    row(
        "multiplicity",
        "mgmt.makeEdgeLabel('father').multiplicity(MANY2ONE)",
        "leave it out: two vertices may have any number of edges of a type; `mergeE` adds no \
         second one",
    ),
    row(
        "directed",
        "mgmt.makeEdgeLabel('knows').directed()",
        "leave it out: edges have a direction, and \
        `both()` goes either way",
    ),
    row(
        "unidirected",
        "mgmt.makeEdgeLabel('link').unidirected()",
        "leave it out: edges are found from both ends",
    ),
    row("signature", "mgmt.makeEdgeLabel('knows').signature(since)", NOT_NEEDED),
    row(
        "sortKey",
        "mgmt.makeEdgeLabel('knows').sortKey(since)",
        "write `outE('knows').order().by('since')`",
    ),
    row(
        "sortOrder",
        "mgmt.makeEdgeLabel('knows').sortOrder(Order.desc)",
        "write `outE('knows').order().by('since', desc)`",
    ),
    row("partition", "mgmt.makeVertexLabel('product').partition()", NOT_NEEDED),
    row("setStatic", "mgmt.makeVertexLabel('tweet').setStatic()", NOT_NEEDED),
    row(
        "setTTL",
        "mgmt.setTTL(visits, Duration.ofDays(7))",
        "keep the time as a property, and drop old elements: `g.V().has('until', \
         lt(datetime())).drop()`",
    ),
    row("setConsistency", "mgmt.setConsistency(name, ConsistencyModifier.LOCK)", NOT_NEEDED),
    row("buildIndex", "mgmt.buildIndex('byName', Vertex.class)", INDEX),
    row(
        "buildEdgeIndex",
        "mgmt.buildEdgeIndex(knows, 'bySince', Direction.BOTH, since)",
        "leave it out: the edges of a vertex are stored by type and direction",
    ),
    row("buildPropertyIndex", "mgmt.buildPropertyIndex(name, 'bySince', since)", INDEX),
    row(
        "buildCompositeIndex",
        "mgmt.buildIndex('byName', Vertex.class).addKey(name).buildCompositeIndex()",
        INDEX,
    ),
    row(
        "buildMixedIndex",
        "mgmt.buildIndex('byName', Vertex.class).addKey(name).buildMixedIndex('search')",
        MIXED_INDEX,
    ),
    row("addKey", "mgmt.buildIndex('byName', Vertex.class).addKey(name)", INDEX),
    row("indexOnly", "mgmt.buildIndex('byName', Vertex.class).indexOnly(person)", INDEX),
    row(
        "unique",
        "mgmt.buildIndex('byName', Vertex.class).addKey(name).unique()",
        "write with `mergeV`, which makes no second vertex of the same map: \
         `g.mergeV([(T.label): 'person', name: 'bob'])`",
    ),
    row("updateIndex", "mgmt.updateIndex(index, SchemaAction.REINDEX)", NO_WAIT),
    row(
        "awaitGraphIndexStatus",
        "ManagementSystem.awaitGraphIndexStatus(graph, 'byName').call()",
        NO_WAIT,
    ),
    row(
        "awaitRelationIndexStatus",
        "ManagementSystem.awaitRelationIndexStatus(graph, 'byName', 'knows')",
        NO_WAIT,
    ),
    row("getPropertyKey", "mgmt.getPropertyKey('name')", LOOK),
    row("getEdgeLabel", "mgmt.getEdgeLabel('knows')", LOOK),
    row("getVertexLabel", "mgmt.getVertexLabel('person')", LOOK),
    row("getVertexLabels", "mgmt.getVertexLabels()", LOOK),
    row("getRelationTypes", "mgmt.getRelationTypes(PropertyKey.class)", LOOK),
    row("getGraphIndex", "mgmt.getGraphIndex('byName')", LOOK),
    row("getGraphIndexes", "mgmt.getGraphIndexes(Vertex.class)", LOOK),
    row("getRelationIndex", "mgmt.getRelationIndex(knows, 'bySince')", LOOK),
    row("getRelationIndexes", "mgmt.getRelationIndexes(knows)", LOOK),
    row("containsPropertyKey", "mgmt.containsPropertyKey('name')", LOOK),
    row("containsEdgeLabel", "mgmt.containsEdgeLabel('knows')", LOOK),
    row("containsVertexLabel", "mgmt.containsVertexLabel('person')", LOOK),
    row("containsGraphIndex", "mgmt.containsGraphIndex('byName')", LOOK),
    row("containsRelationType", "mgmt.containsRelationType('name')", LOOK),
    row("containsRelationIndex", "mgmt.containsRelationIndex(knows, 'bySince')", LOOK),
    row("printSchema", "mgmt.printSchema()", LOOK),
    row("printPropertyKeys", "mgmt.printPropertyKeys()", LOOK),
    row("printVertexLabels", "mgmt.printVertexLabels()", LOOK),
    row("printEdgeLabels", "mgmt.printEdgeLabels()", LOOK),
    row("printIndexes", "mgmt.printIndexes()", LOOK),
    row(
        "changeName",
        "mgmt.changeName(place, 'location')",
        "write the property under its new key and drop the other: \
         `g.V().has('place').property('location', __.values('place')).properties('place').drop()`",
    ),
    row("getOpenInstances", "mgmt.getOpenInstances()", SERVER),
    row("forceCloseInstance", "mgmt.forceCloseInstance('…')", SERVER),
    row("getConsistency", "mgmt.getConsistency(name)", NOT_NEEDED),
    row("getTTL", "mgmt.getTTL(visits)", NOT_NEEDED),
    row("set", "mgmt.set('cache.db-cache', true)", SERVER),
    row(
        "commit",
        "mgmt.commit()",
        "leave the lines of the management out; a transaction of data is committed \
        by `g.tx().commit()`",
    ),
    row(
        "rollback",
        "mgmt.rollback()",
        "leave the lines of the management out; a transaction of data is rolled \
        back by `g.tx().rollback()`",
    ),
];

pub(super) static CLASSES: &[Replacement] = &[
    row("class", "Integer.class, Vertex.class", TYPE),
    row(
        "Multiplicity",
        "Multiplicity.MANY2ONE",
        "leave it out: edges have no multiplicity; `mergeE` adds no second edge",
    ),
    row("Cardinality.SINGLE", "Cardinality.SINGLE", CARDINALITY),
    row("Cardinality.LIST", "Cardinality.LIST", CARDINALITY),
    row("Cardinality.SET", "Cardinality.SET", CARDINALITY),
    row(
        "Mapping",
        "Mapping.TEXT.asParameter()",
        "leave it out: the method of an index says how its keys are made, `words(janusgraph)` for TEXT and \
         `trigrams` for STRING (`POST /graphs/GRAPH/schema` on the address of administration)",
    ),
    row(
        "Parameter",
        "Parameter.of('mapped-name', 'xyz')",
        "leave it out: an index has no parameters",
    ),
    row("SchemaAction", "SchemaAction.REINDEX", NO_WAIT),
    row("SchemaStatus", "SchemaStatus.ENABLED", NO_WAIT),
    row("ConsistencyModifier", "ConsistencyModifier.LOCK", NOT_NEEDED),
    row("ManagementSystem", "ManagementSystem.awaitGraphIndexStatus(graph, 'byName')", NO_WAIT),
    row("PropertyKey", "PropertyKey.class", NO_SCHEMA),
    row("EdgeLabel", "EdgeLabel.class", NO_SCHEMA),
    row("VertexLabel", "VertexLabel.class", NO_SCHEMA),
    row("RelationType", "RelationType.class", NO_SCHEMA),
];
