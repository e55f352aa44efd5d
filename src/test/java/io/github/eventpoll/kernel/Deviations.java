package io.github.eventpoll.kernel;

import io.github.eventpoll.Events;
import io.github.eventpoll.kernel.Step.Kind;
import java.util.Arrays;
import java.util.function.BiPredicate;

/**
 * The places where the library means to differ from the kernel. Each rule names the section of
 * docs/decisions.md that says why, and accepts one result of the kernel beside one of the library,
 * in one kind of step, and nothing else.
 */
enum Deviations {
  /**
   * The mask is a typed argument here; the kernel stores what it does not know, unless the source
   * is there already.
   */
  UNKNOWN_MASK_BITS(
      "Unknown mask bits are refused",
      Kind.ADD,
      (kernel, library) ->
          Events.toString(kernel.mask()).contains("0x")
              && kernel.result().matches("ok|EEXIST")
              && library.result().equals("EINVAL")),

  /** A handle says that its item is gone; the kernel says so of the number of the source. */
  HANDLE_OF_CLOSED_SOURCE(
      "Identity is the source object and a tag",
      Kind.REMOVE,
      (kernel, library) -> kernel.result().equals("EBADF") && library.result().equals("ENOENT")),

  /** The same for a modification. */
  MODIFICATION_BY_CLOSED_SOURCE(
      "Identity is the source object and a tag",
      Kind.MODIFY,
      (kernel, library) -> kernel.result().equals("EBADF") && library.result().equals("ENOENT")),

  /** A negative time never waits; in the kernel it waits for ever. */
  NEGATIVE_TIME(
      "Timeouts",
      Kind.WAITER,
      (kernel, library) ->
          kernel.operation().contains("negative time")
              && kernel.result().equals("asleep")
              && library.result().equals("[]")),

  /** A poll that closes ends its waits; in the kernel they go on, in a poll without a name. */
  CLOSE_ENDS_WAITS(
      "Closing a poll ends its waits",
      Kind.SETTLE,
      (kernel, library) ->
          kernel.operation().contains("after close")
              && kernel.result().equals("nobody")
              && library.result().endsWith(" EBADF")),

  /** An item that is removed while queued passes its wake on; in the kernel the wake is lost. */
  EXCLUSIVE_WAKE_GIVEN_BACK(
      "An exclusive wake that cannot be used is given back",
      Kind.SETTLE,
      (kernel, library) ->
          kernel.operation().contains("after the item was removed")
              && kernel.result().equals("nobody")
              && library.result().matches("\\w+ \\[a:IN]"));

  private final String decision;
  private final Kind kind;
  private final BiPredicate<Step, Step> accepts;

  Deviations(String decision, Kind kind, BiPredicate<Step, Step> accepts) {
    this.decision = decision;
    this.kind = kind;
    this.accepts = accepts;
  }

  /** The heading in docs/decisions.md. */
  String decision() {
    return decision;
  }

  /** Whether two results of one step may stand beside each other. */
  static boolean accept(Step kernel, Step library) {
    return kernel.equals(library)
        || (kernel.operation().equals(library.operation())
            && Arrays.stream(values())
                .anyMatch(d -> d.kind == kernel.kind() && d.accepts.test(kernel, library)));
  }
}
