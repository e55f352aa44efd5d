package io.github.eventpoll.internal;

import org.jspecify.annotations.Nullable;

/**
 * The door through which the test kit makes sources on a clock of its own. The sources put the one
 * instance here; it stands apart from {@link Bridge}, which the engine opens and which knows no
 * source.
 */
public abstract class SourceDoor {
  /** Set once; what it refers to does not change. */
  private static volatile @Nullable SourceDoor instance;

  /** For the sources. */
  protected SourceDoor() {}

  /** The sources' side; loads it if need be. */
  public static SourceDoor get() {
    SourceDoor present = instance;
    if (present == null) {
      try {
        Class.forName("io.github.eventpoll.source.Timer");
      } catch (ClassNotFoundException e) {
        throw new LinkageError("the sources are missing", e);
      }
      present = instance;
      if (present == null) {
        throw new LinkageError("the sources did not open the door");
      }
    }
    return present;
  }

  /** Called once by the sources. */
  protected static void open(SourceDoor door) {
    instance = door;
  }

  /** A new {@code Timer}, disarmed, that lives by a clock. */
  public abstract Object timer(Clock clock);
}
