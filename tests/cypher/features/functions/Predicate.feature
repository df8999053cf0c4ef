# Neo4j 5 Cypher Manual: functions/predicate
@manual:functions/predicate
Feature: Predicate functions

  Scenario Outline: [1] The value of <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | call                               | v     |
      | all(x IN [2, 4] WHERE x % 2 = 0)   | true  |
      | all(x IN [] WHERE x > 1)           | true  |
      | any(x IN [1, 2] WHERE x > 1)       | true  |
      | none(x IN [1, 2] WHERE x > 2)      | true  |
      | single(x IN [1, 2, 2] WHERE x = 2) | false |
      | single(x IN [1, 2] WHERE x = 2)    | true  |
      | any(x IN [null, 1] WHERE x > 1)    | null  |
      | isEmpty('')                        | true  |
      | isEmpty([])                        | true  |
      | isEmpty({})                        | true  |
      | isEmpty([null])                    | false |
      | isEmpty(null)                      | null  |

  Scenario: [2] exists() of a pattern
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1})-[:R]->(:A {n: 2})
      """
    When executing query:
      """
      MATCH (a:A) RETURN a.n AS n, exists((a)-[:R]->()) AS r
      """
    Then the result should be, in any order:
      | n | r     |
      | 1 | true  |
      | 2 | false |
    And no side effects

  Scenario: [3] all() over the nodes of a path
    Given an empty graph
    And having executed:
      """
      CREATE (:S)-[:R]->({n: 5})-[:R]->(:T {n: 7}), (:S)-[:R]->({n: 1})-[:R]->(:T {n: 7})
      """
    When executing query:
      """
      MATCH p = (:S)-[:R*2]->(:T) WHERE all(x IN nodes(p)[1..] WHERE x.n > 3) RETURN [x IN nodes(p) | x.n] AS ns
      """
    Then the result should be, in any order:
      | ns           |
      | [null, 5, 7] |
    And no side effects

  Scenario Outline: [4] A quantifier needs a condition: <call>
    Given any graph
    When executing query:
      """
      RETURN <call> AS r
      """
    Then a SyntaxError should be raised at compile time: *

    Examples:
      | call                              |
      | any(x IN [1, 2])                  |
      | all(x IN [true])                  |
      | NONE(x IN [true])                 |
      | single(x IN [true])               |
      | [x IN [1] WHERE any(y IN [true])] |
      | any(x IN [true] \| x)             |
