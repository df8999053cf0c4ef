//! The nine patterns of LSQB, counted: as Cypher, and as Kuzu reads it.
//!
//! Kuzu has a table for each kind of relationship and its two ends, friendships in both directions (so that one is a
//! hop of one direction there), and one table of messages. It lets a relationship occur twice in a pattern; the tests
//! of different people and tags keep its rows apart, and no two are the same in the other patterns.

/// A pattern.
pub(super) struct Query {
    pub(super) name: &'static str,
    pub(super) cypher: &'static str,
    pub(super) kuzu: &'static str,
}

/// All nine.
pub(super) const QUERIES: [Query; 9] = [
    Query {
        name: "q1",
        cypher: "MATCH (:Country)<-[:IS_PART_OF]-(:City)<-[:IS_LOCATED_IN]-(:Person)<-[:HAS_MEMBER]-(:Forum)\
                 -[:CONTAINER_OF]->(:Post)<-[:REPLY_OF]-(:Comment)-[:HAS_TAG]->(:Tag)-[:HAS_TYPE]->(:TagClass) \
                 RETURN count(*) AS count",
        kuzu: "MATCH (:Country)<-[:partOf]-(:City)<-[:livesIn]-(:Person)<-[:hasMember]-(:Forum)\
               -[:containerOf]->(:Message)<-[:replyOf]-(:Message)-[:hasTag]->(:Tag)-[:hasType]->(:TagClass) \
               RETURN count(*) AS count",
    },
    Query {
        name: "q2",
        cypher: "MATCH (a:Person)-[:KNOWS]-(b:Person), \
                 (a)<-[:HAS_CREATOR]-(c:Comment)-[:REPLY_OF]->(p:Post)-[:HAS_CREATOR]->(b) \
                 RETURN count(*) AS count",
        kuzu: "MATCH (a:Person)-[:knows]->(b:Person), \
               (a)<-[:hasCreator]-(c:Message)-[:replyOfPost]->(p:Message)-[:hasCreator]->(b) \
               RETURN count(*) AS count",
    },
    Query {
        name: "q3",
        cypher: "MATCH (land:Country) \
                 MATCH (a:Person)-[:IS_LOCATED_IN]->(x:City)-[:IS_PART_OF]->(land) \
                 MATCH (b:Person)-[:IS_LOCATED_IN]->(y:City)-[:IS_PART_OF]->(land) \
                 MATCH (c:Person)-[:IS_LOCATED_IN]->(z:City)-[:IS_PART_OF]->(land) \
                 MATCH (a)-[:KNOWS]-(b)-[:KNOWS]-(c)-[:KNOWS]-(a) \
                 RETURN count(*) AS count",
        kuzu: "MATCH (land:Country) \
               MATCH (a:Person)-[:livesIn]->(x:City)-[:partOf]->(land) \
               MATCH (b:Person)-[:livesIn]->(y:City)-[:partOf]->(land) \
               MATCH (c:Person)-[:livesIn]->(z:City)-[:partOf]->(land) \
               MATCH (a)-[:knows]->(b)-[:knows]->(c)-[:knows]->(a) \
               RETURN count(*) AS count",
    },
    Query {
        name: "q4",
        cypher: "MATCH (:Tag)<-[:HAS_TAG]-(m:Message)-[:HAS_CREATOR]->(:Person), \
                 (m)<-[:LIKES]-(:Person), (m)<-[:REPLY_OF]-(:Comment) \
                 RETURN count(*) AS count",
        kuzu: "MATCH (:Tag)<-[:hasTag]-(m:Message)-[:hasCreator]->(:Person), \
               (m)<-[:likes]-(:Person), (m)<-[:replyOf]-(:Message) \
               RETURN count(*) AS count",
    },
    Query {
        name: "q5",
        cypher: "MATCH (s:Tag)<-[:HAS_TAG]-(m:Message)<-[:REPLY_OF]-(c:Comment)-[:HAS_TAG]->(t:Tag) \
                 WHERE s <> t RETURN count(*) AS count",
        kuzu: "MATCH (s:Tag)<-[:hasTag]-(m:Message)<-[:replyOf]-(c:Message)-[:hasTag]->(t:Tag) \
               WHERE id(s) <> id(t) RETURN count(*) AS count",
    },
    Query {
        name: "q6",
        cypher: "MATCH (a:Person)-[:KNOWS]-(b:Person)-[:KNOWS]-(c:Person)-[:HAS_INTEREST]->(:Tag) \
                 WHERE a <> c RETURN count(*) AS count",
        kuzu: "MATCH (a:Person)-[:knows]->(b:Person)-[:knows]->(c:Person)-[:hasInterest]->(:Tag) \
               WHERE id(a) <> id(c) RETURN count(*) AS count",
    },
    Query {
        name: "q7",
        cypher: "MATCH (:Tag)<-[:HAS_TAG]-(m:Message)-[:HAS_CREATOR]->(:Person) \
                 OPTIONAL MATCH (m)<-[:LIKES]-(:Person) \
                 OPTIONAL MATCH (m)<-[:REPLY_OF]-(:Comment) \
                 RETURN count(*) AS count",
        kuzu: "MATCH (:Tag)<-[:hasTag]-(m:Message)-[:hasCreator]->(:Person) \
               OPTIONAL MATCH (m)<-[:likes]-(:Person) \
               OPTIONAL MATCH (m)<-[:replyOf]-(:Message) \
               RETURN count(*) AS count",
    },
    Query {
        name: "q8",
        cypher: "MATCH (s:Tag)<-[:HAS_TAG]-(m:Message)<-[:REPLY_OF]-(c:Comment)-[:HAS_TAG]->(t:Tag) \
                 WHERE NOT (c)-[:HAS_TAG]->(s) AND s <> t RETURN count(*) AS count",
        kuzu: "MATCH (s:Tag)<-[:hasTag]-(m:Message)<-[:replyOf]-(c:Message)-[:hasTag]->(t:Tag) \
               WHERE NOT (c)-[:hasTag]->(s) AND id(s) <> id(t) RETURN count(*) AS count",
    },
    Query {
        name: "q9",
        cypher: "MATCH (a:Person)-[:KNOWS]-(b:Person)-[:KNOWS]-(c:Person)-[:HAS_INTEREST]->(:Tag) \
                 WHERE NOT (a)-[:KNOWS]-(c) AND a <> c RETURN count(*) AS count",
        kuzu: "MATCH (a:Person)-[:knows]->(b:Person)-[:knows]->(c:Person)-[:hasInterest]->(:Tag) \
               WHERE NOT (a)-[:knows]->(c) AND id(a) <> id(c) RETURN count(*) AS count",
    },
];
