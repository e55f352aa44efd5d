package io.github.eventpoll.testkit;

import io.github.eventpoll.internal.Probe.Step;
import org.jspecify.annotations.Nullable;

/**
 * What the library's own code touches between two of its points. A pair of points that is not known
 * here touches everything; so does every stretch in which the user's code may have run, unless the
 * scenario promises that its threads share the library only (see {@link #promised}).
 *
 * <p>The things, each one bit:
 *
 * <ul>
 *   <li>of a poll: what {@code available()} reads; the lists with the words of the items and the
 *       path's lock; the list of waiters; the keeping of time; the control lock
 *   <li>of a thread: its word as a waiter and its permit
 *   <li>the state of a source, and the clock
 * </ul>
 *
 * Everything else (registrations, masks, whether something is dead or closed, deadlines, the graph
 * of polls) changes only in steps that are not known here, that is in steps that touch everything;
 * so reading it need not be noted. What depends on the object at the point, the run adds: which
 * source rings or is asked, which waiter is chosen.
 */
final class Footprints {
  static final long CLOCK = 1;

  private static final int SOURCES = 1;
  private static final int MAX_SOURCES = 5;
  private static final int THREADS = SOURCES + MAX_SOURCES;

  /** As many threads as there are bits for. */
  static final int MAX_THREADS = 10;

  private static final int POLLS = THREADS + MAX_THREADS;
  private static final int MAX_POLLS = 8;

  private static final long AVAILABLE = 1;
  private static final long ITEMS = 2;
  private static final long WAITERS = 4;
  private static final long DUTY = 8;
  private static final long CONTROL = 16;
  private static final long DEADLINES = 32;
  private static final int KINDS = 6;

  /** Only of interest while there are timers. */
  static final long KEEPING_TIME = ofAll(DUTY);

  private static final long ALL_WAITERS = ofAll(WAITERS);
  private static final long ALL_THREADS = ((1L << MAX_THREADS) - 1) << THREADS;

  /** What is touched on the way to a control lock that is found taken; trying changes nothing. */
  private static final Footprint TO_CONTROL =
      Footprint.reading(ofAll(AVAILABLE | DEADLINES | CONTROL));

  /** The same of a path's lock: who wants to exclude others has said so already. */
  private static final Footprint TO_PATH = Footprint.changing(ofAll(ITEMS));

  private Footprints() {}

  private static long ofAll(long kinds) {
    long bits = 0;
    for (int poll = 0; poll < MAX_POLLS; poll++) {
      bits |= of(poll, kinds);
    }
    return bits;
  }

  private static long of(int poll, long kinds) {
    return kinds << (POLLS + KINDS * Math.min(poll, MAX_POLLS - 1)); // the last one is many
  }

  static long thread(int index) {
    return 1L << (THREADS + index);
  }

  /** One of the sources, or of the things that points name. */
  static long source(int index) {
    return 1L << (SOURCES + index % MAX_SOURCES);
  }

  /**
   * What a step may have touched.
   *
   * @param self the thread that made it
   * @param promise whether {@link #promised} holds
   */
  static Footprint of(Label from, Label to, LogicalThread self, boolean promise) {
    Footprint known = inside(from, to, self);
    if (known == null && promise) {
      known = promised(from, to, self);
    }
    return known == null ? Footprint.ALL : known;
  }

  /** A wakeup() was kept, without a point. */
  static Footprint keptWakeup(int poll) {
    return Footprint.changing(of(poll, WAITERS));
  }

