package io.github.eventpoll.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The shapes with which the kernel is measured: {@code benchmarks/run shape NAME [options]}. */
public final class Shapes {
  /** The main method of a shape. */
  private interface Main {
    void run(String[] args) throws Exception;
  }

  private static final Map<String, Main> ALL = new LinkedHashMap<>();

  static {
    ALL.put("epoll-wait", EpollWaitShape::main);
    ALL.put("epoll-ctl", EpollCtlShape::main);
    ALL.put("stress-epoll", StressEpollShape::main);
    ALL.put("mask", MaskShape::main);
    ALL.put("notified", NotifiedShape::main);
    ALL.put("topology", TopologyShape::main);
  }

  private Shapes() {}

  /**
   * Runs the shape that is named.
   *
   * @param args its name and its options
   * @throws Exception if a measurement cannot be made
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 0 || !ALL.containsKey(args[0])) {
      System.err.println("usage: benchmarks/run shape NAME [options], one of " + ALL.keySet());
      System.exit(2);
    }
    Machine.print();
    CallSites.pollute();
    ALL.get(args[0]).run(Arrays.copyOfRange(args, 1, args.length));
  }
}
