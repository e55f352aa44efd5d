package io.github.eventpoll.testkit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who makes which step, as text: a letter for each thread in the order in which they were added,
 * with the number of steps it makes in a row if more than one. {@code a3ba} is three steps of the
 * first thread, one of the second, one of the first.
 */
final class Schedule {
  private static final Pattern RUN = Pattern.compile("([a-z])(\\d*)");

  private Schedule() {}

  static String of(List<Event> events) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < events.size(); ) {
      int thread = events.get(i).thread();
      int from = i;
      while (i < events.size() && events.get(i).thread() == thread) {
        i++;
      }
      text.append((char) ('a' + thread));
      if (i - from > 1) {
        text.append(i - from);
      }
    }
    return text.toString();
  }

  static int[] parse(String text, int threads) {
    Matcher matcher = RUN.matcher(text);
    java.util.stream.IntStream.Builder steps = java.util.stream.IntStream.builder();
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      end = matcher.end();
      int thread = matcher.group(1).charAt(0) - 'a';
      int times = matcher.group(2).isEmpty() ? 1 : Integer.parseInt(matcher.group(2));
      if (thread >= threads) {
        throw new IllegalArgumentException("no such thread: " + matcher.group());
      }
      for (int i = 0; i < times; i++) {
        steps.add(thread);
      }
    }
    if (end != text.length()) {
      throw new IllegalArgumentException("not a schedule: " + text);
    }
    return steps.build().toArray();
  }
}
