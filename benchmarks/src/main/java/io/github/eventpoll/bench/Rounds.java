package io.github.eventpoll.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures several variants in turn, round after round, so that whatever disturbs the machine
 * disturbs all of them; ratios are of figures of the same round. The time of a cache line between
 * processors is taken before and after each round: a round under which it changed is repeated.
 *
 * @param <R> what one measurement finds
 */
final class Rounds<R> {
  /** One variant. */
  interface Work<R> {
    R measure() throws Exception;
  }

  private final Map<String, Work<R>> works = new LinkedHashMap<>();
  private final Map<String, List<R>> found = new LinkedHashMap<>();
  private final Trips trips = new Trips();

  Rounds<R> add(String name, Work<R> work) {
    works.put(name, work);
    found.put(name, new ArrayList<>());
    return this;
  }

  /** Measures everything once to warm up, and then so many times. */
  Rounds<R> run(int rounds) throws Exception {
    for (Work<R> work : works.values()) {
      work.measure();
    }
    List<String> order = new ArrayList<>(works.keySet());
    while (trips.rounds() < rounds) {
      trips.before();
      Map<String, R> round = new LinkedHashMap<>();
      for (String name : order) {
        round.put(name, works.get(name).measure());
      }
      Collections.reverse(order); // whoever came last comes first
      if (trips.after(rounds)) {
        round.forEach((name, result) -> found.get(name).add(result));
      }
    }
    return this;
  }

  /** In the order in which they were added. */
  List<String> names() {
    return new ArrayList<>(works.keySet());
  }

  Ratio figure(String name, ToDoubleFunction<R> figure) {
    return Ratio.of(figures(name, figure));
  }

  double median(String name, ToDoubleFunction<R> figure) {
    return Ratio.medianOf(figures(name, figure));
  }

  /** The figure of one variant divided by that of another, round by round. */
  Ratio ratio(String name, String base, ToDoubleFunction<R> figure) {
    double[] mine = figures(name, figure);
    double[] theirs = figures(base, figure);
    double[] ratios = new double[mine.length];
    Arrays.setAll(ratios, i -> mine[i] / theirs[i]);
    return Ratio.of(ratios);
  }

  private double[] figures(String name, ToDoubleFunction<R> figure) {
    return found.get(name).stream().mapToDouble(figure).toArray();
  }

  /** Prints what a cache line took before and after each round. */
  void printTrips(Report report, String id) {
    trips.print(report, id);
  }
}
