package io.github.eventpoll.kernel;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.EventPollArgumentException;
import io.github.eventpoll.EventPollStateException;
import io.github.eventpoll.Events;
import io.github.eventpoll.Pollable;
import io.github.eventpoll.Polls;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.WaitQueue;
import io.github.eventpoll.source.BrokenPipeException;
import io.github.eventpoll.source.BytePipe;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.Timer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This library. A thing's number is its place in a list; an alias is the same source with a tag.
 */
final class LibraryWorld implements World {
  /** The system call that a parked thread sleeps in. */
  private static final String FUTEX = KernelWorld.X86_64 ? "202" : "98";

  /** Something a program has a name for. */
  private record Thing(Pollable source, long tag) {}

  /** What the kernel's caller knows a registration by; here it is the handle that add returned. */
  private record Key(int poll, int source) {}

  private final List<Thing> things = new ArrayList<>();

  /** Threads may add. */
  private final Map<Key, EpItem> items = new ConcurrentHashMap<>();

  private final Supplier<EventPoll> polls;

  LibraryWorld() {
    this(Polls::create);
  }

  /** With polls of a certain make. */
  LibraryWorld(Supplier<EventPoll> polls) {
    this.polls = polls;
  }

  private int own(Pollable source, long tag) {
    things.add(new Thing(source, tag));
    return things.size() - 1;
  }

  private Thing thing(int number) {
    return things.get(number);
  }

  private EventPoll pollOf(int number) {
    return (EventPoll) thing(number).source;
  }

  private EventFd counterOf(int number) {
    return (EventFd) thing(number).source;
  }

  private static <T> T checked(Supplier<T> call) {
    try {
      return call.get();
    } catch (EventPollArgumentException e) {
      throw new Refused(e.errno().name());
    } catch (EventPollStateException e) {
      throw new Refused(e.errno().name());
    } catch (IllegalArgumentException e) {
      throw new Refused("EINVAL"); // a source's own
    } catch (BrokenPipeException e) {
      throw new Refused("EPIPE");
    } catch (IllegalStateException e) {
      if (String.valueOf(e.getMessage()).endsWith("is closed")) {
        throw new Refused("EBADF"); // a source's own
      }
      throw e;
    }
  }

  private static void checked(Runnable call) {
    checked(
        () -> {
          call.run();
          return true;
        });
  }

  @Override
  public int poll() {
    return own(polls.get(), 0);
  }

  @Override
  public int counter(int initial, boolean semaphore) {
    return own(semaphore ? EventFd.semaphore(initial) : EventFd.create(initial), 0);
  }

  @Override
  public int timer() {
    return own(Timer.create(), 0);
  }

  @Override
  public int[] pipe() {
    BytePipe pipe = BytePipe.create(2 * BytePipe.PAGE);
    return new int[] {own(pipe.readEnd(), 0), own(pipe.writeEnd(), 0)};
  }

  @Override
  public int unwatchable() {
    return own(new Unwatchable(), 0);
  }

  @Override
  public int alias(int source) {
    return own(thing(source).source, things.size());
  }

  @Override
  public void add(int poll, int source, int mask, long data) {
    Thing target = thing(source);
    EpItem item = checked(() -> pollOf(poll).add(target.source, target.tag, mask, data));
    items.put(new Key(poll, source), item);
  }

  @Override
  public void modify(int poll, int source, int mask, long data) {
    EpItem item = item(poll, source, mask);
    checked(() -> item.modify(mask, data));
  }

  @Override
  public void remove(int poll, int source) {
    EpItem item = item(poll, source, 0);
    checked(item::remove);
  }

  /**
   * What was never registered has no handle: the errors are some that the caller cannot make here.
   */
  private EpItem item(int poll, int source, int mask) {
    EpItem item = items.get(new Key(poll, source));
    if (item == null) {
      throw new Refused(refusal(pollOf(poll), thing(source).source, mask));
    }
    return item;
  }

  private static String refusal(EventPoll poll, Pollable source, int mask) {
    if (poll.isClosed()) {
      return "EBADF";
    }
    if (source.waitQueue() == null) {
      return "EPERM";
    }
    return source == poll || (mask & Events.EXCLUSIVE) != 0 ? "EINVAL" : "ENOENT";
  }

