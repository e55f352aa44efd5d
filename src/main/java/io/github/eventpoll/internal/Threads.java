package io.github.eventpoll.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a thread can do, where JDKs differ. */
public final class Threads {
  // From 21 to 23 a virtual thread in a Selector holds its carrier (a monitor); since 24 it does
  // not.
  private static final boolean MONITORS_PIN =
      Runtime.version().feature() >= 21 && Runtime.version().feature() < 24;

  private static final @Nullable MethodHandle IS_VIRTUAL = find("isVirtual", boolean.class);
  private static final @Nullable MethodHandle THREAD_ID = find("threadId", long.class);

  /** Whether threads of a class say themselves which number they have. */
  private static final ClassValue<Boolean> NUMBERS_ITSELF =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.getMethod("getId").getDeclaringClass() != Thread.class;
          } catch (NoSuchMethodException e) {
            throw new LinkageError("Thread.getId", e);
          }
        }
      };

  private static final AtomicLong OTHER_NUMBERS = new AtomicLong();
  private static final ThreadLocal<Long> OTHER_NUMBER =
      ThreadLocal.withInitial(OTHER_NUMBERS::decrementAndGet);

  private Threads() {}

  private static @Nullable MethodHandle find(String name, Class<?> result) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, name, MethodType.methodType(result));
    } catch (ReflectiveOperationException e) {
      return null; // isVirtual before 21, threadId before 19
    }
  }

  /**
   * The number of the calling thread, which no other has; not 0. That of thread dumps, but for a
   * class that overrides {@code getId()} where there is nothing better: a negative one then.
   *
   * @param self the calling thread
   */
  public static long numberOf(Thread self) {
    if (THREAD_ID != null) {
      return threadId(self);
    }
    if (self.getClass() == Thread.class || !NUMBERS_ITSELF.get(self.getClass())) {
      return self.getId();
    }
    return OTHER_NUMBER.get();
  }

  private static long threadId(Thread thread) {
    try {
      return (long) THREAD_ID.invokeExact(thread);
    } catch (Throwable e) {
      throw new LinkageError("Thread.threadId", e);
    }
  }

  /** True for a virtual thread that would hold its carrier while it sleeps in a selector. */
  public static boolean pinsInSelect(Thread thread) {
    return MONITORS_PIN && isVirtual(thread);
  }

  private static boolean isVirtual(Thread thread) {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable e) {
      throw new LinkageError("Thread.isVirtual", e);
    }
  }
}
