// Spring Data Neo4j as its users run it: it ends with 1 at the first answer that is wrong.
//
// Usage: demo.Main HOST:PORT. Each dialect that its users set for Neo4j 5 is tried, and the usual one.

package demo;

import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.neo4j.cypherdsl.core.renderer.Configuration;
import org.neo4j.cypherdsl.core.renderer.Dialect;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.ExampleMatcher;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.neo4j.core.Neo4jClient;
import org.springframework.data.neo4j.core.Neo4jTemplate;
import org.springframework.data.neo4j.core.schema.CompositeProperty;
import org.springframework.data.neo4j.core.schema.DynamicLabels;
import org.springframework.data.neo4j.core.schema.GeneratedValue;
import org.springframework.data.neo4j.core.schema.Id;
import org.springframework.data.neo4j.core.schema.Node;
import org.springframework.data.neo4j.core.schema.Property;
import org.springframework.data.neo4j.core.schema.Relationship;
import org.springframework.data.neo4j.core.schema.RelationshipId;
import org.springframework.data.neo4j.core.schema.RelationshipProperties;
import org.springframework.data.neo4j.core.schema.TargetNode;
import org.springframework.data.neo4j.repository.Neo4jRepository;
import org.springframework.data.neo4j.repository.config.EnableNeo4jRepositories;
import org.springframework.data.neo4j.repository.query.Query;
import org.springframework.data.repository.query.Param;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootApplication
@EnableNeo4jRepositories(considerNestedRepositories = true)
public class Main {
    @Node("Person")
    public static class Person {
        @Id @GeneratedValue public Long id;
        @Version public Long version;
        public String name;
        public Integer born;
        public LocalDate birthday;
        public ZonedDateTime seen;
        public List<String> tags = new ArrayList<>();
        @DynamicLabels public Set<String> labels = new HashSet<>();
        @CompositeProperty public Map<String, String> attributes = new HashMap<>();
        @Relationship(type = "KNOWS") public List<Person> friends = new ArrayList<>();

        public Person() {}

        public Person(String name, int born) {
            this.name = name;
            this.born = born;
            this.birthday = LocalDate.of(born, 1, 2);
            this.seen = ZonedDateTime.of(2024, 1, 2, 3, 4, 5, 0, ZoneId.of("Europe/Berlin"));
        }
    }

    @RelationshipProperties
    public static class Role {
        @RelationshipId public String id;
        public List<String> roles;
        @TargetNode public Person person;

        public Role() {}

        public Role(Person person, String... roles) {
            this.person = person;
            this.roles = List.of(roles);
        }
    }

    @Node("Movie")
    public static class Movie {
        @Id public String title;
        @Version public Long version;
        @Property("tagline") public String description;
        public Integer released;
        @Relationship(type = "ACTED_IN", direction = Relationship.Direction.INCOMING)
        public List<Role> actors = new ArrayList<>();
        @Relationship(type = "DIRECTED", direction = Relationship.Direction.INCOMING)
        public List<Person> directors = new ArrayList<>();

        public Movie() {}

        public Movie(String title, int released) {
            this.title = title;
            this.released = released;
        }
    }

    @Node("Thing")
    public static class Thing {
        @Id @GeneratedValue(GeneratedValue.UUIDGenerator.class) public UUID id;
        public String label;

        public Thing() {}

        public Thing(String label) {
            this.label = label;
        }
    }

    public interface NameOnly {
        String getName();
    }

    public interface People extends Neo4jRepository<Person, Long> {
        Optional<Person> findByName(String name);

        List<Person> findByNameContainingIgnoreCaseOrderByBornDesc(String part);

        Page<Person> findByBornBetween(int from, int to, Pageable page);

        Slice<Person> findAllByBornLessThan(int born, Pageable page);

        Stream<Person> findAllByTagsContains(String tag);

        List<Person> findByFriendsName(String name);

        List<NameOnly> findByBornIn(Collection<Integer> years);

        long countByBornGreaterThan(int born);

        boolean existsByName(String name);

        void deleteByName(String name);

        @Query("MATCH (p:Person)-[:KNOWS*1..3]->(q:Person) WHERE p.name = $name RETURN DISTINCT q")
        List<Person> reach(@Param("name") String name);

