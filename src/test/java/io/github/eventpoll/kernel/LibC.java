package io.github.eventpoll.kernel;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** The system calls of the comparison. Each returns −1 on failure and leaves errno behind. */
interface LibC extends Library {
  LibC C = Native.load("c", LibC.class);

  int epoll_create1(int flags);

  int epoll_ctl(int epfd, int op, int fd, Pointer event);

  int epoll_wait(int epfd, Pointer events, int maxevents, int timeoutMillis);

  int eventfd(int initial, int flags);

  int timerfd_create(int clock, int flags);

  int timerfd_settime(int fd, int flags, Pointer newValue, Pointer oldValue);

  int timerfd_gettime(int fd, Pointer value);

  int clock_gettime(int clock, Pointer time);

  int poll(Pointer fds, long count, int timeoutMillis);

  int open(String path, int flags, Object... mode);

  int fcntl(int fd, int command, Object... argument);

  long read(int fd, Pointer buffer, long count);

  long write(int fd, Pointer buffer, long count);

  int close(int fd);

  int gettid();
}
