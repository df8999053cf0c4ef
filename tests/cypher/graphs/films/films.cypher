// Films and their people: one statement, pasted whole. All names are invented.
CREATE (TheBrokenRiver:Movie {title: 'The Broken River', released: 2008, tagline: 'Nothing stays buried'})
CREATE (GretaBrandt:Person {name: 'Greta Brandt', born: 1934})
CREATE (CleoMoreau:Person {name: 'Cleo Moreau', born: 1958})
CREATE (GretaIbsen:Person {name: 'Greta Ibsen', born: 1968})
CREATE (BramKeller:Person {name: 'Bram Keller', born: 1984})
CREATE (OrlaHolm:Person {name: 'Orla Holm', born: 1953})
CREATE (InesKeller:Person {name: 'Ines Keller', born: 1974})
CREATE
  (GretaBrandt)-[:ACTED_IN {roles: ['Ivo']}]->(TheBrokenRiver),
  (CleoMoreau)-[:ACTED_IN {roles: ['The Stranger']}]->(TheBrokenRiver),
  (GretaIbsen)-[:ACTED_IN {roles: ['Dr. Wells']}]->(TheBrokenRiver),
  (BramKeller)-[:ACTED_IN {roles: ['Felix']}]->(TheBrokenRiver),
  (OrlaHolm)-[:DIRECTED]->(TheBrokenRiver),
  (InesKeller)-[:PRODUCED]->(TheBrokenRiver),
  (InesKeller)-[:WROTE]->(TheBrokenRiver)

CREATE (TheSilentMirror:Movie {title: 'The Silent Mirror', released: 2014, tagline: 'Nothing stays buried'})
CREATE (KayaFalk:Person {name: 'Kaya Falk', born: 1968})
CREATE (TildaLund:Person {name: 'Tilda Lund', born: 1946})
CREATE (TildaDahl:Person {name: 'Tilda Dahl', born: 1930})
CREATE
  (KayaFalk)-[:ACTED_IN {roles: ['Viktor', 'Mr. Pike']}]->(TheSilentMirror),
  (TildaLund)-[:ACTED_IN {roles: ['Viktor']}]->(TheSilentMirror),
  (TildaDahl)-[:DIRECTED]->(TheSilentMirror),
  (BramKeller)-[:WROTE]->(TheSilentMirror)

CREATE (TheSecondHarbour:Movie {title: 'The Second Harbour', released: 1985, tagline: 'It\'s later than you think'})
CREATE (OrlaLund:Person {name: 'Orla Lund', born: 1994})
CREATE (BramBrandt:Person {name: 'Bram Brandt', born: 1968})
CREATE (QuinnAbel:Person {name: 'Quinn Abel', born: 1995})
CREATE (HugoKeller:Person {name: 'Hugo Keller', born: 1968})
CREATE
  (OrlaLund)-[:ACTED_IN {roles: ['Felix']}]->(TheSecondHarbour),
  (BramBrandt)-[:ACTED_IN {roles: ['The Stranger']}]->(TheSecondHarbour),
  (QuinnAbel)-[:ACTED_IN {roles: ['The Stranger']}]->(TheSecondHarbour),
  (HugoKeller)-[:ACTED_IN {roles: ['Viktor']}]->(TheSecondHarbour),
  (OrlaLund)-[:DIRECTED]->(TheSecondHarbour),
  (InesKeller)-[:PRODUCED]->(TheSecondHarbour),
  (InesKeller)-[:WROTE]->(TheSecondHarbour)

CREATE (TheLastMirror:Movie {title: 'The Last Mirror', released: 1976})
CREATE (InesAbel:Person {name: 'Ines Abel', born: 1932})
CREATE (MilaCorelli:Person {name: 'Mila Corelli', born: 1984})
CREATE (FinnKeller:Person {name: 'Finn Keller', born: 1973})
CREATE (EddaCorelli:Person {name: 'Edda Corelli', born: 1990})
CREATE (OrlaAbel:Person {name: 'Orla Abel', born: 1989})
CREATE (JonasKeller:Person {name: 'Jonas Keller', born: 1973})
CREATE (AdaJanko:Person {name: 'Ada Janko', born: 1998})
CREATE (GretaMoreau:Person {name: 'Greta Moreau', born: 1965})
CREATE
  (InesAbel)-[:ACTED_IN {roles: ['Inspector Moss', 'Viktor']}]->(TheLastMirror),
  (MilaCorelli)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheLastMirror),
  (FinnKeller)-[:ACTED_IN {roles: ['Sister Agnes']}]->(TheLastMirror),
  (EddaCorelli)-[:ACTED_IN {roles: ['Mr. Pike']}]->(TheLastMirror),
  (OrlaAbel)-[:ACTED_IN {roles: ['The Widow']}]->(TheLastMirror),
  (JonasKeller)-[:ACTED_IN {roles: ['The Widow']}]->(TheLastMirror),
  (AdaJanko)-[:DIRECTED]->(TheLastMirror)

