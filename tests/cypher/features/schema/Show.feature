# Neo4j 5 Cypher Manual: clauses/listing-functions
@manual:clauses/listing-functions
Feature: SHOW FUNCTIONS and PROCEDURES

  Scenario: [1] A function by its name
    Given any graph
    When executing query:
      """
      SHOW FUNCTIONS YIELD name, category WHERE name = 'toUpper' RETURN name, category
      """
    Then the result should be, in any order:
      | name      | category |
      | 'toUpper' | 'String' |

  Scenario: [2] Built-in functions
    Given any graph
    When executing query:
      """
      SHOW BUILT IN FUNCTIONS YIELD name, isBuiltIn WHERE name = 'abs' RETURN isBuiltIn
      """
    Then the result should be, in any order:
      | isBuiltIn |
      | true      |

  Scenario: [3] Whether a function aggregates
    Given any graph
    When executing query:
      """
      SHOW FUNCTIONS YIELD name, aggregating WHERE name IN ['collect', 'size'] RETURN name, aggregating
      """
    Then the result should be, in any order:
      | name      | aggregating |
      | 'collect' | true        |
      | 'size'    | false       |

  Scenario: [4] Sorted and limited
    Given any graph
    When executing query:
      """
      SHOW FUNCTIONS YIELD name ORDER BY name DESC LIMIT 3 RETURN count(name) AS c
      """
    Then the result should be, in any order:
      | c |
      | 3 |

  @manual:clauses/listing-procedures
  Scenario: [5] A procedure by its name
    Given any graph
    When executing query:
      """
      SHOW PROCEDURES YIELD name, mode WHERE name = 'db.labels' RETURN name, mode
      """
    Then the result should be, in any order:
      | name        | mode   |
      | 'db.labels' | 'READ' |

  @manual:administration/databases
  Scenario: [6] Databases
    Given any graph
    When executing query:
      """
      SHOW DATABASES YIELD name, type WHERE name IN ['system', 'nosuch'] RETURN name, type
      """
    Then the result should be, in any order:
      | name     | type     |
      | 'system' | 'system' |

  @manual:administration/databases
  Scenario: [7] The default database
    Given any graph
    When executing query:
      """
      SHOW DEFAULT DATABASE YIELD name RETURN name
      """
    Then the result should be, in any order:
      | name    |
      | 'neo4j' |

  @manual:clauses/transaction-clauses
  Scenario: [8] The transaction that lists
    Given any graph
    When executing query:
      """
      SHOW TRANSACTIONS YIELD currentQuery, database WHERE currentQuery STARTS WITH 'SHOW TRANSACTIONS' RETURN count(*) >= 1 AS own
      """
    Then the result should be, in any order:
      | own  |
      | true |

  Scenario: [9] An unknown column
    Given any graph
    When executing query:
      """
      SHOW FUNCTIONS YIELD nosuchcolumn RETURN nosuchcolumn
      """
    Then a SyntaxError should be raised at compile time: *

  Scenario: [10] Functions that are not built in
    Given any graph
    When executing query:
      """
      SHOW USER DEFINED FUNCTIONS YIELD name, isBuiltIn WHERE name IN ['abs', 'apoc.coll.sum'] RETURN name, isBuiltIn
      """
    Then the result should be, in any order:
      | name            | isBuiltIn |
      | 'apoc.coll.sum' | false     |

  @manual:clauses/listing-settings
  Scenario: [11] A setting by its name
    Given any graph
    When executing query:
      """
      SHOW SETTING 'cypher.graph' YIELD name, isDynamic WHERE NOT isDynamic RETURN name
      """
    Then the result should be, in any order:
      | name           |
      | 'cypher.graph' |

  @manual:administration/databases
  Scenario: [12] A page of the databases behind a test
    Given any graph
    When executing query:
      """
      SHOW DATABASES YIELD name AS n, type ORDER BY n DESC LIMIT 1 WHERE type = 'system' RETURN n
      """
    Then the result should be, in any order:
      | n        |
      | 'system' |
