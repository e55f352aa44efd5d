package io.github.eventpoll.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** What stress rounds must not leave behind: descriptors and helper threads. */
final class Resources {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final long FAIL_SAFE_NANOS = 20_000_000_000L;

  private final long descriptors;

  /** Before the first round. */
  Resources() {
    StressChannel.pipe("first").close(); // what the JDK opens with its first channel, it keeps
    StressChannel.connection("first").close();
    descriptors = descriptors();
  }

  /** Fails if a round has left anything; what others close is waited for. */
  void requireFlat(long seed) {
    long end = System.nanoTime() + FAIL_SAFE_NANOS;
    for (; ; ) {
      long now = descriptors();
      long helpers = helpers();
      if (helpers == 0 && now <= descriptors) {
        return;
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(
            "seed "
                + seed
                + " leaves "
                + now
                + " descriptors instead of "
                + descriptors
                + " and "
                + helpers
                + " helpers");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** How many sockets, pipes and selectors are open; 0 where that cannot be known. */
  private static long descriptors() {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return 0;
    }
    long count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path one : all) {
        count += isCounted(one) ? 1 : 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return count;
  }

  private static boolean isCounted(Path descriptor) {
    try {
      String what = Files.readSymbolicLink(descriptor).toString();
      return what.startsWith("socket:")
          || what.startsWith("pipe:")
          || what.startsWith("anon_inode:");
    } catch (IOException e) {
      return false; // closed by now, as the one of the listing itself
    }
  }

  private static long helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("eventpoll-helper"))
        .count();
  }
}
