package io.github.eventpoll;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One registration of a source with a poll, and the handle to change or end it. Identity is (poll,
 * source by {@code ==}, tag); a handle is never reused, so one that was removed stays invalid.
 *
 * <p>Every method may be called by any thread.
 */
public final class EpItem extends WaitEntry {
  /*
   * field      | written by                                  | read by             | guard or claim
   * -----------+---------------------------------------------+---------------------+----------------
   * events     | control lock: add, modify, one-shot         | anyone, volatile    | MO-MOD-1
   * attachment | control lock: add, modify                   | anyone, volatile    | -
   * dead       | path lock, once                             | path lock; anyone   | MO-DEAD-1
   * next, prev | path lock; during a scan by the scanner     | same                | path (MO-SCAN-1)
   * linked     | same as next, prev                          | same; dump, opaque  | path (MO-SCAN-1)
   * spillNext, | path lock                                   | same                | path (MO-SCAN-1)
   * spilled    |                                             |                     |
   *
   * Two links, because an item may be in a scan's batch and on the overflow list at the same time.
   */
  private static final VarHandle LINKED;

  static {
    try {
      LINKED = MethodHandles.lookup().findVarHandle(EpItem.class, "linked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final EventPoll poll;
  final Pollable source;
  final WaitQueue queue;
  final long tag;

  private volatile int events;
  private volatile @Nullable Object attachment;

  @Nullable EpItem next;
  @Nullable EpItem prev;
  @Nullable EpItem spillNext;
  boolean linked;
  boolean spilled;
  volatile boolean dead;

  /** The source wants to hear of interest and delivery, or is driven; immutable. */
  final boolean tracked;

  EpItem(
      EventPoll poll,
      Pollable source,
      WaitQueue queue,
      long tag,
      int events,
      @Nullable Object attachment) {
    this(poll, source, queue, tag, hears(source, queue));
    this.events = events;
    this.attachment = attachment;
  }

  private EpItem(EventPoll poll, Pollable source, WaitQueue queue, long tag, boolean tracked) {
    this.poll = poll;
    this.source = source;
    this.queue = queue;
    this.tag = tag;
    this.tracked = tracked;
  }

  private static boolean hears(Pollable source, WaitQueue queue) {
    return (source.traits() & Pollable.TRACKS_INTEREST) != 0 || DrivenItems.of(queue) != null;
  }

  /**
   * An item to look another one up by; never registered, and its source is not asked for traits.
   */
  static EpItem key(EventPoll poll, Pollable source, WaitQueue queue, long tag) {
    return new EpItem(poll, source, queue, tag, false);
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
    return (boolean) LINKED.getOpaque(this);
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

  @Override
  boolean exclusive() {
    return (events & Events.EXCLUSIVE) != 0;
  }

  @Override
  boolean woken(int key) {
    return poll.callback(this, key);
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
