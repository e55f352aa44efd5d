package io.github.eventpoll.kernel;

import static io.github.eventpoll.Events.IN;
import static io.github.eventpoll.kernel.Comparison.compare;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** S098: how many paths may lead from a source through polls that watch polls. */
@Tag("kernel")
class PathsTest {
  private static Handle[] chain(Recorder r, String name, int length) {
    Handle[] polls = new Handle[length];
    for (int i = 0; i < length; i++) {
      polls[i] = r.poll(name + i);
      if (i > 0) {
        r.add(polls[i - 1], polls[i], IN);
      }
    }
    return polls;
  }

  @ParameterizedTest
  @CsvSource({"2, 500", "3, 100", "4, 50", "5, 10"})
  void s098_pollsOnTop(int polls, int limit) throws Exception {
    compare(
        r -> {
          Handle[] lower = chain(r, "lower", polls - 1);
          Handle a = r.counter("a");
          r.add(lower[polls - 2], a, IN);
          Handle top = null;
          for (int i = 0; i <= limit + 1; i++) {
            top = r.poll("top" + i);
            r.add(top, lower[0], IN); // the last two are refused
          }
          r.remove(top, lower[0]);
          r.write(a, 1);
          r.await(top);
          r.await(lower[0]);
        });
  }

  @ParameterizedTest
  @CsvSource({"2, 500", "3, 100", "4, 50", "5, 10"})
  void s098_aSourceThatIsAddedLast(int polls, int limit) throws Exception {
    compare(
        r -> {
          Handle[] lower = chain(r, "lower", polls - 1);
          Handle[] tops = new Handle[limit + 2];
          for (int i = 0; i < tops.length; i++) {
            tops[i] = r.poll("top" + i);
            r.add(tops[i], lower[0], IN);
          }
          Handle a = r.counter("a");
          Handle b = r.counter("b");
          r.add(lower[polls - 2], a, IN); // two paths too many
          r.write(a, 1);
          r.await(tops[0]);
          r.remove(tops[1], lower[0]);
          r.add(lower[polls - 2], a, IN); // one too many
          r.close(tops[2]);
          r.add(lower[polls - 2], a, IN);
          r.add(lower[polls - 2], b, IN);
          r.await(tops[0]);
        });
  }

  @Test
  void s098_separateChains() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          for (int polls = 1; polls <= 5; polls++) {
            int chains = polls == 5 ? 12 : polls == 4 ? 52 : 3;
            for (int i = 0; i < chains; i++) {
              r.add(chain(r, "c" + polls + "x" + i + "x", polls)[polls - 1], a, IN);
            }
          }
        });
  }

  @Test
  void s098_waysThroughADiamondAreCounted() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle b = r.counter("b");
          Handle bottom = r.poll("bottom");
          r.add(bottom, a, IN);
          Handle[] middle = new Handle[3];
          for (int i = 0; i < middle.length; i++) {
            middle[i] = r.poll("middle" + i);
            r.add(middle[i], bottom, IN);
          }
          for (int i = 0; i < 35; i++) { // 33 tops make 99 paths, one more has room for one
            Handle top = r.poll("top" + i);
            for (Handle one : middle) {
              r.add(top, one, IN);
            }
          }
          r.add(bottom, b, IN);
          r.remove(bottom, a);
          r.add(bottom, a, IN);
        });
  }

  /** Taking the tops away makes short paths of long ones, more than there may be. */
  @Test
  void s098_removingMakesMoreShortPathsThanAllowed() throws Exception {
    compare(
        r -> {
          Handle a = r.counter("a");
          Handle b = r.counter("b");
          Handle bottom = r.poll("bottom");
          r.add(bottom, a, IN);
          for (int i = 0; i < 450; i++) {
            r.add(r.poll("direct" + i), bottom, IN);
          }
          Handle[] tops = new Handle[100];
          Handle[] middles = new Handle[100];
          for (int i = 0; i < 100; i++) {
            tops[i] = r.poll("top" + i);
            middles[i] = r.poll("middle" + i);
            r.add(tops[i], middles[i], IN);
            r.add(middles[i], bottom, IN);
          }
          for (int i = 0; i < 60; i++) {
            r.remove(tops[i], middles[i]); // 510 through two polls
          }
          r.add(bottom, b, IN);
          r.add(r.poll("more"), bottom, IN);
          r.add(tops[0], middles[0], IN);
          for (int i = 1; i < 10; i++) {
            r.close(middles[i]);
          }
          r.add(tops[0], middles[0], IN);
          r.add(bottom, b, IN);
          r.remove(bottom, b);
          r.close(middles[10]);
          r.add(bottom, b, IN);
          r.write(a, 1);
          r.await(tops[0]);
        });
  }
}
