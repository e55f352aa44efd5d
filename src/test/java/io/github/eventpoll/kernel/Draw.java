package io.github.eventpoll.kernel;

import io.github.eventpoll.kernel.Op.Code;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws a program by lot, the same one for the same seed. */
final class Draw {
  /** One program in so many has threads: they take a hundred times as long. */
  static final int THREADS_ONE_IN = 25;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final int[] BATCHES = {1, 1, 2, 2, 3, 5, 64, 64, 64};
  private static final int[] NO_BATCHES = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
  private static final long[] VALUES = {0, 1, 1, 1, 2, 3, 1L << 40, -2, -3, -1, Long.MIN_VALUE};
  private static final int[] BYTES = {1, 1, 100, 4000, 4096, 5000, 8192, 9000};

  private final Shape shape;
  private final Random random;
  private final List<Op> ops = new ArrayList<>();
  private final List<Integer> polls = new ArrayList<>();
  private final List<Integer> counters = new ArrayList<>();
  private final List<Integer> timers = new ArrayList<>();
  private final List<Integer> readEnds = new ArrayList<>();
  private final List<Integer> writeEnds = new ArrayList<>();

  /** Who probably watches what: where there is something to change, to happen and to wait for. */
  private final List<Pair> pairs = new ArrayList<>();

  private record Pair(int poll, int source) {}

  /** What can be watched, and is no poll; things that were closed may stay. */
  private final List<Integer> sources = new ArrayList<>();

  private final boolean asks;
  private int things;
  private int waiters;

  private Draw(long seed, Shape shape) {
    this.random = new Random(seed * MIX); // seeds in a row would begin alike
    this.shape = shape;
    this.asks = random.nextInt(6) == 0;
  }

  static Shape shape(long seed) {
    if (Math.floorMod(seed, THREADS_ONE_IN) == 0) {
      Shape[] all = Shape.values();
      int alone = Shape.PAIR.ordinal() - 3;
      return all[alone + (int) Math.floorMod(seed / THREADS_ONE_IN, 4L)];
    }
    return Shape.values()[(int) Math.floorMod(seed, 4L)];
  }

  static Script script(long seed) {
    return script(seed, shape(seed));
  }

  static Script script(long seed, Shape shape) {
    Draw draw = new Draw(seed, shape);
    if (shape == Shape.PAIR) {
      return new Script(new DrawPair(draw.random).ops());
    }
    draw.make();
    int length = 10 + draw.random.nextInt(40);
    for (int i = 0; i < length; i++) {
      draw.step();
    }
    draw.end();
    return new Script(draw.ops);
  }

  // --------------------------------------------------------------------------------- things

  private void make() {
    int most = shape.nests() ? 6 : 3;
    int count = shape == Shape.THREADS_ABOVE ? 3 : 1 + random.nextInt(most);
    for (int i = 0; i < count && shape != Shape.LATTICE; i++) {
      polls.add(made(Code.POLL, 0));
    }
    counters();
    if (shape == Shape.LATTICE) {
      lattice();
    }
    if (shape.alone) {
      others();
    } else if (shape != Shape.THREADS_ABOVE && random.nextInt(2) == 0) {
      pipe();
    }
    if (shape == Shape.NESTED && random.nextInt(4) > 0) {
      edges();
    }
    for (int i = random.nextInt(2 * sources.size()); i > 0; i--) {
      add();
    }
  }

