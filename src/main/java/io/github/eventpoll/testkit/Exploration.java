package io.github.eventpoll.testkit;

/**
 * How much was tried by {@link Interleavings#explore}. Immutable.
 *
 * @param schedules how many schedules were run to their end
 * @param cut how many were given up on the way, because all that could follow had been seen
 * @param steps the number of steps of the longest one
 * @param exhaustive true if no other schedule can have another outcome, under the assumptions of
 *     {@link Interleavings}; false if a bound was reached
 * @param bound which bound was reached; empty if none
 * @since 0.1
 */
public record Exploration(long schedules, long cut, int steps, boolean exhaustive, String bound) {
  /**
   * Fails unless everything was tried.
   *
   * @return this
   * @throws AssertionError if a bound was reached
   */
  public Exploration requireExhaustive() {
    if (!exhaustive) {
      throw new AssertionError(
          "not exhaustive: "
              + this
              + "; make the scenario smaller, mark what is shared (Interleavings.marksWhatIsShared), or"
              + " raise the bound");
    }
    return this;
  }

  @Override
  public String toString() {
    return schedules
        + " schedules of up to "
        + steps
        + " steps, "
        + cut
        + " cut short, "
        + (exhaustive ? "exhaustive" : "NOT exhaustive: " + bound);
  }
}
