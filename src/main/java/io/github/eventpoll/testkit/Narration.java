package io.github.eventpoll.testkit;

import io.github.eventpoll.EpItem;
import org.jspecify.annotations.Nullable;

/** What a list of steps says about the points that threads come to. */
final class Narration {
  private Narration() {}

  static String of(Label to, @Nullable Object about, long now) {
    String time = now == 0 ? "" : " (at " + now + " ns)";
    if (to == Label.END) {
      return about == null ? "ends" : "fails: " + about;
    }
    if (to == Label.ASLEEP) {
      return "falls asleep" + time;
    }
    if (to.isTaken()) {
      return "finds a lock taken";
    }
    if (to.step() == null) {
      return "comes to \"" + to.name() + "\"" + time;
    }
    return to.name() + ": " + meaning(to) + about(to, about) + time;
  }

  private static String about(Label to, @Nullable Object about) {
    String poll = to.poll() < 0 ? "" : " [poll " + (to.poll() + 1) + "]";
    return about instanceof EpItem item ? " " + item.source() + poll : poll;
  }

  private static String meaning(Label to) {
    return switch (java.util.Objects.requireNonNull(to.step())) {
      case CALLBACK -> "a source rings";
      case LISTING -> "the callback is about to list the item";
      case PUSHED -> "the item is where scans find it, and not yet marked so";
      case CALLBACK_LISTED -> "the item is listed, nobody chosen yet";
      case CHOSEN -> "a waiter is chosen and not yet unparked";
      case ENLISTING -> "has found nothing and is about to enlist";
      case ENLISTED -> "has enlisted as a waiter and not looked";
      case PLANNING -> "has read the nearest deadline";
      case LOOKED -> "has looked, found no reason to stay awake";
      case STOPPED -> "has stopped sleeping";
      case LEFT -> "is no waiter any more";
      case SCAN_BEFORE -> "has the control lock for a scan";
      case SCAN_STARTED -> "has taken the ready list";
      case SCAN_ASK -> "is about to ask the source";
      case LET_GO -> "found it not ready, lets callbacks list it again";
      case SCAN_ASKED -> "has the source's answer";
      case SCAN_ENDED -> "has put back what stays";
      case ADD_REGISTERED -> "an item is registered, its source not asked";
      case MODIFY_STORED -> "a new mask is stored, the source not asked";
      case REMOVE_DEAD -> "an item is dead";
      case CLOSE_MARKED -> "the poll is marked closed";
      default -> "";
    };
  }
}