  /** Between two points of one call with none of the user's code in between; null if unknown. */
  private static @Nullable Footprint inside(Label from, Label to, LogicalThread thread) {
    long self = thread(thread.index);
    boolean chosen = thread.chosen;
    if (from == Label.ASLEEP) {
      return to.step() == Step.STOPPED || to.step() == Step.PLANNING
          ? looking(to.poll(), self, chosen)
          : null;
    }
    if (to == Label.ASLEEP) {
      return from.step() == Step.LOOKED ? Footprint.changing(self) : null;
    }
    Step at = from.step();
    Step next = to.step();
    if (at == Step.LEFT && to == Label.CONTROL_TAKEN && !thread.returned) {
      return TO_CONTROL;
    }
    if (at == null || next == null || from.poll() != to.poll()) {
      return null;
    }
    int poll = from.poll();
    return switch (at) {
      case CALLBACK, LISTING, PUSHED -> listing(at, next, poll);
      case CALLBACK_LISTED ->
          next == Step.CHOSEN ? Footprint.changing(of(poll, WAITERS | DUTY)) : null;
      case ENLISTING, ENLISTED, PLANNING, LOOKED, STOPPED -> sleeping(at, next, poll, self, chosen);
      case LEFT -> thread.returned ? null : lookingAgain(next, poll);
      case SCAN_BEFORE ->
          next == Step.SCAN_STARTED ? Footprint.changing(of(poll, AVAILABLE | ITEMS)) : null;
      case SCAN_STARTED -> scanning(next, poll);
      default -> null;
    };
  }

  private static @Nullable Footprint listing(Step at, Step next, int poll) {
    if (at == Step.CALLBACK && next == Step.LISTING) {
      return Footprint.changing(of(poll, ITEMS)); // the path's lock, or the claim
    }
    if (at == Step.PUSHED && next == Step.CALLBACK_LISTED) {
      return Footprint.changing(of(poll, ITEMS));
    }
    return next == Step.PUSHED || next == Step.CALLBACK_LISTED
        ? Footprint.changing(of(poll, AVAILABLE | ITEMS))
        : null;
  }

  private static @Nullable Footprint sleeping(
      Step at, Step next, int poll, long self, boolean chosen) {
    if (at == Step.ENLISTING) {
      return next == Step.ENLISTED ? Footprint.changing(of(poll, WAITERS | DUTY)) : null;
    }
    if (at == Step.STOPPED) {
      return next == Step.LEFT ? leaving(poll, self, chosen) : null;
    }
    if (at == Step.PLANNING && next == Step.LOOKED) {
      return Footprint.changing(self | of(poll, DUTY)).and(Footprint.reading(of(poll, DEADLINES)));
    }
    return next == Step.PLANNING || next == Step.LOOKED || next == Step.STOPPED || next == Step.DUE
        ? looking(poll, self, chosen)
        : null;
  }

  /** Off the list unless it was chosen; another may have to keep time, who is looked for then. */
  private static Footprint leaving(int poll, long self, boolean chosen) {
    Footprint duty =
        Footprint.changing(self | of(poll, DUTY)).and(Footprint.reading(of(poll, DEADLINES)));
    return chosen ? duty : duty.and(Footprint.changing(of(poll, WAITERS)));
  }

  /** A waiter looks at the reasons not to sleep; one that was chosen stops at the first. */
  private static Footprint looking(int poll, long self, boolean chosen) {
    Footprint own =
        Footprint.changing(self | of(poll, DUTY)).and(Footprint.reading(of(poll, DEADLINES)));
    return chosen ? own : own.and(Footprint.reading(of(poll, AVAILABLE)));
  }

  /** A waiter that has left looks once more, and may sleep again. */
  private static @Nullable Footprint lookingAgain(Step next, int poll) {
    return next == Step.SCAN_BEFORE || next == Step.ENLISTING ? begin(next, poll) : null;
  }

  /** The beginning of a wait. */
  private static Footprint begin(Step first, int poll) {
    Footprint look = Footprint.reading(of(poll, AVAILABLE | DEADLINES));
    return first == Step.SCAN_BEFORE ? look.and(Footprint.changing(of(poll, CONTROL))) : look;
  }

  private static @Nullable Footprint scanning(Step next, int poll) {
    return switch (next) {
      case SCAN_ASK -> Footprint.changing(of(poll, ITEMS));
      case SCAN_ENDED -> Footprint.changing(of(poll, AVAILABLE | ITEMS | CONTROL));
      default -> null;
    };
  }

