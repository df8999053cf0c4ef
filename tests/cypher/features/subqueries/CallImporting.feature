# Neo4j 5 Cypher Manual: subqueries/call-subquery#importing-with
@manual:subqueries/call-subquery#importing-with
Feature: CALL { WITH … }

  Scenario: [1] The first WITH imports
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x CALL { WITH x RETURN x * 10 AS y } RETURN x, y
      """
    Then the result should be, in any order:
      | x | y  |
      | 1 | 10 |
      | 2 | 20 |

  Scenario: [2] Without a WITH nothing is known inside
    Given any graph
    When executing query:
      """
      WITH 1 AS x CALL { RETURN x AS y } RETURN y
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: [3] The importing WITH renames nothing
    Given any graph
    When executing query:
      """
      WITH 1 AS x CALL { WITH x AS z RETURN z } RETURN z
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [4] The importing WITH has no condition
    Given any graph
    When executing query:
      """
      WITH 1 AS x CALL { WITH x WHERE x > 0 RETURN x AS y } RETURN y
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [5] A second WITH may do both
    Given any graph
    When executing query:
      """
      UNWIND [1, 5] AS x CALL { WITH x WITH x AS z WHERE x > 2 RETURN z } RETURN x, z
      """
    Then the result should be, in any order:
      | x | z |
      | 5 | 5 |

  Scenario: [6] Each part of a union imports for itself
    Given any graph
    When executing query:
      """
      UNWIND [2, 3] AS x
      CALL { WITH x RETURN x * x AS y UNION ALL WITH x RETURN -x AS y }
      RETURN x, y
      """
    Then the result should be, in any order:
      | x | y  |
      | 2 | 4  |
      | 2 | -2 |
      | 3 | 9  |
      | 3 | -3 |

  Scenario: [7] A subquery at the start of a query
    Given an empty graph
    And having executed:
      """
      CREATE (:A {v: 1}), (:B {v: 2})
      """
    When executing query:
      """
      CALL { MATCH (a:A) RETURN a.v AS v UNION MATCH (b:B) RETURN b.v AS v } RETURN sum(v) AS s
      """
    Then the result should be, in any order:
      | s |
      | 3 |
    And no side effects

  Scenario: [8] The oldest and the youngest by a union
    Given an empty graph
    And having executed:
      """
      UNWIND [30, 12, 55] AS age CREATE (:P {age: age})
      """
    When executing query:
      """
      CALL {
        MATCH (p:P) RETURN p ORDER BY p.age LIMIT 1
        UNION
        MATCH (p:P) RETURN p ORDER BY p.age DESC LIMIT 1
      }
      RETURN p.age AS age
      """
    Then the result should be, in any order:
      | age |
      | 12  |
      | 55  |
    And no side effects
