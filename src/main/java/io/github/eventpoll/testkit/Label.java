package io.github.eventpoll.testkit;

import io.github.eventpoll.internal.Probe;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The name of a point; immutable. The special ones are compared by identity. */
final class Label {
  /** Not yet begun. */
  static final Label START = new Label("start", null, -1);

  /** Asleep in the library. */
  static final Label ASLEEP = new Label("asleep", null, -1);

  /** Waits for a poll's control lock, which a thread has that does not run. */
  static final Label CONTROL_TAKEN = new Label("control-lock-taken", null, -1);

  /** Waits for a short lock, which a thread has that does not run. */
  static final Label PATH_TAKEN = new Label("path-lock-taken", null, -1);

  /** Its body has ended. */
  static final Label END = new Label("end", null, -1);

  private final String name;
  private final Probe.@Nullable Step step;
  private final int poll;

  private Label(String name, Probe.@Nullable Step step, int poll) {
    this.name = name;
    this.step = step;
    this.poll = poll;
  }

  /** What people call it. */
  String name() {
    return name;
  }

  /** The step of the engine, null for other points. */
  Probe.@Nullable Step step() {
    return step;
  }

  /** Which of the run's polls, -1 if none. */
  int poll() {
    return poll;
  }

  /** True if it is the same point of another run. */
  boolean isLike(Label other) {
    return step == other.step && poll == other.poll && name.equals(other.name);
  }

  boolean isTaken() {
    return this == CONTROL_TAKEN || this == PATH_TAKEN;
  }

  boolean isEnd() {
    return this == END;
  }

  static Label ofUser(String name) {
    return new Label(name, null, -1);
  }

  static Label of(Probe.Step step, int poll) {
    return new Label(step.name().toLowerCase(Locale.ROOT).replace('_', '-'), step, poll);
  }
}
