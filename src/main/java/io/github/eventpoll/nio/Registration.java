package io.github.eventpoll.nio;

import io.github.eventpoll.internal.Shares;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One channel in one driver. The key belongs to the holder of the driver's turn. */
final class Registration {
  final ChannelWatch source;
  final SelectorDriver driver;
  final Shares shares = new Shares();

  /** Stands in the driver's list of changes, or is about to: MO-ASK-1. */
  final AtomicBoolean dirty = new AtomicBoolean();

  /** The key, null while there is none; the turn. */
  private @Nullable SelectionKey key;

  /** What the last pass reported; the turn. */
  private int reported;

  Registration(ChannelWatch source, SelectorDriver driver) {
    this.source = source;
    this.driver = driver;
  }

  @Nullable SelectionKey key() {
    return key;
  }

  void key(@Nullable SelectionKey newKey) {
    key = newKey;
  }

  /** The driver has seen the channel ready; true if it had not in this pass. */
  boolean collect(int directions) {
    boolean first = reported == 0;
    reported |= directions;
    return first && directions != 0;
  }

  /** Tells the items; with no lock held, by the holder of the turn. */
  void dispatch() {
    int bits = reported;
    reported = 0;
    source.reported(this, bits);
  }
}