CREATE (ThePaperRiver:Movie {title: 'The Paper River', released: 1976, tagline: 'It\'s later than you think'})
CREATE (RosaBrandt:Person {name: 'Rosa Brandt', born: 1966})
CREATE (SvenDahl:Person {name: 'Sven Dahl', born: 1987})
CREATE (JonasIbsen:Person {name: 'Jonas Ibsen', born: 1957})
CREATE
  (RosaBrandt)-[:ACTED_IN {roles: ['Felix']}]->(ThePaperRiver),
  (SvenDahl)-[:ACTED_IN {roles: ['Old Tom', 'Nurse Ruth']}]->(ThePaperRiver),
  (RosaBrandt)-[:DIRECTED]->(ThePaperRiver),
  (JonasIbsen)-[:PRODUCED]->(ThePaperRiver),
  (RosaBrandt)-[:WROTE]->(ThePaperRiver)

CREATE (TheNorthernIsland:Movie {title: 'The Northern Island', released: 2014, tagline: 'Nothing stays buried'})
CREATE (PavelAbel:Person {name: 'Pavel Abel', born: 1958})
CREATE (InesIbsen:Person {name: 'Ines Ibsen', born: 1982})
CREATE (DarioDahl:Person {name: 'Dario Dahl', born: 1966})
CREATE
  (CleoMoreau)-[:ACTED_IN {roles: ['Lena']}]->(TheNorthernIsland),
  (PavelAbel)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheNorthernIsland),
  (InesIbsen)-[:ACTED_IN {roles: ['Viktor']}]->(TheNorthernIsland),
  (DarioDahl)-[:DIRECTED]->(TheNorthernIsland),
  (BramBrandt)-[:PRODUCED]->(TheNorthernIsland)

CREATE (TheGoldenHarbour:Movie {title: 'The Golden Harbour', released: 2001, tagline: 'Every road ends here'})
CREATE (HugoFalk:Person {name: 'Hugo Falk', born: 1930})
CREATE (GretaCorelli:Person {name: 'Greta Corelli'})
CREATE (InesEngel:Person {name: 'Ines Engel', born: 1941})
CREATE
  (HugoFalk)-[:ACTED_IN {roles: ['The Stranger']}]->(TheGoldenHarbour),
  (GretaBrandt)-[:ACTED_IN {roles: ['Old Tom']}]->(TheGoldenHarbour),
  (GretaCorelli)-[:ACTED_IN {roles: ['Lena']}]->(TheGoldenHarbour),
  (HugoFalk)-[:DIRECTED]->(TheGoldenHarbour),
  (InesEngel)-[:PRODUCED]->(TheGoldenHarbour),
  (InesEngel)-[:WROTE]->(TheGoldenHarbour)

CREATE (ThePaperStation:Movie {title: 'The Paper Station', released: 1977, tagline: 'Nothing stays buried'})
CREATE (BramGrimm:Person {name: 'Bram Grimm', born: 1933})
CREATE (LarsMoreau:Person {name: 'Lars Moreau', born: 1938})
CREATE (BramLund:Person {name: 'Bram Lund'})
CREATE (AdaAbel:Person {name: 'Ada Abel', born: 1950})
CREATE
  (BramGrimm)-[:ACTED_IN {roles: ['Lena']}]->(ThePaperStation),
  (LarsMoreau)-[:ACTED_IN {roles: ['Viktor']}]->(ThePaperStation),
  (BramLund)-[:ACTED_IN {roles: ['The Stranger']}]->(ThePaperStation),
  (BramGrimm)-[:DIRECTED]->(ThePaperStation),
  (BramGrimm)-[:WROTE]->(ThePaperStation)

CREATE (TheHiddenRiver:Movie {title: 'The Hidden River', released: 2006, tagline: 'She counted the days'})
CREATE (CleoIbsen:Person {name: 'Cleo Ibsen', born: 1980})
CREATE (DarioKeller:Person {name: 'Dario Keller', born: 1958})
CREATE (SvenBrandt:Person {name: 'Sven Brandt', born: 1965})
CREATE
  (CleoIbsen)-[:ACTED_IN {roles: ['Nurse Ruth', 'The Captain']}]->(TheHiddenRiver),
  (FinnKeller)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheHiddenRiver),
  (DarioKeller)-[:DIRECTED]->(TheHiddenRiver),
  (SvenBrandt)-[:PRODUCED]->(TheHiddenRiver)

