# Neo4j 5 Cypher Manual: query-options
@manual:query-options
Feature: Options of a query

  Scenario Outline: [1] Options in front of a query change nothing
    Given any graph
    When executing query:
      """
      <options> UNWIND [2, 1] AS x RETURN x ORDER BY x
      """
    Then the result should be, in order:
      | x |
      | 1 |
      | 2 |
    And no side effects

    Examples:
      | options                                            |
      | CYPHER 5                                           |
      | CYPHER runtime=pipelined                           |
      | cypher 5 planner = dp connectComponentsPlanner=idp |
      | CYPHER 5 CYPHER replan=force                       |
