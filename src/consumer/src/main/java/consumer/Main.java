package consumer;

import io.github.eventpoll.EpItem;
import io.github.eventpoll.EventPoll;
import io.github.eventpoll.Events;
import io.github.eventpoll.source.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs all uses, and fails unless each does what it should. */
public final class Main {
  private Main() {}

  /**
   * See the class.
   *
   * @param args none
   * @throws Exception if something fails
   */
  public static void main(String[] args) throws Exception {
    server();
    liveChange();
    batch();
    System.out.println(
        "server, live change, batch: well, "
            + (EventPoll.class.getModule().isNamed() ? "on the module path" : "on the class path"));
  }

  private static void server() throws IOException, InterruptedException {
    NewsServer server = new NewsServer();
    Thread thread = new Thread(server, "server");
    thread.start();
    try (SocketChannel guest = SocketChannel.open(server.address())) {
      guest.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
      expect("hello", read(guest, 5));
      server.publish("news");
      expect("news", read(guest, 4));
    }
    server.stop();
    thread.join();
  }

  private static void liveChange() throws IOException, InterruptedException {
    Pipe quiet = Pipe.open();
    Pipe added = Pipe.open();
    Watcher watcher = new Watcher();
    Thread thread = new Thread(watcher, "watcher");
    thread.start();
    EpItem item = watcher.watch(quiet, 0, "quiet");
    quiet.sink().write(ByteBuffer.allocate(1)); // nobody asked for it
    watcher.watch(added, Events.IN, "added");
    added.sink().write(ByteBuffer.allocate(1));
    expect("added", watcher.next());
    item.modify(Events.IN, "quiet no more");
    expect("quiet no more", watcher.next());
    watcher.close();
    thread.join();
  }

  private static void batch() throws InterruptedException {
    try (EventPoll poll = EventPoll.create();
        Timer deadline = Timer.create()) {
      Batch batch = new Batch(poll, deadline);
      List.of("tea", "milk", "sugar").forEach(batch::order);
      expect("[tea, milk, sugar]", batch.next().toString());
    }
  }

  private static String read(SocketChannel from, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining() && from.read(buffer) >= 0) {}
    return StandardCharsets.US_ASCII.decode(buffer.flip()).toString();
  }

  private static void expect(String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", was " + actual);
    }
  }
}
