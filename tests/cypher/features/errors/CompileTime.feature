# Neo4j 5 Cypher Manual: errors
@manual:errors
Feature: Errors before a query runs

  Scenario Outline: [1] <query>
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: <name>

    Examples:
      | query                                  | name                         |
      | RETURN x                               | UndefinedVariable            |
      | MATCH (n) RETURN m.name AS x           | UndefinedVariable            |
      | MATCH (n) WITH n.name AS name RETURN n | UndefinedVariable            |
      | RETURN 1 AS a, 2 AS a                  | ColumnNameConflict           |
      | MATCH (n)                              | *                            |
      | MATCH (n) WITH n                       | *                            |
      | MATCH (n) WITH n.name RETURN 1 AS x    | NoExpressionAlias            |
      | RETURN foo(1) AS x                     | UnknownFunction              |
      | RETURN size(1, 2) AS x                 | InvalidNumberOfArguments     |
      | MATCH (n)-[n]->() RETURN n             | VariableTypeConflict         |
      | CREATE (a)-[:R]-(b)                    | RequiresDirectedRelationship |
      | CREATE (a)-[]->(b)                     | NoSingleRelationshipType     |
      | CREATE (a)-[:R*2]->(b)                 | CreatingVarLength            |
      | MATCH (a) CREATE (a)                   | VariableAlreadyBound         |
      | RETURN 'a                              | *                            |
      | RETURN (1                              | *                            |
      | RETURN 1 AS x LIMIT                    | *                            |
      | MERGE (a)-[r:R*1..2]->(b)              | CreatingVarLength            |
      | MATCH (a) WHERE count(a) > 1 RETURN a  | InvalidAggregation           |
      | MATCH (a) DELETE a.name                | *                            |
      | RETURN DISTINCT                        | *                            |
      | MATCH (n) RETURN n ORDER BY            | *                            |
      | UNWIND [1, 2] RETURN 1 AS x            | *                            |
      | RETURN $ AS x                          | *                            |
      | RETURN [1, 2 AS x                      | *                            |
      | WITH 1 AS x MATCH (x) RETURN x         | VariableTypeConflict         |
      | RETURN *                               | NoVariablesInScope           |

  Scenario Outline: [2] Static types: <query>
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: InvalidArgumentType

    Examples:
      | query                                   |
      | RETURN 1 AND true AS x                  |
      | RETURN NOT 'a' AS x                     |
      | RETURN toLower(1) AS x                  |
      | RETURN 1 IN 2 AS x                      |
      | MATCH (n) RETURN type(n) AS x           |
      | MATCH ()-[r]->() RETURN labels(r) AS x  |
      | RETURN length([1]) AS x                 |
      | MATCH (n) SET n.x = 1 RETURN n + 1 AS x |
