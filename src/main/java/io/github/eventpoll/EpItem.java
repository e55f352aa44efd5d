package io.github.eventpoll;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One registration of a source with a poll, and the handle to change or end it. Identity is (poll,
 * source by {@code ==}, tag); a handle is never reused, so one that was removed stays invalid.
 *
 * <p>Every method may be called by any thread.
 *
 * <p>Memory consistency effects: what a thread did before it added or modified the item, to the
 * attachment for instance, is visible to the thread that gets an event of it that is taken
 * afterwards.
 *
 * @since 0.1
 */
public final class EpItem extends WaitEntry {
  /*
   * field      | written by                                  | read by             | guard or claim
   * -----------+---------------------------------------------+---------------------+----------------
   * events     | control lock: add, modify, one-shot         | anyone, volatile    | MO-MOD-1
   * attachment | control lock: add, modify                   | anyone, volatile    | -
   * dead       | once: path lock, or CAS (lock-free)         | anyone, volatile    | MO-DEAD-1, -2
   * state      | see LockFreePath; with a lock only FREE and | anyone, volatile    | MO-NOTIFY-1,
   *            | LISTED, for the notified fast path          |                     | MO-PUSH-2
   * next, prev | path lock; during a scan by the scanner;    | same                | path (MO-SCAN-1)
   *            | lock-free: by the scanner                   |                     |
   * linked     | same as next, prev                          | same; dump, opaque  | path (MO-SCAN-1)
   * below      | path lock; lock-free: who claimed the item, | same                | path (MO-SCAN-1,
   *            | then the scanner                            |                     | MO-PUSH-1)
   *
   * Two links, because an item may be in a scan's batch and on the overflow list at the same time.
   */
  private static final VarHandle LINKED;
  private static final VarHandle BELOW;
  private static final VarHandle STATE;
  private static final VarHandle DEAD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LINKED = lookup.findVarHandle(EpItem.class, "linked", boolean.class);
      BELOW = lookup.findVarHandle(EpItem.class, "below", EpItem.class);
      STATE = lookup.findVarHandle(EpItem.class, "state", byte.class);
      DEAD = lookup.findVarHandle(EpItem.class, "dead", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Not listed as far as callbacks know: the next one lists it. */
  static final byte FREE = 0;

  /** A callback is about to push it (lock-free variant). */
  static final byte CLAIMED = 1;

  /** On the stack of callbacks (lock-free variant). */
  static final byte PUSHED = 2;

  /** On the ready list or the overflow list, or in the hand of a scan that will ask. */
  static final byte LISTED = 3;

  /** The same, and the callback that pushed it has not yet come to {@link #pushed}. */
  static final byte LISTED_EARLY = 4;

  /**
   * Let go before the callback that pushed it has come to {@link #pushed}: listed nowhere, and not
   * to be claimed, or that callback would take the next one's claim for its own (MO-PUSH-2).
   */
  static final byte FREE_EARLY = -1;

  // The parts of "traits".
  private static final byte TRACKED = 1;
  private static final byte ORDERED = 2;
  private static final byte PRE_CHECKED = 4;
  private static final byte QUIET = 8;
  private static final byte FAST = 16;

  final EventPoll poll;
  final Pollable source;
  final WaitQueue queue;
  final long tag;

  private volatile int events;
  private volatile @Nullable Object attachment;

  @Nullable EpItem next;
  @Nullable EpItem prev;

  /** The item pushed before this one; this item itself for the first; null if it is not pushed. */
  @Nullable EpItem below;

  boolean linked;
  volatile boolean dead;
  volatile byte state;

  /** What is known of source and poll for good, in one byte to keep items small; immutable. */
  private final byte traits;

  EpItem(
      EventPoll poll,
      Pollable source,
      WaitQueue queue,
      long tag,
      int events,
      @Nullable Object attachment) {
    this.poll = poll;
    this.source = source;
    this.queue = queue;
    this.tag = tag;
    this.traits = traitsOf(poll, source, queue);
    this.events = events;
    this.attachment = attachment;
  }

  private static byte traitsOf(EventPoll poll, Pollable source, WaitQueue queue) {
    int told = source.traits();
    boolean tracked = (told & Pollable.TRACKS_INTEREST) != 0 || DrivenItems.of(queue) != null;
    boolean ordered = (told & Pollable.ORDERED_STATE) != 0 && !(source instanceof EventPoll);
    int ofSource = (tracked ? TRACKED : 0) | (ordered ? ORDERED : 0);
    int filters = (poll.maskPreCheck ? PRE_CHECKED : 0) | (poll.notifiedFastPath ? FAST : 0);
    return (byte) (ofSource | filters | (poll.isQuiet() ? QUIET : 0));
  }

  /**
   * The poll that watches.
   *
   * @return the poll
   */
  public EventPoll poll() {
    return poll;
  }

  /**
   * The source that is watched.
   *
   * @return the source
   */
  public Pollable source() {
    return source;
  }

  /**
   * What tells several registrations of one source with one poll apart.
   *
   * @return the tag, 0 unless another was given
   */
  public long tag() {
    return tag;
  }

  /**
   * The mask in force: what was asked for, with {@link Events#ERR} and {@link Events#HUP}. Of a
   * one-shot item that has fired only the mode flags remain.
   *
   * @return event bits and mode flags
   */
  public int interest() {
    return events;
  }

  /**
   * The user's object, as last given to add or modify.
   *
   * @return the attachment, null if none was given
   */
  public @Nullable Object attachment() {
    return attachment;
  }

  /**
   * False once the item was removed, its source or its poll closed. An event in a batch whose item
   * is no longer valid is stale.
   *
   * @return true while registered
   */
  public boolean isValid() {
    return !dead;
  }

  /**
   * False for a one-shot item that has fired, and for an item whose source has failed, until it is
   * modified.
   *
   * @return true if the item can report events
   */
  public boolean isArmed() {
    return Events.armed(events);
  }

  /**
   * True if the item was on the ready list at the moment of the call: its source may be ready,
   * which the next wait finds out. For looking only.
   *
   * @return true if queued
   */
  public boolean isQueued() {
    return !dead && ((boolean) LINKED.getOpaque(this) || state > FREE || poll.path.isLate(this));
  }

  /**
   * Why the source could not be asked, if that is why the item is disarmed.
   *
   * @return what {@link Pollable#readiness()} threw, null if the item is in order or was modified
   *     since
   */
  public @Nullable Throwable failure() {
    return poll.registry.failureOf(this);
  }

  /**
   * Changes the mask, keeps the attachment, arms the item again and asks the source at once (Linux:
   * fs/eventpoll.c:ep_modify). An edge-triggered item whose source is ready reports a new event.
   *
   * <p>Memory consistency effects: what this thread did before is visible to the thread that gets
   * an event of this item that is taken afterwards.
   *
   * @param mask event bits and mode flags; neither may include {@link Events#EXCLUSIVE}
   * @throws EventPollArgumentException EINVAL if the mask is refused or the item is exclusive
   * @throws EventPollStateException EBADF if the poll is closed, ENOENT if the item is not valid
   * @throws IllegalStateException if called by a source that this poll is just asking
   */
  public void modify(int mask) {
    poll.registry.modify(this, mask, null, false);
  }

  /**
   * Changes the mask and the attachment; otherwise as {@link #modify(int)}.
   *
   * @param mask event bits and mode flags
   * @param newAttachment the user's object, also for an event that is queued already
   * @throws EventPollArgumentException EINVAL if the mask is refused or the item is exclusive
   * @throws EventPollStateException EBADF if the poll is closed, ENOENT if the item is not valid
   * @throws IllegalStateException if called by a source that this poll is just asking
   */
  public void modify(int mask, @Nullable Object newAttachment) {
    poll.registry.modify(this, mask, newAttachment, true);
  }

  /**
   * Ends the registration. On return nothing that the source does has an effect through this item:
   * it is not queued, delivered, waking or using up a wake. An event that a wait has already handed
   * out stays in its batch and shows {@link #isValid()} false.
   *
   * @throws EventPollStateException EBADF if the poll is closed, ENOENT if the item is not valid
   * @throws IllegalStateException if called by a source that this poll is just asking
   */
  public void remove() {
    poll.registry.remove(this);
  }

  /** MO-MOD-1: volatile store; the source is asked after it. Control lock held. */
  void arm(int mask, @Nullable Object newAttachment) {
    events = mask;
    if (attachment != newAttachment) {
      attachment = newAttachment;
    }
  }

  /** Takes the interest away and leaves the mode. Control lock held. */
  void disarm() {
    events = events & Events.FLAGS;
  }

  /** The source wants to hear of interest and delivery, or is driven. */
  boolean isTracked() {
    return (traits & TRACKED) != 0;
  }

  /** The source's state is ordered with its wakes and with its answers. */
  boolean isOrdered() {
    return (traits & ORDERED) != 0;
  }

  /** Stays listed while its source is ready. */
  boolean isLevel() {
    return (events & (Events.ET | Events.ONESHOT)) == 0;
  }

  // ------------------------------------------------------------------------- where it is listed

  /**
   * True if a wake may be skipped because the item is listed and a scan will ask its source: a
   * level-triggered item on a source with ordered state, reachable for every scan by now.
   */
  boolean isNotified() {
    return (traits & ORDERED) != 0
        && state >= PUSHED // MO-NOTIFY-1: volatile read after the source wrote its state
        && (events & (Events.ET | Events.ONESHOT | Events.EXCLUSIVE)) == 0;
  }

  /** Listed, by a variant with a lock; not seen before the listing that it follows. */
  void notified() {
    if ((traits & ORDERED) != 0 && state != LISTED) {
      state = LISTED;
    }
  }

  /** By the scanner that has it in hand; true if callbacks relied on the scan until now. */
  boolean letGo() {
    byte now = state;
    if (now != LISTED_EARLY || !STATE.compareAndSet(this, LISTED_EARLY, FREE_EARLY)) {
      if (now < LISTED) {
        return false;
      }
      state = FREE; // MO-NOTIFY-1: volatile store, then the source is asked
    }
    return true;
  }

  /** One callback wins the right to push. */
  boolean claim() {
    return STATE.compareAndSet(this, FREE, CLAIMED);
  }

  /** The winner has pushed, and gives up its claim. The scanner may have been faster. */
  void pushed() {
    boolean marked = STATE.compareAndSet(this, CLAIMED, PUSHED); // MO-PUSH-2
    while (!marked) { // it may change from one to the other between the two attempts
      marked =
          STATE.compareAndSet(this, LISTED_EARLY, LISTED)
              || STATE.compareAndSet(this, FREE_EARLY, FREE);
    }
  }

  /** The scanner has taken it off the stack. */
  void drained() {
    if (state != CLAIMED || !STATE.compareAndSet(this, CLAIMED, LISTED_EARLY)) { // MO-PUSH-2
      state = LISTED;
    }
  }

  /** The scanner lists it itself, unless a callback is just doing it. */
  void hold() {
    if (state == FREE_EARLY && STATE.compareAndSet(this, FREE_EARLY, LISTED_EARLY)) {
      return;
    }
    if (state == FREE) {
      STATE.compareAndSet(this, FREE, LISTED); // MO-PUSH-2: against claims
    }
  }

  /** One thread makes it dead. */
  boolean die() {
    return DEAD.compareAndSet(this, false, true);
  }

  /** One of several callbacks that share the path's lock wins the right to append. */
  boolean claimLinked() {
    return !linked && LINKED.compareAndSet(this, false, true);
  }

  /** The same for the overflow list. */
  boolean claimBelow() {
    return below == null && BELOW.compareAndSet(this, null, this);
  }

  @Override
  boolean exclusive() {
    return (events & Events.EXCLUSIVE) != 0;
  }

  @Override
  boolean woken(int key) {
    if ((traits & QUIET) != 0 && (isUnwanted(key) || isSkippable())) {
      return false; // decided here, with few looks at the poll
    }
    return poll.callback(this, key);
  }

  /**
   * The notified fast path, in polls that have it: the item is listed, some scan will ask its
   * source, and nobody who watches the poll must hear of every wake (KR-10). Never an exclusive
   * item.
   */
  boolean isSkippable() {
    return (traits & FAST) != 0 && isNotified() && !poll.waitQueue.hasEntries(); // MO-WATCH-1
  }

  /** The mask pre-check, in polls that have it. */
  boolean isUnwanted(int key) {
    // MO-MASK-1: volatile read of the mask
    return (traits & PRE_CHECKED) != 0 && key != 0 && (key & events) == 0;
  }

  @Override
  void queueClosed() {
    poll.registry.sourceClosed(this);
  }

  @Override
  void demandChanged() {
    poll.demandChanged(this);
  }

  @Override
  int wanted() {
    return dead ? 0 : events & ~Events.FLAGS;
  }

  @Override
  public String toString() {
    return "EpItem["
        + source
        + (tag == 0 ? "" : " tag " + tag)
        + " in "
        + poll
        + ", "
        + Events.toString(events)
        + (dead ? ", removed" : "")
        + "]";
  }
}