CREATE (TheHiddenLetter:Movie {title: 'The Hidden Letter', released: 1998, tagline: 'She counted the days'})
CREATE (GretaKeller:Person {name: 'Greta Keller', born: 1950})
CREATE (EddaFalk:Person {name: 'Edda Falk', born: 1959})
CREATE (GretaHolm:Person {name: 'Greta Holm', born: 1958})
CREATE (NilsDahl:Person {name: 'Nils Dahl', born: 1962})
CREATE (SvenLund:Person {name: 'Sven Lund', born: 1960})
CREATE
  (GretaKeller)-[:ACTED_IN {roles: ['Anna']}]->(TheHiddenLetter),
  (TildaLund)-[:ACTED_IN {roles: ['Mr. Pike']}]->(TheHiddenLetter),
  (EddaFalk)-[:ACTED_IN {roles: ['The Stranger']}]->(TheHiddenLetter),
  (GretaHolm)-[:ACTED_IN {roles: ['Ivo']}]->(TheHiddenLetter),
  (NilsDahl)-[:ACTED_IN {roles: ['The Captain']}]->(TheHiddenLetter),
  (BramBrandt)-[:DIRECTED]->(TheHiddenLetter),
  (SvenLund)-[:WROTE]->(TheHiddenLetter)

CREATE (TheLastIsland:Movie {title: 'The Last Island', released: 1999})
CREATE (KayaGrimm:Person {name: 'Kaya Grimm', born: 1950})
CREATE (QuinnMoreau:Person {name: 'Quinn Moreau', born: 1995})
CREATE (TildaAbel:Person {name: 'Tilda Abel', born: 1961})
CREATE (LarsDahl:Person {name: 'Lars Dahl', born: 1954})
CREATE (AdaFalk:Person {name: 'Ada Falk', born: 1930})
CREATE (SvenEngel:Person {name: 'Sven Engel', born: 1941})
CREATE
  (KayaGrimm)-[:ACTED_IN {roles: ['Anna']}]->(TheLastIsland),
  (JonasKeller)-[:ACTED_IN {roles: ['Inspector Moss']}]->(TheLastIsland),
  (BramLund)-[:ACTED_IN {roles: ['Viktor']}]->(TheLastIsland),
  (QuinnMoreau)-[:ACTED_IN {roles: ['The Widow']}]->(TheLastIsland),
  (TildaAbel)-[:ACTED_IN {roles: ['Dr. Wells']}]->(TheLastIsland),
  (LarsDahl)-[:ACTED_IN {roles: ['Sister Agnes']}]->(TheLastIsland),
  (AdaFalk)-[:DIRECTED]->(TheLastIsland),
  (SvenEngel)-[:PRODUCED]->(TheLastIsland)

CREATE (TheBrokenIsland:Movie {title: 'The Broken Island', released: 1978, tagline: 'Every road ends here'})
CREATE (JonasJanko:Person {name: 'Jonas Janko', born: 1990})
CREATE
  (OrlaAbel)-[:ACTED_IN {roles: ['Inspector Moss']}]->(TheBrokenIsland),
  (PavelAbel)-[:ACTED_IN {roles: ['Ivo', 'Dr. Wells']}]->(TheBrokenIsland),
  (JonasJanko)-[:ACTED_IN {roles: ['Viktor']}]->(TheBrokenIsland),
  (InesEngel)-[:DIRECTED]->(TheBrokenIsland),
  (SvenLund)-[:PRODUCED]->(TheBrokenIsland)

CREATE (TheBurningStation:Movie {title: 'The Burning Station', released: 2004, tagline: 'It\'s later than you think'})
CREATE (EddaIbsen:Person {name: 'Edda Ibsen', born: 1944})
CREATE (OrlaKeller:Person {name: 'Orla Keller', born: 1974})
CREATE (TildaJanko:Person {name: 'Tilda Janko', born: 1970})
CREATE
  (EddaIbsen)-[:ACTED_IN {roles: ['Anna', 'Ivo']}]->(TheBurningStation),
  (OrlaKeller)-[:ACTED_IN {roles: ['Viktor']}]->(TheBurningStation),
  (TildaJanko)-[:DIRECTED]->(TheBurningStation),
  (TildaJanko)-[:WROTE]->(TheBurningStation)

CREATE (TheSilentRiver:Movie {title: 'The Silent River', released: 1978, tagline: 'It\'s later than you think'})
CREATE (NilsAbel:Person {name: 'Nils Abel', born: 1943})
CREATE (MilaGrimm:Person {name: 'Mila Grimm', born: 1947})
CREATE (NilsLund:Person {name: 'Nils Lund', born: 1957})
CREATE (RosaLund:Person {name: 'Rosa Lund', born: 1934})
CREATE (EddaAbel:Person {name: 'Edda Abel', born: 1973})
CREATE
  (NilsAbel)-[:ACTED_IN {roles: ['The Captain']}]->(TheSilentRiver),
  (MilaGrimm)-[:ACTED_IN {roles: ['The Captain']}]->(TheSilentRiver),
  (NilsLund)-[:ACTED_IN {roles: ['Felix']}]->(TheSilentRiver),
  (RosaLund)-[:DIRECTED]->(TheSilentRiver)

