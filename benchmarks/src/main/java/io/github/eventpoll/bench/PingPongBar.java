package io.github.eventpoll.bench;

import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import java.util.concurrent.locks.LockSupport;

/** P6: two threads that wake each other in turn, through two polls and with bare LockSupport. */
final class PingPongBar implements Bars.Bar {
  @Override
  public void measure(Report report, boolean quick) throws Exception {
    int pairs = quick ? 9 : 15;
    int rounds = quick ? 20_000 : 60_000;
    double[] ratios = new double[pairs];
    throughPolls(rounds);
    bare(rounds);
    for (int i = 0; i < pairs; i++) {
      double before = bare(rounds);
      double mine = throughPolls(rounds);
      double after = bare(rounds);
      ratios[i] = mine / ((before + after) / 2);
    }
    report.atMost("P6", "ping-pong through polls / bare park and unpark", Ratio.of(ratios), 1.1);
  }

  private static double throughPolls(int rounds) throws Exception {
    try (Side ping = new Side();
        Side pong = new Side()) {
      Thread other =
          new Thread(
              () -> {
                for (int i = 0; i < rounds; i++) {
                  pong.take();
                  ping.fd.tryWrite(1);
                }
              });
      other.start();
      long start = System.nanoTime();
      for (int i = 0; i < rounds; i++) {
        pong.fd.tryWrite(1);
        ping.take();
      }
      long took = System.nanoTime() - start;
      other.join();
      return took / (double) rounds;
    }
  }

  private static final class Side implements AutoCloseable {
    final EventPoll poll = EventPoll.create();
    final EventFd fd = EventFd.create();
    final ReadyEvents ready = new ReadyEvents(1);

    Side() {
      poll.add(fd, Events.IN);
    }

    void take() {
      poll.awaitUninterruptibly(ready);
      fd.tryRead();
    }

    @Override
    public void close() {
      poll.close();
    }
  }

  private static double bare(int rounds) throws InterruptedException {
    Flag ping = new Flag(Thread.currentThread());
    Thread[] holder = new Thread[1];
    Flag[] pong = new Flag[1];
    holder[0] =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                pong[0].take();
                ping.raise();
              }
            });
    pong[0] = new Flag(holder[0]);
    holder[0].start();
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      pong[0].raise();
      ping.take();
    }
    long took = System.nanoTime() - start;
    holder[0].join();
    return took / (double) rounds;
  }

  private static final class Flag {
    private final Thread taker;
    private volatile boolean up;

    Flag(Thread taker) {
      this.taker = taker;
    }

    void raise() {
      up = true;
      LockSupport.unpark(taker);
    }

    void take() {
      while (!up) {
        LockSupport.park(this);
      }
      up = false;
    }
  }
}
