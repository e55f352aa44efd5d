package io.github.eventpoll.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.eventpoll.Events;
import io.github.eventpoll.kernel.Step.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The harness itself: it sees every difference, and lets through only what is documented. */
class ComparisonTest {
  private static final Step ADD = new Step(Kind.ADD, "add(e, a, IN)", Events.IN, "ok");
  private static final Step WAIT = new Step(Kind.AWAIT, "await(e)", 0, "[a:IN]");

  @Test
  void sameTranscriptsAreTheSame() {
    assertThat(Comparison.firstDifference(List.of(ADD, WAIT), List.of(ADD, WAIT))).isEqualTo(-1);
  }

  @Test
  void theFirstOtherResultIsFoundAndMarked() {
    List<Step> kernel = List.of(ADD, WAIT, ADD);
    List<Step> library =
        List.of(ADD, new Step(Kind.AWAIT, "await(e)", 0, "[]"), with(ADD, "EEXIST"));
    assertThat(Comparison.firstDifference(kernel, library)).isEqualTo(1);
    assertThat(Comparison.report(kernel, library, 1))
        .contains(">>> await(e) = [a:IN]\n        library: await(e) = []\n")
        .contains("    add(e, a, IN) = ok\n        library: add(e, a, IN) = EEXIST\n");
  }

  @Test
  void aTranscriptThatEndsEarlyDiffers() {
    assertThat(Comparison.firstDifference(List.of(ADD, WAIT), List.of(ADD))).isEqualTo(1);
    assertThat(Comparison.firstDifference(List.of(), List.of(ADD))).isZero();
  }

  @Test
  void aDeviationAcceptsItsOwnCaseOnly() {
    Step unknown = new Step(Kind.ADD, "add(e, a, 0x800)", 0x800, "ok");
    assertThat(Deviations.accept(unknown, with(unknown, "EINVAL"))).isTrue();
    assertThat(Deviations.accept(unknown, with(unknown, "EEXIST"))).isFalse();
    assertThat(Deviations.accept(with(unknown, "EINVAL"), unknown)).isFalse();
    assertThat(Deviations.accept(ADD, with(ADD, "EINVAL"))).isFalse();
    Step modify = new Step(Kind.MODIFY, "modify(e, a, 0x800)", 0x800, "ok");
    assertThat(Deviations.accept(unknown, with(modify, "EINVAL"))).isFalse();
  }

  @Test
  void everyDeviationIsADecisionThatIsWrittenDown() throws Exception {
    Path basedir = Path.of(System.getProperty("eventpoll.basedir", "."));
    List<String> lines = Files.readAllLines(basedir.resolve("docs/decisions.md"));
    assertThat(Deviations.values())
        .allSatisfy(rule -> assertThat(lines).contains("## " + rule.decision()));
  }

  private static Step with(Step step, String result) {
    return new Step(step.kind(), step.operation(), step.mask(), result);
  }
}
