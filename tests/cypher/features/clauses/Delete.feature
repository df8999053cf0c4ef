# Neo4j 5 Cypher Manual: clauses/delete
@manual:clauses/delete
Feature: DELETE

  Scenario: [1] NODETACH DELETE of a lone node
    Given an empty graph
    And having executed:
      """
      CREATE (:A), (:B)
      """
    When executing query:
      """
      MATCH (a:A) NODETACH DELETE a
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes  | 1 |
      | -labels | 1 |

  Scenario: [2] A node with relationships
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      MATCH (a:A) DELETE a
      """
    Then a ConstraintVerificationFailed should be raised at runtime: *

  Scenario: [3] DETACH DELETE
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B), (:C)
      """
    When executing query:
      """
      MATCH (a:A) DETACH DELETE a
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes         | 1 |
      | -relationships | 1 |
      | -labels        | 1 |

  Scenario: [4] A node and its relationships in one clause
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      MATCH (a:A)-[r]->(b) DELETE a, r, b
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes         | 2 |
      | -relationships | 1 |
      | -labels        | 2 |

  Scenario: [5] A path is deleted whole
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)-[:R]->(:C), (:D)
      """
    When executing query:
      """
      MATCH p = (:A)-[:R*2]->(:C) DELETE p
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes         | 3 |
      | -relationships | 2 |
      | -labels        | 3 |

  Scenario: [6] Null is deleted without effect
    Given an empty graph
    When executing query:
      """
      OPTIONAL MATCH (n:Absent) DELETE n
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes | 0 |

  Scenario: [7] The same node twice
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A), (b:A) DELETE a, b
      """
    Then the result should be empty
    And the side effects should be:
      | -nodes  | 1 |
      | -labels | 1 |
