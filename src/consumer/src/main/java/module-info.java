/** A modular user of the library. */
module consumer {
  requires io.github.eventpoll;
}
