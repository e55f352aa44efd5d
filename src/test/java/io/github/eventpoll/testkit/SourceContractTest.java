package io.github.eventpoll.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.eventpoll.Events;
import io.github.eventpoll.source.EventFd;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The sources of the library keep the contract, and a fixture that is wrong is told apart. */
class SourceContractTest {
  @TestFactory
  Stream<DynamicTest> everySourceOfTheLibrary() {
    return LibrarySources.ALL.entrySet().stream()
        .flatMap(
            kind ->
                SourceContract.of(kind.getValue()).checks().entrySet().stream()
                    .map(
                        check ->
                            DynamicTest.dynamicTest(
                                kind.getKey() + " " + check.getKey(), check.getValue()::run)));
  }

  @Test
  void aGoodSourcePassesAllAtOnce() {
    assertThatCode(SourceContract.of(LibrarySources::counter)::checkAll).doesNotThrowAnyException();
  }

  @Test
  void aFixtureThatCannotBeMadeOrDoesNothingFails() {
    SourceContract contract =
        SourceContract.of(
            () -> {
              throw new IllegalStateException("no descriptors");
            });
    assertThatThrownBy(contract::checkAll)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("- keepsItsQueue: no fixture could be made");
    assertThatThrownBy(SourceContract.of(() -> SourceFixture.of(EventFd.create()))::tellsTheTruth)
        .hasMessageContaining("no way to make its source ready");
  }

  @Test
  void aFixtureWhoseActionFailsIsToldApartFromItsSource() {
    SourceContract contract =
        SourceContract.of(
            () ->
                SourceFixture.of(EventFd.create())
                    .readyForGood(
                        Events.IN,
                        () -> {
                          throw new IllegalStateException("as scripted");
                        }));
    assertThatThrownBy(contract::tellsTheTruth)
        .hasMessageContaining("making it ready for IN failed")
        .hasMessageContaining("as scripted");
  }

  @Test
  void theChecksHaveTheNamesOfTheirMethods() {
    assertThat(SourceContract.of(LibrarySources::counter).checks().keySet())
        .allSatisfy(name -> assertThat(SourceContract.class.getMethod(name)).isNotNull());
  }
}
