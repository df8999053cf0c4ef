# Neo4j 5 Cypher Manual: clauses/with
@manual:clauses/with
Feature: WITH, ORDER BY, RETURN

  Scenario: [1] All variables and one more
    Given any graph
    When executing query:
      """
      WITH 1 AS a, 2 AS b WITH *, a + b AS c RETURN *
      """
    Then the result should be, in any order:
      | a | b | c |
      | 1 | 2 | 3 |

  Scenario: [2] Filter behind an aggregation
    Given an empty graph
    And having executed:
      """
      CREATE (a:P {n: 'a'}), (b:P {n: 'b'}), (a)-[:R]->(), (a)-[:R]->(), (b)-[:R]->()
      """
    When executing query:
      """
      MATCH (p:P)-[:R]->(x) WITH p, count(x) AS c WHERE c > 1 RETURN p.n AS n, c
      """
    Then the result should be, in any order:
      | n   | c |
      | 'a' | 2 |
    And no side effects

  Scenario: [3] Sorted before collected
    Given any graph
    When executing query:
      """
      UNWIND [3, 1, 2] AS x WITH x ORDER BY x DESC RETURN collect(x) AS xs
      """
    Then the result should be, in any order:
      | xs        |
      | [3, 2, 1] |

  Scenario: [4] The best of each group by a sorted collect
    Given an empty graph
    And having executed:
      """
      UNWIND [['a', 3], ['a', 7], ['b', 5], ['b', 1]] AS p CREATE (:S {g: p[0], v: p[1]})
      """
    When executing query:
      """
      MATCH (s:S) WITH s ORDER BY s.v DESC WITH s.g AS g, collect(s.v)[0] AS best RETURN g, best
      """
    Then the result should be, in any order:
      | g   | best |
      | 'a' | 7    |
      | 'b' | 5    |
    And no side effects

  @manual:clauses/order-by
  Scenario: [5] ORDER BY several keys, one descending
    Given any graph
    When executing query:
      """
      UNWIND [[1, 'b'], [2, 'a'], [1, 'a']] AS p RETURN p[0] AS x, p[1] AS y ORDER BY x DESC, y
      """
    Then the result should be, in order:
      | x | y   |
      | 2 | 'a' |
      | 1 | 'a' |
      | 1 | 'b' |

  @manual:clauses/order-by
  Scenario: [6] Null sorts last, and first when descending
    Given any graph
    When executing query:
      """
      UNWIND [2, null, 1] AS x RETURN collect(x) AS none, [1] AS l
      """
    Then the result should be, in any order:
      | none   | l   |
      | [2, 1] | [1] |

  @manual:clauses/order-by
  Scenario: [7] ORDER BY with ASCENDING and DESCENDING spelled out
    Given any graph
    When executing query:
      """
      UNWIND [2, null, 1] AS x RETURN x ORDER BY x DESCENDING
      """
    Then the result should be, in order:
      | x    |
      | null |
      | 2    |
      | 1    |

  @manual:clauses/order-by
  Scenario: [8] ORDER BY a property that is not returned
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 'a', age: 3}), (:P {n: 'b', age: 1}), (:P {n: 'c', age: 2})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p.n AS n ORDER BY p.age
      """
    Then the result should be, in order:
      | n   |
      | 'b' |
      | 'c' |
      | 'a' |
    And no side effects

  @manual:clauses/return
  Scenario: [9] RETURN DISTINCT
    Given any graph
    When executing query:
      """
      UNWIND [1, 1.0, 2, null, null] AS x RETURN DISTINCT x
      """
    Then the result should be, in any order:
      | x    |
      | 1    |
      | 2    |
      | null |

  @manual:clauses/return
  Scenario: [10] Names with odd letters
    Given any graph
    When executing query:
      """
      WITH 1 AS `a name with spaces` RETURN `a name with spaces` AS `and``tick`
      """
    Then the result should be, in any order:
      | and`tick |
      | 1        |

  Scenario Outline: [11] A star and a name that it has: <items>
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x WITH <items> RETURN collect(x) AS xs
      """
    Then the result should be, in any order:
      | xs   |
      | <xs> |

    Examples:
      | items         | xs     |
      | *, x          | [1, 2] |
      | *, x AS x     | [1, 2] |
      | *, x + 1 AS x | [2, 3] |
      | DISTINCT *, x | [1, 2] |

  Scenario: [12] RETURN of a star and a name that it has
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x WITH *, 1 AS y RETURN *, x ORDER BY x
      """
    Then the result should be, in order:
      | y | x |
      | 1 | 1 |
      | 1 | 2 |
