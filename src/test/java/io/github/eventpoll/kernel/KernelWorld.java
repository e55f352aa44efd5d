package io.github.eventpoll.kernel;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.github.eventpoll.source.BytePipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The real epoll, eventfd and timerfd of this machine. A thing's number is its file descriptor. */
final class KernelWorld implements World {
  static final boolean X86_64 = System.getProperty("os.arch").matches("amd64|x86_64");

  // struct epoll_event is packed on x86-64 only
  private static final int EVENT_BYTES = X86_64 ? 12 : 16;
  private static final int DATA_AT = X86_64 ? 4 : 8;

  /**
   * Room for events; a larger maxevents is told to the kernel, but no program has as many ready.
   */
  private static final int MOST_EVENTS = 4096;

  // The numbers in /proc/<tid>/syscall of epoll_wait, epoll_pwait, epoll_pwait2, and of poll, ppoll
  private static final Set<String> AWAIT_CALLS =
      X86_64 ? Set.of("232", "281", "441") : Set.of("22", "441");
  private static final Set<String> ASK_CALLS = X86_64 ? Set.of("7", "271") : Set.of("73");

  private static final int CTL_ADD = 1;
  private static final int CTL_DEL = 2;
  private static final int CTL_MOD = 3;
  private static final int CLOEXEC = 0x80000;
  private static final int NONBLOCK = 0x800;
  private static final int SEMAPHORE = 1;
  private static final int MONOTONIC = 1;
  private static final int ABSTIME = 1;
  private static final int DUPFD_CLOEXEC = 1030;
  private static final int SET_PIPE_SIZE = 1031;
  private static final long SECOND = 1_000_000_000;

  // The asm-generic numbers, which x86-64, AArch64 and most others have
  private static final Map<Integer, String> ERRNO =
      Map.of(
          1, "EPERM", 2, "ENOENT", 4, "EINTR", 9, "EBADF", 11, "EAGAIN", 17, "EEXIST", 22, "EINVAL",
          28, "ENOSPC", 32, "EPIPE", 40, "ELOOP");

  private static final Pattern INTEREST =
      Pattern.compile("tfd:\\s*\\d+ events:\\s*([0-9a-f]+) data:\\s*([0-9a-f]+)");

  /** For the arguments and results of one call at a time. */
  private static final ThreadLocal<Memory> ROOM =
      ThreadLocal.withInitial(() -> new Memory((long) EVENT_BYTES * MOST_EVENTS));

  private final TreeSet<Integer> open = new TreeSet<>();
  private int next = 500;

  /**
   * Moves a descriptor to a number of this world's own: far above those that the JVM is given, and
   * never used again, so that an operation on a closed one hits nothing.
   */
  private int own(int fd) {
    int moved = checked(LibC.fcntl(checked(fd), DUPFD_CLOEXEC, next));
    next = moved + 1;
    open.add(moved);
    LibC.close(fd);
    return moved;
  }

  private static int checked(int result) {
    return (int) checked((long) result);
  }

  private static long checked(long result) {
    if (result < 0) {
      int number = Native.getLastError();
      throw new Refused(ERRNO.getOrDefault(number, "errno " + number));
    }
    return result;
  }

  @Override
  public int poll() {
    return own(LibC.epoll_create1(CLOEXEC));
  }

  @Override
  public int counter(int initial, boolean semaphore) {
    return own(LibC.eventfd(initial, CLOEXEC | NONBLOCK | (semaphore ? SEMAPHORE : 0)));
  }

  @Override
  public int timer() {
    return own(LibC.timerfd_create(MONOTONIC, CLOEXEC | NONBLOCK));
  }

  @Override
  public int[] pipe() {
    int[] ends = new int[2];
    checked(LibC.pipe2(ends, CLOEXEC | NONBLOCK));
    checked(LibC.fcntl(ends[0], SET_PIPE_SIZE, 2 * BytePipe.PAGE));
    return new int[] {own(ends[0]), own(ends[1])};
  }

  @Override
  public int unwatchable() {
    return own(LibC.open("/", CLOEXEC));
  }

  @Override
  public int alias(int source) {
    int fd = checked(LibC.fcntl(source, DUPFD_CLOEXEC, next));
    next = fd + 1;
    open.add(fd);
    return fd;
  }

  @Override
  public void add(int poll, int source, int mask, long data) {
    control(poll, CTL_ADD, source, mask, data);
  }

  @Override
  public void modify(int poll, int source, int mask, long data) {
    control(poll, CTL_MOD, source, mask, data);
  }

