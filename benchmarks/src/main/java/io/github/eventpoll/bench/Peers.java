package io.github.eventpoll.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * A queue in a poll beside other ways of handing messages to a thread that sleeps: {@code
 * benchmarks/run peers [--quick]}.
 */
public final class Peers {
  private static final String OURS = Strategy.DEFAULT.toString();
  private static final Object MESSAGE = new Object();

  /** Made for a number of producers. */
  private final Map<String, IntFunction<Handover>> ways = new LinkedHashMap<>();

  private final Report report = new Report();
  private final boolean quick;

  /** The cells of the table: by way, then by column. */
  private final Map<String, Map<String, String>> table = new LinkedHashMap<>();

  private Peers(boolean quick) {
    this.quick = quick;
    for (Strategy strategy : Strategy.paths()) {
      ways.put(strategy.toString(), producers -> new Handovers.InPoll(strategy));
    }
    ways.put(
        "LinkedBlockingQueue", producers -> new Handovers.Blocking(new LinkedBlockingQueue<>()));
    ways.put(
        "LinkedTransferQueue", producers -> new Handovers.Blocking(new LinkedTransferQueue<>()));
    ways.put("Disruptor, blocking", Handovers.Ring::new);
    ways.put("JCTools + park", producers -> new Handovers.Parked());
    ways.put("JCTools + Selector.wakeup", producers -> new Handovers.Selected());
    if (KernelEngine.isAvailable()) {
      ways.put("JCTools + eventfd + epoll", producers -> new Handovers.InKernel());
    }
    ways.keySet().forEach(name -> table.put(name, new LinkedHashMap<>()));
  }

  /**
   * Measures and prints everything.
   *
   * @param args {@code --quick} for about a minute
   * @throws Exception if a measurement cannot be made
   */
  public static void main(String[] args) throws Exception {
    boolean quick =
        new Options("usage: benchmarks/run peers [--quick]", "--quick", "", args).has("--quick");
    Machine.print();
    CallSites.pollute();
    Peers peers = new Peers(quick);
    peers.report.note("all", quick ? "quick" : "full");
    peers.pingPong();
    for (int producers : quick ? new int[] {1, 4} : new int[] {1, 2, 4, 8}) {
      peers.throughput(producers);
    }
    peers.print();
    peers.report.finish(Path.of("target", "peers.json"));
  }

  /** Each of two threads sends one message to the other in turn. */
  private void pingPong() throws Exception {
    int trips = quick ? 3_000 : 20_000;
    Rounds<PingPong.Result> rounds = new Rounds<>();
    ways.forEach((name, way) -> rounds.add(name, () -> pingPong(way, trips)));
    rounds.run(quick ? 5 : 11);
    rounds.printTrips(report, "ping-pong");
    column(rounds, "ping-pong", "us", result -> result.nanos() / 1e3);
    column(rounds, "ping-pong", "p99 us", Peers::worst);
    column(rounds, "ping-pong", "CPU us", result -> result.cpuNanos() / 1e3);
    ratios(rounds, "ping-pong", PingPong.Result::nanos);
  }

  private static double worst(PingPong.Result result) {
    return result.histogram().getValueAtPercentile(99) / 1e3;
  }

  private static PingPong.Result pingPong(IntFunction<Handover> way, int trips)
      throws InterruptedException {
    try (Handover ping = way.apply(1);
        Handover pong = way.apply(1)) {
      return PingPong.run(new Mail(ping), new Mail(pong), trips);
    }
  }

  private record Mail(Handover way) implements PingPong.Bell {
    @Override
    public void ring() {
      way.send(MESSAGE);
    }

    @Override
    public void await() {
      int taken;
      do {
        taken = way.take(message -> {});
      } while (taken == 0);
    }
  }

  private void throughput(int producers) throws Exception {
    int messages = quick ? 400_000 : 2_000_000;
    Rounds<ManyToOne.Result> rounds = new Rounds<>();
    ways.forEach((name, way) -> rounds.add(name, () -> throughput(way, producers, messages)));
    rounds.run(quick ? 5 : 11);
    String what = producers + " to 1";
    rounds.printTrips(report, what);
    column(rounds, what, "messages/ms", ManyToOne.Result::perMilli);
    column(rounds, what, "CPU ns", ManyToOne.Result::cpuNanos);
    ratios(rounds, what, ManyToOne.Result::perMilli);
  }

  private static ManyToOne.Result throughput(IntFunction<Handover> way, int producers, int messages)
      throws InterruptedException {
    try (Handover made = way.apply(producers)) {
      return ManyToOne.run(made, producers, messages);
    }
  }

  private <R> void column(Rounds<R> rounds, String what, String unit, ToDoubleFunction<R> figure) {
    for (String name : ways.keySet()) {
      double value = rounds.median(name, figure);
      report.record(what, name, value, unit);
      String cell = String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
      table.get(name).put(what + " " + unit, cell);
    }
  }

  private <R> void ratios(Rounds<R> rounds, String what, ToDoubleFunction<R> figure) {
    for (String name : ways.keySet()) {
      if (!name.equals(OURS)) {
        report.info(what, OURS + " / " + name, rounds.ratio(OURS, name, figure), "");
      }
    }
  }

  private void print() {
    System.out.printf("%n%-27s", "");
    table.get(OURS).keySet().forEach(column -> System.out.printf(" %16s", column));
    table.forEach(
        (name, row) -> {
          System.out.printf("%n%-27s", name);
          row.values().forEach(cell -> System.out.printf(" %16s", cell));
        });
    System.out.println();
  }
}
