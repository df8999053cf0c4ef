# Neo4j 5 Cypher Manual: values-and-types/lists
@manual:values-and-types/lists
Feature: Lists

  Scenario Outline: [1] Indexes and slices: <e>
    Given any graph
    When executing query:
      """
      WITH [10, 20, 30, 40] AS l RETURN <e> AS v
      """
    Then the result should be, in any order:
      | v   |
      | <v> |

    Examples:
      | e                                                             | v                    |
      | l[0]                                                          | 10                   |
      | l[-1]                                                         | 40                   |
      | l[9]                                                          | null                 |
      | l[null]                                                       | null                 |
      | l[1..3]                                                       | [20, 30]             |
      | l[..2]                                                        | [10, 20]             |
      | l[2..]                                                        | [30, 40]             |
      | l[-2..]                                                       | [30, 40]             |
      | l[3..1]                                                       | []                   |
      | l + 50                                                        | [10, 20, 30, 40, 50] |
      | [0] + l[..1]                                                  | [0, 10]              |
      | l \|\| [50]                                                   | [10, 20, 30, 40, 50] |
      | [x IN l WHERE x > 20]                                         | [30, 40]             |
      | [x IN l \| x / 10]                                            | [1, 2, 3, 4]         |
      | [x IN l WHERE x > 20 \| x + 1]                                | [31, 41]             |
      | [x IN range(0, size(l) - 1) WHERE x % 2 = 0 \| l[x]]          | [10, 30]             |
      | 20 IN l                                                       | true                 |
      | l = [10, 20, 30, 40]                                          | true                 |
      | [1, [2, 3]][1][0]                                             | 2                    |
      | reduce(t = 0, x IN l \| t + x)                                | 100                  |
      | reduce(s = '', x IN ['a', 'b'] \| s + x)                      | 'ab'                 |
      | reduce(m = l[0], x IN l \| CASE WHEN x > m THEN x ELSE m END) | 40                   |
      | reduce(t = 0, x IN [] \| t + x)                               | 0                    |
      | reduce(t = 0, x IN null \| t + x)                             | null                 |

  @manual:values-and-types/lists#cypher-pattern-comprehension
  Scenario: [2] A pattern comprehension with a path and a condition
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:R]->(:B {n: 1})-[:R]->(:C), (a)-[:R]->(:B {n: 2})
      """
    When executing query:
      """
      MATCH (a:A) RETURN [p = (a)-[:R*]->(x) WHERE x:C | length(p)] AS ls
      """
    Then the result should be, in any order:
      | ls  |
      | [2] |
    And no side effects

  @manual:values-and-types/lists#cypher-pattern-comprehension
  Scenario: [3] A pattern comprehension is empty without matches
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) RETURN [(a)-[:R]->(b) | b] AS bs
      """
    Then the result should be, in any order:
      | bs |
      | [] |
    And no side effects

  Scenario: [4] Sorted by the least of a comprehension
    Given any graph
    When executing query:
      """
      WITH [[3, 1], [2, 9], [0]] AS ls UNWIND ls AS l WITH l, reduce(m = l[0], x IN l | CASE WHEN x < m THEN x ELSE m END) AS least RETURN l ORDER BY least
      """
    Then the result should be, in order:
      | l      |
      | [0]    |
      | [3, 1] |
      | [2, 9] |

  Scenario: [5] A variable of a comprehension hides an outer one
    Given any graph
    When executing query:
      """
      WITH 1 AS x RETURN [x IN [5, 6] | x] AS l, x
      """
    Then the result should be, in any order:
      | l      | x |
      | [5, 6] | 1 |
