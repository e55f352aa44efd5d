package io.github.eventpoll.examples;

/** The arguments of the servers: none, or {@code --serve PORT}. */
final class Arguments {
  private Arguments() {}

  /** The port to serve on; −1 if the arguments are not of that form. */
  static int portToServe(String[] args) {
    if (args.length != 2 || !args[0].equals("--serve")) {
      return -1;
    }
    try {
      int port = Integer.parseInt(args[1]);
      return port <= 0xffff ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