CREATE (TheLastOrchard:Movie {title: 'The Last Orchard', released: 2003, tagline: 'Nothing stays buried'})
CREATE (FinnCorelli:Person {name: 'Finn Corelli'})
CREATE (KayaJanko:Person {name: 'Kaya Janko', born: 1971})
CREATE (JonasEngel:Person {name: 'Jonas Engel', born: 1987})
CREATE
  (GretaHolm)-[:ACTED_IN {roles: ['The Captain']}]->(TheLastOrchard),
  (EddaIbsen)-[:ACTED_IN {roles: ['Viktor']}]->(TheLastOrchard),
  (FinnCorelli)-[:ACTED_IN {roles: ['Old Tom']}]->(TheLastOrchard),
  (KayaJanko)-[:DIRECTED]->(TheLastOrchard),
  (JonasEngel)-[:PRODUCED]->(TheLastOrchard),
  (JonasEngel)-[:WROTE]->(TheLastOrchard)

CREATE (TheSilentGarden:Movie {title: 'The Silent Garden', released: 1996, tagline: 'Every road ends here'})
CREATE (LarsCorelli:Person {name: 'Lars Corelli', born: 1973})
CREATE (HugoDahl:Person {name: 'Hugo Dahl', born: 1961})
CREATE (KayaLund:Person {name: 'Kaya Lund', born: 1956})
CREATE (LarsEngel:Person {name: 'Lars Engel', born: 1962})
CREATE
  (PavelAbel)-[:ACTED_IN {roles: ['Ivo']}]->(TheSilentGarden),
  (LarsCorelli)-[:ACTED_IN {roles: ['The Widow']}]->(TheSilentGarden),
  (HugoDahl)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheSilentGarden),
  (JonasIbsen)-[:ACTED_IN {roles: ['Old Tom']}]->(TheSilentGarden),
  (EddaIbsen)-[:ACTED_IN {roles: ['Mr. Pike', 'Old Tom']}]->(TheSilentGarden),
  (KayaLund)-[:ACTED_IN {roles: ['Anna']}]->(TheSilentGarden),
  (InesKeller)-[:DIRECTED]->(TheSilentGarden),
  (LarsEngel)-[:PRODUCED]->(TheSilentGarden)

CREATE (TheHiddenGarden:Movie {title: 'The Hidden Garden', released: 2014, tagline: 'Every road ends here'})
CREATE (JonasBrandt:Person {name: 'Jonas Brandt'})
CREATE (GretaFalk:Person {name: 'Greta Falk', born: 1960})
CREATE (MilaLund:Person {name: 'Mila Lund', born: 1954})
CREATE
  (AdaAbel)-[:ACTED_IN {roles: ['Ivo', 'Lena']}]->(TheHiddenGarden),
  (GretaIbsen)-[:ACTED_IN {roles: ['The Widow']}]->(TheHiddenGarden),
  (KayaGrimm)-[:ACTED_IN {roles: ['Viktor']}]->(TheHiddenGarden),
  (FinnCorelli)-[:ACTED_IN {roles: ['Anna']}]->(TheHiddenGarden),
  (JonasBrandt)-[:ACTED_IN {roles: ['Mr. Pike']}]->(TheHiddenGarden),
  (GretaFalk)-[:DIRECTED]->(TheHiddenGarden),
  (MilaLund)-[:PRODUCED]->(TheHiddenGarden)

CREATE (TheGoldenIsland:Movie {title: 'The Golden Island', released: 1990})
CREATE (JonasGrimm:Person {name: 'Jonas Grimm', born: 1985})
CREATE (RosaEngel:Person {name: 'Rosa Engel', born: 1948})
CREATE
  (JonasGrimm)-[:ACTED_IN {roles: ['The Stranger']}]->(TheGoldenIsland),
  (AdaAbel)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheGoldenIsland),
  (RosaEngel)-[:DIRECTED]->(TheGoldenIsland),
  (InesKeller)-[:PRODUCED]->(TheGoldenIsland),
  (RosaEngel)-[:WROTE]->(TheGoldenIsland)

