package io.github.eventpoll.bench;

import io.netty.channel.epoll.EpollEventArray;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The kernel's own eventfd and epoll, through Netty's native calls. */
@SuppressWarnings("deprecation") // Netty's own handlers use other calls since 4.2
final class KernelCounter implements AutoCloseable {
  private final FileDescriptor epoll = Native.newEpollCreate();
  private final FileDescriptor counter = Native.newEventFd();
  private final EpollEventArray events = newArray();

  KernelCounter() {
    try {
      Native.epollCtlAdd(epoll.intValue(), counter.intValue(), Native.EPOLLIN);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its constructor is for Netty alone, and so is freeing it: it lives as long as the run. */
  private static EpollEventArray newArray() {
    try {
      var constructor = EpollEventArray.class.getDeclaredConstructor(int.class);
      constructor.setAccessible(true);
      return constructor.newInstance(16);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of Netty", e);
    }
  }

  long cycle(long rounds) {
    long sum = 0;
    try {
      for (long i = 0; i < rounds; i++) {
        Native.eventFdWrite(counter.intValue(), 1);
        sum += Native.epollWait(epoll, events, counter, 0, 0);
        Native.eventFdRead(counter.intValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (sum != rounds) {
      throw new IllegalStateException("expected " + rounds + " events, got " + sum);
    }
    return sum;
  }

  @Override
  public void close() {
    try {
      counter.close();
      epoll.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
