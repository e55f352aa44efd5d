package io.github.eventpoll.bench;

import java.util.ArrayList;
import java.util.List;

/** What a cache line takes between processors before and after each round of a measurement. */
final class Trips {
  private final List<double[]> kept = new ArrayList<>();
  private int repeated;
  private double before;

  void before() {
    before = LineTrip.nanos();
  }

  /**
   * Whether the round counts: not if the machine has changed under it, which is forgiven in the
   * end.
   */
  boolean after(int rounds) {
    double after = LineTrip.nanos();
    if (!LineTrip.isSteady(before, after) && repeated < (rounds + 1) / 2) {
      repeated++;
      return false;
    }
    kept.add(new double[] {before, after});
    return true;
  }

  int rounds() {
    return kept.size();
  }

  void print(Report report, String id) {
    StringBuilder text =
        new StringBuilder("cache line there and back, before>after each round, ns:");
    for (double[] trip : kept) {
      text.append(' ').append(Math.round(trip[0])).append('>').append(Math.round(trip[1]));
    }
    text.append(repeated == 0 ? "" : "; rounds repeated: " + repeated);
    report.note(id, text.toString());
  }
}
