# Neo4j 5 Cypher Manual: clauses/unwind
@manual:clauses/unwind
Feature: UNWIND

  Scenario: [1] A map parameter's rows make nodes
    Given an empty graph
    And parameters are:
      | rows | [{id: 1, name: 'a'}, {id: 2, name: 'b'}] |
    When executing query:
      """
      UNWIND $rows AS row CREATE (n:Row) SET n = row RETURN n.id AS id, n.name AS name
      """
    Then the result should be, in any order:
      | id | name |
      | 1  | 'a'  |
      | 2  | 'b'  |
    And the side effects should be:
      | +nodes      | 2 |
      | +labels     | 1 |
      | +properties | 4 |

  Scenario: [2] Rows from a parameter are merged by a key
    Given an empty graph
    And having executed:
      """
      CREATE (:K {id: 1, seen: 1})
      """
    And parameters are:
      | rows | [{id: 1}, {id: 2}, {id: 1}] |
    When executing query:
      """
      UNWIND $rows AS row
      MERGE (k:K {id: row.id})
      ON CREATE SET k.seen = 1
      ON MATCH SET k.seen = k.seen + 1
      RETURN DISTINCT k.id AS id, k.seen AS seen
      """
    Then the result should be, in any order:
      | id | seen |
      | 1  | 3    |
      | 2  | 1    |
    And the side effects should be:
      | +nodes      | 1 |
      | +properties | 3 |
      | -properties | 1 |

  Scenario: [3] A list of lists
    Given any graph
    When executing query:
      """
      UNWIND [[1, 2], [], [3]] AS list UNWIND list AS x RETURN x
      """
    Then the result should be, in any order:
      | x |
      | 1 |
      | 2 |
      | 3 |

  Scenario: [4] A value that is no list
    Given any graph
    When executing query:
      """
      UNWIND 5 AS x RETURN x
      """
    Then the result should be, in any order:
      | x |
      | 5 |

  Scenario: [5] An empty list is replaced to keep the row
    Given any graph
    When executing query:
      """
      WITH [] AS list UNWIND CASE WHEN list = [] THEN [null] ELSE list END AS x RETURN x
      """
    Then the result should be, in any order:
      | x    |
      | null |

  Scenario: [6] Null gives no rows
    Given any graph
    When executing query:
      """
      UNWIND null AS x RETURN x
      """
    Then the result should be empty

  Scenario: [7] The product of two lists
    Given any graph
    When executing query:
      """
      UNWIND ['a', 'b'] AS x UNWIND [1, 2] AS y RETURN x + y AS xy
      """
    Then the result should be, in any order:
      | xy   |
      | 'a1' |
      | 'a2' |
      | 'b1' |
      | 'b2' |

  Scenario: [8] A list with duplicates made distinct
    Given any graph
    When executing query:
      """
      WITH [1, 1, 2, 2] AS coll UNWIND coll AS x WITH DISTINCT x RETURN collect(x) AS set
      """
    Then the result should be (ignoring element order for lists):
      | set    |
      | [1, 2] |

  Scenario: [9] A path and a map are one entry each
    Given an empty graph
    And having executed:
      """
      CREATE (:A {n: 1})-[:R]->(:A {n: 2})
      """
    When executing query:
      """
      MATCH p = (:A {n: 1})-->()
      UNWIND p AS x
      UNWIND {a: 1, b: 2} AS m
      RETURN length(x) AS l, m
      """
    Then the result should be, in any order:
      | l | m            |
      | 1 | {a: 1, b: 2} |
    And no side effects
