package io.github.eventpoll.examples;

import io.github.eventpoll.examples.LineClients.Plan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** What {@link LineServer} does with its arguments. */
final class LineCommand {
  private static final Plan PLAN = new Plan(200, 5, 1, Duration.ofSeconds(5));
  private static final Duration IDLE = Duration.ofSeconds(4);
  private static final Duration IDLE_WHEN_SERVING = Duration.ofMinutes(5);

  /** The planted failure: at this connection, so often. */
  private static final int SHORT_AT = 100;

  private static final int SHORT_TIMES = 2;

  /** Far more than a run takes: whoever waits longer waits for something that was lost. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private LineCommand() {}

  /** Runs; returns the exit status. */
  static int run(String[] args, InputStream in, PrintStream out) {
    try {
      if (args.length == 0) {
        LineSettings settings =
            LineSettings.idleAfter(IDLE)
                .acceptingBy(LineSettings.shortOfFiles(SHORT_AT, SHORT_TIMES));
        return driveSafely(new LineServer(0, out, settings), out);
      }
      int port = Arguments.portToServe(args);
      if (port < 0) {
        out.println("usage: LineServer [--serve PORT]");
        return 2;
      }
      return serve(port, in, out);
    } catch (IOException e) {
      out.println("cannot listen: " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      out.println("interrupted");
      return 1;
    }
  }

  private static int serve(int port, InputStream in, PrintStream out) throws IOException {
    LineSettings settings = LineSettings.idleAfter(IDLE_WHEN_SERVING);
    try (LineServer server = new LineServer(port, out, settings)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      out.println("serving localhost:" + server.address().getPort() + " until interrupted");
      out.println("/all TEXT from a client goes to everybody, and so does a line typed here");
      Thread typed = new Thread(() -> announceLines(server, in), "lineserver-typed");
      typed.setDaemon(true);
      typed.start();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      out.println("interrupted: server closed");
    }
    return 0;
  }

  private static void announceLines(LineServer server, InputStream in) {
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        server.announce(line);
      }
    } catch (IOException e) {
      // Nobody types any more.
    }
  }

  private static int driveSafely(LineServer server, PrintStream out)
      throws IOException, InterruptedException {
    FailSafe guard = FailSafe.begin("lineserver", LIMIT.multipliedBy(2), server::dump, out);
    try {
      return drive(server, PLAN, LIMIT, out);
    } finally {
      guard.end();
    }
  }

  /** Lets clients talk to a server, closes it and prints what came of it. */
  static int drive(LineServer server, Plan plan, Duration limit, PrintStream out)
      throws IOException, InterruptedException {
    LineClients load =
        new LineClients(
            server.address(), plan, server::announce, () -> server.tally().heldBack() > 0);
    boolean inTime;
    try (server) {
      inTime = load.run(limit);
      if (!inTime) {
        out.println("not all came back within " + limit.toSeconds() + " s; the server's poll:");
        out.println(server.dump());
        load.giveUp();
      }
    }
    LineTally tally = server.tally();
    load.complaints().stream().limit(20).forEach(out::println);
    print(new Report(out), plan, load, tally);
    boolean good =
        inTime
            && load.complaints().isEmpty()
            && lost(plan, load) == 0
            && tally.accepted() == plan.connections()
            && tally.announced() == load.announced()
            && tally.idleClosed() == plan.silent()
            && tally.failures() == 0;
    out.println(good ? "every message came back exactly once" : "FAILED");
    return good ? 0 : 1;
  }

  private static long lost(Plan plan, LineClients load) {
    return load.sent() - load.echoes() + (long) load.announced() * plan.talkers() - load.heard();
  }

  private static void print(Report report, Plan plan, LineClients load, LineTally tally) {
    report.count(
        "connections",
        tally.accepted(),
        "%d talk, %d are silent, %d reads late",
        plan.talkers(),
        plan.silent(),
        plan.late());
    long messages = load.echoes() + load.heard();
    report.count(
        "messages",
        messages,
        "echoes %,d; %,d announcements to %d each",
        load.echoes(),
        load.announced(),
        plan.talkers());
    report.count("lost", lost(plan, load), "");
    report.row("messages/s", "%,.0f", messages * 1e9 / load.nanos(), "cold JVM, all included");
    report.latencies(load.latencies());
    report.count(
        "accept failures",
        tally.acceptFailures(),
        "too many open files, planted; a timer armed the listener again");
    report.count("closed", tally.idleClosed(), "connections that were silent, by a timer");
    report.count("held back", tally.heldBack(), "times: not read from while much waited for OUT");
    report.count("events", tally.events(), "taken by the workers in %,d waits", tally.waits());
    report.count("passes", tally.passes(), "system calls that select");
    report.count(
        "wake-ups sent",
        tally.wakeups(),
        "at most: selector %,d, parks of workers %,d",
        tally.selectorWakes(),
        tally.parks());
    report.count(
        "wake-ups saved",
        tally.wakeupsSaved(),
        "at least: events and %,d changes that woke nobody",
        tally.changes());
  }
}