  private void counters() {
    int count = shape == Shape.THREADS_ABOVE ? 3 : 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      counter();
    }
    if (shape.alone && random.nextInt(3) == 0) {
      int alias = ++things;
      ops.add(new Op(Code.ALIAS, alias, counters.get(0), 0, 0));
      counters.add(alias);
      sources.add(alias);
    }
  }

  private int counter() {
    Code code = random.nextInt(3) == 0 ? Code.SEMAPHORE : Code.COUNTER;
    int made = made(code, random.nextInt(4) == 0 ? random.nextInt(4) : 0);
    counters.add(made);
    sources.add(made);
    return made;
  }

  private void others() {
    for (int i = random.nextInt(3); i > 0; i--) {
      timer();
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      pipe();
    }
    if (random.nextInt(4) == 0) {
      sources.add(made(Code.UNWATCHABLE, 0));
    }
  }

  private void timer() {
    int made = made(Code.TIMER, 0);
    timers.add(made);
    sources.add(made);
  }

  private void pipe() {
    int readEnd = ++things;
    int writeEnd = ++things;
    ops.add(new Op(Code.PIPE, readEnd, writeEnd, 0, 0));
    readEnds.add(readEnd);
    writeEnds.add(writeEnd);
    sources.add(readEnd);
    sources.add(writeEnd);
  }

  private int made(Code code, long value) {
    ops.add(Op.of(code, ++things, value));
    return things;
  }

  /** Polls in polls, mostly later ones in earlier ones, so that few are refused. */
  private void edges() {
    for (int i = random.nextInt(2 * polls.size()); i > 0; i--) {
      int one = random.nextInt(polls.size());
      int other = random.nextInt(polls.size());
      boolean any = random.nextInt(8) == 0;
      int outer = polls.get(any ? one : Math.min(one, other));
      int inner = polls.get(any ? other : Math.max(one, other));
      ops.add(Op.of(Code.ADD, outer, inner, Masks.forAdd(random, false)));
      pairs.add(new Pair(outer, inner));
    }
  }

  /** Up to five layers; which edge, or which source at the bottom, is one too many, is by lot. */
  private void lattice() {
    int layers = 2 + random.nextInt(4);
    int width = layers < 4 ? 2 + random.nextInt(4) : 2 + random.nextInt(2);
    List<Pair> edges = new ArrayList<>();
    List<Integer> above = List.of();
    for (int i = 0; i < layers; i++) {
      List<Integer> layer = new ArrayList<>();
      for (int j = 0; j < width; j++) {
        layer.add(made(Code.POLL, 0));
      }
      polls.addAll(layer);
      join(above, layer, edges);
      above = layer;
    }
    join(above, counters.subList(0, Math.min(2, counters.size())), edges);
    Collections.shuffle(edges, random);
    for (Pair edge : edges) {
      control(Code.ADD, edge, Masks.forAdd(random, false));
      pairs.add(edge);
    }
  }

  private void join(List<Integer> above, List<Integer> below, List<Pair> edges) {
    for (int outer : above) {
      for (int inner : below) {
        if (random.nextInt(6) > 0) {
          edges.add(new Pair(outer, inner));
        }
      }
    }
  }

  // ----------------------------------------------------------------------------- operations

  private void step() {
    if (!shape.alone && random.nextInt(3) == 0) {
      write(); // threads sleep to be woken
      return;
    }
    int lot = random.nextInt(100);
    if (lot < 16) {
      add();
    } else if (lot < 25) {
      change(Code.MODIFY, Masks.forModify(random));
    } else if (lot < 30) {
      change(Code.REMOVE, 0);
    } else if (lot < 33) {
      close();
    } else if (lot < 66) {
      event();
    } else if (lot < 90) {
      await();
    } else if (lot < 95) {
      int asked = random.nextBoolean() ? any(polls) : any(sources);
      ops.add(Op.of(Code.ASK, asked, 0, Masks.forAsk(random)));
    } else if (lot < 97) {
      ops.add(Op.of(Code.ADD_UNKNOWN, any(polls), any(counters), Masks.unknown(random)));
    } else if (lot < 98) {
      ops.add(Op.of(Code.INTERESTS, any(polls)));
    } else {
      write();
    }
  }

  private void add() {
    int source = shape.nests() && random.nextInt(3) == 0 ? inner() : any(sources);
    Pair pair = new Pair(watcher(source), source);
    control(Code.ADD, pair, Masks.forAdd(random, shape.excludes()));
    pairs.add(pair);
  }

  private void change(Code code, int mask) {
    int source = any(sources);
    boolean there = !pairs.isEmpty() && random.nextInt(8) > 0;
    control(code, there ? any(pairs) : new Pair(watcher(source), source), mask);
  }

  private void control(Code code, Pair pair, int mask) {
    long data = random.nextInt(5) == 0 && code != Code.REMOVE ? 1000 + random.nextInt(100) : 0;
    ops.add(new Op(code, pair.poll, pair.source, mask, data));
  }

  private int inner() {
    return shape == Shape.THREADS_ABOVE ? polls.get(random.nextInt(2)) : any(polls);
  }

  /** Which poll may watch a source: any, or in a tree a certain one. */
  private int watcher(int source) {
    if (shape != Shape.THREADS_ABOVE) {
      return any(polls);
    }
    int number = counters.indexOf(source);
    return polls.get(number >= 0 ? number % 3 : 2);
  }

  private void event() {
    int lot = random.nextInt(10);
    if (lot < 2 && !timers.isEmpty()) {
      timerEvent();
    } else if (lot < 5 && !readEnds.isEmpty()) {
      boolean put = random.nextBoolean();
      int bytes = BYTES[random.nextInt(BYTES.length)];
      ops.add(Op.of(put ? Code.PUT : Code.TAKE, watched(put ? writeEnds : readEnds), bytes));
    } else if (lot < 8) {
      write();
    } else {
      ops.add(Op.of(Code.READ, watched(counters)));
    }
  }

  private void write() {
    // Without much that does not fit: small values are what most programs write
    long value = random.nextInt(3) > 0 ? 1 : VALUES[random.nextInt(VALUES.length)];
    ops.add(Op.of(Code.WRITE, watched(counters), value));
  }

  private void timerEvent() {
    Code[] codes = {Code.EXPIRE, Code.EXPIRE, Code.EXPIRE, Code.SET, Code.SETTING, Code.READ};
    Code code = codes[random.nextInt(codes.length)];
    boolean periodic = random.nextInt(3) == 0;
    ops.add(Op.of(code, watched(timers), periodic && code != Code.READ ? 1 : 0));
  }

  private void await() {
    if (!shape.alone && random.nextInt(3) > 0) {
      sleep();
    } else if (random.nextInt(40) == 0) {
      ops.add(Op.of(Code.AWAIT, any(polls), NO_BATCHES[random.nextInt(NO_BATCHES.length)]));
    } else {
      ops.add(Op.of(Code.AWAIT, watching(), BATCHES[random.nextInt(BATCHES.length)]));
    }
  }

  /** Who asks a poll and then takes races with everybody else: it must be alone. */
  private void sleep() {
    if (asks && waiters > 0) {
      return;
    }
    waiters++;
    int poll = shape == Shape.THREADS_ABOVE ? polls.get(2) : watching();
    ops.add(Op.of(asks ? Code.ASKER : Code.WAITER, poll, 1));
  }

  /** What closes is mostly replaced; sometimes programs go on using what is closed. */
  private void close() {
    boolean poll = shape.nests() && random.nextBoolean() && shape.alone;
    int closed = poll ? any(polls) : any(sources);
    ops.add(Op.of(Code.CLOSE, closed));
    if (poll) {
      polls.add(made(Code.POLL, 0));
    } else if (counters.contains(closed)) {
      int next = counter();
      if (shape == Shape.THREADS_ABOVE) {
        keepPlace(closed, next);
      }
    } else if (timers.contains(closed)) {
      timer();
    } else if (readEnds.size() < 4) {
      pipe();
    }
    if (random.nextInt(5) > 0) {
      for (List<Integer> list : List.of(polls, counters, timers, readEnds, writeEnds, sources)) {
        list.remove((Integer) closed);
      }
      pairs.removeIf(pair -> pair.poll == closed || pair.source == closed);
    }
  }

  /** In a tree the place of a counter in the list says who may watch it. */
  private void keepPlace(int old, int next) {
    counters.remove((Integer) next);
    counters.set(counters.indexOf(old), next);
  }

  private void end() {
    for (int poll : polls) {
      if (random.nextInt(4) == 0) {
        ops.add(Op.of(Code.INTERESTS, poll));
      }
      ops.add(Op.of(Code.AWAIT, poll, 64));
      ops.add(Op.of(Code.AWAIT, poll, 64));
    }
  }

  /** One that something watches, mostly. */
  private int watched(List<Integer> from) {
    for (int i = 0; i < 4; i++) {
      int one = any(from);
      if (pairs.stream().anyMatch(pair -> pair.source == one)) {
        return one;
      }
    }
    return any(from);
  }

  /** A poll that watches something, mostly. */
  private int watching() {
    boolean any = pairs.isEmpty() || random.nextInt(6) == 0;
    return any ? any(polls) : any(pairs).poll;
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
