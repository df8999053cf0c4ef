// Commands of the shell and statements, run from a file.
:param a => 1
:param {b: 'x', c: [1, 2]}
CREATE (n:Person {name: 'Ann', born: date('1999-01-02')})-[r:KNOWS {since: 3}]->(m:Person {name: 'Bob'})
RETURN n.name AS name, type(r) AS type;
MATCH p = (:Person)-->() RETURN p, $a AS a, $b AS b, $c AS c;
RETURN 1.5 AS f, true AS t, null AS n, {k: [1, 'a']} AS m, duration('P1M2DT3S') AS d, datetime('2020-01-01T10:00+01:00') AS dt;
:begin
CREATE (:Draft);
MATCH (d:Draft) RETURN count(d) AS inside;
:rollback
MATCH (d:Draft) RETURN count(d) AS after;
:begin
CREATE (:Draft);
:commit
MATCH (d:Draft) RETURN count(d) AS kept;
:use system
SHOW DATABASES YIELD name, home WHERE name = 'neo4j';
:use neo4j
CREATE CONSTRAINT name_is_unique FOR (p:Person) REQUIRE p.name IS UNIQUE;
SHOW CONSTRAINTS YIELD name, type;
EXPLAIN MATCH (n:Person) RETURN n.name;
PROFILE MATCH (n:Person) RETURN n.name ORDER BY n.name;
:sysinfo
MATCH (n RETURN n;
CREATE (:Person {name: 'Ann'});
MATCH (n) DETACH DELETE n;
