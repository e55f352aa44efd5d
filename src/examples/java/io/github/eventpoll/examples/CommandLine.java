package io.github.eventpoll.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

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
      int port = Arguments.portToServe(args);
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

  /** The same with a guard over everything, its end included. */
  private static int driveSafely(JobServer server, PrintStream out) throws InterruptedException {
    FailSafe guard = FailSafe.begin("jobserver", LIMIT.multipliedBy(2), server::dump, out);
    try {
      return drive(server, REQUESTS, CLIENTS, LIMIT, out);
    } finally {
      guard.end();
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
    Report report = new Report(out);
    report.count("requests", requests, "by %d clients over HTTP on loopback", clients);
    report.count("right answers", latencies.length, "");
    report.count("lost or wrong", requests - latencies.length, "");
    double rate = latencies.length * 1e9 / load.nanos();
    report.row("requests/s", "%,.0f", rate, "cold JVM, all included");
    report.latencies(latencies);
    report.count(
        "announcements",
        tally.announced(),
        "requests %,d, completions %,d, timer %,d, shutdown 1",
        tally.received(),
        tally.computed(),
        tally.ticks());
    report.count("waits", tally.waits(), "of the workers, each with all that was there");
    report.count("wake-ups sent", tally.parks(), "at most: parks of the workers, for locks too");
    long saved = Math.max(0, tally.announced() - tally.parks());
    report.count("wake-ups saved", saved, "at least: announcements that woke nobody");
  }
}
