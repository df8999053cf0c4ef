begin
CREATE (:`Town`:`UNIQUE IMPORT LABEL` {`name`:"Alna; :commit", `founded`:date('1624-05-01'), `UNIQUE IMPORT ID`:0});
CREATE (:`Town`:`UNIQUE IMPORT LABEL` {`name`:"Lade", `place`:point({x: 10.0, y: 63.5, crs: 'wgs-84'}), `age`:duration('P1M2DT3H'), `UNIQUE IMPORT ID`:1});
CREATE (:`UNIQUE IMPORT LABEL` {`UNIQUE IMPORT ID`:2});
CREATE (:`Ferry` {`cars`:40, `id`:7});
CREATE (:`Ferry` {`cars`:12, `id`:8});
commit
begin
CREATE INDEX ON :`Town`(`name`,`county`);
CREATE BTREE INDEX FOR (n:Ferry) ON (n.cars);
CREATE CONSTRAINT ON (node:`Ferry`) ASSERT node.`id` IS UNIQUE;
CREATE CONSTRAINT ON (node:`UNIQUE IMPORT LABEL`) ASSERT node.`UNIQUE IMPORT ID` IS UNIQUE;
commit
schema await
begin
MATCH (n1:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`:0}), (n2:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`:1}) CREATE (n1)-[r:`ROAD` {`km`:12.5}]->(n2);
MATCH (n1:`Ferry`{`id`:7}), (n2:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`:1}) CREATE (n1)-[r:`CALLS_AT`]->(n2);
MATCH (n1:`Ferry`{`id`:8}), (n2:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`:2}) CREATE (n1)-[r:`CALLS_AT`]->(n2);
commit
begin
MATCH (n:`UNIQUE IMPORT LABEL`)  WITH n LIMIT 20000 REMOVE n:`UNIQUE IMPORT LABEL` REMOVE n.`UNIQUE IMPORT ID`;
commit
begin
DROP INDEX ON :`Ferry`(`cars`);
DROP CONSTRAINT ON (node:`UNIQUE IMPORT LABEL`) ASSERT node.`UNIQUE IMPORT ID` IS UNIQUE;
commit