        @Query(
            value = "MATCH (p:Person) RETURN p :#{orderBy(#pageable)} SKIP $skip LIMIT $limit",
            countQuery = "MATCH (p:Person) RETURN count(p)")
        Page<Person> paged(@Param("pageable") Pageable pageable);
    }

    public interface Movies extends Neo4jRepository<Movie, String> {
        List<Movie> findByActorsPersonName(String name);

        @Query("MATCH (m:Movie)<-[r:ACTED_IN]-(p:Person) WHERE m.title = $title RETURN m, collect(r), collect(p)")
        Movie whole(@Param("title") String title);
    }

    public interface Things extends Neo4jRepository<Thing, UUID> {}

    @Bean
    Configuration rendering(@Value("${dialect}") String dialect) {
        return Configuration.newConfig().withDialect(Dialect.valueOf(dialect)).build();
    }

    interface Question {
        Object ask() throws Exception;
    }

    static void check(String name, Object wanted, Question question) throws Exception {
        Object found = question.ask();
        if (!Objects.equals(String.valueOf(wanted), String.valueOf(found))) {
            throw new AssertionError(name + ": " + wanted + " was expected, not " + found);
        }
    }

    static List<String> names(Collection<Person> people) {
        return people.stream().map(person -> person.name).toList();
    }

    public static void main(String[] arguments) throws Exception {
        for (String dialect : List.of("NEO4J_4", "NEO4J_5", "NEO4J_5_26")) {
            try (var context = SpringApplication.run(Main.class,
                    "--spring.neo4j.uri=neo4j://" + arguments[0],
                    "--spring.main.banner-mode=off", "--logging.level.root=ERROR", "--dialect=" + dialect)) {
                ask(context.getBean(People.class), context.getBean(Movies.class));
                others(context.getBean(Things.class),
                        context.getBean(Neo4jTemplate.class), context.getBean(Neo4jClient.class),
                        context.getBean(People.class), context.getBean(PlatformTransactionManager.class));
            } catch (Throwable wrong) {
                System.err.println("dialect " + dialect);
                wrong.printStackTrace();
                System.exit(1);
            }
        }
        System.out.println("spring-data-neo4j " + Neo4jTemplate.class.getPackage().getImplementationVersion());
        System.exit(0);
    }

