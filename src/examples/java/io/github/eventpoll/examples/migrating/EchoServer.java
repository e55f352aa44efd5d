package io.github.eventpoll.examples.migrating;

import java.io.IOException;
import java.net.SocketAddress;

/**
 * What both servers do: send everything back, tell all clients what is announced, end when told to
 * or when no client has said anything for a while.
 */
interface EchoServer {
  /** Where it listens. */
  SocketAddress address() throws IOException;

  /** Serves until it is stopped, or nobody has said anything for the time given to the server. */
  void run() throws IOException;

  /** Sends a text to all clients. Any thread may call it. */
  void announce(String text);

  /** Ends {@link #run}. Any thread may call it. */
  void stop();
}
