package io.github.eventpoll.kernel;

import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * The system calls of the comparison. Each returns −1 on failure and leaves errno behind. Bound
 * directly, not through a proxy: random programs make millions of calls. The C functions {@code
 * open} and {@code fcntl} take variable arguments; on Linux integers are passed the same way.
 */
final class LibC {
  static {
    Native.register(LibC.class, "c");
  }

  private LibC() {}

  static native int epoll_create1(int flags);

  static native int epoll_ctl(int epfd, int op, int fd, Pointer event);

  static native int epoll_wait(int epfd, Pointer events, int maxevents, int timeoutMillis);

  static native int eventfd(int initial, int flags);

  static native int pipe2(int[] ends, int flags);

  static native int timerfd_create(int clock, int flags);

  static native int timerfd_settime(int fd, int flags, Pointer newValue, Pointer oldValue);

  static native int timerfd_gettime(int fd, Pointer value);

  static native int clock_gettime(int clock, Pointer time);

  static native int poll(Pointer fds, long count, int timeoutMillis);

  static native int open(String path, int flags);

  static native int fcntl(int fd, int command, int argument);

  static native long read(int fd, Pointer buffer, long count);

  static native long write(int fd, Pointer buffer, long count);

  static native int close(int fd);

  static native int gettid();
}