    static void ask(People people, Movies movies) throws Exception {
        movies.deleteAll();
        people.deleteAll();
        Person ann = new Person("Ann", 1970), bob = new Person("Bob", 1980), cid = new Person("Cid", 1990);
        ann.friends.add(bob);
        bob.friends.add(cid);
        cid.friends.add(ann);
        ann.tags.add("x");
        ann.labels.add("Admin");
        ann.attributes.put("color", "red");
        people.save(ann);
        check("a cycle is saved", 3, people::count);
        Person found = people.findByName("Ann").get();
        check("values", "1970-01-02 2024-01-02T03:04:05+01:00[Europe/Berlin] [x] [Admin] {color=red}", () ->
                found.birthday + " " + found.seen + " " + found.tags + " " + found.labels + " " + found.attributes);
        check("the cycle", true, () -> found.friends.get(0).friends.get(0).friends.get(0) == found);
        check("containing", "[Cid, Bob]", () -> {
            bob.friends.get(0);
            return Stream.of("C", "o").flatMap(part ->
                    names(people.findByNameContainingIgnoreCaseOrderByBornDesc(part)).stream()).toList();
        });
        check("a page", "[Ann] 3", () -> {
            var page = people.findByBornBetween(1900, 2000, PageRequest.of(0, 1, Sort.by("name")));
            return names(page.getContent()) + " " + page.getTotalElements();
        });
        check("a page of a query", "[Cid, Bob] 3", () -> {
            var page = people.paged(PageRequest.of(0, 2, Sort.by(Sort.Direction.DESC, "p.name")));
            return names(page.getContent()) + " " + page.getTotalElements();
        });
        check("a slice", true, () -> people.findAllByBornLessThan(2000, PageRequest.of(0, 2)).hasNext());
        check("a count", 2, () -> people.countByBornGreaterThan(1975));
        check("exists", true, () -> people.existsByName("Bob"));
        check("by a friend", "[Ann]", () -> names(people.findByFriendsName("Bob")));
        check("a projection", "[Bob, Cid]", () ->
                people.findByBornIn(List.of(1980, 1990)).stream().map(NameOnly::getName).sorted().toList());
        check("paths", "[Ann, Bob, Cid]", () -> names(people.reach("Ann")).stream().sorted().toList());
        check("by example", "[Bob]", () -> {
            Person probe = new Person();
            probe.name = "Bob";
            probe.labels = null;
            probe.tags = null;
            probe.friends = null;
            probe.attributes = null;
            return names(people.findAll(Example.of(probe, ExampleMatcher.matching().withIgnoreNullValues())));
        });
        check("an update", "1971 1", () -> {
            Person before = people.findByName("Ann").get();
            before.born = 1971;
            long version = before.version;
            people.save(before);
            Person after = people.findByName("Ann").get();
            return after.born + " " + (after.version - version);
        });
        check("a stale update", "refused", () -> {
            Person one = people.findByName("Ann").get(), other = people.findByName("Ann").get();
            people.save(one);
            try {
                people.save(other);
                return "written";
            } catch (OptimisticLockingFailureException expected) {
                return "refused";
            }
        });
        Movie matrix = new Movie("The Matrix", 1999);
        matrix.description = "Welcome";
        matrix.actors.add(new Role(people.findByName("Ann").get(), "Neo"));
        matrix.directors.add(people.findByName("Bob").get());
        movies.save(matrix);
        check("a relationship with properties", "[Neo] Ann", () -> {
            Role role = movies.findById("The Matrix").get().actors.get(0);
            return role.roles + " " + role.person.name;
        });
        check("by an actor", 1, () -> movies.findByActorsPersonName("Ann").size());
        check("a query with lists", "1 Welcome", () -> {
            Movie whole = movies.whole("The Matrix");
            return whole.actors.size() + " " + whole.description;
        });
        movies.saveAll(IntStream.range(0, 100).mapToObj(i -> new Movie("M" + i, 2000 + i)).toList());
        check("many", 101, movies::count);
        check("by ids", 2, () -> movies.findAllById(List.of("M1", "M2", "none")).size());
        check("sorted", "[The Matrix, M0]", () -> movies.findAll(PageRequest.of(0, 2, Sort.by("released")))
                .getContent().stream().map(movie -> movie.title).toList());
        check("a relationship is removed", 0, () -> {
            Movie again = movies.findById("The Matrix").get();
            again.directors.clear();
            movies.save(again);
            return movies.findById("The Matrix").get().directors.size();
        });
    }

    static void others(Things things, Neo4jTemplate template, Neo4jClient client, People people,
            PlatformTransactionManager manager) throws Exception {
        things.deleteAll();
        var transaction = new TransactionTemplate(manager);
        check("an id made by the client", "Near", () -> things.findById(things.save(new Thing("Near")).id).get().label);
        check("a stream", "[Ann]", () -> transaction.execute(status -> {
            try (var stream = people.findAllByTagsContains("x")) {
                return names(stream.toList());
            }
        }));
        check("a rollback", 3, () -> {
            transaction.executeWithoutResult(status -> {
                people.save(new Person("Zed", 1));
                status.setRollbackOnly();
            });
            return people.count();
        });
        check("by the template", "[Ann]", () -> names(template.findAll(
                "MATCH (p:Person {name: $name}) RETURN p", Map.of("name", "Ann"), Person.class)));
        check("by the client", "[1971, 1980, 1990]", () -> client.query(
                "MATCH (p:Person) RETURN p.born AS born ORDER BY born").fetchAs(Long.class).all());
        check("counters", 1, () -> client.query("CREATE (:Temporary)").run().counters().nodesCreated());
        client.query("CREATE CONSTRAINT IF NOT EXISTS FOR (t:Thing) REQUIRE t.label IS UNIQUE").run();
        check("a constraint", "refused", () -> {
            try {
                things.save(new Thing("Near"));
                return "written";
            } catch (DataIntegrityViolationException expected) {
                return "refused";
            }
        });
        things.deleteAll();
        check("deleted by name", 2, () -> {
            transaction.executeWithoutResult(status -> people.deleteByName("Cid"));
            return people.count();
        });
        check("deleted by id", 1, () -> {
            people.deleteById(people.findByName("Bob").get().id);
            return people.count();
        });
    }
}
