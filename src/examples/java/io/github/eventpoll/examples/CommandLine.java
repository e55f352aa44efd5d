package io.github.eventpoll.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What {@link JobServer} does with its arguments. */
final class CommandLine {
  private static final int REQUESTS = 10_000;
  private static final int CLIENTS = 50;

  /** Far more than a run takes: whoever waits longer waits for something that was lost. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private CommandLine() {}

  /** Runs; returns the exit status. */
  static int run(String[] args, PrintStream out) {
    try {
      if (args.length == 0) {
        JobServer server = new JobServer(0, out, Job::sumOfSquares, job -> true);
        return driveSafely(server, out);
      }
      int port = args.length == 2 && args[0].equals("--serve") ? port(args[1]) : -1;
      if (port < 0) {
        out.println("usage: JobServer [--serve PORT]");
        return 2;
      }
      return serve(port, out);
    } catch (IOException e) {
      out.println("cannot listen: " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      out.println("interrupted");
      return 1;
    }
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port <= 0xffff ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The same with a guard over everything: should the end of it hang, too, the JVM ends anyway. */
  private static int driveSafely(JobServer server, PrintStream out) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    Thread guard =
        new Thread(
            () -> {
              try {
                if (!over.await(2 * LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                  out.println("the example hangs; the server's poll:\n" + server.dump());
                  Runtime.getRuntime().halt(1);
                }
              } catch (InterruptedException e) {
                // Maven does this to threads that are left over.
              }
            },
            "jobserver-guard");
    guard.setDaemon(true);
    guard.start();
    try {
      return drive(server, REQUESTS, CLIENTS, LIMIT, out);
    } finally {
      over.countDown();
      guard.join();
    }
  }

  private static int serve(int port, PrintStream out) throws IOException {
    try (JobServer server = new JobServer(port, out, Job::sumOfSquares, job -> true)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      out.println(
          "serving http://localhost:"
              + server.address().getPort()
              + Job.path(1000)
              + " until interrupted");
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      out.println("interrupted: server closed");
    }
    return 0;
  }

  /** Sends requests to a server, closes it and prints what came of it. */
  static int drive(JobServer server, int requests, int clients, Duration limit, PrintStream out)
      throws InterruptedException {
    Clients load = new Clients(server.address(), requests, clients);
    boolean inTime;
    try (server) {
      inTime = load.run(limit);
      if (!inTime) {
        out.println("not all answers within " + limit.toSeconds() + " s; the server's poll:");
        out.println(server.dump());
        load.giveUp();
      }
    }
    Tally tally = server.tally();
    print(out, requests, clients, load, tally);
    boolean good =
        inTime
            && load.complaints().isEmpty()
            && load.latencies().length == requests
            && tally.answered() == requests
            && tally.failures() == 0;
    return good ? 0 : 1;
  }

  private static void print(PrintStream out, int requests, int clients, Clients load, Tally tally) {
    long[] latencies = load.latencies();
    load.complaints().stream().limit(20).forEach(out::println);
    row(out, "requests", "%,d", requests, "by " + clients + " clients over HTTP on loopback");
    row(out, "right answers", "%,d", latencies.length, "");
    row(out, "lost or wrong", "%,d", requests - latencies.length, "");
    row(
        out,
        "requests/s",
        "%,.0f",
        latencies.length * 1e9 / load.nanos(),
        "cold JVM, all included");
    row(out, "p50", "%.2f ms", quantile(latencies, 0.50) / 1e6, "as a client sees it");
    row(out, "p99", "%.2f ms", quantile(latencies, 0.99) / 1e6, "");
    row(
        out,
        "announcements",
        "%,d",
        tally.announced(),
        String.format(
            Locale.ROOT,
            "requests %,d, completions %,d, timer %,d, shutdown 1",
            tally.received(),
            tally.computed(),
            tally.ticks()));
    row(out, "waits", "%,d", tally.waits(), "of the workers, each with all that was there");
    row(out, "wake-ups sent", "%,d", tally.parks(), "at most: parks of the workers, for locks too");
    long saved = Math.max(0, tally.announced() - tally.parks());
    row(out, "wake-ups saved", "%,d", saved, "at least: announcements that woke nobody");
  }

  private static void row(PrintStream out, String name, String format, Object value, String note) {
    String text = String.format(Locale.ROOT, format, value);
    out.println(String.format(Locale.ROOT, "%-15s %12s  %s", name, text, note).stripTrailing());
  }

  private static long quantile(long[] ascending, double fraction) {
    if (ascending.length == 0) {
      return 0;
    }
    int index = (int) Math.ceil(fraction * ascending.length) - 1;
    return ascending[Math.max(0, index)];
  }
}
