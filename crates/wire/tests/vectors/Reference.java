import java.io.*; import java.math.*; import java.nio.*; import java.time.*; import java.util.*;
import org.apache.tinkerpop.gremlin.process.traversal.*;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.*;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.*;
import org.apache.tinkerpop.gremlin.process.remote.traversal.*;
import org.apache.tinkerpop.gremlin.structure.*;
import org.apache.tinkerpop.gremlin.structure.io.graphson.*;
import org.apache.tinkerpop.gremlin.structure.io.binary.*;
import org.apache.tinkerpop.gremlin.structure.util.detached.*;
import org.apache.tinkerpop.gremlin.structure.util.reference.*;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.*;
import org.apache.tinkerpop.gremlin.util.ser.*;
import org.apache.tinkerpop.gremlin.util.message.*;
import io.netty.buffer.*;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.*;

/** Writes what TinkerPop's own serializers make of values, elements and instructions: lines of format, name and text.
 *
 *  With gremlin-util and tinkergraph-gremlin 3.8.1 and what they need on the class path:
 *      javac Reference.java && java Reference reference.tsv
 *  Each line is a case of FORMAT-reference.md. Tests read those files only, and need no Java. */
public class Reference {
  static Map<String,Object> all() throws Exception {
    Map<String,Object> m = new LinkedHashMap<>();
    TinkerGraph graph = TinkerFactory.createModern();
    TinkerGraph crew = TinkerFactory.createTheCrew();
    GraphTraversalSource g = graph.traversal();
    m.put("float", 0.5f); m.put("instant", Instant.ofEpochSecond(5, 7));
    m.put("local date", LocalDate.of(2024,2,29)); m.put("local date and time", LocalDateTime.of(2024,2,29,12,30,15,500000000));
    m.put("local time", LocalTime.of(12,30,45)); m.put("moment with an offset", OffsetDateTime.of(2024,2,29,12,30,15,1000,ZoneOffset.ofHoursMinutes(5,30)));
    m.put("time with an offset", OffsetTime.of(12,30,0,0,ZoneOffset.ofHours(-1))); m.put("period", Period.of(1,6,15));
    m.put("zoned", ZonedDateTime.of(2024,2,29,12,30,0,0,ZoneId.of("Europe/Berlin")));
    m.put("duration below zero", Duration.ofMillis(-500)); m.put("duration", Duration.ofDays(5));
    m.put("big integer", new BigInteger("123456789987654321123456789987654321"));
    m.put("big decimal", new BigDecimal("123.45")); m.put("bytes", ByteBuffer.wrap(new byte[]{0,-1,16}));
    m.put("char", 'x'); m.put("class", Integer.class); m.put("timestamp", new java.sql.Timestamp(5));
    m.put("year", Year.of(2016)); m.put("month and day", MonthDay.of(1,2));
    m.put("a vertex with properties", DetachedFactory.detach(graph.vertices(1).next(), true));
    m.put("a vertex of the crew", DetachedFactory.detach(crew.vertices(1).next(), true));
    m.put("a vertex as a reference", ReferenceFactory.detach(graph.vertices(1).next()));
    m.put("an edge with properties", DetachedFactory.detach(graph.edges(7).next(), true));
    m.put("a vertex property", DetachedFactory.detach(crew.vertices(1).next().properties("location").next(), true));
    m.put("a property", DetachedFactory.detach(graph.edges(7).next().property("weight")));
    m.put("a path", DetachedFactory.detach(g.V(1).as("a").out("created").as("b","c").path().next(), false));
    m.put("a tree", g.V(1).out().values("name").tree().next());
    BulkSet<Object> bulk = new BulkSet<>(); bulk.add("a", 3); bulk.add(1L, 1); m.put("a bulk set", bulk);
    m.put("a traverser", new DefaultRemoteTraverser<>("a", 7));
    m.put("predicate and of three", P.gt(0).and(P.lt(10)).and(P.neq(5))); m.put("predicate between", P.between(1, 5));
    m.put("predicate within", P.within("a","b")); m.put("predicate not", P.not(P.within("a")));
    m.put("predicate outside", P.outside(1, 5)); m.put("predicate equal to a list", P.eq(Arrays.asList(1,2)));
    m.put("predicate of text and", TextP.startingWith("m").and(TextP.notContaining("x")));
    m.put("bytecode", g.with("x", 1).V().has("age", P.gt(27)).repeat(out()).times(2).order().by("name", Order.desc).by(T.id).asAdmin().getBytecode());
    m.put("merge", g.mergeV(new LinkedHashMap<>(Map.of(T.label, "a"))).option(Merge.onMatch, new LinkedHashMap<>(Map.of("a", VertexProperty.Cardinality.set("x")))).asAdmin().getBytecode());
    m.put("element map of an edge", g.E(7).elementMap().next());
    m.put("a group by vertices", g.V(1).groupCount().next());
    m.put("a subgraph", g.E(7).subgraph("s").cap("s").next());
    return m;
  }
  static String hex(byte[] b) { StringBuilder s = new StringBuilder(); for (byte x : b) s.append(String.format("%02x", x)); return s.toString(); }
  public static void main(String[] a) throws Exception {
    GraphBinaryWriter w = new GraphBinaryWriter(TypeSerializerRegistry.build().addRegistry(org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerIoRegistryV3.instance()).create());
    GraphSONMapper v3 = GraphSONMapper.build().version(GraphSONVersion.V3_0).addRegistry(TinkerIoRegistryV3.instance()).addCustomModule(GraphSONXModuleV3.build()).create();
    GraphSONMapper v2 = GraphSONMapper.build().version(GraphSONVersion.V2_0).typeInfo(TypeInfo.PARTIAL_TYPES).addRegistry(TinkerIoRegistryV2.instance()).addCustomModule(GraphSONXModuleV2.build()).create();
    GraphSONMapper un = GraphSONMapper.build().version(GraphSONVersion.V3_0).typeInfo(TypeInfo.NO_TYPES).addRegistry(TinkerIoRegistryV3.instance()).create();
    PrintStream out = new PrintStream(new FileOutputStream(a[0]), true, "UTF-8");
    for (Map.Entry<String,Object> e : all().entrySet()) {
      try { io.netty.buffer.ByteBuf nb = Unpooled.buffer(); NettyBufferFactory nf = new NettyBufferFactory(); w.write(e.getValue(), nf.create(nb)); byte[] b = new byte[nb.readableBytes()]; nb.readBytes(b); out.println("graphbinary\t"+e.getKey()+"\t"+hex(b)); } catch (Exception x) { System.err.println("graphbinary "+e.getKey()+": "+x); }
      for (Object[] p : new Object[][]{{"graphson3",v3},{"graphson2",v2},{"untyped",un}}) try { out.println(p[0]+"\t"+e.getKey()+"\t"+((GraphSONMapper)p[1]).createMapper().writeValueAsString(e.getValue())); } catch (Exception x) { System.err.println(p[0]+" "+e.getKey()+": "+x.getMessage()); }
    }
  }
}
