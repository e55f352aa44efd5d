package io.github.eventpoll.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A provider whose selectors are the system's, with every call counted: what a driver does to a
 * selector is what the system is asked to do. Its selectors can be made to fail.
 */
final class CountingProvider extends SelectorProvider {
  private final SelectorProvider system = SelectorProvider.provider();

  final AtomicInteger selectors = new AtomicInteger();
  final AtomicInteger openSelectors = new AtomicInteger();
  final AtomicInteger selects = new AtomicInteger();
  final AtomicInteger wakeups = new AtomicInteger();
  final AtomicInteger interestChanges = new AtomicInteger();
  final AtomicInteger registrations = new AtomicInteger();

  /** Two threads were in one selector at the same time. */
  final AtomicBoolean crowded = new AtomicBoolean();

  volatile boolean refuseSelectors;

  /** The selectors opened while this is set return from every select at once, with nothing. */
  volatile boolean broken;

  /** Called in the middle of a pass, before the interest in a channel changes. */
  volatile Consumer<SelectableChannel> onInterestChange = channel -> {};

  void reset() {
    selects.set(0);
    wakeups.set(0);
    interestChanges.set(0);
    registrations.set(0);
  }

  @Override
  public AbstractSelector openSelector() throws IOException {
    if (refuseSelectors) {
      throw new IOException("too many open files");
    }
    selectors.incrementAndGet();
    openSelectors.incrementAndGet();
    return new Counting(system.openSelector(), broken);
  }

  @Override
  public Pipe openPipe() throws IOException {
    return system.openPipe();
  }

  @Override
  public DatagramChannel openDatagramChannel() throws IOException {
    return system.openDatagramChannel();
  }

  @Override
  public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
    return system.openDatagramChannel(family);
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() throws IOException {
    return system.openServerSocketChannel();
  }

  @Override
  public SocketChannel openSocketChannel() throws IOException {
    return system.openSocketChannel();
  }

  private interface RealSelect {
    int select() throws IOException;
  }

  /** A selector in front of one of the system's, with keys of its own. */
  private final class Counting extends AbstractSelector {
    private final Selector real;
    private final boolean broken;
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> selected = new HashSet<>();
    private final AtomicBoolean inUse = new AtomicBoolean();

    Counting(Selector real, boolean broken) {
      super(CountingProvider.this);
      this.real = real;
      this.broken = broken;
    }

    @Override
    protected void implCloseSelector() throws IOException {
      openSelectors.decrementAndGet();
      keys.forEach(SelectionKey::cancel);
      forgetCancelled();
      real.close();
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
      registrations.incrementAndGet();
      try {
        Key key = new Key(channel, this);
        key.attach(attachment);
        key.real = channel.register(real, ops, key);
        keys.add(key);
        return key;
      } catch (ClosedChannelException e) {
        throw new CancelledKeyException(); // as the system's does if it is closed just now
      }
    }

    @Override
    public Set<SelectionKey> keys() {
      if (!isOpen()) {
        throw new ClosedSelectorException();
      }
      return keys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
      return selected;
    }

    @Override
    public int selectNow() throws IOException {
      return counted(real::selectNow);
    }

    @Override
    public int select(long timeout) throws IOException {
      return counted(() -> real.select(timeout));
    }

    @Override
    public int select() throws IOException {
      return counted(real::select);
    }

    private int counted(RealSelect select) throws IOException {
      selects.incrementAndGet();
      if (!inUse.compareAndSet(false, true)) {
        crowded.set(true);
      }
      try {
        forgetCancelled();
        if (broken) {
          return 0;
        }
        select.select();
        for (SelectionKey key : real.selectedKeys()) {
          SelectionKey ours = (SelectionKey) key.attachment();
          if (ours.isValid() && key.isValid()) {
            selected.add(ours);
          }
        }
        real.selectedKeys().clear();
        forgetCancelled();
        return selected.size();
      } finally {
        inUse.set(false);
      }
    }

    private void forgetCancelled() {
      Set<SelectionKey> cancelled = cancelledKeys();
      synchronized (cancelled) {
        for (SelectionKey key : cancelled) {
          ((Key) key).real.cancel();
          keys.remove(key);
          deregister((Key) key);
        }
        cancelled.clear();
      }
    }

    @Override
    public Selector wakeup() {
      wakeups.incrementAndGet();
      real.wakeup();
      return this;
    }
  }

  private final class Key extends AbstractSelectionKey {
    private final SelectableChannel channel;
    private final Selector selector;
    private SelectionKey real;

    Key(SelectableChannel channel, Selector selector) {
      this.channel = channel;
      this.selector = selector;
    }

    @Override
    public SelectableChannel channel() {
      return channel;
    }

    @Override
    public Selector selector() {
      return selector;
    }

    @Override
    public int interestOps() {
      return real.interestOps();
    }

    @Override
    public SelectionKey interestOps(int ops) {
      interestChanges.incrementAndGet();
      onInterestChange.accept(channel);
      real.interestOps(ops);
      return this;
    }

    @Override
    public int readyOps() {
      return real.readyOps();
    }
  }
}
