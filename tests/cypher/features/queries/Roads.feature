# The rows are those of Neo4j 5.26 on the same script.
@manual:queries
Feature: Questions about roads and lines

  Scenario: [1] Roads from a town
    Given the roads graph
    When executing query:
      """
      MATCH (:Town {name: 'Alna'})-[r:ROAD]-(t) RETURN t.name AS name, r.km AS km ORDER BY km, name
      """
    Then the result should be, in order:
      | name   | km |
      | 'Berg' | 5  |
      | 'Cove' | 21 |
      | 'Elve' | 37 |
    And no side effects

  Scenario: [2] The way with fewest roads
    Given the roads graph
    When executing query:
      """
      MATCH p = shortestPath((:Town {name: 'Alna'})-[:ROAD*]-(:Town {name: 'Lade'})) RETURN length(p) AS roads
      """
    Then the result should be, in any order:
      | roads |
      | 3     |
    And no side effects

  Scenario: [3] The way of least length in kilometres
    Given the roads graph
    When executing query:
      """
      MATCH p = (:Town {name: 'Alna'})-[:ROAD*..8]-(:Town {name: 'Lade'})
      RETURN [t IN nodes(p) | t.name] AS towns, reduce(km = 0, r IN relationships(p) | km + r.km) AS km ORDER BY km, towns LIMIT 1
      """
    Then the result should be, in order:
      | towns                             | km |
      | ['Alna', 'Elve', 'Fosse', 'Lade'] | 57 |
    And no side effects

  Scenario: [4] The same without toll
    Given the roads graph
    When executing query:
      """
      MATCH p = (:Town {name: 'Alna'})-[:ROAD*..8]-(:Town {name: 'Lade'}) WHERE none(r IN relationships(p) WHERE r.toll)
      RETURN [t IN nodes(p) | t.name] AS towns, reduce(km = 0, r IN relationships(p) | km + r.km) AS km ORDER BY km, towns LIMIT 1
      """
    Then the result should be, in order:
      | towns                            | km  |
      | ['Alna', 'Cove', 'Kirk', 'Lade'] | 121 |
    And no side effects

  Scenario: [5] Towns without a road
    Given the roads graph
    When executing query:
      """
      MATCH (t:Town) WHERE NOT (t)-[:ROAD]-() RETURN t.name AS name
      """
    Then the result should be, in any order:
      | name   |
      | 'Odda' |
    And no side effects

  Scenario: [6] Dead ends
    Given the roads graph
    When executing query:
      """
      MATCH (t:Town)-[:ROAD]-() WITH t, count(*) AS roads WHERE roads = 1 RETURN t.name AS name
      """
    Then the result should be, in any order:
      | name  |
      | 'Nes' |
    And no side effects

  Scenario: [7] Towns by their number of roads
    Given the roads graph
    When executing query:
      """
      MATCH (t:Town) RETURN t.name AS name, COUNT { (t)-[:ROAD]-() } AS roads ORDER BY roads DESC, name
      """
    Then the result should be, in order:
      | name    | roads |
      | 'Moss'  | 5     |
      | 'Cove'  | 4     |
      | 'Glen'  | 4     |
      | 'Alna'  | 3     |
      | 'Berg'  | 3     |
      | 'Dorn'  | 3     |
      | 'Elve'  | 3     |
      | 'Fosse' | 3     |
      | 'Isle'  | 3     |
      | 'Kirk'  | 3     |
      | 'Lade'  | 3     |
      | 'Hav'   | 2     |
      | 'Nes'   | 1     |
      | 'Odda'  | 0     |
    And no side effects

  Scenario: [8] Triangles
    Given the roads graph
    When executing query:
      """
      MATCH (a:Town)-[:ROAD]-(b)-[:ROAD]-(c)-[:ROAD]-(a) WHERE a.name < b.name < c.name RETURN a.name AS a, b.name AS b, c.name AS c ORDER BY a, b, c
      """
    Then the result should be, in order:
      | a      | b      | c      |
      | 'Alna' | 'Berg' | 'Cove' |
    And no side effects

  Scenario: [9] Stops of a line in order
    Given the roads graph
    When executing query:
      """
      MATCH (l:Line {number: '30'})-[s:STOPS_AT]->(t) RETURN s.order AS n, t.name AS name ORDER BY n
      """
    Then the result should be, in order:
      | n | name   |
      | 1 | 'Cove' |
      | 2 | 'Kirk' |
      | 3 | 'Isle' |
      | 4 | 'Nes'  |
      | 5 | 'Moss' |
    And no side effects

  Scenario: [10] Next stops
    Given the roads graph
    When executing query:
      """
      MATCH (t:Town {name: 'Fosse'})<-[a:STOPS_AT]-(l)-[b:STOPS_AT]->(n) WHERE b.order = a.order + 1 RETURN l.number AS line, n.name AS next ORDER BY line
      """
    Then the result should be, in order:
      | line | next   |
      | '10' | 'Lade' |
    And no side effects

  Scenario: [11] Where to change between two lines
    Given the roads graph
    When executing query:
      """
      MATCH (a:Line)-[:STOPS_AT]->(t)<-[:STOPS_AT]-(b:Line) WHERE a.number < b.number RETURN a.number AS a, b.number AS b, t.name AS at ORDER BY a, b, at
      """
    Then the result should be, in order:
      | a    | b    | at     |
      | '10' | '20' | 'Lade' |
      | '20' | '30' | 'Moss' |
    And no side effects

  Scenario: [12] A connection with one change
    Given the roads graph
    When executing query:
      """
      MATCH (:Town {name: 'Alna'})<-[a1:STOPS_AT]-(l1)-[b1:STOPS_AT]->(x)<-[a2:STOPS_AT]-(l2)-[b2:STOPS_AT]->(t)
      WHERE l1 <> l2 AND a1.order < b1.order AND a2.order < b2.order RETURN l1.number AS first, x.name AS change, l2.number AS second, t.name AS to ORDER BY first, change, second, to
      """
    Then the result should be, in order:
      | first | change | second | to     |
      | '10'  | 'Lade' | '20'   | 'Berg' |
      | '10'  | 'Lade' | '20'   | 'Dorn' |
      | '10'  | 'Lade' | '20'   | 'Glen' |
      | '10'  | 'Lade' | '20'   | 'Moss' |
    And no side effects

  Scenario: [13] Towns within a number of roads, each once with its least distance
    Given the roads graph
    When executing query:
      """
      MATCH p = ALL SHORTEST (:Town {name: 'Alna'})-[:ROAD]-{1,3}(t:Town) WHERE t.name <> 'Alna'
      RETURN DISTINCT t.name AS name, length(p) AS roads ORDER BY roads, name
      """
    Then the result should be, in order:
      | name    | roads |
      | 'Berg'  | 1     |
      | 'Cove'  | 1     |
      | 'Elve'  | 1     |
      | 'Dorn'  | 2     |
      | 'Fosse' | 2     |
      | 'Glen'  | 2     |
      | 'Kirk'  | 2     |
      | 'Hav'   | 3     |
      | 'Isle'  | 3     |
      | 'Lade'  | 3     |
      | 'Moss'  | 3     |
    And no side effects

  Scenario: [14] Towns as the crow flies
    Given the roads graph
    When executing query:
      """
      MATCH (a:Town {name: 'Alna'}), (t:Town) WHERE t <> a RETURN t.name AS name, round(point.distance(a.at, t.at) / 1000) AS km ORDER BY km LIMIT 3
      """
    Then the result should be, in order:
      | name    | km   |
      | 'Isle'  | 41.0 |
      | 'Fosse' | 51.0 |
      | 'Glen'  | 76.0 |
    And no side effects

  Scenario: [15] People along a line
    Given the roads graph
    When executing query:
      """
      MATCH (l:Line)-[:STOPS_AT]->(t) RETURN l.number AS line, sum(t.people) AS people ORDER BY people DESC
      """
    Then the result should be, in order:
      | line | people |
      | '30' | 28200  |
      | '20' | 26600  |
      | '10' | 24700  |
    And no side effects
