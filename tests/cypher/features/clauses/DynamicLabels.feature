# Neo4j 5 Cypher Manual: clauses/match#dynamic-match
@manual:clauses/match#dynamic-match
Feature: Dynamic labels, types and keys

  Scenario: [1] A label from a parameter
    Given an empty graph
    And having executed:
      """
      CREATE (:Cat {n: 1}), (:Dog {n: 2}), (:Cat:Old {n: 3})
      """
    And parameters are:
      | label | 'Cat' |
    When executing query:
      """
      MATCH (a:$($label)) RETURN a.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 3 |
    And no side effects

  Scenario: [2] All labels of a list
    Given an empty graph
    And having executed:
      """
      CREATE (:Cat {n: 1}), (:Dog {n: 2}), (:Cat:Old {n: 3})
      """
    When executing query:
      """
      WITH ['Cat', 'Old'] AS labels MATCH (a:$(labels)) RETURN a.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 3 |
    And no side effects

  Scenario: [3] Any label of a list
    Given an empty graph
    And having executed:
      """
      CREATE (:Cat {n: 1}), (:Dog {n: 2}), (:Bee {n: 3})
      """
    When executing query:
      """
      MATCH (a:$any(['Cat', 'Bee'])) RETURN a.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
      | 3 |
    And no side effects

  Scenario: [4] A type from an expression
    Given an empty graph
    And having executed:
      """
      CREATE (a:A), (a)-[:LIKES {n: 1}]->(:B), (a)-[:HATES {n: 2}]->(:C)
      """
    When executing query:
      """
      WITH 'LIKES' AS type MATCH ()-[r:$(type)]->() RETURN r.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  @manual:clauses/create#dynamic-create
  Scenario: [5] CREATE with a label and a type from values
    Given an empty graph
    When executing query:
      """
      WITH 'Cat' AS label, 'CHASES' AS type
      CREATE (a:$(label))-[r:$(type)]->(b:$('Mouse'))
      RETURN labels(a) AS a, type(r) AS r, labels(b) AS b
      """
    Then the result should be, in any order:
      | a       | r        | b         |
      | ['Cat'] | 'CHASES' | ['Mouse'] |
    And the side effects should be:
      | +nodes         | 2 |
      | +relationships | 1 |
      | +labels        | 2 |

  @manual:clauses/merge#dynamic-merge
  Scenario: [6] MERGE with a label from a row
    Given an empty graph
    And having executed:
      """
      CREATE (:Cat {n: 1})
      """
    When executing query:
      """
      UNWIND ['Cat', 'Dog'] AS label MERGE (a:$(label)) RETURN labels(a) AS l, a.n AS n
      """
    Then the result should be, in any order:
      | l       | n    |
      | ['Cat'] | 1    |
      | ['Dog'] | null |
    And the side effects should be:
      | +nodes  | 1 |
      | +labels | 1 |

  @manual:clauses/set#dynamic-set-node-label
  Scenario: [7] SET of labels from an expression
    Given an empty graph
    And having executed:
      """
      CREATE (:Item {kind: 'Book'}), (:Item {kind: 'Film'})
      """
    When executing query:
      """
      MATCH (n:Item) SET n:$(n.kind) RETURN labels(n) AS l
      """
    Then the result should be (ignoring element order for lists):
      | l                |
      | ['Item', 'Book'] |
      | ['Item', 'Film'] |
    And the side effects should be:
      | +labels | 2 |

  @manual:clauses/remove#dynamic-remove-node-label
  Scenario: [8] REMOVE of labels from a list
    Given an empty graph
    And having executed:
      """
      CREATE (:A:B:C)
      """
    When executing query:
      """
      MATCH (n:A) REMOVE n:$(['B', 'C']) RETURN labels(n) AS l
      """
    Then the result should be, in any order:
      | l     |
      | ['A'] |
    And the side effects should be:
      | -labels | 2 |

  @manual:clauses/set#dynamic-set-property
  Scenario: [9] SET of a property by a computed key
    Given an empty graph
    And having executed:
      """
      CREATE (:A {k: 'size'})
      """
    When executing query:
      """
      MATCH (n:A) SET n[n.k] = 7, n['x' + 'y'] = 8 RETURN n.size AS size, n.xy AS xy
      """
    Then the result should be, in any order:
      | size | xy |
      | 7    | 8  |
    And the side effects should be:
      | +properties | 2 |

  @manual:clauses/remove#dynamic-remove-property
  Scenario: [10] REMOVE of a property by a computed key
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1, y: 2})
      """
    And parameters are:
      | key | 'x' |
    When executing query:
      """
      MATCH (n:A) REMOVE n[$key] RETURN n
      """
    Then the result should be, in any order:
      | n           |
      | (:A {y: 2}) |
    And the side effects should be:
      | -properties | 1 |

  Scenario: [11] A null label is an error
    Given any graph
    When executing query:
      """
      WITH null AS label CREATE (:$(label))
      """
    Then an ArgumentError should be raised at any time: *

  Scenario: [12] A list of different types is refused under a computed key, too
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    And parameters are:
      | key | 'x' |
    When executing query:
      """
      MATCH (n:A) SET n[$key] = [1, 'two'], n.y = 1
      """
    Then a TypeError should be raised at any time: InvalidPropertyType

  Scenario: [13] Integers beside floats are floats under a computed key, too
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    And parameters are:
      | key | 'x' |
    When executing query:
      """
      MATCH (n:A) SET n[$key] = [1, 2.5] RETURN n.x
      """
    Then the result should be, in any order:
      | n.x        |
      | [1.0, 2.5] |
    And the side effects should be:
      | +properties | 1 |