  @Override
  public List<Interest> interests(int poll) {
    List<Interest> found = new ArrayList<>();
    for (EpItem item : pollOf(poll).items()) {
      found.add(new Interest(item.interest(), data(item.attachment())));
    }
    return found;
  }

  private static long data(@Nullable Object attachment) {
    return (Long) Objects.requireNonNull(attachment);
  }

  @Override
  public void write(int counter, long value) {
    if (!checked(() -> counterOf(counter).tryWrite(value))) {
      throw new Refused("EAGAIN");
    }
  }

  @Override
  public long read(int counterOrTimer) {
    Pollable source = thing(counterOrTimer).source;
    long taken =
        checked(
            () -> source instanceof Timer timer ? timer.tryRead() : ((EventFd) source).tryRead());
    if (taken == 0) {
      throw new Refused("EAGAIN");
    }
    return taken;
  }

  @Override
  public int put(int writeEnd, int bytes) {
    BytePipe.WriteEnd end = (BytePipe.WriteEnd) thing(writeEnd).source;
    int put = checked(() -> end.tryWrite(ByteBuffer.allocate(bytes)));
    return orAgain(put, bytes);
  }

  @Override
  public int take(int readEnd, int bytes) {
    BytePipe.ReadEnd end = (BytePipe.ReadEnd) thing(readEnd).source;
    int taken = checked(() -> end.tryRead(ByteBuffer.allocate(bytes)));
    return taken < 0 ? 0 : orAgain(taken, bytes);
  }

  private static int orAgain(int done, int asked) {
    if (done == 0 && asked > 0) {
      throw new Refused("EAGAIN");
    }
    return done;
  }

  @Override
  public void setTimer(int timer, boolean absolute, long firstNanos, long intervalNanos) {
    Timer target = (Timer) thing(timer).source;
    Duration interval = Duration.ofNanos(intervalNanos);
    checked(
        () -> {
          if (absolute) {
            target.setAt(System.nanoTime() + firstNanos, interval);
          } else {
            target.set(Duration.ofNanos(firstNanos), interval);
          }
        });
  }

  @Override
  public Setting timer(int timer) {
    Timer target = (Timer) thing(timer).source;
    return checked(() -> new Setting(target.remaining().toNanos(), target.interval().toNanos()));
  }

  @Override
  public List<Event> await(int poll, int most, int timeoutMillis) {
    return checked(
        () -> {
          ReadyEvents ready = new ReadyEvents(most);
          pollOf(poll).awaitUninterruptibly(ready, Duration.ofMillis(timeoutMillis));
          List<Event> events = new ArrayList<>();
          for (int i = 0; i < ready.size(); i++) {
            events.add(new Event(ready.events(i), data(ready.attachment(i))));
          }
          return events;
        });
  }

  @Override
  public int ask(int source, int mask, int timeoutMillis) {
    return checked(
        () -> {
          try {
            Duration timeout = Duration.ofMillis(timeoutMillis);
            return EventPoll.awaitOne(thing(source).source, mask, timeout);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Override
  public void close(int thing) {
    Pollable source = thing(thing).source;
    if (source instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public boolean isAsleep(WaiterThread waiter) {
    if (waiter.call() == WaiterThread.Call.AWAIT) {
      // One that was chosen is no longer in the list, one that was kicked is about to look again
      String dump = pollOf(waiter.poll()).dump();
      return dump.contains("waiter " + waiter.getName() + " parked\n");
    }
    // Parked for the poll, and not unparked: then the system would have made it ready to run
    return KernelWorld.callOf(waiter).equals(FUTEX)
        && LockSupport.getBlocker(waiter) == pollOf(waiter.poll());
  }

  @Override
  public void close() {
    for (int i = 0; i < things.size(); i++) {
      close(i);
    }
  }

  @Override
  public String toString() {
    return "library";
  }

  private static final class Unwatchable implements Pollable {
    @Override
    public int readiness() {
      return 0;
    }

    @Override
    public @Nullable WaitQueue waitQueue() {
      return null;
    }
  }
}
