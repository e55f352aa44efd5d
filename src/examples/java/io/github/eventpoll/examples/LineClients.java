package io.github.eventpoll.examples;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Many clients of a line server, each over a connection and with a thread of its own. Talkers send
 * line after line, never the same, and once {@code /all}; silent ones wait to be closed; a late
 * reader sends much before it reads. Another thread announces.
 */
final class LineClients {
  private static final int LATE_LINES = 2_000;
  private static final String PADDING = "-".repeat(500);
  private static final long ANNOUNCEMENT_EVERY = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * How many and how long.
   *
   * @param talkers clients that talk
   * @param silent clients that say nothing
   * @param late clients that begin to read late
   * @param talking how long they talk
   */
  record Plan(int talkers, int silent, int late, Duration talking) {
    int connections() {
      return talkers + silent + late;
    }
  }

  private final InetSocketAddress server;
  private final Plan plan;
  private final Predicate<String> announce;
  private final BooleanSupplier heldBack;
  private final CountDownLatch running;
  private final CountDownLatch connected;

  /** Those who may still announce something: the talkers and the announcer. */
  private final CountDownLatch announcing;

  private final Set<String> announced = ConcurrentHashMap.newKeySet();
  private final Set<LineClient> open = ConcurrentHashMap.newKeySet();
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
  private final Queue<long[]> latencies = new ConcurrentLinkedQueue<>();
  private final LongAdder sent = new LongAdder();
  private final LongAdder echoes = new LongAdder();
  private final LongAdder heard = new LongAdder();
  private volatile boolean late;
  private volatile long start;
  private long nanos;

  /**
   * Prepares the clients.
   *
   * @param announce takes an announcement of the server's program
   * @param heldBack whether the server has felt that somebody does not read
   */
  LineClients(
      InetSocketAddress server, Plan plan, Predicate<String> announce, BooleanSupplier heldBack) {
    this.server = server;
    this.plan = plan;
    this.announce = announce;
    this.heldBack = heldBack;
    running = new CountDownLatch(plan.connections() + 1);
    connected = new CountDownLatch(plan.talkers());
    announcing = new CountDownLatch(plan.talkers() + 1);
  }

  /** What a thread does. */
  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  /** Lets the clients do what they do; false if they were not done in time. */
  boolean run(Duration limit) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < plan.talkers(); i++) {
      Talker talker = new Talker(i);
      threads.add(thread("talker " + i, talker::run));
    }
    for (int i = 0; i < plan.silent(); i++) {
      threads.add(thread("silent client " + i, this::sayNothing));
    }
    for (int i = 0; i < plan.late(); i++) {
      threads.add(thread("late reader " + i, this::readLate));
    }
    threads.add(thread("announcer", this::announce));
    start = System.nanoTime();
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

  private Thread thread(String who, Task task) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (IOException | InterruptedException e) {
            complaints.add(who + ": " + (late ? "not all came in time" : e));
          } finally {
            running.countDown();
          }
        };
    return new Thread(guarded, "lineserver-" + who.replace(' ', '-'));
  }

  /** Ends the clients that still wait for something. */
  void giveUp() throws InterruptedException {
    late = true;
    open.forEach(LineClient::close);
    running.await(10, TimeUnit.SECONDS);
  }

  private LineClient opened(LineClient client) {
    open.add(client);
    if (late) { // read after the addition, set before giveUp() looks: one of both closes it
      client.close();
    }
    return client;
  }

  private void closed(LineClient client) {
    open.remove(client);
    client.close();
  }

  private long elapsed() {
    return System.nanoTime() - start;
  }

  // ------------------------------------------------------------------------- who does what

  /** A client that sends lines until nobody has anything to announce any more. */
  private final class Talker {
    private final int number;
    private boolean hasConnected;
    private boolean hasAnnounced;
    private boolean isDone;

    Talker(int number) {
      this.number = number;
    }

    void run() throws IOException {
      LineClient client = null;
      try {
        client =
            opened(LineClient.to(server, text -> complaints.add("talker " + number + ": " + text)));
        talk(client);
      } finally {
        if (!hasConnected) {
          connected.countDown();
        }
        if (!isDone) {
          announcing.countDown();
        }
        if (client != null) {
          closed(client);
          latencies.add(client.latencies());
          heard.add(client.heard().size());
        }
      }
    }

    private void talk(LineClient client) throws IOException {
      for (int i = 0; announcing.getCount() > 0 && !late; i++) {
        sent.increment();
        client.ask(number + ":" + i);
        echoes.increment();
        step(client);
      }
      client.hear(announced.size());
      client.end();
      if (!client.heard().equals(announced)) {
        complaints.add("talker " + number + " has heard what nobody has announced");
      }
    }

    private void step(LineClient client) throws IOException {
      if (!hasConnected) {
        hasConnected = true;
        connected.countDown();
      }
      long myMoment = plan.talking().toNanos() / (plan.talkers() + 1) * (number + 1);
      if (!hasAnnounced && connected.getCount() == 0 && elapsed() >= myMoment) {
        hasAnnounced = true;
        announced.add("talker " + number);
        client.send("/all talker " + number);
      }
      if (!isDone && hasAnnounced && elapsed() >= plan.talking().toNanos()) {
        isDone = true;
        announcing.countDown();
      }
    }
  }

  private void announce() throws InterruptedException {
    try {
      connected.await();
      for (int i = 0; elapsed() < plan.talking().toNanos() && !late; i++) {
        String text = "announcement " + i;
        announced.add(text);
        if (!announce.test(text)) {
          complaints.add("refused: " + text);
        }
        TimeUnit.NANOSECONDS.sleep(ANNOUNCEMENT_EVERY);
      }
    } finally {
      announcing.countDown();
    }
  }

  private void sayNothing() throws IOException {
    LineClient client = opened(LineClient.to(server, complaints::add));
    try {
      String line = client.read();
      while (line != null) {
        line = client.read(); // announcements, and the end
      }
    } finally {
      closed(client);
    }
  }

  private void readLate() throws IOException, InterruptedException {
    LineClient client =
        opened(LineClient.withSmallBuffer(server, text -> complaints.add("late reader: " + text)));
    Thread writer = thread("late writer", () -> writeAhead(client));
    try {
      writer.start();
      while (!heldBack.getAsBoolean() && !late) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      for (int i = 0; i < LATE_LINES; i++) {
        client.expect(i + PADDING);
        echoes.increment();
      }
      writer.join();
      client.end();
    } finally {
      closed(client);
    }
  }

  private void writeAhead(LineClient client) throws IOException {
    for (int i = 0; i < LATE_LINES; i++) {
      sent.increment();
      client.send(i + PADDING);
    }
  }

  // --------------------------------------------------------------------------- after the run

  /** What was wrong. */
  Queue<String> complaints() {
    return complaints;
  }

  /** Lines sent that shall come back. */
  long sent() {
    return sent.sum();
  }

  /** Lines that have come back. */
  long echoes() {
    return echoes.sum();
  }

  /** Announcements sent; each shall come to each talker. */
  int announced() {
    return announced.size();
  }

  /** Announcements that talkers have got, all talkers together. */
  long heard() {
    return heard.sum();
  }

  /** Nanoseconds that a talker's line took to come back, ascending. */
  long[] latencies() {
    return latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
  }

  long nanos() {
    return nanos;
  }
}
