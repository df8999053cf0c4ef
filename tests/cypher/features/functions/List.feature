# Neo4j 5 Cypher Manual: functions/list
@manual:functions/list
Feature: List functions

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
      | call                                       | v                          |
      | range(1, 4)                                | [1, 2, 3, 4]               |
      | range(0, 10, 4)                            | [0, 4, 8]                  |
      | range(3, 1)                                | []                         |
      | range(3, 1, -1)                            | [3, 2, 1]                  |
      | reverse([1, null, 'a'])                    | ['a', null, 1]             |
      | tail([1, 2, 3])                            | [2, 3]                     |
      | tail([])                                   | []                         |
      | keys({b: 1})                               | ['b']                      |
      | toIntegerList(['1', 2.7, true, 'x', null]) | [1, 2, 1, null, null]      |
      | toFloatList(['1', 2, 'x'])                 | [1.0, 2.0, null]           |
      | toBooleanList(['true', 0, 'x', false])     | [true, false, null, false] |
      | toStringList([1, true, 'a', null])         | ['1', 'true', 'a', null]   |
      | toIntegerList(null)                        | null                       |

  Scenario: [2] A step of zero is an error
    Given any graph
    When executing query:
      """
      RETURN range(1, 2, 0) AS v
      """
    Then an ArgumentError should be raised at any time: NumberOutOfRange

  Scenario: [3] keys(), labels(), nodes() and relationships()
    Given an empty graph
    And having executed:
      """
      CREATE (:A:B {x: 1, y: 2})-[:R {z: 3}]->(:C)
      """
    When executing query:
      """
      MATCH p = (a:A)-[r]->(c)
      RETURN keys(a) AS ka, labels(a) AS la, keys(r) AS kr, [n IN nodes(p) | size(labels(n))] AS ns, size(relationships(p)) AS rs
      """
    Then the result should be (ignoring element order for lists):
      | ka         | la         | kr    | ns     | rs |
      | ['x', 'y'] | ['A', 'B'] | ['z'] | [1, 2] | 1  |
    And no side effects
