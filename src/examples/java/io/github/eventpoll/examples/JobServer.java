package io.github.eventpoll.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import io.github.eventpoll.source.Timer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/**
 * A small job server. HTTP requests come in, a pool computes, answers go back over HTTP; two
 * workers do the rest, and wait for all of it on one {@link EventPoll}:
 *
 * <pre>
 *   requests     QueueSource  ONESHOT  the HTTP threads put requests in
 *   completions  EventFd      ET       the computing pool counts up what it has finished
 *   statistics   Timer        ET       every quarter of a second
 *   shutdown     EventFd      level    written once, never read: every worker sees it
 * </pre>
 *
 * <p>{@link #main} without arguments drives the server with 10 000 requests and checks the answers;
 * {@code --serve PORT} serves until interrupted.
 */
public final class JobServer implements AutoCloseable {
  private static final int WORKERS = 2;
  private static final int HTTP_THREADS = 4;
  private static final int COMPUTING_THREADS = 2;
  private static final int MOST_WAITING = 4096;
  private static final int BATCH = 16;
  private static final int REARMED = Events.IN | Events.ONESHOT;
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final PrintStream out;
  private final LongUnaryOperator function;
  private final Predicate<Job> announces;
  private final HttpServer http;
  private final ExecutorService httpThreads;
  private final ExecutorService computing;
  private final List<Worker> workers = new ArrayList<>();

  private final EventPoll poll = EventPoll.create();
  private final QueueSource<Job> requests = QueueSource.bounded(MOST_WAITING);
  private final EventFd completions = EventFd.create();
  private final Timer statistics = Timer.create();
  private final EventFd shutdown = EventFd.create();
  private final EpItem requestsItem;

  /** What the pool has finished; each entry was put in before it was counted in completions. */
  private final Queue<Job> finished = new ConcurrentLinkedQueue<>();

  private final long start = System.nanoTime();
  private final LongAdder received = new LongAdder();
  private final LongAdder computed = new LongAdder();
  private final LongAdder ticks = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Starts serving.
   *
   * @param port where to listen on the loopback address; 0 for any free port
   * @param function what is computed
   * @param announces false for a finished job that nobody shall be told of: a planted fault
   */
  JobServer(int port, PrintStream out, LongUnaryOperator function, Predicate<Job> announces)
      throws IOException {
    this.out = out;
    this.function = function;
    this.announces = announces;
    // Otherwise an answer's body waits for the acknowledgement of its head, 40 ms later.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
    httpThreads = Executors.newFixedThreadPool(HTTP_THREADS, named("http"));
    computing = Executors.newFixedThreadPool(COMPUTING_THREADS, named("computing"));

    // What to do about an event is attached to its item.
    requestsItem = poll.add(requests, REARMED, action(this::takeRequests));
    poll.add(completions, Events.IN | Events.ET, action(this::takeCompletions));
    poll.add(statistics, Events.IN | Events.ET, action(this::printStatistics));
    poll.add(shutdown, Events.IN, Worker.END);
    statistics.set(TICK, TICK);

    for (int i = 0; i < WORKERS; i++) {
      workers.add(new Worker("jobserver-worker-" + i, poll, out));
    }
    workers.forEach(Worker::start);
    http.setExecutor(httpThreads);
    http.createContext("/job", this::receive);
    http.start();
  }

  /**
   * Runs the example.
   *
   * @param args nothing, or {@code --serve PORT}
   */
  public static void main(String[] args) {
    int status = CommandLine.run(args, System.out);
    if (status != 0) {
      System.exit(status); // otherwise not: Maven may have more to do in this JVM
    }
  }

  // ----------------------------------------------------------------- the way of one request

  /** An HTTP thread: hands the request over and goes; the exchange stays open until the answer. */
  private void receive(HttpExchange exchange) {
    Job job = new Job(exchange);
    received.increment();
    if (!requests.offer(job)) {
      job.refuse(503, "too many requests\n");
      reply(job);
    }
  }

  /**
   * A worker: takes some requests to the pool. The item is one-shot, so that one worker is woken
   * for them and offers meanwhile wake nobody; it is armed again when some are taken, so that the
   * other worker can go on with the rest.
   */
  private void takeRequests() {
    List<Job> batch = new ArrayList<>(BATCH);
    requests.drain(batch::add, BATCH);
    requestsItem.modify(REARMED);
    for (Job job : batch) {
      computing.execute(() -> compute(job));
    }
  }

  /** A thread of the pool. The job is put where a worker finds it, and then counted. */
  private void compute(Job job) {
    job.compute(function);
    finished.add(job);
    if (announces.test(job)) {
      computed.increment();
      completions.tryWrite(1);
    }
  }

  /**
   * A worker: answers as many as were counted. Edge-triggered, so that one worker is woken for a
   * write and not both; that is enough, because reading takes the whole count.
   */
  private void takeCompletions() {
    for (long count = completions.tryRead(); count > 0; count--) {
      Job job = finished.poll();
      if (job == null) {
        throw new IllegalStateException("counted, but not there");
      }
      reply(job);
    }
  }

  private void reply(Job job) {
    (job.reply() ? answered : unanswered).increment();
  }

  private void printStatistics() {
    long expirations = statistics.tryRead();
    ticks.add(expirations);
    if (expirations > 0 && outstanding() > 0) {
      out.printf(
          "%6.2f s  %,6d answered  %,4d under way%n",
          (System.nanoTime() - start) / 1e9, answered.sum(), outstanding());
    }
  }

  private static Runnable action(Runnable method) {
    return method;
  }

  private static ThreadFactory named(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> new Thread(task, "jobserver-" + name + "-" + number.getAndIncrement());
  }

  // ---------------------------------------------------------------------------------- looking

  InetSocketAddress address() {
    return http.getAddress();
  }

  String dump() {
    return poll.dump();
  }

  private long outstanding() {
    return received.sum() - answered.sum() - unanswered.sum();
  }

  /** What happened; exact once the server is closed. */
  Tally tally() {
    return new Tally(
        received.sum(),
        computed.sum(),
        ticks.sum(),
        answered.sum(),
        unanswered.sum(),
        workers.stream().mapToLong(Worker::waits).sum(),
        workers.stream().mapToLong(Worker::parks).sum(),
        failures.sum() + workers.stream().mapToLong(Worker::failures).sum());
  }

  // ---------------------------------------------------------------------------------- the end

  /** Stops listening, lets the workers go, ends all threads. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    http.stop(outstanding() > 0 ? 1 : 0); // seconds for what is under way
    shutdown.tryWrite(1);
    boolean ended = true;
    try {
      for (Worker worker : workers) {
        ended &= worker.join(PATIENCE);
      }
      httpThreads.shutdownNow();
      computing.shutdownNow();
      ended &= httpThreads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      ended &= computing.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      failures.increment();
      out.println("some threads did not end:\n" + dump());
    }
    poll.close();
    requests.dispose();
    completions.close();
    statistics.close();
    shutdown.close();
  }
}
