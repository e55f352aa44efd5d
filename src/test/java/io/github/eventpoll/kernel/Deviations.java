package io.github.eventpoll.kernel;

import io.github.eventpoll.Events;
import java.util.Arrays;
import java.util.function.BiPredicate;

/**
 * The places where the library means to differ from the kernel; docs/decisions.md says why. Each
 * rule accepts one result of the kernel beside one of the library, in one kind of step, and nothing
 * else.
 */
enum Deviations {
  /** The kernel stores bits that it does not know; here a mask is a typed argument. */
  UNKNOWN_MASK_BITS(
      Step.Kind.ADD,
      (kernel, library) ->
          Events.toString(kernel.mask()).contains("0x")
              && kernel.result().equals("ok")
              && library.result().equals("EINVAL")),

  /** A handle says that its item is gone; the kernel says that the number of its source is. */
  HANDLE_OF_CLOSED_SOURCE(
      Step.Kind.REMOVE,
      (kernel, library) -> kernel.result().equals("EBADF") && library.result().equals("ENOENT")),

  /** A negative time never waits; in the kernel it waits for ever. */
  NEGATIVE_TIME(
      Step.Kind.WAITER,
      (kernel, library) ->
          kernel.operation().contains("negative")
              && kernel.result().equals("asleep")
              && library.result().equals("[]")),

  /** A poll that closes ends its waits; in the kernel they go on, on a poll without a name. */
  CLOSE_ENDS_WAITS(
      Step.Kind.SETTLE,
      (kernel, library) ->
          kernel.operation().contains("after close")
              && kernel.result().startsWith("nobody")
              && library.result().endsWith("EBADF"));

  private final Step.Kind kind;
  private final BiPredicate<Step, Step> accepts;

  Deviations(Step.Kind kind, BiPredicate<Step, Step> accepts) {
    this.kind = kind;
    this.accepts = accepts;
  }

  /** Whether two results of one step may stand beside each other. */
  static boolean accept(Step kernel, Step library) {
    return kernel.equals(library)
        || (kernel.operation().equals(library.operation())
            && Arrays.stream(values())
                .anyMatch(d -> d.kind == kernel.kind() && d.accepts.test(kernel, library)));
  }
}
