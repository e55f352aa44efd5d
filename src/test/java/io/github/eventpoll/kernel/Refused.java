package io.github.eventpoll.kernel;

/** A world refused an operation, with an error of the kernel's. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String errno;

  Refused(String errno) {
    super(errno, null, false, false); // no stack trace: most errors are what a program is after
    this.errno = errno;
  }

  String errno() {
    return errno;
  }
}
