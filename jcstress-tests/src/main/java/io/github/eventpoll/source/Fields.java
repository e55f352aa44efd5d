package io.github.eventpoll.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Handles for the fields of tests in this package. */
final class Fields {
  private Fields() {}

  static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
