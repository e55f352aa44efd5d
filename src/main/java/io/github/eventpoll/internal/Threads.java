package io.github.eventpoll.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** What a thread can do, where JDKs differ. */
public final class Threads {
  // From 21 to 23 a virtual thread in a Selector holds its carrier (a monitor); since 24 it does
  // not.
  private static final boolean MONITORS_PIN =
      Runtime.version().feature() >= 21 && Runtime.version().feature() < 24;

  private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

  private Threads() {}

  private static @Nullable MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      return null; // before 21
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