  /**
   * The same where the scenario's own code may have run, which has promised to mark what it shares:
   * it touches nothing shared but after points of its own, and by calls that come to a point, or
   * report, or are the stage's. Sources answer, or are told of something, without changing
   * anything; one that rings, or is asked, the run notes at the points that show it.
   */
  private static @Nullable Footprint promised(Label from, Label to, LogicalThread self) {
    Step at = from.step();
    Step next = to.step();
    boolean samePoll = from.poll() == to.poll();
    if (samePoll && (at == Step.SCAN_ASK || at == Step.LET_GO)) {
      if (next == Step.LET_GO || next == Step.SCAN_ASKED) {
        return Footprint.changing(of(from.poll(), ITEMS));
      }
    }
    if (samePoll && at == Step.SCAN_ASKED && next != null) {
      return scanning(next, from.poll());
    }
    Footprint tail = tail(from, self);
    Footprint head = head(to);
    return tail == null || head == null ? null : tail.and(head);
  }

  /** After a point, until the call returns to the user; null if unknown. */
  private static @Nullable Footprint tail(Label from, LogicalThread self) {
    if (from == Label.START) {
      return Footprint.NOTHING;
    }
    Step at = from.step();
    if (at == null) {
      return self.declared;
    }
    int poll = from.poll();
    return switch (at) {
      case CALLBACK ->
          self.passedOver
              ? Footprint.reading(of(poll, ITEMS))
              : Footprint.changing(of(poll, ITEMS | CONTROL)); // dead items may be looked for
      // Nobody was chosen: that would have been a point.
      case CALLBACK_LISTED -> Footprint.reading(of(poll, WAITERS));
      case SCAN_ENDED -> Footprint.reading(ALL_WAITERS); // of polls that are owed a wake
      case CHOSEN -> afterChoice(self.choseAfter.step());
      // A wakeup() was waiting.
      case ENLISTING -> Footprint.changing(of(poll, WAITERS)).and(begin(Step.ENLISTING, poll));
      case LEFT -> begin(Step.ENLISTING, poll);
      case SCAN_ASK, LET_GO, SCAN_ASKED -> Footprint.changing(of(poll, ITEMS)); // an inner poll's
      case MODIFY_STORED, REMOVE_DEAD ->
          Footprint.changing(of(poll, AVAILABLE | ITEMS | CONTROL | DEADLINES | DUTY))
              .and(Footprint.reading(ALL_WAITERS));
      case DUE -> Footprint.changing(of(poll, DEADLINES));
      case DEADLINE_READ ->
          Footprint.changing(ALL_THREADS | of(poll, DUTY))
              .and(Footprint.reading(of(poll, DEADLINES | WAITERS | AVAILABLE)));
      default -> null;
    };
  }

  private static @Nullable Footprint afterChoice(@Nullable Step by) {
    return by == Step.CALLBACK_LISTED || by == Step.SCAN_ENDED || by == Step.MODIFY_STORED
        ? Footprint.reading(ALL_WAITERS)
        : null; // a poll that closes
  }

  /** From the beginning of a call to its first point; nothing for points that are never first. */
  private static @Nullable Footprint head(Label to) {
    Step at = to.step();
    if (at == null) {
      return to == Label.CONTROL_TAKEN
          ? TO_CONTROL
          : to == Label.PATH_TAKEN ? TO_PATH : to == Label.ASLEEP ? null : Footprint.NOTHING;
    }
    int poll = to.poll();
    return switch (at) {
      case CALLBACK, SCAN_ASKED -> Footprint.NOTHING;
      case CHOSEN -> Footprint.changing(of(poll, WAITERS | DUTY));
      case ENLISTING, SCAN_BEFORE -> begin(at, poll);
      case MODIFY_STORED -> Footprint.changing(of(poll, ITEMS | CONTROL));
      case REMOVE_DEAD -> Footprint.changing(of(poll, AVAILABLE | ITEMS | CONTROL));
      case DEADLINE_READ -> Footprint.changing(of(poll, DEADLINES));
      case DUE -> begin(Step.ENLISTING, poll);
      default -> null;
    };
  }
}
