package io.github.eventpoll.bench;

import io.github.eventpoll.Events;
import io.netty.channel.epoll.Epoll;

/**
 * P7: TCP echo on loopback with one poll, against the loop written by hand, Netty and the pump, in
 * one JVM with one client; ratios of throughput. And what it takes to wake a leader.
 */
@SuppressWarnings("try") // close may be interrupted: a benchmark ends then
final class EchoBar implements Bars.Bar {
  private static final int[] CONNECTIONS = {1, 10, 100};

  /** Exchanged on all connections together before anything is timed. */
  private static final int WARM_UP = 20_000;

  private static final int CPU_PAIRS = 9;
  private static final int CPU_MESSAGES = 4_000;

  @Override
  public void measure(Report report, boolean quick) throws Exception {
    for (int connections : CONNECTIONS) {
      Trips trips = new Trips();
      Pairs pairs = new Pairs(quick ? 5 : 15, quick ? 50_000_000L : 200_000_000L, trips);
      new Round(report, pairs, connections).run();
      trips.print(report, "P7");
    }
    LeaderWake.measure(report, quick);
  }

  /** All comparisons with one number of connections. */
  private static final class Round {
    private final Report report;
    private final Pairs pairs;
    private final int connections;

    Round(Report report, Pairs pairs, int connections) {
      this.report = report;
      this.pairs = pairs;
      this.connections = connections;
    }

    void run() throws Exception {
      try (PollEcho server = new PollEcho(0, 1);
          EchoClient ours = warm(server)) {
        bars(server, ours);
      }
      try (EchoServer selector = new SelectorEcho();
          EchoClient base = warm(selector)) {
        print("one-shot", new PollEcho(Events.ONESHOT, 1), base);
        print("edge", new PollEcho(Events.ET, 1), base);
        print("two waiters, one-shot", new PollEcho(Events.ONESHOT, 2), base);
        print("two waiters, edge", new PollEcho(Events.ET, 2), base);
      }
    }

    private void bars(PollEcho server, EchoClient ours) throws Exception {
      try (SelectorEcho selector = new SelectorEcho();
          EchoClient base = warm(selector)) {
        long selects = server.selects();
        long waits = server.waits();
        against("Selector loop", base, ours, 0.97);
        report.info("P7", label("CPU of the servers"), cpu(server, ours, selector, base), "");
        double each = (server.selects() - selects) / (server.waits() - waits + 1.0);
        report.atMost("P7", label("selects per await"), each, 1.01);
      }
      against("Netty NIO", NettyEcho.nio(), ours, 1.1);
      if (Epoll.isAvailable()) {
        against("Netty epoll", NettyEcho.epoll(), ours, 1.05);
      } else {
        System.out.println("P7  no native epoll here: Netty's is left out");
      }
      against("pump and worker", new PumpEcho(), ours, 1.5);
    }

    private void against(String name, EchoServer peer, EchoClient ours, double bar)
        throws Exception {
      try (peer;
          EchoClient theirs = warm(peer)) {
        against(name, theirs, ours, bar);
      }
    }

    private void against(String name, EchoClient theirs, EchoClient ours, double bar) {
      Ratio ratio = pairs.timePerRound(theirs::exchange, ours::exchange);
      report.atLeast("P7", label("level / " + name), ratio, bar);
    }

    private void print(String what, EchoServer mine, EchoClient base) throws Exception {
      try (mine;
          EchoClient client = warm(mine)) {
        Ratio ratio = pairs.timePerRound(base::exchange, client::exchange);
        report.info("P7", label(what + " / Selector loop"), ratio, "");
      }
    }

    /** CPU time of our threads for each message, in that of the loop's: hardly shaken by others. */
    private Ratio cpu(EchoServer mine, EchoClient ours, EchoServer selector, EchoClient base) {
      double[] ratios = new double[CPU_PAIRS];
      for (int i = 0; i < ratios.length; i++) {
        double before = cpu(selector, base);
        double between = cpu(mine, ours);
        ratios[i] = between / ((before + cpu(selector, base)) / 2);
      }
      return Ratio.of(ratios);
    }

    private double cpu(EchoServer server, EchoClient client) {
      long start = server.cpuNanos();
      client.exchange(CPU_MESSAGES / connections);
      return server.cpuNanos() - start;
    }

    private EchoClient warm(EchoServer server) throws Exception {
      EchoClient client = new EchoClient(server, connections);
      client.exchange(WARM_UP / connections);
      return client;
    }

    private String label(String what) {
      return "echo on " + connections + ": " + what;
    }
  }
}
