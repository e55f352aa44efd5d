package io.github.eventpoll.examples.guide;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.ReadyEvents;
import io.github.eventpoll.source.EventFd;
import io.github.eventpoll.source.QueueSource;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** Several threads wait on one poll; each client is served by one of them at a time, in order. */
public final class Workers {
  private static final int CLIENTS = 3;
  private static final int REQUESTS = 100;

  private Workers() {}

  /**
   * Runs the example.
   *
   * @param args none
   * @throws InterruptedException if interrupted while it waits
   */
  public static void main(String[] args) throws InterruptedException {
    run(System.out);
  }

  /** A client's requests, and what has been done for it. */
  private static final class Client {
    private final QueueSource<Integer> requests = QueueSource.unbounded();
    private final List<Integer> served = new ArrayList<>(); // by one thread at a time

    void serve(CountDownLatch left) {
      requests.drain(
          request -> {
            served.add(request);
            left.countDown();
          },
          10);
    }
  }

  // snippet: workers
  private static void work(EventPoll poll, EventFd stop, CountDownLatch left) {
    ReadyEvents ready = new ReadyEvents(1); // each worker its own batch
    for (; ; ) {
      int n = poll.awaitUninterruptibly(ready);
      for (int i = 0; i < n; i++) {
        if (ready.source(i) == stop) {
          return; // the next worker finds it as well: level-triggered, and nobody reads it
        }
        EpItem item = ready.item(i);
        ((Client) item.attachment()).serve(left);
        item.modify(Events.IN | Events.ONESHOT); // now somebody else may serve this client
      }
    }
  }

  // end snippet

  static void run(PrintStream out) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(CLIENTS * REQUESTS);
    Map<String, Client> clients = new TreeMap<>();
    try (EventFd stop = EventFd.create();
        EventPoll poll = EventPoll.create()) {
      poll.add(stop, Events.IN);
      for (int i = 0; i < CLIENTS; i++) {
        Client client = new Client();
        clients.put("client " + i, client);
        poll.add(client.requests, Events.IN | Events.ONESHOT, client);
      }
      List<Thread> workers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        workers.add(new Thread(() -> work(poll, stop, left), "worker-" + i));
      }
      workers.forEach(Thread::start);
      for (int request = 0; request < REQUESTS; request++) {
        for (Client client : clients.values()) {
          client.requests.offer(request);
        }
      }
      left.await();
      stop.write(1);
      for (Thread worker : workers) {
        worker.join();
      }
    }
    clients.forEach((name, client) -> out.println(name + ": " + inOrder(client.served)));
  }

  private static String inOrder(List<Integer> served) {
    boolean inOrder = served.stream().sorted().toList().equals(served);
    return served.size() + " requests, " + (inOrder ? "in order" : "out of order");
  }
}
