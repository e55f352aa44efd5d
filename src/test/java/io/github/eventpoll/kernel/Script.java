package io.github.eventpoll.kernel;

import io.github.eventpoll.kernel.Op.Code;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A program that is a list of operations. What {@link Legal} says holds for every list. */
record Script(List<Op> ops) implements Program {
  /** A time that does not come while a program runs. */
  static final long HOUR = 3_600_000_000_000L;

  Script {
    ops = Legal.of(ops);
  }

  static Script parse(String text) {
    return new Script(Arrays.stream(text.split(";")).map(Op::parse).toList());
  }

  /** One line, for files; the contrary of {@link #parse}. */
  String text() {
    return ops.stream().map(Op::text).collect(Collectors.joining("; "));
  }

  /** Threads take their time: seconds for what others do in milliseconds. */
  boolean hasThreads() {
    return ops.stream().anyMatch(op -> op.code() == Code.WAITER || op.code() == Code.ASKER);
  }

  static String name(Op maker) {
    return maker.code().prefix + maker.a();
  }

  /** The name of the second thing that an operation makes. */
  static String secondName(Op maker) {
    return maker.code().prefix + maker.b();
  }

  @Override
  public void run(Recorder r) {
    new Play(r).run();
  }

  private final class Play {
    private final Recorder r;
    private final Handle[] things;
    private int waiters;

    Play(Recorder r) {
      this.r = r;
      this.things =
          new Handle[1 + ops.stream().mapToInt(o -> Math.max(o.a(), o.b())).max().orElse(0)];
    }

    void run() {
      for (Op op : ops) {
        if (op.code().makes()) {
          make(op);
        } else {
          play(op);
        }
      }
    }

    private void make(Op op) {
      String name = name(op);
      switch (op.code()) {
        case POLL -> things[op.a()] = r.poll(name);
        case COUNTER -> things[op.a()] = r.counter(name, (int) op.value());
        case SEMAPHORE -> things[op.a()] = r.semaphore(name, (int) op.value());
        case TIMER -> things[op.a()] = r.timer(name);
        case UNWATCHABLE -> things[op.a()] = r.unwatchable(name);
        case ALIAS -> things[op.a()] = r.alias(name, things[op.b()]);
        default -> {
          Handle[] ends = r.pipe(name, secondName(op));
          things[op.a()] = ends[0];
          things[op.b()] = ends[1];
        }
      }
    }

    private void play(Op op) {
      Handle a = things[op.a()];
      Handle b = things[op.b()];
      int value = (int) op.value();
      switch (op.code()) {
        case ADD -> r.add(a, b, op.mask(), data(op, b));
        case ADD_UNKNOWN -> r.addUnknown(a, b, op.mask());
        case MODIFY -> r.modify(a, b, op.mask(), data(op, b));
        case REMOVE -> r.remove(a, b);
        case INTERESTS -> r.interests(a);
        case WRITE -> r.write(a, op.value());
        case READ -> r.read(a);
        case PUT -> r.put(a, value);
        case TAKE -> r.take(a, value);
        case SET -> r.setTimer(a, HOUR, op.value() == 0 ? 0 : HOUR);
        case EXPIRE -> r.expire(a, op.value() == 0 ? 0 : HOUR);
        case SETTING -> r.timer(a, HOUR);
        case AWAIT -> r.await(a, value);
        case ASK -> r.ask(a, op.mask());
        case CLOSE -> r.close(a);
        case WAITER -> r.waiter("W" + waiters++, a, value);
        case ASKER -> r.asker("W" + waiters++, a, value);
        case SETTLE -> r.settle();
        case SETTLE_TOGETHER -> r.settleTogether();
        case SETTLE_COUNT -> r.settleCount();
        default -> throw new IllegalArgumentException(op.text());
      }
    }

    private static long data(Op op, Handle source) {
      return op.value() == 0 ? source.data() : op.value();
    }
  }
}
