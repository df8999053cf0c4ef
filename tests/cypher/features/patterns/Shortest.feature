# Neo4j 5 Cypher Manual: patterns/shortest-paths
@manual:patterns/shortest-paths
Feature: SHORTEST

  Scenario: [1] One shortest path
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->()-[:R]->(t), (s)-[:R]->()-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = SHORTEST 1 (:S)-[:R]->+(:T) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario: [2] The k shortest paths
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->(t), (s)-[:R]->()-[:R]->(t), (s)-[:R]->()-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = SHORTEST 2 (:S)-[:R]->+(:T) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [3] More than there are
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->(t), (s)-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = SHORTEST 5 (:S)-[:R]->+(:T) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 1 |
      | 2 |
    And no side effects

  Scenario: [4] All paths of the least length
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->({n: 1})-[:R]->(t), (s)-[:R]->({n: 2})-[:R]->(t), (s)-[:R]->()-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = ALL SHORTEST (:S)-[:R]->+(:T) RETURN nodes(p)[1].n AS via
      """
    Then the result should be, in any order:
      | via |
      | 1   |
      | 2   |
    And no side effects

  Scenario: [5] Groups of equal length
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->({n: 1})-[:R]->(t), (s)-[:R]->({n: 2})-[:R]->(t),
      (s)-[:R]->()-[:R]->()-[:R]->(t), (s)-[:R]->()-[:R]->()-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = SHORTEST 2 GROUPS (:S)-[:R]->+(:T) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
      | 2 |
      | 3 |
    And no side effects

  Scenario: [6] Any path
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->()-[:R]->(t), (s)-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = ANY (:S)-[:R]->+(:T) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario: [7] For each pair of ends
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (a:T {n: 'a'}), (b:T {n: 'b'}), (s)-[:R]->(a)-[:R]->(b), (s)-[:R]->(:X)-[:R]->(b)
      """
    When executing query:
      """
      MATCH p = SHORTEST 1 (:S)-[:R]->+(t:T) RETURN t.n AS t, length(p) AS l
      """
    Then the result should be, in any order:
      | t   | l |
      | 'a' | 1 |
      | 'b' | 2 |
    And no side effects

  Scenario: [8] A condition within the search
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R {open: false}]->(t), (s)-[:R {open: true}]->()-[:R {open: true}]->(t)
      """
    When executing query:
      """
      MATCH p = SHORTEST 1 (:S)-[r:R WHERE r.open]->+(:T) RETURN length(p) AS l
      """
    Then the result should be, in any order:
      | l |
      | 2 |
    And no side effects

  Scenario: [9] A condition behind the search
    Given an empty graph
    And having executed:
      """
      CREATE (s:S), (t:T), (s)-[:R]->(t), (s)-[:R]->()-[:R]->(t)
      """
    When executing query:
      """
      MATCH p = SHORTEST 1 (:S)-[:R]->+(:T) WHERE length(p) > 1 RETURN length(p) AS l
      """
    Then the result should be empty
    And no side effects

  Scenario: [10] No path
    Given an empty graph
    And having executed:
      """
      CREATE (:S), (:T)
      """
    When executing query:
      """
      MATCH p = SHORTEST 1 (:S)-[:R]->+(:T) RETURN p
      """
    Then the result should be empty
    And no side effects

  Scenario: [11] Zero paths are refused
    Given any graph
    When executing query:
      """
      MATCH p = SHORTEST 0 (:S)-[:R]->+(:T) RETURN p
      """
    Then a SyntaxError should be raised at compile time: *
