package io.github.eventpoll.kernel;

/**
 * A thing of a program: its name there, the number that its events carry unless the program gives
 * another, and its number in the world.
 */
record Handle(String name, long data, int number) {
  @Override
  public String toString() {
    return name;
  }
}
