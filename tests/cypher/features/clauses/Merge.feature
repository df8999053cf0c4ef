# Neo4j 5 Cypher Manual: clauses/merge
@manual:clauses/merge
Feature: MERGE

  Scenario: [1] ON CREATE and ON MATCH
    Given an empty graph
    And having executed:
      """
      CREATE (:M {k: 1})
      """
    When executing query:
      """
      UNWIND [1, 2] AS k
      MERGE (m:M {k: k})
      ON MATCH SET m.found = true
      ON CREATE SET m.made = true
      RETURN m.k AS k, m.found AS found, m.made AS made
      """
    Then the result should be, in any order:
      | k | found | made |
      | 1 | true  | null |
      | 2 | null  | true |
    And the side effects should be:
      | +nodes      | 1 |
      | +properties | 3 |

  Scenario: [2] A relationship between bound nodes is made once
    Given an empty graph
    And having executed:
      """
      CREATE (:A), (:B)
      """
    When executing query:
      """
      MATCH (a:A), (b:B) UNWIND [1, 2, 3] AS i MERGE (a)-[r:R]->(b) RETURN count(DISTINCT r) AS c
      """
    Then the result should be, in any order:
      | c |
      | 1 |
    And the side effects should be:
      | +relationships | 1 |

  Scenario: [3] Without a direction either one is found
    Given an empty graph
    And having executed:
      """
      CREATE (:A)<-[:R]-(:B)
      """
    When executing query:
      """
      MATCH (a:A), (b:B) MERGE (a)-[r:R]-(b) RETURN startNode(r) = b AS from_b
      """
    Then the result should be, in any order:
      | from_b |
      | true   |
    And no side effects

  Scenario: [4] A whole pattern is matched or made
    Given an empty graph
    And having executed:
      """
      CREATE (:City {n: 'x'})
      """
    When executing query:
      """
      MERGE (c:City {n: 'x'})-[:IN]->(l:Land {n: 'y'})
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes         | 2 |
      | +relationships | 1 |
      | +labels        | 1 |
      | +properties    | 2 |

  Scenario: [5] Null as a property is refused
    Given any graph
    When executing query:
      """
      MERGE (n:N {k: null})
      """
    Then a SemanticError should be raised at any time: MergeReadOwnWrites

  Scenario: [6] A map is taken over behind the key
    Given an empty graph
    And parameters are:
      | props | {name: 'oak', height: 20} |
    When executing query:
      """
      MERGE (t:Tree {name: $props.name}) SET t += $props RETURN t
      """
    Then the result should be, in any order:
      | t                                 |
      | (:Tree {name: 'oak', height: 20}) |
    And the side effects should be:
      | +nodes      | 1 |
      | +labels     | 1 |
      | +properties | 2 |

  Scenario: [7] A parameter map as the pattern is refused
    Given any graph
    And parameters are:
      | props | {k: 1} |
    When executing query:
      """
      MERGE (n:N $props)
      """
    Then a SyntaxError should be raised at compile time: InvalidParameterUse

  Scenario: [8] MERGE with labels alone
    Given an empty graph
    And having executed:
      """
      CREATE (:L), (:L)
      """
    When executing query:
      """
      MERGE (l:L) RETURN count(*) AS c
      """
    Then the result should be, in any order:
      | c |
      | 2 |
    And no side effects

  Scenario: [9] A relationship to a node that is null is refused
    Given an empty graph
    And having executed:
      """
      CREATE (:A)
      """
    When executing query:
      """
      MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) MERGE (a)-[r:R]->(b) RETURN r
      """
    Then a ArgumentError should be raised at runtime: *

  Scenario: [10] A path from a node that is null is refused
    Given an empty graph
    When executing query:
      """
      OPTIONAL MATCH (a:Nowhere) MERGE (a)-[r:R]->(:B {k: 1}) RETURN r
      """
    Then a ArgumentError should be raised at runtime: *

  Scenario: [11] Null from a row as a property is refused
    Given an empty graph
    When executing query:
      """
      UNWIND [1, null] AS k MERGE (:N {k: k})
      """
    Then a SemanticError should be raised at any time: MergeReadOwnWrites
