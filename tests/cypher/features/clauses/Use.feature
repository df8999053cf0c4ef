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

  @manual:administration/databases
  Scenario: [3] The database system takes commands
    Given any graph
    When executing query:
      """
      USE system SHOW DEFAULT DATABASE YIELD name RETURN name
      """
    Then the result should be, in any order:
      | name    |
      | 'neo4j' |

  @manual:administration/databases
  Scenario: [4] The database system has no graph
    Given any graph
    When executing query:
      """
      USE system MATCH (n) RETURN n
      """
    Then a SemanticError should be raised at any time: *

  @manual:administration/databases
  Scenario: [5] The database system takes calls of procedures that read no graph
    Given any graph
    When executing query:
      """
      USE system CALL db.ping() YIELD success RETURN success
      """
    Then the result should be, in any order:
      | success |
      | true    |

  @manual:administration/databases
  Scenario: [6] The database system is not dropped
    Given any graph
    When executing query:
      """
      DROP DATABASE system
      """
    Then a ArgumentError should be raised at any time: *
