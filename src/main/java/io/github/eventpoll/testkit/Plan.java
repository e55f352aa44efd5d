package io.github.eventpoll.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What a user has said about a scenario. */
final class Plan<S> {
  private final Function<? super Stage, ? extends S> scenario;
  final List<String> names = new ArrayList<>();
  final List<Interleavings.Body<? super S>> bodies = new ArrayList<>();
  final Set<String> mayStayAsleep = new HashSet<>();
  Interleavings.Body<? super S> check = scene -> {};
  boolean sharesOnlyLibrary;
  boolean reduces = true;
  int maxPreemptions = Integer.MAX_VALUE;
  long maxSchedules = 200_000;
  int maxSteps = 2_000;

  Plan(Function<? super Stage, ? extends S> scenario) {
    this.scenario = scenario;
  }

  S build(Stage stage) {
    return scenario.apply(stage);
  }

  /** Starts the threads; they wait for their first turn. */
  LogicalThread[] startThreads() {
    if (names.isEmpty()) {
      throw new IllegalStateException("a scenario needs threads");
    }
    LogicalThread[] threads = new LogicalThread[names.size()];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new LogicalThread(i, names.get(i));
      threads[i].start();
    }
    return threads;
  }
}
