# Neo4j 5 Cypher Manual: clauses/optional-match. Null is no node of a pattern.
@manual:clauses/optional-match
Feature: NullNodes

  Scenario Outline: [1] A variable that is null matches no pattern
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:R]->(:B)
      """
    When executing query:
      """
      OPTIONAL MATCH (a:Missing) WITH a MATCH <pattern> RETURN count(*) AS rows
      """
    Then the result should be, in any order:
      | rows |
      | 0    |
    And no side effects

    Examples:
      | pattern                            |
      | (a)                                |
      | (a), (b:A)                         |
      | p = (a)                            |
      | (a WHERE true)                     |
      | (a)-[*0..1]->(b)                   |
      | (b)-[*0..1]->(a)                   |
      | (a) ((x)-->(y)){0,1} (b)           |
      | p = ANY SHORTEST (a)-->*(b)        |

  Scenario: [2] A variable that is null is kept by OPTIONAL MATCH
    Given an empty graph
    When executing query:
      """
      OPTIONAL MATCH (a:Missing) WITH a OPTIONAL MATCH (a) RETURN count(*) AS rows, a
      """
    Then the result should be, in any order:
      | rows | a    |
      | 1    | null |
    And no side effects

  Scenario: [3] A subquery finds nothing by a variable that is null
    Given an empty graph
    When executing query:
      """
      OPTIONAL MATCH (a:Missing) RETURN exists { (a) } AS e, exists { MATCH (a) } AS f, count { (a) } AS g
      """
    Then the result should be, in any order:
      | e     | f     | g |
      | false | false | 0 |
    And no side effects
