package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.eventpoll.Polls.Combination;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** That {@link EveryPath} runs a class with each combination, and its nested classes too. */
class EveryPathTest {
  private static final Set<String> SEEN = new HashSet<>();

  @BeforeAll
  static void before() {
    SEEN.clear();
  }

  @AfterAll
  static void after() {
    assertThat(Polls.builder()).usingRecursiveComparison().isEqualTo(EventPoll.builder());
    if (SEEN.isEmpty()) {
      return; // another method was run alone; a class without any invocation fails by itself
    }
    List<Combination> ran = Combination.chosen();
    assertThat(SEEN)
        .hasSize(2 * ran.size())
        .containsAll(ran.stream().map(each -> "inner " + each).toList())
        .containsAll(ran.stream().map(each -> "innermost " + each).toList());
  }

  private static String present() {
    return Combination.of(Polls.builder()).toString();
  }

  @Nested
  @EveryPath
  class Inner {
    private final String made = present(); // fields of a test class are made in time

    @Test
    void eachOnce() {
      assertThat(made).isEqualTo(present());
      assertThat(SEEN.add("inner " + made)).isTrue();
    }

    @Nested
    class Innermost {
      @Test
      void eachOnce() {
        assertThat(SEEN.add("innermost " + present())).isTrue();
      }
    }
  }

  @Test
  void twelveNames() {
    assertThat(Combination.all().stream().map(Combination::toString))
        .containsExactly(
            "spin",
            "spin+mask",
            "spin+notified",
            "spin+mask+notified",
            "rwlock",
            "rwlock+mask",
            "rwlock+notified",
            "rwlock+mask+notified",
            "lock-free",
            "lock-free+mask",
            "lock-free+notified",
            "lock-free+mask+notified");
  }

  @Test
  void someCanBeChosenByName() {
    assertThat(Combination.named(new String[] {""})).isEqualTo(Combination.all());
    assertThat(Combination.named("rwlock+mask", "spin"))
        .containsExactly(
            new Combination(LockKind.RWLOCK, true, false),
            new Combination(LockKind.SPIN, false, false));
    assertThatIllegalArgumentException().isThrownBy(() -> Combination.named("spin", "fast"));
  }
}
