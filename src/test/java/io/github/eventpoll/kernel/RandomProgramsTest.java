package io.github.eventpoll.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs drawn by lot: what nobody thought of writing down. Every run draws fresh ones and prints
 * the first seed; {@code -Dkernel.seed=N} begins there, {@code -Dkernel.programs=N} compares so
 * many, {@code -Dkernel.minutes=N} as many as there is time for.
 */
@Tag("kernel")
class RandomProgramsTest {
  private static final String CORPUS = "/io/github/eventpoll/kernel/corpus.txt";
  private static final int MINUTES = Integer.getInteger("kernel.minutes", 0);
  private static final int PROGRAMS =
      Integer.getInteger("kernel.programs", MINUTES == 0 ? 5_000 : Integer.MAX_VALUE);

  /** Fresh seeds are positive and leave room for what comes after them. */
  private static final long FIRST =
      Long.getLong("kernel.seed", System.nanoTime() >>> 20 << 20 & Long.MAX_VALUE);

  @BeforeEach
  void onLinux() {
    Comparison.requireLinux();
  }

  @Test
  void freshOnes() {
    System.out.println("random programs beside the kernel from seed " + FIRST);
    Campaign campaign = new Campaign(FIRST);
    campaign.run(goOn(campaign));
    System.out.println(campaign.summary());
    assertThat(campaign.differences()).as("unexplained differences").isEmpty();
  }

  private static BooleanSupplier goOn(Campaign campaign) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    return () -> campaign.programs() < PROGRAMS && (MINUTES == 0 || System.nanoTime() - end < 0);
  }

  /** Everything that ever differed, with polls of every make. */
  @Test
  void theCorpus() throws IOException {
    List<String> lines = corpus();
    assertThat(lines).isNotEmpty();
    for (String line : lines) {
      Script script = script(line);
      Trial trial = new Trial(script);
      for (Variant variant : Variant.ALL) {
        assertThat(trial.differs(variant)).as("%s with %s polls", line, variant).isFalse();
      }
    }
  }

  /** A seed, while the generator draws what it drew, or the operations. */
  private static Script script(String line) {
    return line.startsWith("seed ")
        ? Draw.script(Long.parseLong(line.substring(5).trim()))
        : Script.parse(line);
  }

  private static List<String> corpus() throws IOException {
    List<String> lines = new ArrayList<>();
    InputStream file = RandomProgramsTest.class.getResourceAsStream(CORPUS);
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          lines.add(line);
        }
      }
    }
    return lines;
  }
}
