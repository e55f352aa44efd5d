package io.github.eventpoll.bench;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.Errno;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The library, composed in one way. */
final class LibraryEngine implements Engine {
  private final Strategy strategy;
  private final List<EventPoll> polls = new CopyOnWriteArrayList<>();

  LibraryEngine(Strategy strategy) {
    this.strategy = strategy;
  }

  @Override
  public Poll poll() {
    EventPoll poll = strategy.poll();
    polls.add(poll);
    return new LibraryPoll(poll);
  }

  @Override
  public Counter counter() {
    return new LibraryCounter();
  }

  @Override
  public void close() {
    polls.forEach(EventPoll::close);
  }

  private record LibraryPoll(EventPoll poll) implements Poll {
    @Override
    public boolean add(Counter counter, int mask) {
      LibraryCounter mine = (LibraryCounter) counter;
      try {
        mine.item = poll.add(mine.fd, mask, mine);
        return true;
      } catch (EventPollStateException e) {
        if (e.errno() == Errno.EEXIST) {
          return false;
        }
        throw e;
      }
    }

    @Override
    public void modify(Counter counter, int mask) {
      ((LibraryCounter) counter).item.modify(mask);
    }

    @Override
    public void remove(Counter counter) {
      ((LibraryCounter) counter).item.remove();
    }

    @Override
    public void watch(Poll inner, int mask) {
      poll.add(((LibraryPoll) inner).poll, mask);
    }

    @Override
    public Waiter waiter(int maxEvents) {
      return new LibraryWaiter(poll, new ReadyEvents(maxEvents));
    }
  }

  private record LibraryWaiter(EventPoll poll, ReadyEvents ready) implements Waiter {
    @Override
    public int await(boolean block) {
      return block ? poll.awaitUninterruptibly(ready) : poll.awaitNow(ready);
    }

    @Override
    public Counter counter(int index) {
      return (Counter) ready.attachment(index);
    }
  }

  private static final class LibraryCounter implements Counter {
    private final EventFd fd = EventFd.create();
    private EpItem item;

    @Override
    public void write() {
      fd.tryWrite(1);
    }

    @Override
    public long read() {
      return fd.tryRead();
    }
  }
}