CREATE (TheSilentStation:Movie {title: 'The Silent Station', released: 1979})
CREATE (MilaMoreau:Person {name: 'Mila Moreau', born: 1970})
CREATE
  (HugoDahl)-[:ACTED_IN {roles: ['Ivo']}]->(TheSilentStation),
  (OrlaKeller)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheSilentStation),
  (JonasKeller)-[:ACTED_IN {roles: ['Old Tom']}]->(TheSilentStation),
  (MilaGrimm)-[:ACTED_IN {roles: ['Anna']}]->(TheSilentStation),
  (QuinnMoreau)-[:ACTED_IN {roles: ['Old Tom']}]->(TheSilentStation),
  (JonasEngel)-[:DIRECTED]->(TheSilentStation)

CREATE (TheGoldenMirror:Movie {title: 'The Golden Mirror', released: 2004, tagline: 'Nothing stays buried'})
CREATE (AdaCorelli:Person {name: 'Ada Corelli', born: 1987})
CREATE (RosaMoreau:Person {name: 'Rosa Moreau', born: 1946})
CREATE
  (FinnCorelli)-[:ACTED_IN {roles: ['Mr. Pike']}]->(TheGoldenMirror),
  (RosaBrandt)-[:ACTED_IN {roles: ['The Captain']}]->(TheGoldenMirror),
  (GretaHolm)-[:ACTED_IN {roles: ['Sister Agnes']}]->(TheGoldenMirror),
  (AdaCorelli)-[:ACTED_IN {roles: ['Anna']}]->(TheGoldenMirror),
  (SvenDahl)-[:ACTED_IN {roles: ['Felix', 'Sister Agnes']}]->(TheGoldenMirror),
  (EddaIbsen)-[:DIRECTED]->(TheGoldenMirror)

CREATE (TheGoldenRiver:Movie {title: 'The Golden River', released: 1988, tagline: 'Nothing stays buried'})
CREATE (MilaHolm:Person {name: 'Mila Holm', born: 1995})
CREATE
  (MilaHolm)-[:ACTED_IN {roles: ['The Captain']}]->(TheGoldenRiver),
  (FinnCorelli)-[:ACTED_IN {roles: ['The Captain', 'Old Tom']}]->(TheGoldenRiver),
  (NilsDahl)-[:ACTED_IN {roles: ['Old Tom']}]->(TheGoldenRiver),
  (RosaBrandt)-[:ACTED_IN {roles: ['Old Tom']}]->(TheGoldenRiver),
  (KayaJanko)-[:DIRECTED]->(TheGoldenRiver),
  (InesKeller)-[:PRODUCED]->(TheGoldenRiver)

CREATE (TheBrokenLetter:Movie {title: 'The Broken Letter', released: 1994})
CREATE (NilsCorelli:Person {name: 'Nils Corelli', born: 1931})
CREATE (SvenHolm:Person {name: 'Sven Holm', born: 1964})
CREATE
  (EddaAbel)-[:ACTED_IN {roles: ['Dr. Wells']}]->(TheBrokenLetter),
  (CleoIbsen)-[:ACTED_IN {roles: ['Viktor']}]->(TheBrokenLetter),
  (HugoKeller)-[:ACTED_IN {roles: ['Dr. Wells']}]->(TheBrokenLetter),
  (NilsCorelli)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheBrokenLetter),
  (SvenHolm)-[:DIRECTED]->(TheBrokenLetter),
  (EddaIbsen)-[:PRODUCED]->(TheBrokenLetter)

CREATE (TheCrookedHarbour:Movie {title: 'The Crooked Harbour', released: 1995, tagline: 'She counted the days'})
CREATE (AdaHolm:Person {name: 'Ada Holm', born: 1957})
CREATE (AdaEngel:Person {name: 'Ada Engel', born: 1996})
CREATE
  (FinnCorelli)-[:ACTED_IN {roles: ['Sister Agnes']}]->(TheCrookedHarbour),
  (AdaHolm)-[:ACTED_IN {roles: ['The Widow']}]->(TheCrookedHarbour),
  (AdaEngel)-[:DIRECTED]->(TheCrookedHarbour),
  (AdaEngel)-[:WROTE]->(TheCrookedHarbour)

CREATE (TheSilentHarbour:Movie {title: 'The Silent Harbour', released: 2009, tagline: 'Every road ends here'})
CREATE
  (KayaGrimm)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheSilentHarbour),
  (JonasIbsen)-[:ACTED_IN {roles: ['Dr. Wells', 'Sister Agnes']}]->(TheSilentHarbour),
  (MilaCorelli)-[:ACTED_IN {roles: ['The Captain']}]->(TheSilentHarbour),
  (KayaGrimm)-[:DIRECTED]->(TheSilentHarbour),
  (InesEngel)-[:PRODUCED]->(TheSilentHarbour)

