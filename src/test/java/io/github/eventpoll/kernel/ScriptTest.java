package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.ET;
import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.Events.OUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Events;
import io.github.eventpoll.kernel.Op.Code;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that are data: drawn, written, cut short and printed; needs no kernel to compare with.
 */
class ScriptTest {
  private static final int SEEDS = 300;

  @Test
  void aSeedIsAProgram() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      Script script = Draw.script(seed);
      assertThat(script).isEqualTo(Draw.script(seed)).isNotEqualTo(Draw.script(seed + SEEDS));
      assertThat(Script.parse(script.text())).isEqualTo(script);
    }
  }

  /** What is legal stays so, and whatever is left out, the rest can be played. */
  @Test
  void everyPartOfAProgramIsAProgram() {
    Random random = new Random(1);
    for (int seed = 1; seed <= SEEDS; seed++) {
      Script whole = Draw.script(seed);
      if (whole.hasThreads()) {
        continue;
      }
      List<Op> some = new ArrayList<>(whole.ops());
      some.removeIf(op -> random.nextInt(4) == 0);
      Script part = new Script(some);
      assertThat(new Script(part.ops())).isEqualTo(part);
      long made = part.ops().stream().filter(op -> op.code().makes()).count();
      assertThat(Comparison.transcript(part, new LibraryWorld()))
          .hasSize(part.ops().size() - (int) made);
    }
  }

  @Test
  void everyShapeAndOperationIsDrawn() {
    List<Script> scripts =
        IntStream.rangeClosed(1, SEEDS * 2).mapToObj(seed -> Draw.script(seed)).toList();
    assertThat(scripts.stream().flatMap(s -> s.ops().stream()).map(Op::code))
        .contains(Code.values());
    assertThat(IntStream.rangeClosed(1, SEEDS).mapToObj(seed -> Draw.shape(seed)))
        .contains(Shape.values());
  }

  @Test
  void everyMakeOfPollsIsThere() {
    assertThat(Variant.ALL).hasSize(37).doesNotHaveDuplicates();
  }

  @Test
  void aDifferenceIsCutDownToWhatMakesIt() {
    Predicate<Script> shows = ScriptTest::writesToWhatIsWatchedForEdges;
    for (int seed = 1; seed <= SEEDS; seed++) {
      Script script = Draw.script(seed);
      if (shows.test(script)) {
        Script least = Shrinker.shrink(script, shows);
        assertThat(least.ops())
            .extracting(Op::code)
            .satisfiesExactlyInAnyOrder(
                code -> assertThat(code).isEqualTo(Code.POLL),
                code -> assertThat(code).isIn(Code.COUNTER, Code.SEMAPHORE),
                code -> assertThat(code).isEqualTo(Code.ADD),
                code -> assertThat(code).isEqualTo(Code.WRITE));
        assertThat(least.ops()).extracting(Op::mask).contains(ET).containsOnly(0, ET);
        assertThat(Shrinker.shrink(script, shows)).isEqualTo(least);
      }
    }
  }

  private static boolean writesToWhatIsWatchedForEdges(Script script) {
    return script.ops().stream()
        .filter(op -> op.code() == Code.ADD && (op.mask() & ET) != 0)
        .filter(add -> script.ops().stream().noneMatch(o -> o.code() == Code.ALIAS))
        .anyMatch(
            add ->
                script.ops().stream().anyMatch(op -> op.code() == Code.WRITE && op.a() == add.b()));
  }

  @Test
  void aProgramIsPrintedAsJava() {
    Script script =
        new Script(
            List.of(
                Op.of(Code.POLL, 1),
                Op.of(Code.COUNTER, 2, 3),
                new Op(Code.PIPE, 3, 4, 0, 0),
                new Op(Code.ADD, 1, 2, IN | ET, 0),
                new Op(Code.MODIFY, 1, 2, OUT, 1001),
                Op.of(Code.WRITE, 2, 1L << 40),
                Op.of(Code.PUT, 4, 5000),
                Op.of(Code.AWAIT, 1, 64)));
    assertThat(JavaText.of(script, Variant.ALL.get(3)))
        .isEqualTo(
            """
            compare(
                new Variant(LockKind.SPIN, true, true, Topology.GLOBAL_MUTEX),
                r -> {
                  Handle e1 = r.poll("e1");
                  Handle c2 = r.counter("c2", 3);
                  Handle[] ends3 = r.pipe("p3", "p4");
                  r.add(e1, c2, IN | ET);
                  r.modify(e1, c2, OUT, 1001);
                  r.write(c2, 1099511627776L);
                  r.put(ends3[1], 5000);
                  r.await(e1, 64);
                });
            """);
  }

  @Test
  void whatIsPrintedCompiles(@TempDir Path classes) throws Exception {
    String bodies =
        IntStream.rangeClosed(1, 60)
            .mapToObj(
                seed ->
                    "void m%d() {\n%s}\n"
                        .formatted(seed, JavaText.of(Draw.script(seed), Variant.MIXED)))
            .collect(Collectors.joining());
    String source =
        "package io.github.eventpoll.kernel;\n"
            + "import static io.github.eventpoll.Events.*;\n"
            + "import io.github.eventpoll.LockKind;\n"
            + "import io.github.eventpoll.Topology;\n"
            + "import static io.github.eventpoll.kernel.Comparison.compare;\n"
            + "class Pasted {\n"
            + bodies
            + "}\n";
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    String path = where(Comparison.class) + File.pathSeparator + where(Events.class);
    List<String> options = List.of("-proc:none", "-cp", path, "-d", classes.toString());
    boolean done =
        compiler.getTask(null, null, said, options, null, List.of(new Pasted(source))).call();
    assertThat(said.getDiagnostics()).noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR);
    assertThat(done).isTrue();
  }

  private static Path where(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** A source file in memory. */
  private static final class Pasted extends SimpleJavaFileObject {
    private final String source;

    Pasted(String source) {
      super(URI.create("string:///io/github/eventpoll/kernel/Pasted.java"), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }
}
