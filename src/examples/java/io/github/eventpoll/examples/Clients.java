package io.github.eventpoll.examples;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Many clients that ask a job server, each over a connection of its own and one request after the
 * other. Every request of a run asks something else, so that an answer that went to the wrong
 * client shows.
 */
final class Clients {
  private final InetSocketAddress server;
  private final int requests;
  private final int clients;
  private final CountDownLatch running;
  private final Map<Integer, HttpConnection> connections = new ConcurrentHashMap<>();
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
  private volatile boolean late;

  /** Nanoseconds per request, 0 for one without the right answer. Each is one thread's. */
  private final long[] latencies;

  private long nanos;

  Clients(InetSocketAddress server, int requests, int clients) {
    this.server = server;
    this.requests = requests;
    this.clients = clients;
    running = new CountDownLatch(clients);
    latencies = new long[requests];
  }

  /** Sends all requests; false if the answers were not all there in time. */
  boolean run(Duration limit) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int c = 0; c < clients; c++) {
      int number = c;
      threads.add(new Thread(() -> client(number), "jobserver-client-" + c));
    }
    long start = System.nanoTime();
    threads.forEach(Thread::start);
    boolean inTime = running.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    nanos = System.nanoTime() - start;
    if (inTime) {
      for (Thread thread : threads) {
        thread.join();
      }
    }
    return inTime;
  }

  /** Ends the clients that still wait for an answer. */
  void giveUp() throws InterruptedException {
    late = true;
    connections.values().forEach(HttpConnection::close);
    running.await(10, TimeUnit.SECONDS);
  }

  private void client(int number) {
    try {
      for (int i = number; i < requests && !late; i += clients) {
        ask(number, i);
      }
    } finally {
      HttpConnection connection = connections.remove(number);
      if (connection != null) {
        connection.close();
      }
      running.countDown();
    }
  }

  private void ask(int client, int request) {
    long n = request + 1;
    long start = System.nanoTime();
    try {
      HttpConnection.Answer answer = connection(client).get(Job.path(n));
      String expected = Job.text(n, n * (n + 1) * (2 * n + 1) / 6);
      if (answer.status() != 200 || !answer.body().equals(expected)) {
        complaints.add("request " + n + ": " + answer.status() + " " + answer.body().strip());
      } else {
        latencies[request] = Math.max(1, System.nanoTime() - start);
      }
    } catch (IOException e) {
      complaints.add("request " + n + ": " + (late ? "no answer in time" : e));
      HttpConnection broken = connections.remove(client);
      if (broken != null) {
        broken.close();
      }
    }
  }

  private HttpConnection connection(int client) throws IOException {
    HttpConnection connection = connections.get(client);
    if (connection == null) {
      connection = HttpConnection.to(server);
      connections.put(client, connection);
      if (late) { // read after the put, set before giveUp() looks: one of both closes it
        connection.close();
      }
    }
    return connection;
  }

  // After the run:

  /** What was wrong, one line for each request concerned that was sent. */
  Queue<String> complaints() {
    return complaints;
  }

  /** The latencies of the right answers, ascending, in nanoseconds. */
  long[] latencies() {
    return Arrays.stream(latencies).filter(l -> l > 0).sorted().toArray();
  }

  long nanos() {
    return nanos;
  }
}
