// Writes what JanusGraph's classes `Text` and `Geo` answer, for random values, as tables beside this file.
//
//     mvn dependency:copy-dependencies    # of org.janusgraph:janusgraph-driver:1.1.0
//     java -cp 'target/dependency/*' Reference.java
//
// Tests read the tables only, and need neither Java nor the jars.

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Random;
import org.janusgraph.core.attribute.Geo;
import org.janusgraph.core.attribute.Geoshape;
import org.janusgraph.core.attribute.Text;

public class Reference {
    static final String[] PIECES = {
        "a", "b", "ab", "hop", "surprises", "Full", "ful", "İ", "Σ", "ς", "σ", "é", "ß", "𝒳", "٣", "7", "x1", "_", "²",
        "Ⅷ", "\u0301", "\u0307", "ǅ", "ſ", "K", "東京", "ﬁ", " ", " ", " ", ".", ",", "'", "-", "\t", "\u00a0", "\u3000",
        "\u2003", "\u200b", "\u0000", "\u001f"};
    static final String[] PATTERNS = {
        "fu[ln]*", ".*", ".+", "a|ab", "\\w+", "\\d+", "\\p{L}+", "[^a]*", "hop.?", "(?i)FULL", "[a-z]{2,3}", "ful?l?",
        "^hop$", "a.b", "\\s*", "surpri[sz]es", "(a|b)+", "h.p", ".*s", "[a-z&&[^b]]+", "\\Qab\\E", "x\\d"};

    static String text(Random random, int most) {
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(most + 1); 0 < count; count--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    // Texts like one another, so that edits and words meet.
    static String near(Random random, String text) {
        StringBuilder near = new StringBuilder(text.codePoints().limit(24).collect(
            StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append));
        for (int count = random.nextInt(4); 0 < count && 0 < near.length(); count--) {
            int at = near.offsetByCodePoints(0, random.nextInt(near.codePointCount(0, near.length())));
            int end = at + Character.charCount(near.codePointAt(at));
            switch (random.nextInt(3)) {
                case 0 -> near.delete(at, end);
                case 1 -> near.insert(at, "b");
                default -> near.replace(at, end, "c");
            }
        }
        return near.toString();
    }

    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            boolean isPlain = ' ' < c && c < 127 && c != '\\' || c == ' ';
            escaped.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return escaped.toString();
    }

    static void texts() throws Exception {
        Random random = new Random(20261128);
        Text[] tests = {
            Text.CONTAINS, Text.CONTAINS_PREFIX, Text.CONTAINS_FUZZY, Text.CONTAINS_PHRASE, Text.PREFIX, Text.FUZZY,
            Text.CONTAINS_REGEX, Text.REGEX};
        try (PrintWriter out = new PrintWriter("texts.tsv", "UTF-8")) {
            int[][] counts = new int[tests.length][2];
            while (true) {
                int number = random.nextInt(tests.length);
                boolean isPattern = 6 <= number;
                String value = text(random, 7);
                String condition = isPattern ? PATTERNS[random.nextInt(PATTERNS.length)]
                    : random.nextInt(2) == 0 ? text(random, 3) : near(random, value);
                String answer;
                int row = 0;
                try {
                    boolean passes = tests[number].test(value, condition);
                    answer = String.valueOf(passes);
                    row = passes ? 1 : 0;
                } catch (IllegalArgumentException refused) {
                    answer = "refused";
                }
                // As many that pass as fail.
                if (90 <= counts[number][row]) {
                    boolean isFull = true;
                    for (int[] count : counts) {
                        isFull &= 90 <= count[0] && 90 <= count[1];
                    }
                    if (isFull) {
                        return;
                    }
                    continue;
                }
                counts[number][row]++;
                out.printf("%s\t%s\t%s\t%s%n", tests[number], escaped(value), escaped(condition), answer);
            }
        }
    }

    static double latitude(Random random) {
        double[] some = {-90, 90, 0, 50, 50.5};
        return random.nextInt(2) == 0 ? some[random.nextInt(some.length)] : random.nextInt(18001) / 100.0 - 90;
    }

    static double longitude(Random random) {
        double[] some = {-180, 180, 179.5, -179.5, 0, 14, 14.5};
        return random.nextInt(2) == 0 ? some[random.nextInt(some.length)] : random.nextInt(36001) / 100.0 - 180;
    }

    static void points() throws Exception {
        Random random = new Random(20261129);
        double[] radii = {0.5, 10, 55.6, 55.7, 111.2, 500, 5000, 10007.5, 15000, 20015};
        Geo[] tests = {Geo.WITHIN, Geo.INTERSECT, Geo.DISJOINT, Geo.CONTAINS};
        try (PrintWriter out = new PrintWriter("points.tsv", "UTF-8")) {
            for (int number = 0; number < 900; number++) {
                double[] own = {latitude(random), longitude(random)};
                double[] numbers;
                Geoshape shape;
                switch (random.nextInt(3)) {
                    case 0 -> {
                        numbers = random.nextInt(2) == 0 ? own : new double[] {latitude(random), longitude(random)};
                        shape = Geoshape.point(numbers[0], numbers[1]);
                    }
                    case 1 -> {
                        numbers = new double[] {
                            latitude(random), longitude(random), radii[random.nextInt(radii.length)]};
                        shape = Geoshape.circle(numbers[0], numbers[1], numbers[2]);
                    }
                    default -> {
                        double one = latitude(random), other = latitude(random);
                        numbers = new double[] {
                            Math.min(one, other), longitude(random), Math.max(one, other), longitude(random)};
                        shape = Geoshape.box(numbers[0], numbers[1], numbers[2], numbers[3]);
                    }
                }
                StringBuilder line = new StringBuilder(own[0] + " " + own[1] + "\t");
                for (double part : numbers) {
                    line.append(part).append(' ');
                }
                for (Geo test : tests) {
                    line.append('\t').append(test.test(Geoshape.point(own[0], own[1]), shape));
                }
                out.println(line);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ROOT);
        texts();
        points();
    }
}
