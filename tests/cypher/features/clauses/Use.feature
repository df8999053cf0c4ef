# Neo4j 5 Cypher Manual: clauses/use
@manual:clauses/use
Feature: USE

  Scenario: [1] The graph of the session by its name
    Given any graph
    When executing query:
      """
      USE neo4j RETURN 1 AS x
      """
    Then the result should be, in any order:
      | x |
      | 1 |

  Scenario: [2] An unknown graph
    Given any graph
    When executing query:
      """
      USE nosuchgraph RETURN 1 AS x
      """
    Then a DatabaseNotFound should be raised at any time: *
