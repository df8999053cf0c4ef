# Neo4j 5 Cypher Manual: functions/spatial
@manual:functions/spatial
Feature: Points

  Scenario: [1] Components of a flat point
    Given any graph
    When executing query:
      """
      WITH point({x: 3, y: 4}) AS p RETURN p.x AS x, p.y AS y, p.crs AS crs, p.srid AS srid
      """
    Then the result should be, in any order:
      | x   | y   | crs         | srid |
      | 3.0 | 4.0 | 'cartesian' | 7203 |

  Scenario: [2] Components of a point on the earth
    Given any graph
    When executing query:
      """
      WITH point({latitude: 55.6, longitude: 12.5}) AS p RETURN p.latitude AS lat, p.longitude AS lon, p.crs AS crs, p.srid AS srid
      """
    Then the result should be, in any order:
      | lat  | lon  | crs      | srid |
      | 55.6 | 12.5 | 'wgs-84' | 4326 |

  Scenario: [3] Three dimensions
    Given any graph
    When executing query:
      """
      WITH point({x: 1, y: 2, z: 3}) AS p RETURN p.z AS z, p.crs AS crs
      """
    Then the result should be, in any order:
      | z   | crs            |
      | 3.0 | 'cartesian-3d' |

  Scenario: [4] Height on the earth
    Given any graph
    When executing query:
      """
      WITH point({latitude: 1, longitude: 2, height: 30}) AS p RETURN p.height AS h, p.crs AS crs
      """
    Then the result should be, in any order:
      | h    | crs         |
      | 30.0 | 'wgs-84-3d' |

  Scenario: [5] Flat distance
    Given any graph
    When executing query:
      """
      RETURN point.distance(point({x: 0, y: 0}), point({x: 3, y: 4})) AS d
      """
    Then the result should be, in any order:
      | d   |
      | 5.0 |

  Scenario: [6] Distance in space
    Given any graph
    When executing query:
      """
      RETURN point.distance(point({x: 0, y: 0, z: 0}), point({x: 2, y: 3, z: 6})) AS d
      """
    Then the result should be, in any order:
      | d   |
      | 7.0 |

  Scenario: [7] A degree of longitude at the equator is about 111 km
    Given any graph
    When executing query:
      """
      RETURN round(point.distance(point({longitude: 0, latitude: 0}), point({longitude: 1, latitude: 0})) / 1000) AS km
      """
    Then the result should be, in any order:
      | km    |
      | 111.0 |

  Scenario: [8] Points of different systems have no distance
    Given any graph
    When executing query:
      """
      RETURN point.distance(point({x: 0, y: 0}), point({longitude: 0, latitude: 0})) AS d
      """
    Then the result should be, in any order:
      | d    |
      | null |

  Scenario: [9] Null coordinates
    Given any graph
    When executing query:
      """
      RETURN point({x: null, y: 1}) AS p, point(null) AS q
      """
    Then the result should be, in any order:
      | p    | q    |
      | null | null |

  Scenario: [10] Too few coordinates
    Given any graph
    When executing query:
      """
      RETURN point({x: 1}) AS p
      """
    Then an ArgumentError should be raised at any time: *

  Scenario: [11] A latitude beyond the pole
    Given any graph
    When executing query:
      """
      RETURN point({latitude: 95, longitude: 0}) AS p
      """
    Then an ArgumentError should be raised at any time: *

  Scenario: [12] Within a box
    Given any graph
    When executing query:
      """
      RETURN point.withinBBox(point({x: 1, y: 1}), point({x: 0, y: 0}), point({x: 2, y: 2})) AS a,
      point.withinBBox(point({x: 3, y: 1}), point({x: 0, y: 0}), point({x: 2, y: 2})) AS b
      """
    Then the result should be, in any order:
      | a    | b     |
      | true | false |

  @manual:values-and-types/spatial
  Scenario: [13] Equality of points
    Given any graph
    When executing query:
      """
      RETURN point({x: 1, y: 2}) = point({x: 1.0, y: 2.0}) AS same, point({x: 1, y: 2}) = point({longitude: 1, latitude: 2}) AS other
      """
    Then the result should be, in any order:
      | same | other |
      | true | false |

  @manual:values-and-types/spatial
  Scenario: [14] Points as properties, sought by distance
    Given an empty graph
    And having executed:
      """
      CREATE (:Shop {n: 1, at: point({x: 0, y: 1})}), (:Shop {n: 2, at: point({x: 9, y: 9})})
      """
    When executing query:
      """
      MATCH (s:Shop) WHERE point.distance(s.at, point({x: 0, y: 0})) < 2 RETURN s.n AS n
      """
    Then the result should be, in any order:
      | n |
      | 1 |
    And no side effects

  @manual:values-and-types/spatial
  Scenario: [15] A list of points as a property
    Given an empty graph
    And having executed:
      """
      CREATE (:Way {at: [point({x: 0, y: 0}), point({x: 3, y: 4})]})
      """
    When executing query:
      """
      MATCH (w:Way) RETURN point.distance(w.at[0], w.at[1]) AS d
      """
    Then the result should be, in any order:
      | d   |
      | 5.0 |
    And no side effects
