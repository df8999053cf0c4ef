# Neo4j 5 Cypher Manual: subqueries/existential
@manual:subqueries/existential
Feature: EXISTS { }

  Scenario: [1] A pattern alone
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1})-[:OWNS]->(:Dog), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) WHERE EXISTS { (p)-[:OWNS]->(:Dog) } RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [2] A pattern with a condition on a new variable
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1})-[:OWNS]->(:Dog {name: 'rex'}), (:P {n: 2})-[:OWNS]->(:Dog {name: 'bo'})
      """
    When executing query:
      """
      MATCH (p:P) WHERE EXISTS { (p)-[:OWNS]->(d:Dog) WHERE d.name = 'bo' } RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [3] Without EXISTS
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1})-[:OWNS]->(:Dog), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) WHERE NOT EXISTS { (p)-[:OWNS]->() } RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [4] A whole query, with an aggregate
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1}), (b:P {n: 2}), (a)-[:R]->(), (a)-[:R]->(), (b)-[:R]->()
      """
    When executing query:
      """
      MATCH (p:P) WHERE EXISTS { MATCH (p)-[:R]->(x) WITH p, count(x) AS c WHERE c = 2 RETURN true } RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [5] As a column
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1})-[:R]->(:Q), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p.n AS n, EXISTS { (p)-[:R]->(:Q) } AS has
      """
    Then the result should be, in any order:
      | n | has   |
      | 1 | true  |
      | 2 | false |
    And no side effects

  Scenario: [6] Nested
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 1})-[:OWNS]->(d:Dog)-[:HAS]->(:Toy), (:P {n: 2})-[:OWNS]->(:Dog)
      """
    When executing query:
      """
      MATCH (p:P)
      WHERE EXISTS { MATCH (p)-[:OWNS]->(d:Dog) WHERE EXISTS { MATCH (d)-[:HAS]->(:Toy) } }
      RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [7] A union inside
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1})-[:A]->(), (:P {n: 2})-[:B]->(), (:P {n: 3})
      """
    When executing query:
      """
      MATCH (p:P)
      WHERE EXISTS { MATCH (p)-[:A]->() RETURN p AS x UNION MATCH (p)-[:B]->() RETURN p AS x }
      RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [8] Outer variables are read and not rebound
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1}), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) WITH p, 2 AS wanted WHERE EXISTS { MATCH (q:P) WHERE q.n = wanted AND q = p } RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [9] No writes inside
    Given an empty graph
    And having executed:
      """
      CREATE (:P)
      """
    When executing query:
      """
      MATCH (p:P) WHERE EXISTS { CREATE (p)-[:R]->(:Q) } RETURN p
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [10] In a CASE
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1})-[:R]->(:Q), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p.n AS n, CASE WHEN EXISTS { (p)-->() } THEN 'linked' ELSE 'alone' END AS s
      """
    Then the result should be, in any order:
      | n | s        |
      | 1 | 'linked' |
      | 2 | 'alone'  |
    And no side effects

  Scenario: [11] In a pattern: of a node, of a relationship, of a part that begins a path
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1})-[:R {n: 1}]->(:P {n: 2})-[:R {n: 2}]->(:P {n: 3})-[:S]->(:Q {n: 0})
      """
    When executing query:
      """
      MATCH (a:P WHERE EXISTS { (a)-[:S]->() })
      MATCH (b)-[r:R WHERE NOT EXISTS { (b)<-[:R]-() }]->()
      MATCH (c:P WHERE EXISTS { (c)-[:R]->(:P {n: 3}) })-->(d)
      RETURN a.n AS a, b.n AS b, r.n AS r, c.n AS c, d.n AS d
      """
    Then the result should be, in any order:
      | a | b | r | c | d |
      | 3 | 1 | 1 | 2 | 3 |
    And no side effects

  Scenario: [12] In a pattern of an inner query and of a comprehension
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1})-[:R]->(:P {n: 2})-[:R]->(:P {n: 3})
      """
    When executing query:
      """
      MATCH (p:P)
      RETURN p.n AS n, EXISTS { MATCH (p WHERE EXISTS { (p)<-[:R]-() })-[:R]->() } AS both,
        [(p)-[:R]->(q WHERE EXISTS { (q)-[:R]->() }) | q.n] AS next
      """
    Then the result should be, in any order:
      | n | both  | next |
      | 1 | false | [2]  |
      | 2 | true  | []   |
      | 3 | false | []   |
    And no side effects

  Scenario Outline: [13] A subquery that ends with WITH: <test>
    Given an empty graph
    And having executed:
      """
      CREATE (:P {id: 1})-[:Z]->(:X), (:P {id: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p.id AS id, <test> AS r
      """
    Then the result should be, in any order:
      | id | r     |
      | 1  | <one> |
      | 2  | <two> |
    And no side effects

    Examples:
      | test                                                          | one   | two   |
      | EXISTS { MATCH (p)-[:Z]->(x) WITH x WHERE x:X }               | true  | false |
      | EXISTS { MATCH (p)-[:Z]->(x) WITH count(x) AS c WHERE c > 0 } | true  | false |
      | EXISTS { MATCH (p)-[:Z]->(x) WITH x LIMIT 0 }                 | false | false |
      | COUNT { MATCH (p)-[:Z]->(x) WITH x }                          | 1     | 0     |
      | COUNT { WITH p }                                              | 1     | 1     |
