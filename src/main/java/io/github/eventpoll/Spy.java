package io.github.eventpoll;

/**
 * Stands beside an item in its source's wait queue for a while, to see whether the source rings.
 * Uses up no wake, wants nothing, and goes by itself when it has seen one.
 */
final class Spy extends WaitEntry {
  final EpItem item;
  private final int interest;
  private final String text;

  /** The source has rung; written by whoever rings. */
  private volatile boolean rung;

  private Spy(EpItem item) {
    this.item = item;
    this.interest = item.interest();
    this.text = textOf(item);
  }

  /** Begins to watch the source of an item. */
  static Spy on(EpItem item) {
    Spy spy = new Spy(item);
    if (!item.queue.register(spy)) {
      spy.rung = true;
    }
    return spy;
  }

  void end() {
    item.queue.unregister(this);
  }

  /** True if the source has neither rung nor changed, nor the item, since this began. */
  boolean sawNothing() {
    return !rung && !item.dead && item.interest() == interest && text.equals(textOf(item));
  }

  /**
   * What shows a change that makes no ring: of a poll what it has handed out; of a queue that is
   * emptied step by step, and of any source of the user's that shows its state, its text.
   */
  private static String textOf(EpItem item) {
    if (item.source instanceof EventPoll inner) {
      return String.valueOf(inner.harvest.takes());
    }
    return Dump.name(item.source);
  }

  @Override
  boolean exclusive() {
    return false;
  }

  @Override
  boolean woken(int key) {
    rung = true;
    end();
    return false;
  }

  @Override
  void queueClosed() {
    rung = true;
  }

  @Override
  void demandChanged() {}

  @Override
  int wanted() {
    return 0;
  }
}
