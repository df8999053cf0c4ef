# Neo4j 5 Cypher Manual: clauses/call
@manual:clauses/call
Feature: CALL of procedures

  Scenario: [1] YIELD of chosen columns
    Given any graph
    When executing query:
      """
      CALL db.labels() YIELD label RETURN count(label) >= 0 AS ok
      """
    Then the result should be, in any order:
      | ok   |
      | true |

  Scenario: [2] Labels that are in use
    Given an empty graph
    And having executed:
      """
      CREATE (:Ape), (:Bat)
      """
    When executing query:
      """
      CALL db.labels() YIELD label WITH label WHERE label IN ['Ape', 'Bat'] RETURN label
      """
    Then the result should be, in any order:
      | label |
      | 'Ape' |
      | 'Bat' |
    And no side effects

  Scenario: [3] A name for a column
    Given an empty graph
    And having executed:
      """
      CREATE (:A)-[:EATS]->(:B)
      """
    When executing query:
      """
      CALL db.relationshipTypes() YIELD relationshipType AS t WITH t WHERE t = 'EATS' RETURN t
      """
    Then the result should be, in any order:
      | t      |
      | 'EATS' |
    And no side effects

  Scenario: [4] YIELD with WHERE
    Given an empty graph
    And having executed:
      """
      CREATE (:A {wingspan: 1})
      """
    When executing query:
      """
      CALL db.propertyKeys() YIELD propertyKey WHERE propertyKey STARTS WITH 'wing' RETURN propertyKey
      """
    Then the result should be, in any order:
      | propertyKey |
      | 'wingspan'  |
    And no side effects

  Scenario: [5] An unknown procedure
    Given any graph
    When executing query:
      """
      CALL no.such.procedure()
      """
    Then a ProcedureError should be raised at compile time: ProcedureNotFound

  Scenario: [6] An unknown column
    Given any graph
    When executing query:
      """
      CALL db.labels() YIELD nothing RETURN nothing
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [7] OPTIONAL CALL keeps the row
    Given any graph
    When executing query:
      """
      WITH 1 AS x OPTIONAL CALL db.labels() YIELD label WHERE label = 'NoSuchLabelAnywhere' RETURN x, label
      """
    Then the result should be, in any order:
      | x | label |
      | 1 | null  |

  Scenario Outline: [8] A node is merged by a property at least
    Given any graph
    When executing query:
      """
      CALL apoc.merge.node(['X'], <properties>, {}, {flag: 1}) YIELD node RETURN count(node) AS c
      """
    Then a SyntaxError should be raised at compile time: *

    Examples:
      | properties |
      | {}         |
      | null       |
