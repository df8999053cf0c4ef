# Neo4j 5 Cypher Manual: subqueries/call-subquery
@manual:subqueries/call-subquery
Feature: CALL (…) { }

  Scenario: [1] An empty scope imports nothing
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x CALL () { RETURN 'in' AS y } RETURN x, y
      """
    Then the result should be, in any order:
      | x | y    |
      | 1 | 'in' |
      | 2 | 'in' |

  Scenario: [2] One variable is imported
    Given any graph
    When executing query:
      """
      UNWIND [1, 2, 3] AS x CALL (x) { RETURN x * 10 AS y } RETURN x, y
      """
    Then the result should be, in any order:
      | x | y  |
      | 1 | 10 |
      | 2 | 20 |
      | 3 | 30 |

  Scenario: [3] All variables are imported by a star
    Given any graph
    When executing query:
      """
      WITH 1 AS a, 2 AS b CALL (*) { RETURN a + b AS c } RETURN c
      """
    Then the result should be, in any order:
      | c |
      | 3 |

  Scenario: [4] A variable that is not imported is unknown inside
    Given any graph
    When executing query:
      """
      WITH 1 AS a, 2 AS b CALL (a) { RETURN a + b AS c } RETURN c
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: [5] Rows multiply
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x CALL (x) { UNWIND range(1, x) AS y RETURN y } RETURN x, y
      """
    Then the result should be, in any order:
      | x | y |
      | 1 | 1 |
      | 2 | 1 |
      | 2 | 2 |

  Scenario: [6] A subquery without rows drops the row
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x CALL (x) { WITH x WHERE x > 1 RETURN x * 2 AS y } RETURN x, y
      """
    Then the result should be, in any order:
      | x | y |
      | 2 | 4 |

  Scenario: [7] An aggregate inside is one for each row
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (:P {n: 'b'}), (a)-[:OWNS]->(:C), (a)-[:OWNS]->(:C)
      """
    When executing query:
      """
      MATCH (p:P) CALL (p) { MATCH (p)-[:OWNS]->(c) RETURN count(c) AS cars } RETURN p.n AS n, cars
      """
    Then the result should be, in any order:
      | n   | cars |
      | 'a' | 2    |
      | 'b' | 0    |
    And no side effects

  Scenario: [8] ORDER BY and LIMIT inside, for each row
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (b:P {n: 'b'}),
      (a)-[:GOT {s: 3}]->(:X), (a)-[:GOT {s: 9}]->(:X), (a)-[:GOT {s: 5}]->(:X), (b)-[:GOT {s: 4}]->(:X)
      """
    When executing query:
      """
      MATCH (p:P)
      CALL (p) { MATCH (p)-[g:GOT]->() RETURN g.s AS s ORDER BY s DESC LIMIT 2 }
      RETURN p.n AS n, s
      """
    Then the result should be, in any order:
      | n   | s |
      | 'a' | 9 |
      | 'a' | 5 |
      | 'b' | 4 |
    And no side effects

  Scenario: [9] A union inside reads the imported variable in both parts
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (a)-[:KNOWS]->(:P {n: 'b'}), (a)<-[:LIKES]-(:P {n: 'c'})
      """
    When executing query:
      """
      MATCH (a:P {n: 'a'})
      CALL (a) {
        MATCH (a)-[:KNOWS]->(x) RETURN x
        UNION
        MATCH (a)<-[:LIKES]-(x) RETURN x
      }
      RETURN x.n AS n
      """
    Then the result should be, in any order:
      | n   |
      | 'b' |
      | 'c' |
    And no side effects

  Scenario: [10] A unit subquery writes and keeps the rows
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1}), (:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) CALL (p) { UNWIND range(1, p.n) AS i CREATE (p)-[:HAS]->(:Part {i: i}) } RETURN count(*) AS rows
      """
    Then the result should be, in any order:
      | rows |
      | 2    |
    And the side effects should be:
      | +nodes         | 3 |
      | +relationships | 3 |
      | +labels        | 1 |
      | +properties    | 3 |

  Scenario: [11] A subquery sees what an earlier row wrote
    Given an empty graph
    And having executed:
      """
      CREATE (:Counter {n: 0})
      """
    When executing query:
      """
      UNWIND [1, 2, 3] AS step
      CALL (step) { MATCH (c:Counter) SET c.n = c.n + step RETURN c.n AS after }
      RETURN step, after
      """
    Then the result should be, in any order:
      | step | after |
      | 1    | 1     |
      | 2    | 3     |
      | 3    | 6     |
    And the side effects should be:
      | +properties | 1 |
      | -properties | 1 |

  Scenario: [12] A returned name that is taken outside is refused
    Given any graph
    When executing query:
      """
      WITH 1 AS x CALL () { RETURN 2 AS x } RETURN x
      """
    Then a SyntaxError should be raised at compile time: VariableAlreadyBound

  Scenario: [13] An expression in the scope is refused
    Given any graph
    When executing query:
      """
      WITH 1 AS x CALL (x + 1) { RETURN 1 AS y } RETURN y
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [14] The imported variable may not be declared anew
    Given any graph
    When executing query:
      """
      WITH 1 AS x CALL (x) { UNWIND [1] AS x RETURN x AS y } RETURN y
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [15] OPTIONAL CALL keeps rows without results
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (:P {n: 'b'}), (a)-[:OWNS]->(:C {k: 1})
      """
    When executing query:
      """
      MATCH (p:P) OPTIONAL CALL (p) { MATCH (p)-[:OWNS]->(c) RETURN c.k AS k } RETURN p.n AS n, k
      """
    Then the result should be, in any order:
      | n   | k    |
      | 'a' | 1    |
      | 'b' | null |
    And no side effects

  Scenario: [16] A subquery inside of a subquery
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x
      CALL (x) { UNWIND [10, 20] AS y CALL (x, y) { RETURN x * y AS z } RETURN sum(z) AS s }
      RETURN x, s
      """
    Then the result should be, in any order:
      | x | s  |
      | 1 | 30 |
      | 2 | 60 |

  Scenario: [17] What an optional query without rows returns is null, what it imported too
    Given an empty graph
    When executing query:
      """
      UNWIND [5, 6] AS x
      OPTIONAL CALL (x) { UNWIND CASE x WHEN 5 THEN [] ELSE [1] END AS one RETURN x AS y, one ORDER BY y }
      RETURN x, y, one
      """
    Then the result should be, in any order:
      | x | y    | one  |
      | 5 | null | null |
      | 6 | 6    | 1    |
    And no side effects
