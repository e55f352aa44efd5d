package io.github.eventpoll.testkit;

import java.util.List;

/** The steps of a run as numbered lines. */
final class StepList {
  private StepList() {}

  static String of(Run run, List<String> names) {
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    text.append("replay(\"").append(Schedule.of(run.events)).append("\")");
    int number = 1;
    for (Event event : run.events) {
      String what = event.text() == null ? event.to().name() : event.text();
      text.append(
          String.format("%n%4d. %-" + width + "s  %s", number++, names.get(event.thread()), what));
    }
    return text.toString();
  }
}