CREATE (TheLastLetter:Movie {title: 'The Last Letter', released: 1977})
CREATE
  (EddaCorelli)-[:ACTED_IN {roles: ['Dr. Wells']}]->(TheLastLetter),
  (QuinnAbel)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheLastLetter),
  (NilsDahl)-[:ACTED_IN {roles: ['Viktor']}]->(TheLastLetter),
  (BramLund)-[:ACTED_IN {roles: ['Lena']}]->(TheLastLetter),
  (CleoIbsen)-[:ACTED_IN {roles: ['Sister Agnes']}]->(TheLastLetter),
  (SvenDahl)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheLastLetter),
  (MilaLund)-[:DIRECTED]->(TheLastLetter),
  (JonasIbsen)-[:PRODUCED]->(TheLastLetter)

CREATE (TheNorthernOrchard:Movie {title: 'The Northern Orchard', released: 1987, tagline: 'Every road ends here'})
CREATE
  (CleoMoreau)-[:ACTED_IN {roles: ['Ivo']}]->(TheNorthernOrchard),
  (TildaLund)-[:ACTED_IN {roles: ['Inspector Moss']}]->(TheNorthernOrchard),
  (MilaMoreau)-[:ACTED_IN {roles: ['The Stranger']}]->(TheNorthernOrchard),
  (JonasKeller)-[:ACTED_IN {roles: ['Anna']}]->(TheNorthernOrchard),
  (EddaIbsen)-[:ACTED_IN {roles: ['Ivo']}]->(TheNorthernOrchard),
  (SvenLund)-[:DIRECTED]->(TheNorthernOrchard)

CREATE (TheSecondOrchard:Movie {title: 'The Second Orchard', released: 2004, tagline: 'She counted the days'})
CREATE
  (NilsDahl)-[:ACTED_IN {roles: ['The Captain']}]->(TheSecondOrchard),
  (EddaFalk)-[:ACTED_IN {roles: ['The Widow']}]->(TheSecondOrchard),
  (SvenDahl)-[:ACTED_IN {roles: ['The Captain', 'Inspector Moss']}]->(TheSecondOrchard),
  (NilsDahl)-[:DIRECTED]->(TheSecondOrchard),
  (SvenLund)-[:PRODUCED]->(TheSecondOrchard),
  (NilsDahl)-[:WROTE]->(TheSecondOrchard)

CREATE (TheCrookedIsland:Movie {title: 'The Crooked Island', released: 1993})
CREATE
  (PavelAbel)-[:ACTED_IN {roles: ['Inspector Moss']}]->(TheCrookedIsland),
  (MilaMoreau)-[:ACTED_IN {roles: ['Viktor']}]->(TheCrookedIsland),
  (GretaBrandt)-[:ACTED_IN {roles: ['Felix']}]->(TheCrookedIsland),
  (SvenEngel)-[:ACTED_IN {roles: ['Viktor']}]->(TheCrookedIsland),
  (NilsLund)-[:ACTED_IN {roles: ['The Widow']}]->(TheCrookedIsland),
  (GretaIbsen)-[:ACTED_IN {roles: ['Inspector Moss']}]->(TheCrookedIsland),
  (LarsEngel)-[:DIRECTED]->(TheCrookedIsland)

CREATE (ThePaperOrchard:Movie {title: 'The Paper Orchard', released: 1997, tagline: 'One night, two liars'})
CREATE (SvenJanko:Person {name: 'Sven Janko', born: 1962})
CREATE
  (SvenJanko)-[:ACTED_IN {roles: ['Sister Agnes']}]->(ThePaperOrchard),
  (BramKeller)-[:ACTED_IN {roles: ['The Stranger']}]->(ThePaperOrchard),
  (CleoMoreau)-[:ACTED_IN {roles: ['Felix']}]->(ThePaperOrchard),
  (OrlaKeller)-[:ACTED_IN {roles: ['Mr. Pike']}]->(ThePaperOrchard),
  (RosaEngel)-[:DIRECTED]->(ThePaperOrchard),
  (BramBrandt)-[:PRODUCED]->(ThePaperOrchard),
  (BramBrandt)-[:WROTE]->(ThePaperOrchard)

CREATE (TheBurningRiver:Movie {title: 'The Burning River', released: 1984, tagline: 'It\'s later than you think'})
CREATE (PavelIbsen:Person {name: 'Pavel Ibsen', born: 1969})
CREATE (CleoFalk:Person {name: 'Cleo Falk', born: 1992})
CREATE
  (TildaLund)-[:ACTED_IN {roles: ['The Widow']}]->(TheBurningRiver),
  (PavelIbsen)-[:ACTED_IN {roles: ['Viktor']}]->(TheBurningRiver),
  (TildaAbel)-[:ACTED_IN {roles: ['Anna']}]->(TheBurningRiver),
  (NilsAbel)-[:ACTED_IN {roles: ['Lena', 'The Captain']}]->(TheBurningRiver),
  (InesEngel)-[:DIRECTED]->(TheBurningRiver),
  (CleoFalk)-[:PRODUCED]->(TheBurningRiver),
  (InesEngel)-[:WROTE]->(TheBurningRiver)

