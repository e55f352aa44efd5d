package io.github.eventpoll;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a wait has found: a batch of events, made once and used again. Belongs to the caller; one
 * thread at a time may use it, which every wait checks as well as it can.
 *
 * <p>An entry holds its item, so that a stale event can be told: {@code item(i).isValid()} is false
 * if the item was removed, or its source closed, after the event was taken.
 *
 * <p>Memory consistency effects: none of its own. It is handed from one thread to another as any
 * object without locks is.
 *
 * @since 0.1
 */
public final class ReadyEvents {
  // Linux: fs/eventpoll.c:EP_MAX_EVENTS, with the 12 bytes of an epoll_event on x86-64
  private static final int MOST = Integer.MAX_VALUE / 12;

  private static final int FIRST_ROOM = 64;

  private final int capacity;
  private int[] events;
  private @Nullable EpItem[] items;
  private @Nullable Object[] attachments;
  private int size;
  private boolean inUse;

  /** The turn of a driver that the wait has that uses this batch. */
  final Leading leading = new Leading();

  /** What the thread that waits with this batch owes to others. */
  final Owed owed = new Owed();

  /**
   * Makes an empty batch.
   *
   * @param capacity how many events one wait may take (the kernel's maxevents)
   * @throws EventPollArgumentException EINVAL unless 1 ≤ capacity ≤ 178 956 970
   */
  public ReadyEvents(int capacity) {
    if (capacity < 1 || capacity > MOST) {
      throw new EventPollArgumentException(
          Errno.EINVAL, "capacity " + capacity + " is not between 1 and " + MOST);
    }
    this.capacity = capacity;
    int room = Math.min(capacity, FIRST_ROOM);
    events = new int[room];
    items = new EpItem[room];
    attachments = new Object[room];
  }

  /**
   * How many events one wait may take.
   *
   * @return the capacity given to the constructor
   */
  public int capacity() {
    return capacity;
  }

  /**
   * How many events the last wait found.
   *
   * @return the number of events
   */
  public int size() {
    return size;
  }

  /**
   * The event bits of one event: what the source was ready for when it was asked, as far as the
   * item wanted it.
   *
   * @param index 0 ≤ index &lt; size
   * @return event bits, never mode flags
   * @throws IndexOutOfBoundsException if the index is out of range
   */
  public int events(int index) {
    return events[Objects.checkIndex(index, size)];
  }

  /**
   * The item of one event.
   *
   * @param index 0 ≤ index &lt; size
   * @return the item
   * @throws IndexOutOfBoundsException if the index is out of range
   */
  public EpItem item(int index) {
    return Objects.requireNonNull(items[Objects.checkIndex(index, size)]);
  }

  /**
   * The source of one event.
   *
   * @param index 0 ≤ index &lt; size
   * @return the source
   * @throws IndexOutOfBoundsException if the index is out of range
   */
  public Pollable source(int index) {
    return item(index).source;
  }

  /**
   * The attachment that the item had when the event was taken.
   *
   * @param index 0 ≤ index &lt; size
   * @return the user's object, null if none was given
   * @throws IndexOutOfBoundsException if the index is out of range
   */
  public @Nullable Object attachment(int index) {
    return attachments[Objects.checkIndex(index, size)];
  }

  /** Forgets all events, so that nothing is kept reachable by them. */
  public void clear() {
    forget(0);
  }

  /** A wait begins to use the batch. */
  void begin() {
    if (inUse) {
      throw new IllegalStateException("this ReadyEvents is in use by another wait");
    }
    inUse = true;
  }

  void end() {
    inUse = false;
  }

  /** Makes room for one more event before anything is taken for it: on failure nothing is lost. */
  void reserve(int index) {
    if (index == events.length) {
      int room = (int) Math.min(capacity, events.length * 2L);
      int[] moreEvents = Arrays.copyOf(events, room);
      @Nullable EpItem[] moreItems = Arrays.copyOf(items, room);
      attachments = Arrays.copyOf(attachments, room);
      items = moreItems;
      events = moreEvents;
    }
  }

  void put(int index, EpItem item, int bits) {
    events[index] = bits;
    // Compared first: a store of the same reference would cost a collector's barrier for nothing.
    if (items[index] != item) {
      items[index] = item;
    }
    Object attachment = item.attachment();
    if (attachments[index] != attachment) {
      attachments[index] = attachment;
    }
  }

  /** The batch holds this many events now; references beyond are dropped. */
  void forget(int newSize) {
    int old = size;
    size = newSize;
    if (newSize < old) {
      Arrays.fill(items, newSize, old, null);
      Arrays.fill(attachments, newSize, old, null);
    }
  }
}
