package io.github.eventpoll;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bits, and how they read. */
class EventsTest {
  @ParameterizedTest
  @CsvSource({
    "0x0, 0",
    "0x1, IN",
    "0x2, PRI",
    "0x4, OUT",
    "0x8, ERR",
    "0x10, HUP",
    "0x40, RDNORM",
    "0x80, RDBAND",
    "0x100, WRNORM",
    "0x200, WRBAND",
    "0x400, MSG",
    "0x2000, RDHUP",
    "0x10000000, EXCLUSIVE",
    "0x20000000, WAKEUP",
    "0x40000000, ONESHOT",
    "0x80000000, ET",
    "0x19, IN|ERR|HUP",
    "0x80000005, IN|OUT|ET",
    "0xd0000001, IN|EXCLUSIVE|ONESHOT|ET",
    "0x20, 0x20",
    "0x821, IN|0x820",
    "0x4004000, 0x4004000",
    "0xffffffff,"
        + " IN|PRI|OUT|ERR|HUP|RDNORM|RDBAND|WRNORM|WRBAND|MSG|RDHUP|EXCLUSIVE|WAKEUP|ONESHOT|ET"
        + "|0xfffd820"
  })
  void reads(String mask, String text) {
    assertThat(Events.toString(Long.decode(mask).intValue())).isEqualTo(text);
  }

  @Test
  void theValuesAreTheKernels() {
    assertThat(Events.IN).isEqualTo(0x1);
    assertThat(Events.PRI).isEqualTo(0x2);
    assertThat(Events.OUT).isEqualTo(0x4);
    assertThat(Events.ERR).isEqualTo(0x8);
    assertThat(Events.HUP).isEqualTo(0x10);
    assertThat(Events.RDNORM).isEqualTo(0x40);
    assertThat(Events.RDBAND).isEqualTo(0x80);
    assertThat(Events.WRNORM).isEqualTo(0x100);
    assertThat(Events.WRBAND).isEqualTo(0x200);
    assertThat(Events.MSG).isEqualTo(0x400);
    assertThat(Events.RDHUP).isEqualTo(0x2000);
    assertThat(Events.EXCLUSIVE).isEqualTo(1 << 28);
    assertThat(Events.WAKEUP).isEqualTo(1 << 29);
    assertThat(Events.ONESHOT).isEqualTo(1 << 30);
    assertThat(Events.ET).isEqualTo(1 << 31);
  }
}