CREATE (TheBurningIsland:Movie {title: 'The Burning Island', released: 1976, tagline: 'One night, two liars'})
CREATE (InesHolm:Person {name: 'Ines Holm'})
CREATE
  (GretaBrandt)-[:ACTED_IN {roles: ['Felix']}]->(TheBurningIsland),
  (InesHolm)-[:ACTED_IN {roles: ['Ivo']}]->(TheBurningIsland),
  (InesIbsen)-[:ACTED_IN {roles: ['Dr. Wells', 'Old Tom']}]->(TheBurningIsland),
  (JonasJanko)-[:ACTED_IN {roles: ['Anna']}]->(TheBurningIsland),
  (GretaKeller)-[:ACTED_IN {roles: ['The Widow']}]->(TheBurningIsland),
  (HugoDahl)-[:DIRECTED]->(TheBurningIsland)

CREATE (TheHiddenHarbour:Movie {title: 'The Hidden Harbour', released: 2009, tagline: 'One night, two liars'})
CREATE
  (InesAbel)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheHiddenHarbour),
  (PavelIbsen)-[:ACTED_IN {roles: ['Ivo']}]->(TheHiddenHarbour),
  (EddaIbsen)-[:ACTED_IN {roles: ['Sister Agnes']}]->(TheHiddenHarbour),
  (GretaBrandt)-[:ACTED_IN {roles: ['Mr. Pike']}]->(TheHiddenHarbour),
  (InesHolm)-[:ACTED_IN {roles: ['Lena', 'Old Tom']}]->(TheHiddenHarbour),
  (KayaJanko)-[:DIRECTED]->(TheHiddenHarbour),
  (BramBrandt)-[:PRODUCED]->(TheHiddenHarbour)

CREATE (TheSilentClock:Movie {title: 'The Silent Clock', released: 1989, tagline: 'Every road ends here'})
CREATE
  (JonasGrimm)-[:ACTED_IN {roles: ['Ivo']}]->(TheSilentClock),
  (BramBrandt)-[:ACTED_IN {roles: ['The Stranger']}]->(TheSilentClock),
  (GretaKeller)-[:ACTED_IN {roles: ['Mr. Pike']}]->(TheSilentClock),
  (JonasJanko)-[:ACTED_IN {roles: ['Viktor']}]->(TheSilentClock),
  (JonasGrimm)-[:DIRECTED]->(TheSilentClock)

CREATE (TheCrookedRiver:Movie {title: 'The Crooked River', released: 2006, tagline: 'She counted the days'})
CREATE (OrlaEngel:Person {name: 'Orla Engel', born: 1949})
CREATE
  (EddaIbsen)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheCrookedRiver),
  (GretaKeller)-[:ACTED_IN {roles: ['The Widow']}]->(TheCrookedRiver),
  (BramKeller)-[:ACTED_IN {roles: ['Sister Agnes']}]->(TheCrookedRiver),
  (TildaAbel)-[:ACTED_IN {roles: ['Mr. Pike', 'Viktor']}]->(TheCrookedRiver),
  (OrlaEngel)-[:ACTED_IN {roles: ['The Captain', 'Old Tom']}]->(TheCrookedRiver),
  (EddaIbsen)-[:DIRECTED]->(TheCrookedRiver),
  (InesKeller)-[:PRODUCED]->(TheCrookedRiver),
  (EddaIbsen)-[:WROTE]->(TheCrookedRiver)

CREATE (TheLastWinter:Movie {title: 'The Last Winter', released: 2009, tagline: 'It\'s later than you think'})
CREATE (NilsFalk:Person {name: 'Nils Falk', born: 1976})
CREATE
  (CleoIbsen)-[:ACTED_IN {roles: ['Viktor']}]->(TheLastWinter),
  (NilsFalk)-[:ACTED_IN {roles: ['Felix']}]->(TheLastWinter),
  (SvenEngel)-[:ACTED_IN {roles: ['Viktor']}]->(TheLastWinter),
  (HugoKeller)-[:ACTED_IN {roles: ['The Stranger']}]->(TheLastWinter),
  (BramLund)-[:ACTED_IN {roles: ['The Stranger']}]->(TheLastWinter),
  (LarsDahl)-[:ACTED_IN {roles: ['Ivo']}]->(TheLastWinter),
  (GretaMoreau)-[:DIRECTED]->(TheLastWinter)

