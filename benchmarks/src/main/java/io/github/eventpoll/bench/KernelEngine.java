package io.github.eventpoll.bench;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventArray;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The kernel's own eventfd and epoll, through Netty's native calls. */
@SuppressWarnings("deprecation") // Netty's own handlers use other calls since 4.2
final class KernelEngine implements Engine {
  private static final ThreadLocal<ByteBuffer> SCRATCH =
      ThreadLocal.withInitial(
          () -> ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder()));

  private final List<FileDescriptor> open = new ArrayList<>();
  private KernelCounter[] byFd = new KernelCounter[64];

  static boolean isAvailable() {
    return Epoll.isAvailable();
  }

  @Override
  public synchronized Poll poll() {
    FileDescriptor fd = Native.newEpollCreate();
    open.add(fd);
    return new KernelPoll(fd, this);
  }

  @Override
  public synchronized Counter counter() {
    FileDescriptor fd = Native.newEventFd();
    open.add(fd);
    int at = fd.intValue();
    if (at >= byFd.length) {
      byFd = Arrays.copyOf(byFd, 2 * at);
    }
    KernelCounter counter = new KernelCounter(fd);
    byFd[at] = counter;
    return counter;
  }

  @Override
  public synchronized void close() {
    try {
      for (FileDescriptor fd : open) {
        fd.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record KernelPoll(FileDescriptor epoll, KernelEngine engine) implements Poll {
    @Override
    public boolean add(Counter counter, int mask) {
      try {
        Native.epollCtlAdd(epoll.intValue(), fd(counter), mask);
        return true;
      } catch (IOException e) {
        if (String.valueOf(e.getMessage()).contains("File exists")) {
          return false;
        }
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void modify(Counter counter, int mask) {
      try {
        Native.epollCtlMod(epoll.intValue(), fd(counter), mask);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void remove(Counter counter) {
      try {
        Native.epollCtlDel(epoll.intValue(), fd(counter));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void watch(Poll inner, int mask) {
      int other = ((KernelPoll) inner).epoll.intValue();
      try {
        Native.epollCtlAdd(epoll.intValue(), other, mask);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Waiter waiter(int maxEvents) {
      return new KernelWaiter(epoll, Calls.newArray(maxEvents), engine);
    }

    private static int fd(Counter counter) {
      return ((KernelCounter) counter).fd.intValue();
    }
  }

  private record KernelWaiter(FileDescriptor epoll, EpollEventArray events, KernelEngine engine)
      implements Waiter {
    @Override
    public int await(boolean block) {
      return Calls.await(epoll, events, block ? -1 : 0);
    }

    @Override
    public Counter counter(int index) {
      return engine.byFd[Calls.fd(events, index)];
    }
  }

  private record KernelCounter(FileDescriptor fd) implements Counter {
    @Override
    public void write() {
      Native.eventFdWrite(fd.intValue(), 1);
    }

    @Override
    public long read() {
      ByteBuffer value = SCRATCH.get();
      try {
        return fd.read(value, 0, Long.BYTES) == Long.BYTES ? value.getLong(0) : 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Calls that Netty keeps to itself. Its arrays are never freed: they live as long as the run. */
  private static final class Calls {
    private static final MethodHandle NEW_ARRAY;
    private static final MethodHandle AWAIT;
    private static final MethodHandle FD;

    static {
      try {
        Class<EpollEventArray> array = EpollEventArray.class;
        MethodHandles.Lookup inArray = MethodHandles.privateLookupIn(array, MethodHandles.lookup());
        MethodHandles.Lookup inNative =
            MethodHandles.privateLookupIn(Native.class, MethodHandles.lookup());
        NEW_ARRAY = inArray.findConstructor(array, MethodType.methodType(void.class, int.class));
        FD = inArray.findVirtual(array, "fd", MethodType.methodType(int.class, int.class));
        AWAIT =
            inNative.findStatic(
                Native.class,
                "epollWait",
                MethodType.methodType(int.class, FileDescriptor.class, array, int.class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("another version of Netty", e);
      }
    }

    static EpollEventArray newArray(int length) {
      try {
        return (EpollEventArray) NEW_ARRAY.invokeExact(length);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    static int await(FileDescriptor epoll, EpollEventArray events, int millis) {
      try {
        return (int) AWAIT.invokeExact(epoll, events, millis);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    static int fd(EpollEventArray events, int index) {
      try {
        return (int) FD.invokeExact(events, index);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
