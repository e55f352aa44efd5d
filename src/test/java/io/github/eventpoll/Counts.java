package io.github.eventpoll;

import io.github.eventpoll.testkit.Exploration;
import org.junit.jupiter.api.TestInfo;

/** How many schedules each scenario has on each path: for the table in the documents. */
final class Counts {
  private Counts() {}

  static void add(TestInfo info, Exploration done, long nanos) {
    if (System.getProperty("interleavings.counts") != null) {
      System.out.printf(
          "COUNT|%s|%s|%d|%d|%d|%d%n",
          info.getTestMethod().orElseThrow().getName(),
          Polls.Combination.of(Polls.builder()),
          done.schedules(),
          done.cut(),
          done.steps(),
          nanos / 1_000_000);
    }
  }
}