CREATE (TheSilentLetter:Movie {title: 'The Silent Letter', released: 2010, tagline: 'She counted the days'})
CREATE
  (CleoMoreau)-[:ACTED_IN {roles: ['The Stranger']}]->(TheSilentLetter),
  (SvenEngel)-[:ACTED_IN {roles: ['Sister Agnes', 'Felix']}]->(TheSilentLetter),
  (AdaHolm)-[:ACTED_IN {roles: ['The Captain']}]->(TheSilentLetter),
  (InesHolm)-[:ACTED_IN {roles: ['Viktor']}]->(TheSilentLetter),
  (CleoMoreau)-[:DIRECTED]->(TheSilentLetter),
  (CleoMoreau)-[:WROTE]->(TheSilentLetter)

CREATE (TheLastRiver:Movie {title: 'The Last River', released: 1977, tagline: 'It\'s later than you think'})
CREATE (InesFalk:Person {name: 'Ines Falk', born: 1931})
CREATE
  (QuinnAbel)-[:ACTED_IN {roles: ['Inspector Moss']}]->(TheLastRiver),
  (InesFalk)-[:ACTED_IN {roles: ['Nurse Ruth']}]->(TheLastRiver),
  (TildaAbel)-[:ACTED_IN {roles: ['The Captain']}]->(TheLastRiver),
  (TildaJanko)-[:DIRECTED]->(TheLastRiver)

CREATE (TheNorthernHarbour:Movie {title: 'The Northern Harbour', released: 2005, tagline: 'One night, two liars'})
CREATE (MilaKeller:Person {name: 'Mila Keller', born: 1941})
CREATE
  (BramGrimm)-[:ACTED_IN {roles: ['Mr. Pike', 'Viktor']}]->(TheNorthernHarbour),
  (MilaKeller)-[:ACTED_IN {roles: ['Dr. Wells']}]->(TheNorthernHarbour),
  (AdaAbel)-[:ACTED_IN {roles: ['Inspector Moss']}]->(TheNorthernHarbour),
  (NilsCorelli)-[:ACTED_IN {roles: ['Mr. Pike']}]->(TheNorthernHarbour),
  (SvenLund)-[:DIRECTED]->(TheNorthernHarbour),
  (BramBrandt)-[:PRODUCED]->(TheNorthernHarbour),
  (SvenLund)-[:WROTE]->(TheNorthernHarbour)

CREATE (UmaFrost:Person {name: 'Uma Frost'})
CREATE (BenAshe:Person {name: 'Ben Ashe'})
CREATE (LioMarsh:Person {name: 'Lio Marsh'})
CREATE
  (UmaFrost)-[:FOLLOWS]->(BenAshe),
  (BenAshe)-[:FOLLOWS]->(LioMarsh)
CREATE
  (UmaFrost)-[:REVIEWED {summary: 'Slow but fine', rating: 65}]->(TheGoldenRiver),
  (UmaFrost)-[:REVIEWED {summary: 'It holds up', rating: 92}]->(TheSilentRiver),
  (UmaFrost)-[:REVIEWED {summary: 'Slow but fine', rating: 80}]->(TheBrokenLetter),
  (UmaFrost)-[:REVIEWED {summary: 'Slow but fine', rating: 100}]->(TheNorthernHarbour),
  (UmaFrost)-[:REVIEWED {summary: 'A mess', rating: 75}]->(TheSilentGarden),
  (BenAshe)-[:REVIEWED {summary: 'A mess', rating: 75}]->(TheLastMirror),
  (BenAshe)-[:REVIEWED {summary: 'A mess', rating: 35}]->(TheSilentRiver),
  (BenAshe)-[:REVIEWED {summary: 'Slow but fine', rating: 60}]->(TheBrokenIsland),
  (BenAshe)-[:REVIEWED {summary: 'Slow but fine', rating: 65}]->(TheLastWinter),
  (BenAshe)-[:REVIEWED {summary: 'Slow but fine', rating: 85}]->(TheSilentLetter),
  (LioMarsh)-[:REVIEWED {summary: 'A mess', rating: 92}]->(TheLastRiver),
  (LioMarsh)-[:REVIEWED {summary: 'A mess', rating: 45}]->(TheLastIsland),
  (LioMarsh)-[:REVIEWED {summary: '"Great", they said', rating: 85}]->(TheSilentGarden),
  (LioMarsh)-[:REVIEWED {summary: 'Slow but fine', rating: 75}]->(TheCrookedHarbour),
  (LioMarsh)-[:REVIEWED {summary: 'It holds up', rating: 60}]->(ThePaperRiver)

WITH TheBrokenRiver AS m
MATCH (p:Person)-[:ACTED_IN]->(m)<-[:DIRECTED]-(d) RETURN p, m, d LIMIT 10;
