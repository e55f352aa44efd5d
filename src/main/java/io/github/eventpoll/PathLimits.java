package io.github.eventpoll;

/**
 * How many paths may lead from one source to polls that no poll watches, by the number of polls on
 * the path (Linux: fs/eventpoll.c:path_limits). Through one poll: any number.
 */
final class PathLimits {
  /** The longest path: what {@link NestingCheck} allows. */
  static final int LONGEST = NestingCheck.MAX_EDGES + 1;

  static final PathLimits KERNEL = new PathLimits(500, 100, 50, 10);

  private final int[] limits;

  /** Limits for paths through two polls, three, and so on. */
  PathLimits(int... limits) {
    this.limits = limits;
  }

  /**
   * Looks for too many paths.
   *
   * @param paths how many there are through 1, 2 ... polls
   * @return through how many polls too many paths lead, 0 if there are not too many of any length
   */
  int exceededBy(long[] paths) {
    for (int polls = 2; polls <= LONGEST; polls++) {
      if (paths[polls - 1] > limits[polls - 2]) {
        return polls;
      }
    }
    return 0;
  }

  int through(int polls) {
    return limits[polls - 2];
  }
}
