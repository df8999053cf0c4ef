//! The queries, those of `millrace bench scan`, as Cypher and as Kuzu reads it where that differs.
//!
//! Kuzu 0.11.3 ends at `any()` over the parts of a text, and has no `replace`: functions of the same meaning stand there.

/// A query.
pub(super) struct Query {
    /// The row of `millrace bench scan`.
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// What Kuzu is asked, if not the same.
    pub(super) kuzu: Option<&'static str>,
}

impl Query {
    const fn new(name: &'static str, text: &'static str) -> Query {
        Query { name, text, kuzu: None }
    }

    const fn or(self, kuzu: &'static str) -> Query {
        Query { kuzu: Some(kuzu), ..self }
    }

    /// Whether the rows have an order.
    pub(super) fn is_ordered(&self) -> bool {
        self.text.contains("ORDER BY")
    }
}

/// Those over people.
pub(super) const PEOPLE: &[Query] = &[
    Query::new("fold", "MATCH (p:Person) RETURN avg(p.age), min(p.age), max(p.age), sum(p.age)"),
    Query::new("fold.words", "MATCH (p:Person) RETURN sum(size(split(p.bio, ' ')))")
        .or("MATCH (p:Person) RETURN sum(size(string_split(p.bio, ' ')))"),
    Query::new(
        "filter.range",
        "MATCH (p:Person) WHERE p.score >= 20.0 AND p.score < 30.0 RETURN count(*)",
    ),
    Query::new("filter.contains", "MATCH (p:Person) WHERE p.bio CONTAINS 'amber' RETURN count(*)"),
    Query::new(
        "filter.any",
        "MATCH (p:Person) WHERE any(x IN split(p.bio, ' ') WHERE x = 'amber') RETURN count(*)",
    )
    .or("MATCH (p:Person) WHERE list_contains(string_split(p.bio, ' '), 'amber') RETURN count(*)"),
    Query::new("filter.index", "MATCH (p:Person) WHERE p.age IN [20, 30, 40] RETURN count(*)"),
    Query::new("top", "MATCH (p:Person) RETURN p.uid ORDER BY p.score DESC LIMIT 10"),
    Query::new("group.text", "MATCH (p:Person) RETURN p.city, avg(p.age)"),
    Query::new("group.split", "MATCH (p:Person) RETURN split(p.email, '@')[1] AS host, count(*)")
        .or("MATCH (p:Person) RETURN string_split(p.email, '@')[2] AS host, count(*)"),
    Query::new(
        "group.upper",
        "MATCH (p:Person) RETURN toUpper(substring(p.name, 0, 2)) AS initials, count(*)",
    )
    .or("MATCH (p:Person) RETURN toUpper(substring(p.name, 1, 2)) AS initials, count(*)"),
    Query::new(
        "group.replace",
        "MATCH (p:Person) RETURN replace(p.city, 'a', 'b') AS city, count(*)",
    )
    .or("MATCH (p:Person) RETURN regexp_replace(p.city, 'a', 'b', 'g') AS city, count(*)"),
    Query::new(
        "group.case",
        "MATCH (p:Person) RETURN CASE WHEN p.age < 30 THEN 'young' WHEN p.age < 60 THEN 'mid' \
         ELSE 'old' END AS part, count(*)",
    ),
    Query::new("group.number", "MATCH (p:Person) RETURN p.age / 10 AS decade, count(*)"),
    Query::new("distinct", "MATCH (p:Person) RETURN count(DISTINCT p.city)"),
    Query::new("distinct.joined", "MATCH (p:Person) RETURN count(DISTINCT p.city + '-' + p.name)"),
    Query::new("collect", "MATCH (p:Person) RETURN p.city, collect(p.uid)"),
    Query::new(
        "collect.size",
        "MATCH (p:Person) WITH p.city AS city, collect(p.uid) AS uids RETURN city, size(uids)",
    ),
    Query::new("edges.filter", "MATCH ()-[r:KNOWS]->() WHERE r.since >= 2020 RETURN count(r)"),
    Query::new("edges.group", "MATCH ()-[r:KNOWS]->() RETURN r.year, avg(r.w)"),
    Query::new(
        "edges.degree",
        "MATCH (p:Person)<-[:KNOWS]-() RETURN p.uid, count(*) AS d ORDER BY d DESC, p.uid LIMIT 10",
    ),
    Query::new("rows", "MATCH (p:Person) WHERE p.uid < 10000 RETURN p.uid, p.name, p.score"),
];

/// Those over likes.
pub(super) const LIKES: &[Query] = &[
    Query::new("likes.mean", "MATCH ()-[r:LIKES]->() RETURN avg(r.weight)"),
    Query::new("likes.filter", "MATCH ()-[r:LIKES]->() WHERE r.weight > 9.9 RETURN count(r)"),
    Query::new("likes.group", "MATCH ()-[r:LIKES]->(i:Item) RETURN i.name, avg(r.weight)"),
];
