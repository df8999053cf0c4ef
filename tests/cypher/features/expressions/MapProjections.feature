# Neo4j 5 Cypher Manual: values-and-types/maps#cypher-map-projection
@manual:values-and-types/maps#cypher-map-projection
Feature: Map projections

  Scenario: [1] Chosen properties
    Given an empty graph
    And having executed:
      """
      CREATE (:P {name: 'ann', age: 5, city: 'x'})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p {.name, .age} AS m
      """
    Then the result should be, in any order:
      | m                     |
      | {name: 'ann', age: 5} |
    And no side effects

  Scenario: [2] A property that is absent is null
    Given an empty graph
    And having executed:
      """
      CREATE (:P {name: 'ann'})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p {.name, .age} AS m
      """
    Then the result should be, in any order:
      | m                        |
      | {name: 'ann', age: null} |
    And no side effects

  Scenario: [3] All properties
    Given an empty graph
    And having executed:
      """
      CREATE (:P {name: 'ann', age: 5})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p {.*} AS m
      """
    Then the result should be, in any order:
      | m                     |
      | {name: 'ann', age: 5} |
    And no side effects

  Scenario: [4] All properties and one changed
    Given an empty graph
    And having executed:
      """
      CREATE (:P {name: 'ann', age: 5})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p {.*, age: p.age + 1} AS m
      """
    Then the result should be, in any order:
      | m                     |
      | {name: 'ann', age: 6} |
    And no side effects

  Scenario: [5] A variable as an entry
    Given an empty graph
    And having executed:
      """
      CREATE (:P {name: 'ann'})-[:OWNS]->(:Dog), (:P {name: 'ann'})-[:OWNS]->(:Dog)
      """
    When executing query:
      """
      MATCH (p:P)-[:OWNS]->(d) WITH p, count(d) AS dogs RETURN p {.name, dogs} AS m
      """
    Then the result should be, in any order:
      | m                      |
      | {name: 'ann', dogs: 1} |
      | {name: 'ann', dogs: 1} |
    And no side effects

  Scenario: [6] A collected list as an entry
    Given an empty graph
    And having executed:
      """
      CREATE (p:P {name: 'ann'}), (p)-[:SAW {at: 1}]->(:Film {t: 'x'}), (p)-[:SAW {at: 2}]->(:Film {t: 'y'})
      """
    When executing query:
      """
      MATCH (p:P)-[:SAW]->(f) WITH p, f ORDER BY f.t WITH p, collect(f {.t}) AS films RETURN p {.name, films} AS m
      """
    Then the result should be, in any order:
      | m                                          |
      | {name: 'ann', films: [{t: 'x'}, {t: 'y'}]} |
    And no side effects

  Scenario: [7] A pattern comprehension as an entry
    Given an empty graph
    And having executed:
      """
      CREATE (p:P {name: 'ann'})-[:SAW]->(:Film {t: 'x'}), (:P {name: 'bob'})
      """
    When executing query:
      """
      MATCH (p:P) RETURN p {.name, films: [(p)-[:SAW]->(f) | f.t]} AS m
      """
    Then the result should be, in any order:
      | m                           |
      | {name: 'ann', films: ['x']} |
      | {name: 'bob', films: []}    |
    And no side effects

  Scenario: [8] Of a map
    Given any graph
    When executing query:
      """
      WITH {a: 1, b: 2, c: 3} AS m RETURN m {.a, .c, d: 4} AS m
      """
    Then the result should be, in any order:
      | m                  |
      | {a: 1, c: 3, d: 4} |

  Scenario: [9] Of null
    Given any graph
    When executing query:
      """
      OPTIONAL MATCH (p:None) RETURN p {.name} AS m
      """
    Then the result should be, in any order:
      | m    |
      | null |

  Scenario: [10] Of a relationship
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R {since: 5, x: 1}]->(:B)
      """
    When executing query:
      """
      MATCH ()-[r:R]->() RETURN r {.since, type: type(r)} AS m
      """
    Then the result should be, in any order:
      | m                     |
      | {since: 5, type: 'R'} |
    And no side effects

  Scenario: [11] Without an alias it has the name of its variable
    Given an empty graph
    And having executed:
      """
      CREATE (:P {name: 'ann', age: 5})
      """
    When executing query:
      """
      MATCH (p:P) WITH p {.*, old: true} RETURN p {.name, .old}
      """
    Then the result should be, in any order:
      | p                        |
      | {name: 'ann', old: true} |
    And no side effects