  @Override
  public void remove(int poll, int source) {
    control(poll, CTL_DEL, source, 0, 0);
  }

  private static void control(int poll, int op, int source, int mask, long data) {
    Memory event = ROOM.get();
    event.setInt(0, mask);
    event.setLong(DATA_AT, data);
    checked(LibC.epoll_ctl(poll, op, source, event));
  }

  @Override
  public List<Interest> interests(int poll) {
    List<Interest> found = new ArrayList<>();
    Matcher line = INTEREST.matcher(proc("self/fdinfo/" + poll));
    while (line.find()) {
      int mask = Integer.parseUnsignedInt(line.group(1), 16);
      found.add(new Interest(mask, Long.parseUnsignedLong(line.group(2), 16)));
    }
    return found;
  }

  @Override
  public void write(int counter, long value) {
    Memory eight = ROOM.get();
    eight.setLong(0, value);
    checked(LibC.write(counter, eight, 8));
  }

  @Override
  public long read(int counterOrTimer) {
    Memory eight = ROOM.get();
    checked(LibC.read(counterOrTimer, eight, 8));
    return eight.getLong(0);
  }

  @Override
  public int put(int writeEnd, int bytes) {
    return (int) checked(LibC.write(writeEnd, ROOM.get(), bytes));
  }

  @Override
  public int take(int readEnd, int bytes) {
    return (int) checked(LibC.read(readEnd, ROOM.get(), bytes));
  }

  @Override
  public void setTimer(int timer, boolean absolute, long firstNanos, long intervalNanos) {
    long first = absolute ? monotonicNow() + firstNanos : firstNanos;
    Memory spec = ROOM.get();
    setTime(spec, 0, intervalNanos);
    setTime(spec, 16, first);
    checked(LibC.timerfd_settime(timer, absolute ? ABSTIME : 0, spec, Pointer.NULL));
  }

  @Override
  public Setting timer(int timer) {
    Memory spec = ROOM.get();
    checked(LibC.timerfd_gettime(timer, spec));
    return new Setting(time(spec, 16), time(spec, 0));
  }

  private static long time(Memory from, int at) {
    return from.getLong(at) * SECOND + from.getLong(at + 8);
  }

  private static void setTime(Memory spec, int at, long nanos) {
    spec.setLong(at, nanos / SECOND);
    spec.setLong(at + 8, nanos % SECOND);
  }

  private static long monotonicNow() {
    Memory time = ROOM.get();
    checked(LibC.clock_gettime(MONOTONIC, time));
    return time(time, 0);
  }

  @Override
  public List<Event> await(int poll, int most, int timeoutMillis) {
    Memory room = ROOM.get();
    int count = checked(LibC.epoll_wait(poll, room, most, timeoutMillis));
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long at = (long) i * EVENT_BYTES;
      events.add(new Event(room.getInt(at), room.getLong(at + DATA_AT)));
    }
    return events;
  }

  @Override
  public int ask(int source, int mask, int timeoutMillis) {
    Memory one = ROOM.get();
    one.setInt(0, source);
    one.setShort(4, (short) mask);
    one.setShort(6, (short) 0);
    checked(LibC.poll(one, 1, timeoutMillis));
    return one.getShort(6);
  }

  @Override
  public void close(int thing) {
    if (open.remove(thing)) {
      checked(LibC.close(thing));
    }
  }

  @Override
  public boolean isAsleep(WaiterThread waiter) {
    Set<String> calls = waiter.call() == WaiterThread.Call.AWAIT ? AWAIT_CALLS : ASK_CALLS;
    return calls.contains(callOf(waiter));
  }

  /**
   * The system call that a thread sleeps in; empty if it is awake, or was woken. One that was woken
   * from another CPU may for a moment still count as inactive there; its state, read afterwards,
   * says that it does not sleep any more.
   */
  static String callOf(WaiterThread waiter) {
    String task = "self/task/" + waiter.tid();
    String call = proc(task + "/syscall").split("\\s", 2)[0];
    String stat = proc(task + "/stat");
    return stat.startsWith("S", stat.lastIndexOf(')') + 2) ? call : "";
  }

  private static String proc(String path) {
    try {
      return Files.readString(Path.of("/proc", path));
    } catch (IOException e) {
      return ""; // a thread that has ended, or a descriptor that was closed
    }
  }

  @Override
  public void close() {
    for (int fd : open) {
      LibC.close(fd);
    }
    open.clear();
  }

  @Override
  public String toString() {
    return "kernel";
  }
}
