package io.github.eventpoll.kernel;

/** A world refused an operation, with an error of the kernel's. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String errno;

  Refused(String errno) {
    super(errno);
    this.errno = errno;
  }

  String errno() {
    return errno;
  }
}
