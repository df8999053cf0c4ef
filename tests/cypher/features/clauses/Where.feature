# Neo4j 5 Cypher Manual: clauses/where
@manual:clauses/where
Feature: WHERE

  Scenario: [1] A condition inside of a node pattern
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1, age: 20}), (:P {n: 2, age: 40})
      """
    When executing query:
      """
      MATCH (p:P WHERE p.age > 30) RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [2] A condition inside of a relationship pattern
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:R {w: 1}]->(:B {n: 1}), (a)-[:R {w: 5}]->(:B {n: 2})
      """
    When executing query:
      """
      MATCH (:A)-[r:R WHERE r.w > 2]->(b) RETURN b.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |
    And no side effects

  Scenario: [3] A condition in a pattern comprehension
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:R]->(:B {n: 1}), (a)-[:R]->(:B {n: 2}), (a)-[:R]->(:B {n: 3})
      """
    When executing query:
      """
      MATCH (a:A) RETURN [(a)-[:R]->(b:B WHERE b.n < 3) | b.n] AS ns
      """
    Then the result should be (ignoring element order for lists):
      | ns     |
      | [1, 2] |
    And no side effects

  Scenario: [4] A condition in a pattern may read an earlier clause
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1}), (:P {n: 5}), (:P {n: 9})
      """
    When executing query:
      """
      WITH 4 AS least MATCH (p:P WHERE p.n > least) RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 5 |
      | 9 |
    And no side effects

  Scenario: [5] Properties and a condition side by side
    Given an empty graph
    And having executed:
      """
      CREATE (:P {k: 'a', n: 1}), (:P {k: 'a', n: 2}), (:P {k: 'b', n: 2})
      """
    When executing query:
      """
      MATCH (p:P {k: 'a'} WHERE p.n = 2) RETURN p.k AS k, p.n AS n
      """
    Then the result should be, in any order:
      | k   | n |
      | 'a' | 2 |
    And no side effects

  Scenario: [6] A pattern as a condition
    Given an empty graph
    And having executed:
      """
      CREATE (:P {n: 1})-[:R]->(:P {n: 2})
      """
    When executing query:
      """
      MATCH (p:P) WHERE (p)-[:R]->() RETURN p.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [7] A pattern as a condition may not name new variables
    Given an empty graph
    And having executed:
      """
      CREATE (:P)
      """
    When executing query:
      """
      MATCH (p:P) WHERE (p)-[r:R]->(q) RETURN p
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: [8] Chained comparisons
    Given an empty graph
    And having executed:
      """
      UNWIND range(1, 9) AS i CREATE (:N {i: i})
      """
    When executing query:
      """
      MATCH (n:N) WHERE 3 < n.i <= 6 < 9 RETURN n.i AS i
      """
    Then the result should be, in any order:
      | i |
      | 4 |
      | 5 |
      | 6 |
    And no side effects

  Scenario: [9] XOR
    Given any graph
    When executing query:
      """
      UNWIND [[true, true], [true, false], [false, true], [false, false]] AS p
      WITH p WHERE p[0] XOR p[1] RETURN p
      """
    Then the result should be, in any order:
      | p             |
      | [true, false] |
      | [false, true] |

  Scenario: [10] STARTS WITH, ENDS WITH and CONTAINS regard case
    Given any graph
    When executing query:
      """
      UNWIND ['Amber', 'amber', 'timber', 'ember', 'Embers'] AS w
      WITH w WHERE w STARTS WITH 'A' OR w ENDS WITH 'imber' OR w CONTAINS 'bers' RETURN w
      """
    Then the result should be, in any order:
      | w        |
      | 'Amber'  |
      | 'timber' |
      | 'Embers' |

  Scenario: [11] String tests of other types are null
    Given any graph
    When executing query:
      """
      RETURN 5 STARTS WITH 'a' AS a, 'a' CONTAINS null AS b
      """
    Then the result should be, in any order:
      | a    | b    |
      | null | null |

  Scenario: [12] IN with null
    Given any graph
    When executing query:
      """
      RETURN 1 IN [1, null] AS a, 2 IN [1, null] AS b, null IN [1] AS c, null IN [] AS d, 1 IN null AS e
      """
    Then the result should be, in any order:
      | a    | b    | c    | d     | e    |
      | true | null | null | false | null |

  Scenario: [13] A label test as a condition
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1}), (:A:B {n: 2}), (:B {n: 3})
      """
    When executing query:
      """
      MATCH (n) WHERE n:A AND NOT n:B RETURN n.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  Scenario: [14] A property by a computed key
    Given an empty graph
    And having executed:
      """
      CREATE (:P {age: 4, size: 9})
      """
    And parameters are:
      | key | 'size' |
    When executing query:
      """
      MATCH (p:P) WHERE p[$key] = 9 AND p['ag' + 'e'] = 4 RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 1 |
    And no side effects
