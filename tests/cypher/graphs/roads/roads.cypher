// Towns, roads with their length, and bus lines with stops in order.
CREATE
  (alna:Town {name: 'Alna', people: 6800, at: point({latitude: 60.62, longitude: 8.09})}),
  (berg:Town {name: 'Berg', people: 3700, at: point({latitude: 59.24, longitude: 11.0})}),
  (cove:Town {name: 'Cove', people: 2400, at: point({latitude: 60.34, longitude: 10.63})}),
  (dorn:Town {name: 'Dorn', people: 5700, at: point({latitude: 61.49, longitude: 5.31})}),
  (elve:Town {name: 'Elve', people: 7700, at: point({latitude: 59.77, longitude: 10.51})}),
  (fosse:Town {name: 'Fosse', people: 4700, at: point({latitude: 60.31, longitude: 7.41})}),
  (glen:Town {name: 'Glen', people: 6400, at: point({latitude: 60.98, longitude: 9.27})}),
  (hav:Town {name: 'Hav', people: 1400, at: point({latitude: 58.92, longitude: 6.58})}),
  (isle:Town {name: 'Isle', people: 7200, at: point({latitude: 60.27, longitude: 7.87})}),
  (kirk:Town {name: 'Kirk', people: 5600, at: point({latitude: 60.71, longitude: 6.05})}),
  (lade:Town {name: 'Lade', people: 5500, at: point({latitude: 58.12, longitude: 9.41})}),
  (moss:Town {name: 'Moss', people: 5300, at: point({latitude: 58.54, longitude: 5.92})}),
  (nes:Town {name: 'Nes', people: 7700, at: point({latitude: 59.56, longitude: 7.1})}),
  (odda:Town {name: 'Odda', people: 8500, at: point({latitude: 58.92, longitude: 6.31})})
CREATE
  (alna)-[:ROAD {km: 5, toll: false}]->(berg),
  (berg)-[:ROAD {km: 41, toll: false}]->(cove),
  (cove)-[:ROAD {km: 54, toll: false}]->(dorn),
  (dorn)-[:ROAD {km: 48, toll: true}]->(elve),
  (elve)-[:ROAD {km: 5, toll: true}]->(fosse),
  (fosse)-[:ROAD {km: 43, toll: false}]->(glen),
  (glen)-[:ROAD {km: 6, toll: false}]->(hav),
  (hav)-[:ROAD {km: 10, toll: false}]->(isle),
  (isle)-[:ROAD {km: 39, toll: false}]->(kirk),
  (kirk)-[:ROAD {km: 40, toll: false}]->(lade),
  (lade)-[:ROAD {km: 49, toll: false}]->(moss),
  (moss)-[:ROAD {km: 45, toll: false}]->(nes),
  (alna)-[:ROAD {km: 37, toll: false}]->(elve),
  (berg)-[:ROAD {km: 32, toll: true}]->(glen),
  (cove)-[:ROAD {km: 60, toll: false}]->(kirk),
  (dorn)-[:ROAD {km: 31, toll: false}]->(moss),
  (fosse)-[:ROAD {km: 15, toll: false}]->(lade),
  (isle)-[:ROAD {km: 31, toll: false}]->(moss),
  (alna)-[:ROAD {km: 21, toll: false}]->(cove),
  (glen)-[:ROAD {km: 9, toll: false}]->(moss)
CREATE (line10:Line {number: '10'})
CREATE
  (line10)-[:STOPS_AT {order: 1}]->(alna),
  (line10)-[:STOPS_AT {order: 2}]->(elve),
  (line10)-[:STOPS_AT {order: 3}]->(fosse),
  (line10)-[:STOPS_AT {order: 4}]->(lade)
CREATE (line20:Line {number: '20'})
CREATE
  (line20)-[:STOPS_AT {order: 1}]->(lade),
  (line20)-[:STOPS_AT {order: 2}]->(berg),
  (line20)-[:STOPS_AT {order: 3}]->(glen),
  (line20)-[:STOPS_AT {order: 4}]->(moss),
  (line20)-[:STOPS_AT {order: 5}]->(dorn)
CREATE (line30:Line {number: '30'})
CREATE
  (line30)-[:STOPS_AT {order: 1}]->(cove),
  (line30)-[:STOPS_AT {order: 2}]->(kirk),
  (line30)-[:STOPS_AT {order: 3}]->(isle),
  (line30)-[:STOPS_AT {order: 4}]->(nes),
  (line30)-[:STOPS_AT {order: 5}]->(moss);
