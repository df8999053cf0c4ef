# Neo4j 5 Cypher Manual: clauses/create
@manual:clauses/create
Feature: INSERT

  Scenario: [1] A node by INSERT
    Given an empty graph
    When executing query:
      """
      INSERT (n:Bird {name: 'wren'}) RETURN n
      """
    Then the result should be, in any order:
      | n                      |
      | (:Bird {name: 'wren'}) |
    And the side effects should be:
      | +nodes      | 1 |
      | +labels     | 1 |
      | +properties | 1 |

  Scenario: [2] Several labels are joined by an ampersand
    Given an empty graph
    When executing query:
      """
      INSERT (n:Bird&Small) RETURN labels(n) AS l
      """
    Then the result should be (ignoring element order for lists):
      | l                 |
      | ['Bird', 'Small'] |
    And the side effects should be:
      | +nodes  | 1 |
      | +labels | 2 |

  Scenario: [3] A path by INSERT
    Given an empty graph
    When executing query:
      """
      INSERT (:A {i: 1})-[:R {w: 2}]->(:B)<-[:S]-(:C)
      """
    Then the result should be empty
    And the side effects should be:
      | +nodes         | 3 |
      | +relationships | 2 |
      | +labels        | 3 |
      | +properties    | 2 |

  Scenario: [4] A relationship between bound nodes
    Given an empty graph
    And having executed:
      """
      CREATE (:A), (:B)
      """
    When executing query:
      """
      MATCH (a:A), (b:B) INSERT (a)-[r:TO {n: 1}]->(b) RETURN type(r) AS t, r.n AS n
      """
    Then the result should be, in any order:
      | t    | n |
      | 'TO' | 1 |
    And the side effects should be:
      | +relationships | 1 |
      | +properties    | 1 |

  Scenario: [5] A relationship needs a type
    Given any graph
    When executing query:
      """
      INSERT (:A)-[]->(:B)
      """
    Then a SyntaxError should be raised at compile time: *
