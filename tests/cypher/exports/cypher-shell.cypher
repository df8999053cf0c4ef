:begin
CREATE RANGE INDEX FOR (n:Town) ON (n.name, n.county);
CREATE CONSTRAINT ferry_id FOR (node:Ferry) REQUIRE (node.id) IS UNIQUE;
CREATE CONSTRAINT UNIQUE_IMPORT_NAME FOR (node:`UNIQUE IMPORT LABEL`) REQUIRE (node.`UNIQUE IMPORT ID`) IS UNIQUE;
:commit
CALL db.awaitIndexes(300);
:begin
UNWIND [{_id:0, properties:{name:"Alna; :commit", founded:date('1624-05-01')}}, {_id:1, properties:{name:"Lade", place:point({x: 10.0, y: 63.5, crs: 'wgs-84'}), age:duration('P1M2DT3H')}}] AS row
CREATE (n:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row._id}) SET n += row.properties SET n:Town;
UNWIND [{_id:2, properties:{}}] AS row
CREATE (n:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row._id}) SET n += row.properties;
:commit
:begin
UNWIND [{id:7, properties:{cars:40}}, {id:8, properties:{cars:12}}] AS row
CREATE (n:Ferry{id: row.id}) SET n += row.properties;
:commit
:begin
UNWIND [{start: {_id:0}, end: {_id:1}, properties:{km:12.5}}] AS row
MATCH (start:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.start._id})
MATCH (end:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.end._id})
CREATE (start)-[r:ROAD]->(end) SET r += row.properties;
UNWIND [{start: {id:7}, end: {_id:1}, properties:{}}, {start: {id:8}, end: {_id:2}, properties:{}}] AS row
MATCH (start:Ferry{id: row.start.id})
MATCH (end:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.end._id})
CREATE (start)-[r:CALLS_AT]->(end) SET r += row.properties;
:commit
:begin
MATCH (n:`UNIQUE IMPORT LABEL`)  WITH n LIMIT 20000 REMOVE n:`UNIQUE IMPORT LABEL` REMOVE n.`UNIQUE IMPORT ID`;
:commit
:begin
DROP CONSTRAINT UNIQUE_IMPORT_NAME;
:commit
