package io.github.eventpoll;

import io.github.eventpoll.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where tests get their polls: with the callback path whose turn it is in a class with {@link
 * EveryPath}, with the library's defaults elsewhere. Tests run one after the other, so one variable
 * is enough for all threads of a test.
 */
public final class Polls {
  /** One way to compose the callback path. */
  public record Combination(LockKind lock, boolean maskPreCheck, boolean notified) {
    /** All there are: three kinds of lock, two filters on or off. */
    public static List<Combination> all() {
      List<Combination> all = new ArrayList<>();
      for (LockKind lock : LockKind.values()) {
        for (int filters = 0; filters < 4; filters++) {
          all.add(new Combination(lock, (filters & 1) != 0, (filters & 2) != 0));
        }
      }
      return all;
    }

    /** Those whose names the system property {@code eventpoll.paths} gives; all without it. */
    public static List<Combination> chosen() {
      return named(System.getProperty("eventpoll.paths", "").split(","));
    }

    static List<Combination> named(String... names) {
      return names.length == 1 && names[0].isEmpty()
          ? all()
          : Stream.of(names).map(Combination::named).toList();
    }

    /** The one of that name. */
    public static Combination named(String name) {
      return all().stream()
          .filter(each -> each.toString().equals(name))
          .findAny()
          .orElseThrow(() -> new IllegalArgumentException(name + " is not one of " + all()));
    }

    static Combination of(EventPollBuilder builder) {
      return new Combination(builder.lock, builder.maskPreCheck, builder.notifiedFastPath);
    }

    /** Sets a builder to this combination. */
    public EventPollBuilder applyTo(EventPollBuilder builder) {
      return builder.lock(lock).maskPreCheck(maskPreCheck).notifiedFastPath(notified);
    }

    /** For instance {@code lock-free+mask+notified}. */
    @Override
    public String toString() {
      String name = lock.name().toLowerCase(Locale.ROOT).replace('_', '-');
      return name + (maskPreCheck ? "+mask" : "") + (notified ? "+notified" : "");
    }
  }

  private static volatile @Nullable Combination current;

  private Polls() {}

  static void use(@Nullable Combination combination) {
    current = combination;
  }

  /** A new poll. */
  public static EventPoll create() {
    return builder().build();
  }

  /** A new poll that lives by a virtual time. */
  public static EventPoll on(VirtualTime time) {
    return time.poll(builder());
  }

  /** A builder that makes such polls, for further settings. */
  public static EventPollBuilder builder() {
    Combination combination = current;
    EventPollBuilder builder = EventPoll.builder();
    return combination == null ? builder : combination.applyTo(builder);
  }

  /**
   * How many rounds of a random race to run: all where a class runs once and with the library's
   * defaults, a quarter with each other combination.
   */
  public static int rounds(int all) {
    return isDefault() ? all : Math.max(1, all / 4);
  }

  /**
   * True where a class runs once, and with one of the 12 combinations: for what takes real time and
   * has nothing to do with the path.
   */
  public static boolean isDefault() {
    Combination combination = current;
    return combination == null || combination.equals(Combination.of(EventPoll.builder()));
  }

  /** The lock of the polls made here at present. */
  public static LockKind lock() {
    return builder().lock;
  }

  /**
   * How often a scan asks a level-triggered source that is not ready, until it drops the item: once
   * more where callbacks rely on the scan, after it has told them not to any longer.
   *
   * @param ordered whether the source has {@link Pollable#ORDERED_STATE}
   */
  public static int asksOfUnready(boolean ordered) {
    return lock() == LockKind.LOCK_FREE || (ordered && notified()) ? 2 : 1;
  }

  /** Whether the polls made here at present test the mask before anything else. */
  public static boolean maskPreCheck() {
    return builder().maskPreCheck;
  }

  /**
   * Whether with the polls made here at present a wake by a source of {@link
   * Pollable#ORDERED_STATE} does nothing for a level-triggered item that is queued already.
   */
  public static boolean notified() {
    return builder().notifiedFastPath;
  }
}
