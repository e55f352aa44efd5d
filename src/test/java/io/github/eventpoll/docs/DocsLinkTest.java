package io.github.eventpoll.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Docs, code and stress tests name each other correctly: claims of docs/memory-ordering.md, tests
 * of docs/conformance.md, relative links.
 */
class DocsLinkTest {
  private static final String MAIN = "src/main/java/p/Sleepers.java";
  private static final String STRESS = "jcstress-tests/src/main/java/p/SleepStress.java";
  private static final String CLAIMS = "docs/memory-ordering.md";
  private static final String CONFORMANCE = "docs/conformance.md";

  @TempDir Path sample;

  @Test
  void noLinkOfThisProjectIsBroken() throws IOException {
    Path root = Path.of(System.getProperty("eventpoll.basedir", "."));
    assertThat(DocsLinks.brokenIn(root)).isEmpty();
  }

  @Test
  void acceptsACompleteSample() throws IOException {
    writeSample();
    assertThat(DocsLinks.brokenIn(sample)).isEmpty();
  }

  @Test
  void reportsARenamedMember() throws IOException {
    writeSample();
    replace(MAIN, "void enlist(", "void enroll(");
    replace(STRESS, "class Twin", "class Weak");
    assertThat(DocsLinks.brokenIn(sample))
        .containsExactly(
            "MO-WAKE-1 'Code:' names Sleepers.enlist, which does not exist",
            "MO-WAKE-1 'Refuted twin:' names SleepStress.Twin, which does not exist");
  }

  @Test
  void reportsAnIdThatOneSideDoesNotKnow() throws IOException {
    writeSample();
    replace(MAIN, "MO-WAKE-1", "MO-WAKE-2");
    assertThat(DocsLinks.brokenIn(sample))
        .containsExactly(
            "MO-WAKE-1 is cited nowhere in src/main",
            "MO-WAKE-2 is cited in src/main/java, docs/memory-ordering.md has no section for it");
  }

  @Test
  void reportsAMissingFieldAndAnUnknownPattern() throws IOException {
    writeSample();
    replace(CLAIMS, "- Rejected: a release store.\n", "");
    replace(CLAIMS, "store-load handshake", "luck");
    assertThat(DocsLinks.brokenIn(sample))
        .anyMatch(b -> b.equals("MO-WAKE-1 has no 'Rejected:'"))
        .anyMatch(b -> b.startsWith("MO-WAKE-1 rests on 'luck.'"))
        .hasSize(2);
  }

  @Test
  void aWaivedClaimNeedsNoStressTest() throws IOException {
    writeSample();
    replace(STRESS, "MO-WAKE-1", "it");
    replace(CLAIMS, "- Checked by: `SleepStress.Actual`\n", "- Waived: single-threaded.\n");
    replace(CLAIMS, "- Refuted twin: `SleepStress.Twin`\n", "");
    assertThat(DocsLinks.brokenIn(sample)).isEmpty();
  }

  @Test
  void reportsAMissingTestAndADeadLink() throws IOException {
    writeSample();
    replace(CONFORMANCE, "S1_inherited", "S1_gone");
    Files.writeString(sample.resolve("README.md"), "[a](docs/gone.md) [b](https://x.example/y)");
    assertThat(DocsLinks.brokenIn(sample))
        .containsExactly(
            "docs/conformance.md names SpinTest.S1_gone, which does not exist",
            "README.md links to docs/gone.md, which does not exist");
  }

  @Test
  void reportsAHeadingThatIsNotThere() throws IOException {
    writeSample();
    replace("README.md", "#claims", "#promises");
    assertThat(DocsLinks.brokenIn(sample))
        .containsExactly("README.md links to docs/memory-ordering.md#promises: no such heading");
  }

  private void writeSample() throws IOException {
    write(MAIN, "class Sleepers {\n  // MO-WAKE-1: x\n  void enlist(int x) { enlist(1); }\n}\n");
    write(
        STRESS,
        "/** Checks MO-WAKE-1. */ class SleepStress {\n static class Actual {}\n"
            + " static class Twin {}\n}\n");
    write(
        "src/test/java/p/SuiteTest.java", "abstract class Suite {\n @Test void S1_inherited() {}}");
    write("src/test/java/p/SpinTest.java", "final class SpinTest extends Suite {\n}");
    write(
        CLAIMS,
        """
        # Claims

        ## MO-WAKE-1: no lost wake-up
        - Statement: never both
          blind.
        - Breaks as: a thread asleep.
        - Pattern: store-load handshake.
        - Argument: (1) one. (2) two.
        - Rejected: a release store.
        - Code: `Sleepers.enlist`
        - Checked by: `SleepStress.Actual`
        - Refuted twin: `SleepStress.Twin`
        """);
    write(CONFORMANCE, "| S1 | `SpinTest.S1_inherited`, `SpinTest` |\n");
    write("README.md", "[claims](docs/memory-ordering.md#claims)\n");
  }

  private void write(String file, String text) throws IOException {
    Path path = sample.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void replace(String file, String from, String to) throws IOException {
    Path path = sample.resolve(file);
    Files.writeString(path, Files.readString(path).replace(from, to));
  }
}
